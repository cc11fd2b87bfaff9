/**
 * A session on the cable: ENQ, answered ACK; the block STX text ETX LRC, answered ACK or NAK; EOT. Who speaks opens it: the till to ask, the terminal to
 * answer.
 * The LRC is the exclusive or of all after STX, with ETX.
 */
import type { Cancel, Clock } from '../../domain/clock.ts';
import type { Log } from '../../domain/log.ts';
import { type Wire, writeUnlessLost } from '../../domain/wire.ts';

const [STX, ETX, EOT, ENQ, ACK, NAK] = [0x02, 0x03, 0x04, 0x05, 0x06, 0x15] as const;

/** How long the other side has for each step, and for the next byte of a block. */
const stepMs = 3_000;
const mostSends = 3;
/** More than any message has: 64 records of 40 characters. */
const mostBlockBytes = 4_096;

const blockOf = (text: Uint8Array): Uint8Array => Uint8Array.of(STX, ...text, ETX, lrcOf(text));
const lrcOf = (text: Uint8Array): number => text.reduce((sum, byte) => sum ^ byte, ETX);

interface Sending {
  readonly block: Uint8Array;
  stage: 'enquiring' | 'block';
  sends: number;
  readonly settle: (taken: boolean) => void;
}

export class ConcertSerialLink {
  readonly #clock: Clock;
  readonly #log: Log;
  /** A whole session of the till is over. */
  readonly #received: (text: Uint8Array) => void;
  /** The till wants to ask. */
  readonly #mayAsk: () => boolean;
  #wire: Wire | null = null;
  /** Stage of the till's session: waiting for its block, within the block, or waiting for its end with the text. */
  #listening: { stage: 'open' } | { stage: 'text' | 'lrc'; text: number[] } | { stage: 'end'; text: Uint8Array } | null = null;
  #sending: Sending | null = null;
  #cancelStep: Cancel = () => {};

  constructor(options: { clock: Clock; log: Log; received: (text: Uint8Array) => void; mayAsk: () => boolean }) {
    this.#clock = options.clock;
    this.#log = options.log;
    this.#received = options.received;
    this.#mayAsk = options.mayAsk;
  }

  attach(wire: Wire): void {
    this.#wire = wire;
  }

  detach(): void {
    this.#wire = null;
    this.#reset();
  }

  close(): void {
    this.detach();
  }

  /** Resolves with whether the till has acknowledged the block. The session is open then: `end` ends it. */
  send(text: Uint8Array): Promise<boolean> {
    if (this.#wire === null || this.#sending !== null || this.#listening !== null) return Promise.resolve(false);
    return new Promise((resolve) => {
      this.#sending = { block: blockOf(text), stage: 'enquiring', sends: 0, settle: resolve };
      this.#transmit();
    });
  }

  end(): void {
    this.#put(EOT);
  }

  data(bytes: Uint8Array): void {
    for (const byte of bytes) this.#take(byte);
  }

  #take(byte: number): void {
    if (this.#sending !== null) return this.#answered(byte, this.#sending);
    const listening = this.#listening;
    if (listening?.stage === 'text') return this.#takeText(byte, listening.text);
    if (listening?.stage === 'lrc') return this.#takeLrc(byte, listening.text);
    if (byte === ENQ) {
      // A till that asks while it waits for an answer has given that up, or was switched on anew: the answer would be taken for another's.
      this.#listening = this.#mayAsk() ? { stage: 'open' } : null;
      this.#put(this.#listening === null ? NAK : ACK);
    } else if (byte === STX && listening !== null) {
      this.#listening = { stage: 'text', text: [] };
    } else if (byte === EOT) {
      this.#listening = null;
      this.#cancelStep();
      if (listening?.stage === 'end') this.#received(listening.text);
      return;
    } else this.#log.warn({ byte }, 'a byte of the till that belongs nowhere');
    if (this.#listening !== null) this.#waitForStep();
  }

  #takeText(byte: number, text: number[]): void {
    if (byte === ETX) this.#listening = { stage: 'lrc', text };
    else if (text.length < mostBlockBytes) text.push(byte);
    else return this.#reset();
    this.#waitForStep();
  }

  #takeLrc(byte: number, text: number[]): void {
    const isRight = byte === lrcOf(Uint8Array.from(text));
    if (!isRight) this.#log.warn({}, 'a block from the till was broken');
    // The same block again is the same request: it is read when the session ends.
    this.#listening = isRight ? { stage: 'end', text: Uint8Array.from(text) } : { stage: 'open' };
    this.#put(isRight ? ACK : NAK);
    this.#waitForStep();
  }

  #answered(byte: number, sending: Sending): void {
    if (byte === ACK && sending.stage === 'enquiring') {
      sending.stage = 'block';
      sending.sends = 0;
      return this.#transmit();
    }
    if (byte === ACK) return this.#settle(true);
    if (byte === NAK) return this.#again();
    // The till speaks itself: it does not wait for this answer.
    if (byte !== ENQ && byte !== EOT) return;
    this.#settle(false);
    if (byte === ENQ) this.#take(byte);
  }

  #transmit(): void {
    const sending = this.#sending;
    if (sending === null) return;
    sending.sends += 1;
    this.#cancelStep();
    this.#cancelStep = this.#clock.after(stepMs, () => this.#again());
    if (sending.stage === 'enquiring') this.#put(ENQ);
    else this.#write(sending.block);
  }

  #again(): void {
    if (this.#sending === null) return;
    if (this.#sending.sends < mostSends) return this.#transmit();
    this.#log.warn({ stage: this.#sending.stage }, 'the till did not take the answer, three times');
    this.#settle(false);
  }

  /** Ends the session. No EOT is sent where the till did not acknowledge: it may have the block, and EOT would make it valid. */
  #settle(taken: boolean): void {
    const sending = this.#sending;
    this.#sending = null;
    this.#cancelStep();
    sending?.settle(taken);
  }

  #waitForStep(): void {
    this.#cancelStep();
    this.#cancelStep = this.#clock.after(stepMs, () => {
      this.#log.warn({}, 'the till did not end its session: what it asked is forgotten');
      this.#listening = null;
    });
  }

  #reset(): void {
    this.#listening = null;
    this.#cancelStep();
    this.#settle(false);
  }

  #put(byte: number): void {
    this.#write(Uint8Array.of(byte));
  }

  #write(bytes: Uint8Array): void {
    writeUnlessLost(this.#wire, bytes, this.#log);
  }
}
