/** The TLV objects inside bitmap 06: BER tags and lengths (ZVT PA00P015, section 9). */
export interface TlvObject {
  readonly tag: number;
  readonly value: Uint8Array;
}

export const TAG = {
  textLine: 0x07,
  receiptNumber: 0x08,
  command: 0x0a,
  printerWidth: 0x12,
  language: 0x15,
  openReservations: 0x23,
  displayTexts: 0x24,
  permittedCommands: 0x26,
  languages: 0x28,
  repeatedReceipt: 0x1f01,
  transactionType: 0x1f06,
  extendedErrorText: 0x1f17,
  longTraceNumber: 0x1f2b,
  loyaltyId: 0xdf01,
  receiptToken: 0xdf02,
} as const;

/** Parses a BER length field: its own size and the length; null when it is invalid. */
export function tlvContainerLength(bytes: Uint8Array): { header: number; byteCount: number } | null {
  const [first, second, third] = bytes;
  if (first === undefined) return null;
  if (first < 0x80) return { header: 1, byteCount: first };
  if (first === 0x81 && second !== undefined) return { header: 2, byteCount: second };
  if (first === 0x82 && second !== undefined && third !== undefined) return { header: 3, byteCount: (second << 8) | third };
  return null;
}

/** The objects of a container up to the first broken one. */
export function parseTlv(bytes: Uint8Array): TlvObject[] {
  const objects: TlvObject[] = [];
  let at = 0;
  while (at < bytes.length) {
    let tag = bytes[at] ?? 0;
    at += 1;
    if ((tag & 0x1f) === 0x1f) {
      let next: number | undefined;
      do {
        next = bytes[at];
        if (next === undefined || tag > 0xffffff) return objects;
        tag = tag * 0x100 + next;
        at += 1;
      } while (next & 0x80);
    }
    const length = tlvContainerLength(bytes.subarray(at));
    if (length === null || at + length.header + length.byteCount > bytes.length) return objects;
    at += length.header;
    objects.push({ tag, value: bytes.subarray(at, at + length.byteCount) });
    at += length.byteCount;
  }
  return objects;
}

/** Encodes an object; tags have one or two bytes. */
export function encodeTlv(objects: readonly TlvObject[]): Uint8Array {
  return new Uint8Array(objects.flatMap(({ tag, value }) => [...(tag > 0xff ? [tag >>> 8, tag & 0xff] : [tag]), ...berLength(value.length), ...value]));
}

export function berLength(byteCount: number): number[] {
  if (byteCount < 0x80) return [byteCount];
  return byteCount < 0x100 ? [0x81, byteCount] : [0x82, byteCount >>> 8, byteCount & 0xff];
}
