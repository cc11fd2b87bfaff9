/**
 * The data fields ("bitmaps") of ZVT PA00P015, section 13: their lengths, so that unknown contents
 * can be skipped.
 */
import { berLength, tlvContainerLength } from './tlv.ts';

/**
 * A fixed number of bytes; LL or LLL: two or three length digits, each as F0..F9; TLV: BMP 06 with
 * a BER length.
 */
type Length = number | 'LL' | 'LLL' | 'TLV';

const byLength: readonly (readonly [Length, readonly number[]])[] = [
  [
    1,
    [
      0x01, 0x02, 0x03, 0x05, 0x19, 0x27, 0x72, 0x73, 0x74, 0x75, 0x8a, 0x8c, 0xa0, 0xd0, 0xd2,
      0xd3, 0xe0, 0xe9, 0xea, 0xf0, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd,
    ],
  ],
  [15, [0x2a]],
  [2, [0x0d, 0x0e, 0x17, 0x3a, 0x49, 0x87]],
  [3, [0x0b, 0x0c, 0x37, 0x3d, 0x88, 0xaa]],
  [4, [0x29, 0x70, 0x71]],
  [5, [0xba]],
  [6, [0x04]],
  [8, [0x3b, 0xeb]],
  [
    'LL',
    [
      0x22, 0x23, 0x2d, 0x4c, 0x8b, 0xa7, 0xd1, 0xe1, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8,
      0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8,
    ],
  ],
  ['LLL', [0x24, 0x2e, 0x3c, 0x60, 0x92, 0x9a, 0xaf]],
  ['TLV', [0x06]],
];
export const lengths: ReadonlyMap<number, Length> = new Map(
  byLength.flatMap(([length, bitmaps]) => bitmaps.map((bitmap) => [bitmap, length] as const)),
);

export const BMP = {
  goodsTimeout: 0x01,
  maxStatusInformations: 0x02,
  serviceByte: 0x03,
  amount: 0x04,
  tlv: 0x06,
  traceNumber: 0x0b,
  time: 0x0c,
  date: 0x0d,
  statusByte: 0x19,
  resultCode: 0x27,
  terminalId: 0x29,
  originalTraceNumber: 0x37,
  singleTotals: 0x60,
  additionalText: 0x3c,
  password: 0x3d,
  currency: 0x49,
  receiptNumber: 0x87,
  cardName: 0x8b,
} as const;

/** Old tills rely on this order of a status information (ZVT PA00P015, section 3.1.1). */
const sendOrder: readonly number[] = [
  0x27, 0x04, 0x60, 0x0b, 0x37, 0x0c, 0x0d, 0x0e, 0x17, 0x19, 0x22, 0x29, 0x3b, 0x49, 0x4c, 0x87,
  0x8a, 0x8c, 0x9a, 0xba, 0x2a, 0x3c, 0xa0, 0x88, 0x8b, 0x06,
];

/** Position of each bitmap in a packet; those that are not listed come last. */
const places = new Uint8Array(0x100).fill(sendOrder.length);
for (const [place, bitmap] of sendOrder.entries()) places[bitmap] = place;

export type Fields = ReadonlyMap<number, Uint8Array>;

export interface UnknownBitmap {
  readonly bitmap: number;
  readonly after: number | null;
  /** What follows it: its own value, and fields of which nobody knows where they begin. */
  readonly unread: Uint8Array;
}

export type ParsedFields =
  /** Reading ends at an unknown bitmap, because its length is not known. */
  | { readonly ok: true; readonly fields: Fields; readonly unknown: UnknownBitmap | null }
  | {
      readonly ok: false;
      readonly bitmap: number;
      readonly reason: 'tooShort' | 'badLength' | 'contradictory';
    };

