/**
 * What goes over a till's line, as JSON lines: one for each piece of bytes as it came or went, with
 * the times of both clocks, so that it can be read with any program, line by line, and also when
 * the last one was cut off. Secrets are hidden before anything leaves this file, which takes whole
 * packets: a piece waits until the packet that it is part of has come.
 */
import type { Cancel, Clock } from '../../core/domain/clock.ts';
import { messageOf } from '../../core/domain/errors.ts';
import type { Log } from '../../core/domain/log.ts';
import type { OpenSerialWire } from '../../core/domain/wire.ts';
import { ApduStream } from './apdu.ts';
import { maskOf, type Side } from './masking.ts';
import { hexByte } from './packets.ts';
import { SerialDecoder, type SerialItem } from './serial-framing.ts';
import { PrefixedStream, type TcpFraming } from './tcp-framing.ts';

export type LineFraming = TcpFraming | 'serial';

/** Sees the bytes of one line, and neither holds them up nor fails. */
export interface LineTap {
  bytes(from: Side, bytes: Uint8Array): void;
  closed(): void;
}
export type WireTap = (peer: string, framing: LineFraming) => LineTap;

/** Where what is recorded goes. */
export interface RecordingSink {
  /** Whether recording is on; asked for each piece. */
  isOn(): boolean;
  write(line: string): void;
}

/**
 * How long a packet may be incomplete, longer than the line allows (T1, T3). Then its bytes are
 * hidden.
 */
const patienceMs = 6_000;

interface Piece {
  readonly no: number;
  readonly from: Side;
  readonly bytes: Uint8Array;
  readonly at: string;
  readonly ms: number;
  /**
   * A mark for each byte that is decided: shown, hidden, hidden because it belongs to no complete
   * packet, or left out.
   */
  readonly marks: Mark[];
}
type Mark = 0 | 1 | 2 | 3;

/** Each line has a unique name: a number in this process, after the time of the process's start. */
export function createRecorder({
  sink,
  clock,
  log,
}: {
  sink: RecordingSink;
  clock: Clock;
  log: Log;
}): WireTap {
  let lines = 0;
  let pieces = 0;
  const start = new Date(clock.wallMs()).toISOString();
  return (peer, framing) => {
    lines += 1;
    return guarded(
      new RecordedLine({
        sink,
        clock,
        name: { line: `${start}/${lines}`, peer, framing },
        next: () => (pieces += 1),
      }),
      log,
    );
  };
}

/** An error in the recording must not become one in a payment. */
function guarded(line: LineTap, log: Log): LineTap {
  let works = true;
  const attempt = (act: () => void): void => {
    if (!works) return;
    try {
      act();
    } catch (error) {
      works = false;
      log.error({ detail: messageOf(error) }, 'the till line is not recorded any more');
    }
  };
  return {
    bytes: (from, bytes) => attempt(() => line.bytes(from, bytes)),
    closed: () => attempt(() => line.closed()),
  };
}

interface RecordedLineOptions {
  readonly sink: RecordingSink;
  readonly clock: Clock;
  readonly name: { readonly line: string; readonly peer: string; readonly framing: LineFraming };
  /** The number of the next piece. */
  readonly next: () => number;
}

class RecordedLine implements LineTap {
  readonly #options: RecordedLineOptions;
  readonly #sides: Readonly<Record<Side, { readonly stream: MarkedStream; unrecorded: number }>>;
  /** Pieces in the order in which they came and went. */
  #waiting: Piece[] = [];
  #cancel: Cancel = () => {};

  constructor(options: RecordedLineOptions) {
    this.#options = options;
    const side = (from: Side) => ({
      stream: new MarkedStream(options.name.framing, from),
      unrecorded: 0,
    });
    this.#sides = { till: side('till'), terminal: side('terminal') };
  }

  bytes(from: Side, bytes: Uint8Array): void {
    const { sink, clock, next } = this.#options;
    const side = this.#sides[from];
    const isRecorded = sink.isOn() || this.#waiting.length > 0;
    const marks = side.stream.push(bytes, isRecorded);
    if (!isRecorded) {
      // A packet that is under way when recording begins must not be taken for another one.
      side.unrecorded = side.stream.undecided;
      return;
    }
    const at = new Date(clock.wallMs()).toISOString();
    this.#waiting.push({
      no: next(),
      from,
      bytes: Uint8Array.from(bytes),
      at,
      ms: round(clock.monotonicMs()),
      marks: [],
    });
    this.#decide(from, marks);
    this.#writeDecided();
  }

  closed(): void {
    this.#giveUp();
  }

  #decide(from: Side, marks: readonly Mark[]): void {
    const side = this.#sides[from];
    let next = Math.min(side.unrecorded, marks.length);
    side.unrecorded -= next;
    for (const piece of this.#waiting) {
      if (piece.from !== from) continue;
      while (piece.marks.length < piece.bytes.length && next < marks.length)
        piece.marks.push(marks[next++] ?? 2);
    }
  }

  #writeDecided(): void {
    this.#cancel();
    this.#cancel = () => {};
    const { sink, clock, name } = this.#options;
    const undecided = this.#waiting.findIndex(({ bytes, marks }) => marks.length < bytes.length);
    const ready = this.#waiting.splice(0, undecided < 0 ? this.#waiting.length : undecided);
    for (const { no, from, bytes, at, ms, marks } of ready)
      sink.write(JSON.stringify({ no, at, ms, ...name, from, hex: marked(bytes, marks) }));
    if (this.#waiting.length > 0) this.#cancel = clock.after(patienceMs, () => this.#giveUp());
  }

  #giveUp(): void {
    for (const from of ['till', 'terminal'] as const)
      this.#decide(from, this.#sides[from].stream.giveUp());
    this.#writeDecided();
  }
}

