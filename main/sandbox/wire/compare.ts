/**
 * Compares what a terminal sent with a recording. Values that are new each time, such as numbers
 * and times, are compared by their kind alone.
 */
import { BMP } from '../../tills/zvt/bitmaps.ts';
import { describe } from '../../tills/zvt/describe.ts';
import { maskOf } from '../../tills/zvt/masking.ts';
import { hex, hexByte, parsePacket } from '../../tills/zvt/packets.ts';
import { decodeText } from '../../tills/zvt/text.ts';
import type { Bytes } from './recording.ts';

/** Numbers and times of the payment. */
const volatileFields: ReadonlySet<number> = new Set([
  BMP.traceNumber,
  BMP.originalTraceNumber,
  BMP.time,
  BMP.date,
  BMP.receiptNumber,
]);
/** In receipts and texts: days, times, and numbers that are not amounts. */
const volatileTexts = [
  /\d{4}-\d\d-\d\d \d\d:\d\d/g,
  /[A-Z]?\d+-\d{6}-[0-9a-f]{8}/g,
  /(?<![\d.,])\d{4,}(?![\d.,])/g,
];

/** The bytes with the masking that the recorder would have applied. */
export function asRecorded(bytes: Uint8Array): Bytes {
  const mask = maskOf(bytes, 'terminal');
  return { bytes, hidden: Array.from(mask, (one) => one === 1) };
}

/** The part of a packet that is compared: two packets count as the same when it is equal. */
export function essenceOf({ bytes, hidden }: Bytes): string {
  const parsed = parsePacket(bytes);
  if (parsed.kind !== 'packet') return hex(bytes);
  const maskedHex = (value: Uint8Array): string => {
    const from = value.byteOffset - bytes.byteOffset;
    return Array.from(value, (byte, index) => (hidden[from + index] ? '*' : hexByte(byte))).join(
      ' ',
    );
  };
  const parts = [...parsed.parts].map(([name, value]) => `${name} ${maskedHex(value)}`);
  const fields = [...parsed.fields].map(([bitmap, value]) => {
    const from = value.byteOffset - bytes.byteOffset;
    // Hidden values are not compared, because those of another customer may have another length.
    const isHidden = hidden.slice(from, from + value.length).includes(true);
    const essence = volatileFields.has(bitmap)
      ? '#'
      : isHidden
        ? '*'
        : bitmap === BMP.additionalText
          ? essenceOfText(value)
          : maskedHex(value);
    return `${hexByte(bitmap)} ${essence}`;
  });
  const rest =
    parsed.name === 'printLine'
      ? essenceOfText(parsed.rest)
      : parsed.fields.size > 0
        ? ''
        : maskedHex(parsed.rest);
  return [parsed.name, ...parts, ...fields.sort(), rest].join('; ');
}

const essenceOfText = (value: Uint8Array): string =>
  volatileTexts.reduce((text, look) => text.replaceAll(look, '#'), decodeText(value));

export interface Difference {
  /** Whether nothing differs. */
  readonly isSame: boolean;
  /**
   * Each begins with ` ` when it is in both, `-` when it is only in the recording, and `+` when it
   * is only in the replay.
   */
  readonly lines: readonly string[];
}

export function compared(recorded: readonly Bytes[], now: readonly Bytes[]): Difference {
  const [before, after] = [recorded.map(essenceOf), now.map(essenceOf)];
  // The length of the longest common subsequence of both, from each place on.
  const common = Array.from({ length: before.length + 1 }, () =>
    Array.from({ length: after.length + 1 }, () => 0),
  );
  const at = (one: number, other: number): number => common[one]?.[other] ?? 0;
  for (const [one, row] of [...common.entries()].toReversed().slice(1))
    for (let other = after.length - 1; other >= 0; other -= 1)
      row[other] =
        before[one] === after[other]
          ? at(one + 1, other + 1) + 1
          : Math.max(at(one + 1, other), at(one, other + 1));
  const lines: string[] = [];
  let isSame = true;
  let [one, other] = [0, 0];
  const line = (sign: ' ' | '-' | '+', packet: Bytes | undefined): void => {
    if (packet === undefined) return;
    const words = describe(packet.bytes);
    lines.push(`${sign} ${words}${sign === ' ' ? '' : `  (${sign === '-' ? 'recorded' : 'now'})`}`);
    if (sign === ' ') return;
    isSame = false;
    // The bytes too, because the words do not show every difference.
    lines.push(
      `    ${Array.from(packet.bytes, (byte, index) => (packet.hidden[index] ? '**' : hexByte(byte))).join(' ')}`,
    );
  };
  while (one < before.length || other < after.length) {
    if (one < before.length && before[one] === after[other]) {
      line(' ', now[other]);
      one += 1;
      other += 1;
    } else if (one < before.length && at(one + 1, other) >= at(one, other + 1))
      line('-', recorded[one++]);
    else line('+', now[other++]);
  }
  return { isSame, lines };
}
