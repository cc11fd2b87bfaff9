import type { Cancel, Clock } from '../../primitives/clock.ts';
import type { Log } from '../../primitives/log.ts';
import type { Wire } from '../../primitives/wire.ts';
import { type ApduLink, type ApduListener, longestAbsenceMs } from './link.ts';
import { hex } from './packets.ts';
import { ACK, encodeBlock, NAK, SerialDecoder, type SerialItem } from './serial-framing.ts';

/** ZVT PA00P016, section 3: the longest gap inside a block, and the longest wait for 06 or 15 after it. */
const t1Ms = 200;
const t2Ms = 5_000;
/** Once, and two repetitions. */
const mostSends = 3;

interface Outgoing {
  readonly block: Uint8Array;
  readonly settle: (result: 'delivered' | 'failed') => void;
  sends: number;
}

/**
 * The serial line's own protocol, the same for both sides: blocks, 06 and 15, repetitions. Outlives the ports it runs over:
 * a block that was under way when the cable was pulled is sent again over the next port, never by the old one.
 */
export class SerialLink implements ApduLink {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #listener: ApduListener;
  readonly #decoder = new SerialDecoder();
  readonly #queue: Outgoing[] = [];
  #wire: Wire | null = null;
  #current: Outgoing | null = null;
  #cancelT1: Cancel = () => {};
  #cancelT2: Cancel = () => {};
  #cancelAbsence: Cancel = () => {};
  /** The last packet that came, until one of ours has been acknowledged: the same again before that is a repetition. */
  #lastReceived: Uint8Array | null = null;
  #closed = false;

  constructor(options: { clock: Clock; log: Log; listener: ApduListener }) {
    this.#clock = options.clock;
    this.#log = options.log;
    this.#listener = options.listener;
  }

  isUp(): boolean {
    return this.#wire !== null;
  }

  unanswered(): void {}

  attach(wire: Wire): void {
    this.#wire = wire;
    this.#cancelAbsence();
    this.#decoder.interrupt();
    if (this.#current === null) this.#next();
    else this.#transmit(this.#current);
  }

  detach(): void {
    this.#wire = null;
    this.#cancelT1();
    this.#cancelT2();
    if (this.#current !== null) this.#current.sends = 0;
    this.#cancelAbsence();
    this.#cancelAbsence = this.#clock.after(longestAbsenceMs, () => this.#failAll());
  }

  send(apdu: Uint8Array): Promise<'delivered' | 'failed'> {
    if (this.#closed) return Promise.resolve('failed');
    return new Promise((settle) => {
      this.#queue.push({ block: encodeBlock(apdu), settle, sends: 0 });
      if (this.#current === null) this.#next();
    });
  }

  close(): void {
    this.#closed = true;
    this.#wire = null;
    this.#cancelT1();
    this.#cancelAbsence();
    this.#failAll();
  }

  /** Bytes that came over the attached wire. */
  data(bytes: Uint8Array): void {
    this.#cancelT1();
    for (const item of this.#decoder.push(bytes)) this.#take(item);
    if (!this.#decoder.insideBlock || this.#closed) return;
    this.#cancelT1 = this.#clock.after(t1Ms, () => {
      for (const item of this.#decoder.interrupt()) this.#take(item);
    });
  }

  #take(item: SerialItem): void {
    switch (item.kind) {
      case 'ack':
        return this.#onAck();
      case 'nak':
        this.#log.warn({}, 'the till asked for a block again');
        return this.#repeat();
      case 'apdu':
        return this.#onApdu(item.bytes);
      case 'badBlock':
        this.#log.warn({ reason: item.reason, bytes: hex(item.bytes.subarray(0, 64)) }, 'a block from the till was broken');
        return this.#put(NAK);
      case 'noise':
        this.#log.warn({ byteCount: item.byteCount }, 'bytes outside a block on the till line');
        return;
    }
  }

  #onApdu(bytes: Uint8Array): void {
    this.#put(ACK);
    if (this.#lastReceived !== null && equal(this.#lastReceived, bytes)) {
      this.#log.warn({ bytes: hex(bytes) }, 'the till repeated a block: our answer had not reached it');
      if (this.#current !== null) this.#transmit(this.#current);
      return;
    }
    this.#lastReceived = bytes;
    this.#listener.received(bytes);
  }

  #onAck(): void {
    if (this.#current === null) return;
    this.#cancelT2();
    this.#lastReceived = null;
    this.#finish('delivered');
  }

  #repeat(): void {
    if (this.#current === null) return;
    this.#cancelT2();
    if (this.#current.sends < mostSends) return this.#transmit(this.#current);
    this.#log.error({ block: hex(this.#current.block) }, 'the till did not take a block, three times');
    this.#finish('failed');
  }

  #finish(result: 'delivered' | 'failed'): void {
    const { settle } = this.#current as Outgoing;
    this.#current = null;
    settle(result);
    this.#next();
  }

  #next(): void {
    if (this.#current !== null) return;
    this.#current = this.#queue.shift() ?? null;
    if (this.#current === null) return;
    if (this.#wire !== null) this.#transmit(this.#current);
  }

  #transmit(outgoing: Outgoing): void {
    if (this.#wire === null) return;
    outgoing.sends += 1;
    this.#cancelT2();
    this.#cancelT2 = this.#clock.after(t2Ms, () => this.#repeat());
    this.#write(outgoing.block);
  }

  #put(byte: number): void {
    this.#write(Uint8Array.of(byte));
  }

  #write(bytes: Uint8Array): void {
    // A write that fails is a line that is lost: its keeper hears of that and detaches.
    this.#wire?.write(bytes).catch((error: unknown) => this.#log.warn({ detail: String(error) }, 'the till line did not take a write'));
  }

  #failAll(): void {
    this.#cancelT2();
    const waiting = [...(this.#current === null ? [] : [this.#current]), ...this.#queue.splice(0)];
    this.#current = null;
    for (const { settle } of waiting) settle('failed');
  }
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