export function parseFields(data: Uint8Array): ParsedFields {
  const fields = new Map<number, Uint8Array>();
  let at = 0;
  let after: number | null = null;
  while (at < data.length) {
    const bitmap = data[at] ?? 0;
    at += 1;
    const length = lengths.get(bitmap);
    if (length === undefined)
      return { ok: true, fields, unknown: { bitmap, after, unread: data.subarray(at) } };
    const extent = extentOf(length, data.subarray(at));
    if (extent === null) return { ok: false, bitmap, reason: 'badLength' };
    const end = at + extent.header + extent.byteCount;
    if (end > data.length) return { ok: false, bitmap, reason: 'tooShort' };
    const value = data.subarray(at + extent.header, end);
    // With two amounts in one packet, neither can be trusted.
    const earlier = fields.get(bitmap);
    if (earlier !== undefined && !sameBytes(earlier, value))
      return { ok: false, bitmap, reason: 'contradictory' };
    fields.set(bitmap, value);
    at = end;
    after = bitmap;
  }
  return { ok: true, fields, unknown: null };
}

/**
 * Where a field or an object lies: its id and length from `from`, its value from `valueFrom` to
 * `to`.
 */
export interface Span {
  readonly id: number;
  readonly from: number;
  readonly valueFrom: number;
  readonly to: number;
}

/** Every field up to the first that is unknown or broken, also those that come twice. */
export function fieldSpans(data: Uint8Array): Span[] {
  const spans: Span[] = [];
  for (let from = 0; from < data.length; ) {
    const id = data[from] ?? 0;
    const length = lengths.get(id);
    const extent = length === undefined ? null : extentOf(length, data.subarray(from + 1));
    if (extent === null) break;
    const valueFrom = from + 1 + extent.header;
    const to = valueFrom + extent.byteCount;
    if (to > data.length) break;
    spans.push({ id, from, valueFrom, to });
    from = to;
  }
  return spans;
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

function extentOf(length: Length, rest: Uint8Array): { header: number; byteCount: number } | null {
  if (typeof length === 'number') return { header: 0, byteCount: length };
  if (length === 'TLV') return tlvContainerLength(rest);
  let byteCount = 0;
  for (let index = 0; index < length.length; index += 1) {
    const digit = rest[index];
    if (digit === undefined || (digit & 0xf0) !== 0xf0 || (digit & 0x0f) > 9) return null;
    byteCount = byteCount * 10 + (digit & 0x0f);
  }
  return { header: length.length, byteCount };
}

const nothing = new Uint8Array(0);

export function encodeFields(fields: Fields): Uint8Array {
  if (fields.size === 0) return nothing;
  const pieces: { readonly header: readonly number[]; readonly value: Uint8Array }[] = [];
  let byteCount = 0;
  for (const [bitmap, value] of inSendOrder(fields)) {
    const header = headerOf(bitmap, value.length);
    pieces.push({ header, value });
    byteCount += header.length + value.length;
  }
  const bytes = new Uint8Array(byteCount);
  let at = 0;
  for (const { header, value } of pieces) {
    bytes.set(header, at);
    bytes.set(value, at + header.length);
    at += header.length + value.length;
  }
  return bytes;
}

const placeOf = (bitmap: number): number => places[bitmap] ?? sendOrder.length;
const inSendOrder = (fields: Fields): [number, Uint8Array][] =>
  [...fields].sort(([a], [b]) => placeOf(a) - placeOf(b));

/** The bitmap, and what its kind of length takes. */
function headerOf(bitmap: number, byteCount: number): number[] {
  const length = lengths.get(bitmap);
  if (length === undefined) throw new RangeError(`bitmap ${bitmap.toString(16)} is not known`);
  if (length === 'LL' || length === 'LLL')
    return [bitmap, ...lengthDigits(byteCount, length.length)];
  if (length === 'TLV') return [bitmap, ...berLength(byteCount)];
  if (length !== byteCount)
    throw new RangeError(`bitmap ${bitmap.toString(16)} has ${length} bytes, got ${byteCount}`);
  return [bitmap];
}

/** Each decimal digit as F0 to F9. */
export function lengthDigits(byteCount: number, digits: number): number[] {
  const digitBytes: number[] = [];
  for (let rest = byteCount; digitBytes.length < digits; rest = Math.floor(rest / 10))
    digitBytes.unshift(0xf0 | (rest % 10));
  return digitBytes;
}
