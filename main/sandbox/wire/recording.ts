/**
 * Reads the recordings of `main/tills/zvt/recorder.ts`: pieces of bytes, and the packets in them.
 */
import { z } from 'zod';
import { hexByte } from '../../tills/zvt/packets.ts';
import { encodeBlock } from '../../tills/zvt/serial-framing.ts';

const Piece = z.object({
  no: z.int(),
  at: z.iso.datetime(),
  ms: z.number(),
  line: z.string(),
  // Without control characters, because it is printed on a terminal.
  peer: z.string().regex(/^\P{C}*$/u),
  framing: z.enum(['bare', 'lengthPrefixed', 'serial']),
  from: z.enum(['till', 'terminal']),
  hex: z.string().regex(/^(([0-9A-F]{2}|\*\*|\?\?)( |$))*$/, 'must be bytes in hex'),
});
const Lost = z.object({ lost: z.int() });
export type Piece = z.infer<typeof Piece>;

/** Bytes of a recording. Hidden ones have the value `hiddenByte`. */
export interface Bytes {
  readonly bytes: Uint8Array;
  readonly hidden: readonly boolean[];
}

export type Event = { readonly piece: Piece } & (
  | ({ readonly what: 'packet'; readonly isRepeated: boolean; readonly isDamaged: boolean } & Bytes)
  /** 06 and 15 on a serial line. */
  | { readonly what: 'taken' | 'refused' }
  | { readonly what: 'rest'; readonly byteCount: number }
);

export interface RecordedConnection {
  readonly line: string;
  readonly peer: string;
  readonly framing: Piece['framing'];
  readonly events: readonly Event[];
}

export interface Recording {
  readonly connections: readonly RecordedConnection[];
  /** The number of pieces that were lost because the disk was too slow. */
  readonly lost: number;
}

/** Shown as an asterisk in texts, and not valid as decimal digits. */
const hiddenByte = 0x2a;
/**
 * How late a sender may repeat a block whose 06 was lost (ZVT PA00P016, T2, three sends in all).
 */
const maxRepetitionMs = 16_000;

/**
 * @param text the content of the files, oldest first @throws Error that names the line, the field
 * and the rule
 */
