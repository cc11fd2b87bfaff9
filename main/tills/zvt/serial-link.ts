import type { Cancel, Clock } from '../../core/domain/clock.ts';
import type { Log } from '../../core/domain/log.ts';
import { type Wire, writeUnlessLost } from '../../core/domain/wire.ts';
import {
  type ApduLink,
  type ApduListener,
  maxAbsenceMs,
  maxWaitingPackets,
  type Sent,
  t3Ms,
} from './link.ts';
import { sameBytes } from './bitmaps.ts';
import { isExclusiveCommand, isMoneyCommand } from './packet-table.ts';
import { hex, outline } from './packets.ts';
import { ACK, encodeBlock, NAK, SerialDecoder, type SerialItem } from './serial-framing.ts';

/**
 * ZVT PA00P016, section 3: the longest gap inside a block, and the longest wait for 06 or 15 after
 * it.
 */
const t1Ms = 200;
const t2Ms = 5_000;
/** The first time, and two repetitions. */
const maxSends = 3;

const refusalClass = 0x84;
const isAnswer = ([classByte]: Uint8Array): boolean =>
  classByte === 0x80 || classByte === refusalClass;
/** Tolerance for the difference of two clocks and a slow line. */
const toleranceMs = 1_000;
const soonestRepetitionMs = t2Ms - toleranceMs;
/** When a line repeats a block whose 06 was lost: after T2, and once more after as long again. */
const isRepetitionTime = (afterMs: number): boolean =>
  [t2Ms, 2 * t2Ms].some((dueMs) => afterMs >= dueMs - toleranceMs && afterMs < dueMs + toleranceMs);
const maxRepetitionMs = maxSends * t2Ms;
/** A till may give up its command after T3: what answers it sooner is surely taken for that. */
const surelyAwaitedMs = t3Ms - toleranceMs;

interface Outgoing {
  readonly block: Uint8Array;
  /** 84 xx: the dialogue ends with it, and the till may ask for the same again. */
  readonly refuses: boolean;
  /** When it was queued, by the monotonic clock. */
  readonly queuedAtMs: number;
  readonly sent: (how: Sent) => void;
  /** Since the port was opened. */
  sends: number;
  /** How often it was sent, without the copies that the till has refused with 15. */
  copies: number;
  /**
   * The till has sent 15 before the last byte left. It gets the block again once the line is quiet.
   */
  isRefused: boolean;
}

/**
 * The serial line's own protocol, the same for both sides: blocks, 06 and 15, repetitions. Outlives
 * the ports it runs over: a block that was under way when the cable was pulled is sent again over
 * the next port, never by the old one.
 */