const round = (ms: number): number => Math.round(ms * 10) / 10;

const marked = (bytes: Uint8Array, marks: readonly Mark[]): string =>
  Array.from(bytes, (byte, index) => [hexByte(byte), '**', '??', null][marks[index] ?? 2])
    .filter((text) => text !== null)
    .join(' ');

/**
 * Decides for each byte of one direction, in order, whether it is shown; those of an incomplete
 * packet wait.
 */
class MarkedStream {
  readonly #from: Side;
  readonly #framing: LineFraming;
  /** How many bytes are not decided yet. */
  undecided = 0;
  #tcp: ApduStream | PrefixedStream;
  #serial = new SerialDecoder();
  /** Whether the last that came was a whole block, or 06 or 15 after one. */
  #inStep = true;
  #isRecorded = false;

  constructor(framing: LineFraming, from: Side) {
    this.#framing = framing;
    this.#from = from;
    this.#tcp = framing === 'lengthPrefixed' ? new PrefixedStream() : new ApduStream();
  }

  push(bytes: Uint8Array, isRecorded: boolean): Mark[] {
    this.#isRecorded = isRecorded;
    return this.#framing === 'serial' ? this.#pushSerial(bytes) : this.#pushTcp(bytes);
  }

  /** Hides the rest, which cannot become a complete packet. */
  giveUp(): Mark[] {
    this.#serial.interrupt();
    this.#tcp = this.#framing === 'lengthPrefixed' ? new PrefixedStream() : new ApduStream();
    return this.#decideAll(2);
  }

  /** @param rest how many of the last bytes stay undecided */
  #decideAll(mark: Mark, rest = 0): Mark[] {
    const decided = Math.max(0, this.undecided - rest);
    this.undecided -= decided;
    return Array.from({ length: decided }, () => mark);
  }

  /** Only the number of marks matters for a packet that is not recorded. */
  #maskOf(apdu: Uint8Array): Uint8Array {
    return this.#isRecorded ? maskOf(apdu, this.#from) : new Uint8Array(apdu.length);
  }

  #pushTcp(bytes: Uint8Array): Mark[] {
    this.undecided += bytes.length;
    const apdus = this.#tcp.push(bytes);
    if (apdus === null) return this.giveUp();
    const marks: Mark[] = [];
    for (const apdu of apdus) {
      if (this.#framing === 'lengthPrefixed') marks.push(0, 0);
      for (const hidden of this.#maskOf(apdu)) marks.push(hidden === 0 ? 0 : 1);
    }
    this.undecided -= marks.length;
    return marks;
  }

  #pushSerial(bytes: Uint8Array): Mark[] {
    const marks: Mark[] = [];
    for (const byte of bytes) {
      const wasInside = this.#serial.insideBlock;
      this.undecided += 1;
      for (const item of this.#serial.push(Uint8Array.of(byte))) {
        // In the rest of a broken block, 06 and 15 may be its digits.
        const answers = item.kind === 'ack' || item.kind === 'nak';
        if (item.kind === 'apdu') marks.push(...this.#blockMarks(item.bytes));
        else
          marks.push(
            ...this.#decideAll(answers && this.#inStep && !wasInside ? 0 : 2, begun(item, byte)),
          );
        this.#inStep = item.kind === 'apdu' || (answers && this.#inStep);
      }
    }
    return marks;
  }

  /**
   * Noise before the block, `10 02`, the APDU with each 10 twice, `10 03`, and a checksum that
   * would betray a few hidden digits.
   */
  #blockMarks(apdu: Uint8Array): Mark[] {
    const mask = this.#maskOf(apdu);
    const inner: Mark[] = Array.from(apdu).flatMap((byte, index): Mark[] => {
      const mark = mask[index] === 0 ? 0 : 1;
      // The second byte of a hidden 10 would reveal it, and is left out.
      return byte === 0x10 ? [mark, mark === 0 ? 0 : 3] : [mark];
    });
    const checksum: Mark = mask.includes(1) ? 1 : 0;
    const block: Mark[] = [0, 0, ...inner, 0, 0, checksum, checksum];
    const all = this.#decideAll(2);
    return [...all.slice(block.length), ...block.slice(Math.max(0, block.length - all.length))];
  }
}

/** How many bytes of the next block came with the item before it: `10`, or `10 02`. */
function begun(item: SerialItem, byte: number): 0 | 1 | 2 {
  if (item.kind === 'badBlock' && item.reason === 'restarted') return 2;
  return item.kind === 'noise' && byte === 0x10 ? 1 : 0;
}

/** Opens the serial port and shows the tap everything that passes. */
export function tapped(open: OpenSerialWire, tap: WireTap | null): OpenSerialWire {
  if (tap === null) return open;
  return async (port, listener) => {
    const line = tap(`serial:${port.path}`, 'serial');
    const wire = await open(port, {
      data(bytes) {
        line.bytes('till', bytes);
        listener.data(bytes);
      },
      lost(why) {
        line.closed();
        listener.lost(why);
      },
    });
    return {
      write(bytes) {
        line.bytes('terminal', bytes);
        return wire.write(bytes);
      },
      leavesInMs: () => wire.leavesInMs?.() ?? 0,
      close() {
        line.closed();
        return wire.close();
      },
    };
  };
}