export function readRecording(text: string): Recording {
  const lines = text.split('\n');
  // A text after the last line end is a line that was not written completely.
  const cut = lines.pop();
  const pieces: Piece[] = [];
  let lost = 0;
  for (const [index, line] of lines.entries()) {
    if (line === '') continue;
    const value = jsonOf(line);
    const gap = Lost.safeParse(value);
    if (gap.success) {
      lost += gap.data.lost;
      continue;
    }
    const piece = Piece.safeParse(value);
    if (!piece.success) {
      const [issue] = piece.error.issues;
      throw new Error(
        `line ${index + 1}: ${issue?.path.join('.') || 'line'}: ${issue?.message ?? 'cannot be read'}`,
      );
    }
    pieces.push(piece.data);
  }
  if (pieces.length === 0 && cut !== '') throw new Error('line 1: is not a line of a recording');
  const byLine = Map.groupBy(pieces, ({ line }) => line);
  const connections = [...byLine].flatMap(([line, its]) => {
    const [first] = its;
    return first === undefined
      ? []
      : [{ line, peer: first.peer, framing: first.framing, events: eventsOf(its, first.framing) }];
  });
  return { connections, lost };
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function eventsOf(pieces: readonly Piece[], framing: Piece['framing']): Event[] {
  const readers = { till: new Reader(framing), terminal: new Reader(framing) };
  const events: Event[] = [];
  for (const piece of pieces) {
    for (const unit of readers[piece.from].push(piece.hex === '' ? [] : piece.hex.split(' '))) {
      if (unit.what === 'packet')
        events.push({
          ...unit,
          piece,
          isRepeated: framing === 'serial' && isRepeated(unit, piece, events),
        });
      else events.push({ ...unit, piece });
    }
  }
  return events;
}

/** Whether a block repeats the one before it, because its 06 was lost or never sent. */
function isRepeated(
  { bytes, hidden }: Bytes,
  { from, ms }: Piece,
  before: readonly Event[],
): boolean {
  const last = before.findLast((event) => event.what === 'packet' && event.piece.from === from);
  if (
    last?.what !== 'packet' ||
    !Buffer.from(last.bytes).equals(bytes) ||
    hidden.some((one, index) => one !== last.hidden[index])
  )
    return false;
  const since = before.slice(before.indexOf(last) + 1).filter((event) => event.piece.from !== from);
  return !since.some(({ what }) => what === 'packet') && ms - last.piece.ms < maxRepetitionMs;
}

type Unit =
  | ({ readonly what: 'packet'; readonly isDamaged: boolean } & Bytes)
  | { readonly what: 'taken' | 'refused' }
  | { readonly what: 'rest'; readonly byteCount: number };

const isHidden = (token: string): boolean => token === '**';
const isBroken = (token: string): boolean => token === '??';
const byteOf = (token: string): number =>
  isHidden(token) ? hiddenByte : Number.parseInt(token, 16);

/** Finds the packets of one side in the recorded bytes. */
class Reader {
  readonly #framing: Piece['framing'];
  #tokens: string[] = [];

  constructor(framing: Piece['framing']) {
    this.#framing = framing;
  }

  push(tokens: readonly string[]): Unit[] {
    this.#tokens.push(...tokens);
    const units: Unit[] = [];
    for (let unit = this.#next(); unit !== null; unit = this.#next()) units.push(unit);
    return units;
  }

  #next(): Unit | null {
    const broken = this.#tokens.findIndex((token) => !isBroken(token));
    const byteCount = broken < 0 ? this.#tokens.length : broken;
    if (byteCount > 0) {
      this.#tokens.splice(0, byteCount);
      return { what: 'rest', byteCount };
    }
    if (this.#tokens.length === 0) return null;
    // A packet whose beginning was recorded may be cut off by bytes that were not.
    const end = this.#tokens.findIndex(isBroken);
    const unit = this.#framing === 'serial' ? this.#nextOfSerial() : this.#nextOfTcp();
    return unit === null && end >= 0
      ? { what: 'rest', byteCount: this.#tokens.splice(0, end).length }
      : unit;
  }

  #nextOfTcp(): Unit | null {
    const prefix = this.#framing === 'lengthPrefixed' ? 2 : 0;
    const [, , length, low, high] = this.#tokens.slice(prefix);
    if (length === undefined) return null;
    const isLong = length === 'FF';
    if (isLong && high === undefined) return null;
    const byteCount =
      prefix +
      (isLong ? 5 + byteOf(low ?? '00') + 0x100 * byteOf(high ?? '00') : 3 + byteOf(length));
    if (this.#tokens.length < byteCount) return null;
    return packetOf(this.#tokens.splice(0, byteCount).slice(prefix), false);
  }

  #nextOfSerial(): Unit | null {
    const [first, second] = this.#tokens;
    if (first === '06' || first === '15') {
      this.#tokens.shift();
      return { what: first === '06' ? 'taken' : 'refused' };
    }
    if (first === '10' && second === undefined) return null;
    if (first !== '10' || second !== '02') {
      this.#tokens.shift();
      return { what: 'rest', byteCount: 1 };
    }
    const apdu: string[] = [];
    for (let at = 2; at < this.#tokens.length; at += 1) {
      const token = this.#tokens[at] ?? '';
      if (token !== '10') {
        apdu.push(token);
        continue;
      }
      at += 1;
      if (this.#tokens[at] === '10') apdu.push('10');
      else if (this.#tokens[at] === '03') {
        if (this.#tokens.length < at + 3) return null;
        const block = this.#tokens.splice(0, at + 3);
        const packet = packetOf(apdu, false);
        // With hidden bytes the checksum is hidden too. The recorder has checked it.
        return block.includes('**')
          ? packet
          : packetOf(
              apdu,
              block.join(' ') !== Array.from(encodeBlock(packet.bytes), hexByte).join(' '),
            );
      } else break;
    }
    return null;
  }
}

const packetOf = (tokens: readonly string[], isDamaged: boolean) =>
  ({
    what: 'packet',
    isDamaged,
    bytes: Uint8Array.from(tokens, byteOf),
    hidden: tokens.map(isHidden),
  }) as const;
