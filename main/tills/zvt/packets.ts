/** Parses and encodes the packets of `packet-table.ts`. */
import { type Apdu, decodeApdu, encodeApdu } from './apdu.ts';
import { BMP, encodeFields, type Fields, parseFields, type UnknownBitmap } from './bitmaps.ts';
import { type Declaration, packetName, type PacketName, packets } from './packet-table.ts';

export type ParsedPacket =
  | {
      readonly kind: 'packet';
      readonly name: PacketName;
      /** The packet's parts by name; optional ones may be missing. */
      readonly parts: ReadonlyMap<string, Uint8Array>;
      readonly fields: Fields;
      readonly unknown: UnknownBitmap | null;
      /** Bytes that are neither a part nor a bitmap. */
      readonly rest: Uint8Array;
    }
  /** An unsupported command. */
  | { readonly kind: 'unknown'; readonly apdu: Apdu }
  /** A known command that cannot be parsed. */
  | { readonly kind: 'malformed'; readonly name: PacketName | null; readonly reason: string };

const noFields: Fields = new Map();
const brokenWords = {
  tooShort: 'is cut off',
  badLength: 'has a length that is none',
  contradictory: 'comes twice, with different values',
} as const;

export function parsePacket(bytes: Uint8Array): ParsedPacket {
  const apdu = decodeApdu(bytes);
  if (apdu === null)
    return { kind: 'malformed', name: null, reason: 'the length field does not fit the packet' };
  const name = packetName(apdu.classByte, apdu.instruction);
  if (name === undefined) return { kind: 'unknown', apdu };
  const declaration: Declaration = packets[name];
  const parts = new Map<string, Uint8Array>();
  let at = 0;
  for (const part of declaration.parts) {
    if (at + part.byteCount > apdu.data.length) {
      if (part.optional && at === apdu.data.length) continue;
      return { kind: 'malformed', name, reason: `${part.name} is missing` };
    }
    parts.set(part.name, apdu.data.subarray(at, at + part.byteCount));
    at += part.byteCount;
  }
  const rest = apdu.data.subarray(at);
  if (declaration.content !== 'bitmaps')
    return { kind: 'packet', name, parts, fields: noFields, unknown: null, rest };
  const parsed = parseFields(rest);
  if (!parsed.ok)
    return {
      kind: 'malformed',
      name,
      reason: `bitmap ${hexByte(parsed.bitmap)} ${brokenWords[parsed.reason]}`,
    };
  return { kind: 'packet', name, parts, fields: parsed.fields, unknown: parsed.unknown, rest };
}

/** @param parts in the order of the declaration; optional ones may be left out from the end */
export function encodePacket(
  name: PacketName,
  content: { parts?: readonly Uint8Array[]; fields?: Fields; rest?: Uint8Array } = {},
): Uint8Array {
  const { classByte, instruction } = packets[name];
  const { parts = [], fields = noFields, rest = nothing } = content;
  return encodeApdu({
    classByte,
    instruction,
    data: joined([...parts, encodeFields(fields), rest]),
  });
}

const nothing = new Uint8Array(0);

function joined(all: readonly Uint8Array[]): Uint8Array {
  const pieces = all.filter(({ length }) => length > 0);
  if (pieces.length <= 1) return pieces[0] ?? nothing;
  let byteCount = 0;
  for (const piece of pieces) byteCount += piece.length;
  const bytes = new Uint8Array(byteCount);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** `80 00 00`. */
export const positiveAnswer: Uint8Array = Uint8Array.of(0x80, 0x00, 0x00);
/** `84 xx 00`. */
export const negativeAnswer = (code: number): Uint8Array => Uint8Array.of(0x84, code, 0x00);

/** `data`: of 84 9D, the amount of the goods that were handed out. */
export type TillAnswer =
  | { readonly positive: true }
  | { readonly positive: false; readonly code: number; readonly data: Uint8Array };

/** null for any other packet. `84 00` counts as positive (ZVT PA00P016, section 5.2). */
export function parseAnswer(bytes: Uint8Array): TillAnswer | null {
  const apdu = isOfAnswerClass(bytes) ? decodeApdu(bytes) : null;
  if (apdu === null) return null;
  return apdu.classByte === 0x80 || apdu.instruction === 0x00
    ? { positive: true }
    : { positive: false, code: apdu.instruction, data: apdu.data };
}

/** Whether it is an answer (80 or 84), however broken the rest; answers are never answered. */
export const isOfAnswerClass = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x80 || bytes[0] === 0x84;

/** A packet for the log, without its data, which may contain a password or a card's track. */
export function outline(bytes: Uint8Array): { header: string; byteCount: number } {
  return { header: hex(bytes.subarray(0, 3)), byteCount: bytes.length };
}

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, hexByte).join(' ');
}
export const hexByte = (byte: number): string => byte.toString(16).toUpperCase().padStart(2, '0');

export function fieldByte(fields: Fields, bitmap: number): number | null {
  return fields.get(bitmap)?.[0] ?? null;
}
export const resultCodeOf = (fields: Fields): number | null => fieldByte(fields, BMP.resultCode);
