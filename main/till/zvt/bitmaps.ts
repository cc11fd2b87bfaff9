/** The data fields ("bitmaps") of ZVT PA00P015, section 13: their lengths, so that what is not understood can be skipped. */
import { tlvContainerLength } from './tlv.ts';

/** A fixed number of bytes; LL or LLL: two or three length digits, each as F0..F9; TLV: BMP 06 with a BER length. */
type Length = number | 'LL' | 'LLL' | 'TLV';

const lengths: Readonly<Record<number, Length>> = {
  1: 1,
  2: 1,
  3: 1,
  4: 6,
  5: 1,
  6: 'TLV',
  11: 3,
  12: 3,
  13: 2,
  14: 2,
  23: 2,
  25: 1,
  34: 'LL',
  35: 'LL',
  36: 'LLL',
  39: 1,
  41: 4,
  42: 15,
  45: 'LL',
  46: 'LLL',
  55: 3,
  58: 2,
  59: 8,
  60: 'LLL',
  61: 3,
  73: 2,
  76: 'LL',
  96: 'LLL',
  112: 4,
  113: 4,
  114: 1,
  115: 1,
  116: 1,
  117: 1,
  135: 2,
  136: 3,
  138: 1,
  139: 'LL',
  140: 1,
  146: 'LLL',
  154: 'LLL',
  160: 1,
  167: 'LL',
  170: 3,
  175: 'LLL',
  186: 5,
  208: 1,
  209: 'LL',
  210: 1,
  211: 1,
  224: 1,
  225: 'LL',
  226: 'LL',
  227: 'LL',
  228: 'LL',
  229: 'LL',
  230: 'LL',
  231: 'LL',
  232: 'LL',
  233: 1,
  234: 1,
  235: 8,
  240: 1,
  241: 'LL',
  242: 'LL',
  243: 'LL',
  244: 'LL',
  245: 'LL',
  246: 'LL',
  247: 'LL',
  248: 'LL',
  249: 1,
  250: 1,
  251: 1,
  252: 1,
  253: 1,
};

export const BMP = {
  goodsTimeout: 0x01,
  mostStatusInformations: 0x02,
  serviceByte: 0x03,
  amount: 0x04,
  tlv: 0x06,
  traceNumber: 0x0b,
  time: 0x0c,
  date: 0x0d,
  statusByte: 0x19,
  resultCode: 0x27,
  terminalId: 0x29,
  additionalText: 0x3c,
  currency: 0x49,
  receiptNumber: 0x87,
  cardName: 0x8b,
} as const;

/** Old tills rely on this order of a status information (ZVT PA00P015, section 3.1.1). */
const sendOrder = [
  0x27, 0x04, 0x0b, 0x37, 0x0c, 0x0d, 0x0e, 0x17, 0x19, 0x22, 0x29, 0x3b, 0x49, 0x4c, 0x87, 0x8a, 0x8c, 0x9a, 0xba, 0x2a, 0x3c, 0xa0, 0x88, 0x8b, 0x06,
];

export type Fields = ReadonlyMap<number, Uint8Array>;

export type ParsedFields =
  | { readonly ok: true; readonly fields: Fields /** An unknown bitmap ends the parsing: its length is not known. */; readonly unknownBitmap: number | null }
  | { readonly ok: false; readonly bitmap: number; readonly reason: 'tooShort' | 'badLength' };

export function parseFields(data: Uint8Array): ParsedFields {
  const fields = new Map<number, Uint8Array>();
  let at = 0;
  while (at < data.length) {
    const bitmap = data[at] as number;
    at += 1;
    const length = lengths[bitmap];
    if (length === undefined) return { ok: true, fields, unknownBitmap: bitmap };
    const extent = extentOf(length, data.subarray(at));
    if (extent === null) return { ok: false, bitmap, reason: 'badLength' };
    const end = at + extent.header + extent.byteCount;
    if (end > data.length) return { ok: false, bitmap, reason: 'tooShort' };
    fields.set(bitmap, data.subarray(at + extent.header, end));
    at = end;
  }
  return { ok: true, fields, unknownBitmap: null };
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

export function encodeFields(fields: Fields): Uint8Array {
  const place = (bitmap: number): number => (sendOrder.includes(bitmap) ? sendOrder.indexOf(bitmap) : sendOrder.length);
  const bytes: number[] = [];
  for (const [bitmap, value] of [...fields].sort(([a], [b]) => place(a) - place(b))) {
    const length = lengths[bitmap];
    if (length === undefined) throw new RangeError(`bitmap ${bitmap.toString(16)} is not known`);
    if (typeof length === 'number' && length !== value.length) throw new RangeError(`bitmap ${bitmap.toString(16)} has ${length} bytes, got ${value.length}`);
    bytes.push(bitmap);
    if (length === 'LL' || length === 'LLL') bytes.push(...lengthDigits(value.length, length.length));
    if (length === 'TLV') bytes.push(...berLength(value.length));
    bytes.push(...value);
  }
  return Uint8Array.from(bytes);
}

/** Each decimal digit as F0 to F9. */
export function lengthDigits(byteCount: number, digits: number): number[] {
  return Array.from(String(byteCount).padStart(digits, '0'), (digit) => 0xf0 | Number(digit));
}

function berLength(byteCount: number): number[] {
  if (byteCount < 0x80) return [byteCount];
  return byteCount < 0x100 ? [0x81, byteCount] : [0x82, byteCount >>> 8, byteCount & 0xff];
}