export class ZvtSerialLink implements ApduLink {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #listener: ApduListener;
  readonly #spoiled: () => void;
  readonly #decoder = new SerialDecoder();
  readonly #queue: Outgoing[] = [];
  #wire: Wire | null = null;
  #current: Outgoing | null = null;
  #cancelT1: Cancel = () => {};
  #cancelT2: Cancel = () => {};
  #cancelQuiet: Cancel = () => {};
  #cancelAbsence: Cancel | null = null;
  /**
   * The last packet that came, until one of ours has been acknowledged: the same again before that
   * is a repetition.
   */
  #lastReceived: Uint8Array | null = null;
  /**
   * The last that came, if it runs alone: its sender may have taken our answer and still wait for
   * our 06, which was lost alone. Then it repeats the block after T2, before it sends any other; a
   * second answer would be taken for the next command's. Times are of the monotonic clock.
   */
  #command: {
    readonly bytes: Uint8Array;
    readonly atMs: number;
    /** It was refused, or moves no money: a cashier may mean it again. */
    mayComeAgain: boolean;
  } | null = null;
  /**
   * The last 80 00 or 84 xx that came, by the monotonic clock. That our next block was taken does
   * not prove that our 06 before it arrived.
   */
  #answer: { readonly bytes: Uint8Array; readonly atMs: number } | null = null;
  /**
   * When an 84 xx was last sent so late that the till may have been waiting for the answer to its
   * next command.
   */
  #lateRefusalAtMs = Number.NEGATIVE_INFINITY;
  /**
   * Until then a 15 may be about another copy of the block before, which went out more than once:
   * then the till may have the current one.
   */
  #otherCopiesUntilMs = Number.NEGATIVE_INFINITY;
  #closed = false;

  /** @param spoiled is called for each broken block, and for bytes outside of blocks */
  constructor(options: {
    readonly clock: Clock;
    readonly log: Log;
    readonly listener: ApduListener;
    readonly spoiled?: () => void;
  }) {
    this.#clock = options.clock;
    this.#log = options.log;
    this.#listener = options.listener;
    this.#spoiled = options.spoiled ?? (() => {});
  }

  isUp(): boolean {
    return this.#wire !== null;
  }

  unanswered(): void {}

  attach(wire: Wire): void {
    this.#wire = wire;
    this.#endAbsence();
    this.#decoder.interrupt();
    if (this.#current === null) this.#next();
    else this.#transmit(this.#current);
  }

  detach(): void {
    this.#wire = null;
    this.#cancelT1();
    this.#cancelT2();
    this.#cancelQuiet();
    if (this.#current !== null) this.#current.sends = 0;
    this.#boundAbsence();
  }

  send(apdu: Uint8Array, sent: (how: Sent) => void = () => {}): void {
    if (this.#closed) return sent({ delivered: false, copies: 0 });
    if (this.#queue.length >= maxWaitingPackets) {
      this.#log.error(outline(apdu), 'the till takes no blocks: this one is not sent');
      return sent({ delivered: false, copies: 0 });
    }
    const refuses = apdu[0] === refusalClass;
    this.#queue.push({
      block: encodeBlock(apdu),
      refuses,
      queuedAtMs: this.#clock.monotonicMs(),
      sent,
      sends: 0,
      copies: 0,
      isRefused: false,
    });
    this.#next();
  }

  close(): void {
    this.#closed = true;
    this.#wire = null;
    this.#cancelT1();
    this.#failAll();
  }

  /** Bytes that came over the attached wire. */
  data(bytes: Uint8Array): void {
    this.#cancelT1();
    for (const item of this.#decoder.push(bytes)) this.#take(item);
    if (this.#current?.isRefused) this.#repeatWhenQuiet(this.#current);
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
        if (this.#current?.isRefused) return;
        if (this.#current !== null && this.#leavesInMs > 0)
          return this.#repeatWhenQuiet(this.#current);
        if (this.#current !== null && this.#clock.monotonicMs() >= this.#otherCopiesUntilMs)
          this.#current.copies -= 1;
        return this.#repeat();
      case 'apdu':
        return this.#onApdu(item.bytes);
      case 'badBlock':
        this.#log.warn(
          { reason: item.reason, ...outline(item.bytes) },
          'a block from the till was broken',
        );
        // A block that began anew is answered once the new one is complete or broken.
        if (item.reason !== 'restarted') this.#put(NAK);
        this.#spoiled();
        return;
      case 'noise':
        this.#log.warn({ byteCount: item.byteCount }, 'bytes outside a block on the till line');
        this.#spoiled();
        return;
    }
  }

  #onApdu(bytes: Uint8Array): void {
    this.#put(ACK);
    if (this.#lastReceived !== null && sameBytes(this.#lastReceived, bytes)) {
      this.#log.warn(outline(bytes), 'the till repeated a block: our answer had not reached it');
      if (this.#current !== null) this.#transmit(this.#current);
      return;
    }
    if (this.#isLateRepetition(bytes)) {
      this.#log.warn(
        outline(bytes),
        'the till repeated a command whose answer it has: our 06 had not reached it',
      );
      return;
    }
    const atMs = this.#clock.monotonicMs();
    const movesMoney = isMoneyCommand(bytes);
    if (movesMoney) this.#withdrawRefusals();
    this.#lastReceived = bytes;
    this.#command = isExclusiveCommand(bytes) ? { bytes, atMs, mayComeAgain: !movesMoney } : null;
    const last = this.#answer;
    if (isAnswer(bytes)) this.#answer = { bytes, atMs };
    this.#listener.received(bytes, {
      mayBeOver: movesMoney && atMs < this.#lateRefusalAtMs + maxRepetitionMs,
      mayBeRepeated:
        last !== null && sameBytes(last.bytes, bytes) && isRepetitionTime(atMs - last.atMs),
    });
  }

  /**
   * A till that asks for the next sale no longer waits for the refusal of the last one. Sent once
   * more, that refusal would refuse this sale.
   */
  #withdrawRefusals(): void {
    for (const outgoing of this.#queue.splice(0)) {
      if (outgoing.refuses) outgoing.sent({ delivered: false, copies: 0 });
      else this.#queue.push(outgoing);
    }
    if (this.#current?.refuses) this.#finish(false);
  }

  /**
   * A till that received our 80 00 has to answer the packet that follows. If the same command comes
   * after T2 instead, the line repeated it, not the cashier.
   */
  #isLateRepetition(bytes: Uint8Array): boolean {
    if (this.#command === null || !sameBytes(this.#command.bytes, bytes)) return false;
    const afterMs = this.#clock.monotonicMs() - this.#command.atMs;
    // A cashier may press the same key again at any time: only what comes just when the line would
    // repeat it is taken for that.
    return this.#command.mayComeAgain
      ? isRepetitionTime(afterMs)
      : afterMs >= soonestRepetitionMs && afterMs < maxRepetitionMs;
  }

  #onAck(): void {
    if (this.#current === null) return;
    this.#finish(true);
  }

  #repeat(): void {
    if (this.#current === null) return;
    this.#cancelT2();
    if (this.#current.sends < maxSends) return this.#transmit(this.#current);
    this.#log.error(
      { block: hex(this.#current.block) },
      'the till did not take a block, three times',
    );
    this.#finish(false);
  }

  #finish(delivered: boolean): void {
    // Only called while a block is being sent.
    const { sent, copies, refuses } = this.#current as Outgoing;
    this.#cancelT2();
    this.#cancelQuiet();
    if (refuses && this.#command !== null) this.#command.mayComeAgain = true;
    if (copies > 1) this.#otherCopiesUntilMs = this.#clock.monotonicMs() + t2Ms;
    // Acknowledged or given up: from now on the same block is a new one, not a repetition.
    this.#lastReceived = null;
    this.#current = null;
    sent({ delivered, copies });
    this.#next();
  }

  #next(): void {
    if (this.#current !== null) return;
    this.#current = this.#queue.shift() ?? null;
    if (this.#current === null) return;
    if (this.#wire === null) this.#boundAbsence();
    else this.#transmit(this.#current);
  }

  #transmit(outgoing: Outgoing): void {
    if (this.#wire === null) return;
    outgoing.sends += 1;
    outgoing.copies += 1;
    const nowMs = this.#clock.monotonicMs();
    if (outgoing.refuses && nowMs >= outgoing.queuedAtMs + surelyAwaitedMs)
      this.#lateRefusalAtMs = nowMs;
    this.#cancelT2();
    this.#cancelQuiet();
    outgoing.isRefused = false;
    this.#write(outgoing.block);
    // A till may have acknowledged it meanwhile.
    if (outgoing === this.#current)
      this.#cancelT2 = this.#clock.after(this.#leavesInMs + t2Ms, () => this.#repeat());
  }

  get #leavesInMs(): number {
    return this.#wire?.leavesInMs?.() ?? 0;
  }

  /**
   * A till that takes a byte of the data for the end refuses each piece of a block: it gets the
   * block again once (ZVT PA00P016, section 2.1).
   */
  #repeatWhenQuiet(outgoing: Outgoing): void {
    outgoing.isRefused = true;
    this.#cancelQuiet();
    this.#cancelQuiet = this.#clock.after(this.#leavesInMs + t1Ms, () => {
      outgoing.copies -= 1;
      this.#repeat();
    });
  }

  #put(byte: number): void {
    this.#write(Uint8Array.of(byte));
  }

  #write(bytes: Uint8Array): void {
    writeUnlessLost(this.#wire, bytes, this.#log);
  }

  /**
   * What waits for a cable that is out is given up some time, also what began to wait long after it
   * was pulled.
   */
  #boundAbsence(): void {
    this.#cancelAbsence ??= this.#clock.after(maxAbsenceMs, () => this.#failAll());
  }

  #endAbsence(): void {
    this.#cancelAbsence?.();
    this.#cancelAbsence = null;
  }

  #failAll(): void {
    this.#cancelT2();
    this.#cancelQuiet();
    this.#endAbsence();
    this.#lastReceived = null;
    const waiting = [...(this.#current === null ? [] : [this.#current]), ...this.#queue.splice(0)];
    this.#current = null;
    for (const { sent, copies } of waiting) sent({ delivered: false, copies });
  }
}
