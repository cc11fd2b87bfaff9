/**
 * What a money command leaves unread: bytes behind an unknown bitmap, because its length is not
 * known (ZVT PA00P015, section 13), and the rest of a broken container. Neither may decide about
 * money without having been read.
 */
import { decodeBcd } from './bcd.ts';
import { BMP, type Fields, lengths, sameBytes, type UnknownBitmap } from './bitmaps.ts';
import { type MoneyCommand, type MoneyGroup, packets } from './packet-table.ts';
import { TAG, unreadTlv } from './tlv.ts';

interface Facts {
  /** With an unread rest, all of them have to be read. Of several bitmaps, one. */
  readonly needed: readonly (readonly number[])[];
  /** The unread rest must not hold another value of them. */
  readonly bitmaps: readonly number[];
  /** The same for tags of the container. */
  readonly tags: readonly number[];
}

const { amount, currency, receiptNumber, traceNumber } = BMP;
const sale: Facts = {
  needed: [[amount], [currency]],
  bitmaps: [amount, currency],
  tags: [TAG.cashback],
};
const refund: Facts = {
  needed: [[receiptNumber], [amount], [currency]],
  bitmaps: [receiptNumber, amount, currency],
  tags: [],
};
const booking: Facts = {
  needed: [[receiptNumber, traceNumber], [amount], [currency]],
  bitmaps: [receiptNumber, traceNumber, amount, currency],
  tags: [TAG.longTraceNumber],
};

/** The facts that decide what a command of a group does with money. */
const factsOf: Readonly<Record<MoneyGroup, Facts>> = {
  payment: sale,
  reservation: {
    ...sale,
    bitmaps: [...sale.bitmaps, traceNumber],
    tags: [TAG.cashback, TAG.longTraceNumber, TAG.transactionType],
  },
  refund,
  booking,
};

const names: Readonly<Record<number, string>> = {
  [amount]: 'the amount',
  [currency]: 'the currency',
  [receiptNumber]: 'the receipt number',
  [traceNumber]: 'the trace number',
};

/**
 * @returns the first fact that may stand in the unread rest; null when all that decides about money
 * was read
 */
export function hiddenFact(
  command: MoneyCommand,
  { fields, unknown }: { readonly fields: Fields; readonly unknown: UnknownBitmap | null },
): string | null {
  const { needed, bitmaps, tags } = factsOf[packets[command].group];
  const unreadObjects = unreadTlv(fields.get(BMP.tlv) ?? nothing);
  const unread = unknown === null ? [] : [unknown.unread];
  const missing =
    unknown === null
      ? undefined
      : needed.find((oneOf) => !oneOf.some((bitmap) => fields.has(bitmap)));
  if (missing !== undefined) return nameOf(missing[0]);
  const other = bitmaps.find((bitmap) =>
    unread.some((bytes) => mayHold(bytes, bitmap, fields.get(bitmap))),
  );
  if (other !== undefined) return nameOf(other);
  const tag = tags.find((one) =>
    [...unread, ...unreadObjects].some((bytes) => mayHoldTag(bytes, one)),
  );
  return tag === undefined ? null : `tag ${tag.toString(16).toUpperCase()}`;
}

const nothing = new Uint8Array(0);
const nameOf = (bitmap = 0): string => names[bitmap] ?? 'a fact';

/** Whether a field with another value than the one that was read can stand in these bytes. */
function mayHold(bytes: Uint8Array, bitmap: number, readValue: Uint8Array | undefined): boolean {
  const byteCount = lengths.get(bitmap) as number;
  return bytes.some((byte, at) => {
    const value = bytes.subarray(at + 1, at + 1 + byteCount);
    return (
      byte === bitmap &&
      value.length === byteCount &&
      decodeBcd(value) !== null &&
      (readValue === undefined || !sameBytes(readValue, value))
    );
  });
}

const mayHoldTag = (bytes: Uint8Array, tag: number): boolean =>
  bytes.some((byte, at) => byte === tag >>> 8 && bytes[at + 1] === (tag & 0xff));
