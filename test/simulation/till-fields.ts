/** The fields of packets as a shop's till writes and reads them. */
import { decodeBcd, encodeBcd } from '../../main/tills/zvt/bcd.ts';
import { BMP, type Fields } from '../../main/tills/zvt/bitmaps.ts';
import { encodeCurrency } from '../../main/tills/zvt/currency.ts';
import { RESULT } from '../../main/tills/zvt/result-codes.ts';
import { decodeText } from '../../main/tills/zvt/text.ts';

export const amountFields = (minor: number) =>
  new Map<number, Uint8Array>([
    [BMP.amount, encodeBcd(minor, 6)],
    [BMP.currency, encodeCurrency('DKK')],
  ]);
/** 84 9D with the amount of the goods. */
export const handedOut = (minor: number): Uint8Array =>
  Uint8Array.of(0x84, RESULT.handedOutInPart, 0x07, BMP.amount, ...encodeBcd(minor, 6));
const numberIn =
  (bitmap: number) =>
  (fields: Fields): number | null => {
    const bytes = fields.get(bitmap);
    return bytes === undefined ? null : decodeBcd(bytes);
  };
export const receiptOf = numberIn(BMP.receiptNumber);
export const traceOf = numberIn(BMP.traceNumber);
export const amountOf = numberIn(BMP.amount);
export const textOf = (fields: Fields): string | null => {
  const bytes = fields.get(BMP.additionalText);
  return bytes === undefined ? null : decodeText(bytes);
};
