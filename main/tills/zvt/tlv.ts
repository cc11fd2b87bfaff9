/** The TLV objects inside bitmap 06: BER tags and lengths (ZVT PA00P015, section 9). */
export interface TlvObject {
  readonly tag: number;
  readonly value: Uint8Array;
}

export const TAG = {
  textLine: 0x07,
  receiptNumber: 0x08,
  printAttribute: 0x09,
  command: 0x0a,
  printerWidth: 0x12,
  charset: 0x14,
  language: 0x15,
  maxApduLength: 0x1a,
  openReservations: 0x23,
  displayTexts: 0x24,
  printTexts: 0x25,
  permittedCommands: 0x26,
  charsets: 0x27,
  languages: 0x28,
  timeStamp: 0x34,
  terminal: 0xe4,
  valueAdded: 0xe8,
  repeatedReceipt: 0x1f01,
  receiptParameter: 0x1f04,
  transactionType: 0x1f06,
  receiptType: 0x1f07,
  fullDate: 0x1f0e,
  fullTime: 0x1f0f,
  cardholderAuthentication: 0x1f10,
  technology: 0x1f12,
  extendedErrorText: 0x1f17,
  cashback: 0x1f25,
  longTraceNumber: 0x1f2b,
  receiptInformation: 0x1f37,
  terminalName: 0x1f40,
  terminalVersion: 0x1f41,
  terminalSerialNumber: 0x1f42,
  terminalState: 0x1f43,
  terminalId: 0x1f44,
  terminalLocks: 0x1f55,
  valueAddedData: 0x1f66,
  valueAddedProgramme: 0x1f68,
  loyalty: 0xff02,
} as const;

/** Parses a BER length field: its own size and the length; null when it is invalid. */
export function tlvContainerLength(
  bytes: Uint8Array,
): { header: number; byteCount: number } | null {
  const [first, second, third] = bytes;
  if (first === undefined) return null;
  if (first < 0x80) return { header: 1, byteCount: first };
  if (first === 0x81 && second !== undefined) return { header: 2, byteCount: second };
  if (first === 0x82 && second !== undefined && third !== undefined)
    return { header: 3, byteCount: (second << 8) | third };
  return null;
}

/** The objects of a container up to the first broken one. */
export function parseTlv(bytes: Uint8Array): TlvObject[] {
  return tlvSpans(bytes).map(({ id, valueFrom, to }) => ({
    tag: id,
    value: bytes.subarray(valueFrom, to),
  }));
}

/** Deeper than any container of the standard. */
const maxTlvDepth = 6;
/** Bit 6 of a tag's first byte: its value is objects (BER). */
const isConstructed = (tag: number): boolean => ((tag > 0xff ? tag >>> 8 : tag) & 0x20) !== 0;

/** The objects of a container and those inside them. */
export function nestedTlv(bytes: Uint8Array, depth = maxTlvDepth): TlvObject[] {
  if (depth === 0) return [];
  return parseTlv(bytes).flatMap((object) =>
    isConstructed(object.tag) ? [object, ...nestedTlv(object.value, depth - 1)] : [object],
  );
}

/** What `nestedTlv` leaves unread: behind a broken object, or too deep. */
export function unreadTlv(bytes: Uint8Array, depth = maxTlvDepth): Uint8Array[] {
  if (depth === 0) return [bytes];
  const rest = bytes.subarray(tlvSpans(bytes).at(-1)?.to ?? 0);
  const inside = parseTlv(bytes).filter(({ tag }) => isConstructed(tag));
  return [rest, ...inside.flatMap(({ value }) => unreadTlv(value, depth - 1))].filter(
    ({ length }) => length > 0,
  );
}

/**
 * Where each object of `parseTlv` lies: its tag and length from `from`, its value from `valueFrom`
 * to `to`.
 */
export function tlvSpans(bytes: Uint8Array): {
  readonly id: number;
  readonly from: number;
  readonly valueFrom: number;
  readonly to: number;
}[] {
  const spans: { id: number; from: number; valueFrom: number; to: number }[] = [];
  let at = 0;
  while (at < bytes.length) {
    const from = at;
    let tag = bytes[at] ?? 0;
    at += 1;
    if ((tag & 0x1f) === 0x1f) {
      // Always two bytes: the standard's own 1F80 to 1F83 have no third one, as BER would have.
      const next = bytes[at];
      if (next === undefined) return spans;
      tag = tag * 0x100 + next;
      at += 1;
    }
    const length = tlvContainerLength(bytes.subarray(at));
    if (length === null || at + length.header + length.byteCount > bytes.length) return spans;
    at += length.header;
    spans.push({ id: tag, from, valueFrom: at, to: at + length.byteCount });
    at += length.byteCount;
  }
  return spans;
}

/** Encodes an object; tags have one or two bytes. */
export function encodeTlv(objects: readonly TlvObject[]): Uint8Array {
  return new Uint8Array(
    objects.flatMap(({ tag, value }) => [
      ...(tag > 0xff ? [tag >>> 8, tag & 0xff] : [tag]),
      ...berLength(value.length),
      ...value,
    ]),
  );
}

export function berLength(byteCount: number): number[] {
  if (byteCount < 0x80) return [byteCount];
  return byteCount < 0x100 ? [0x81, byteCount] : [0x82, byteCount >>> 8, byteCount & 0xff];
}
