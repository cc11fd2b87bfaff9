/**
 * The packets of ZVT, each declared once (ZVT PA00P015, chapters 2 and 3). Parser, encoder and log
 * texts are derived from it.
 */
import { type Apdu, decodeApdu, encodeApdu } from './apdu.ts';
import { BMP, encodeFields, type Fields, parseFields, type UnknownBitmap } from './bitmaps.ts';

interface Part {
  readonly name: string;
  readonly byteCount: number;
  readonly optional?: true;
}

interface Declaration {
  /** Readable name. */
  readonly words: string;
  readonly classByte: number;
  readonly instruction: number;
  /** Untagged bytes before the bitmaps, in order. */
  readonly parts: readonly Part[];
  /** What follows the parts. `opaque`: it depends on the context. */
  readonly content: 'bitmaps' | 'text' | 'nothing' | 'opaque';
}

export const password = { name: 'password', byteCount: 3 } as const satisfies Part;

export const packets = {
  // till → terminal
  registration: {
    words: 'Registration',
    classByte: 0x06,
    instruction: 0x00,
    parts: [
      password,
      { name: 'config', byteCount: 1 },
      { name: 'currency', byteCount: 2, optional: true },
    ],
    content: 'bitmaps',
  },
  authorisation: {
    words: 'Authorisation',
    classByte: 0x06,
    instruction: 0x01,
    parts: [],
    content: 'bitmaps',
  },
  logOff: { words: 'Log-off', classByte: 0x06, instruction: 0x02, parts: [], content: 'nothing' },
  totals: {
    words: 'Totals',
    classByte: 0x06,
    instruction: 0x10,
    parts: [password],
    content: 'bitmaps',
  },
  printTotals: {
    words: 'Print totals',
    classByte: 0x0f,
    instruction: 0x10,
    parts: [password],
    content: 'bitmaps',
  },
  repeatReceipts: {
    words: 'Repeat receipts',
    classByte: 0x06,
    instruction: 0x12,
    parts: [
      password,
      { name: 'first', byteCount: 2 },
      { name: 'last', byteCount: 2, optional: true },
    ],
    content: 'bitmaps',
  },
  reset: { words: 'Reset', classByte: 0x06, instruction: 0x18, parts: [], content: 'nothing' },
  printConfiguration: {
    words: 'Print configuration',
    classByte: 0x06,
    instruction: 0x1a,
    parts: [],
    content: 'nothing',
  },
  setTerminalId: {
    words: 'Set terminal id',
    classByte: 0x06,
    instruction: 0x1b,
    parts: [],
    content: 'opaque',
  },
  repeatReceipt: {
    words: 'Repeat receipt',
    classByte: 0x06,
    instruction: 0x20,
    parts: [password],
    content: 'bitmaps',
  },
  preauthorisation: {
    words: 'Reservation',
    classByte: 0x06,
    instruction: 0x22,
    parts: [],
    content: 'bitmaps',
  },
  partialReversal: {
    words: 'Partial reversal',
    classByte: 0x06,
    instruction: 0x23,
    parts: [],
    content: 'bitmaps',
  },
  bookTotal: {
    words: 'Book total',
    classByte: 0x06,
    instruction: 0x24,
    parts: [],
    content: 'bitmaps',
  },
  preauthorisationReversal: {
    words: 'Reversal of a reservation',
    classByte: 0x06,
    instruction: 0x25,
    parts: [],
    content: 'bitmaps',
  },
  preauthorisationReversalByTrace: {
    words: 'Reversal of a reservation by its trace number',
    classByte: 0x06,
    instruction: 0x26,
    parts: [],
    content: 'bitmaps',
  },
  reversal: {
    words: 'Reversal',
    classByte: 0x06,
    instruction: 0x30,
    parts: [password],
    content: 'bitmaps',
  },
  refund: {
    words: 'Refund',
    classByte: 0x06,
    instruction: 0x31,
    parts: [password],
    content: 'bitmaps',
  },
  endOfDay: {
    words: 'End of day',
    classByte: 0x06,
    instruction: 0x50,
    parts: [password],
    content: 'bitmaps',
  },
  // The packet belongs to a later version of the standard; its data is not known.
  partialReconciliation: {
    words: 'Partial reconciliation',
    classByte: 0x06,
    instruction: 0x52,
    parts: [{ ...password, optional: true }],
    content: 'opaque',
  },
  diagnosis: {
    words: 'Diagnosis',
    classByte: 0x06,
    instruction: 0x70,
    parts: [],
    content: 'bitmaps',
  },
  selfTest: {
    words: 'Self-test',
    classByte: 0x06,
    instruction: 0x79,
    parts: [],
    content: 'nothing',
  },
  setTime: {
    words: 'Set time',
    classByte: 0x06,
    instruction: 0x91,
    parts: [password],
    content: 'bitmaps',
  },
  initialisation: {
    words: 'Initialisation',
    classByte: 0x06,
    instruction: 0x93,
    parts: [password],
    content: 'bitmaps',
  },
  // Its passwords are not read: refusing a wrong one in another way would tell which one is right.
  changePassword: {
    words: 'Change password',
    classByte: 0x06,
    instruction: 0x95,
    parts: [],
    content: 'opaque',
  },
  selectLanguage: {
    words: 'Select language',
    classByte: 0x08,
    instruction: 0x30,
    parts: [{ name: 'language', byteCount: 1 }],
    content: 'opaque',
  },
  setBaudRate: {
    words: 'Change baud rate',
    classByte: 0x08,
    instruction: 0x40,
    parts: [{ name: 'baudRate', byteCount: 1 }],
    content: 'opaque',
  },
  cardReader: {
    words: 'Activate card reader',
    classByte: 0x08,
    instruction: 0x50,
    parts: [],
    content: 'opaque',
  },
  readCard: {
    words: 'Read card',
    classByte: 0x06,
    instruction: 0xc0,
    parts: [],
    content: 'opaque',
  },
  closeCardSession: {
    words: 'Close card session',
    classByte: 0x06,
    instruction: 0xc5,
    parts: [],
    content: 'opaque',
  },
  sendToCard: {
    words: 'Send APDUs to card',
    classByte: 0x06,
    instruction: 0xc6,
    parts: [],
    content: 'opaque',
  },
  // Some tills send its text in other character sets than agreed, so it is not parsed: none is
  // refused for that.
  displayText: {
    words: 'Display text',
    classByte: 0x06,
    instruction: 0xe0,
    parts: [],
    content: 'opaque',
  },
  displayKeyInput: {
    words: 'Display text, ask for a key',
    classByte: 0x06,
    instruction: 0xe1,
    parts: [],
    content: 'opaque',
  },
  displayNumberInput: {
    words: 'Display text, ask for a number',
    classByte: 0x06,
    instruction: 0xe2,
    parts: [],
    content: 'opaque',
  },
  pinInput: {
    words: 'Ask for a PIN',
    classByte: 0x06,
    instruction: 0xe3,
    parts: [],
    content: 'opaque',
  },
  // The cancel key is never refused because of its data.
  abortCommand: {
    words: 'Abort',
    classByte: 0x06,
    instruction: 0xb0,
    parts: [],
    content: 'opaque',
  },
  statusEnquiry: {
    words: 'Status enquiry',
    classByte: 0x05,
    instruction: 0x01,
    parts: [{ ...password, optional: true }],
    content: 'bitmaps',
  },
  // terminal → till
  statusInformation: {
    words: 'Status information',
    classByte: 0x04,
    instruction: 0x0f,
    parts: [],
    content: 'bitmaps',
  },
  intermediateStatus: {
    words: 'Intermediate status',
    classByte: 0x04,
    instruction: 0xff,
    parts: [
      { name: 'status', byteCount: 1 },
      { name: 'timeout', byteCount: 1, optional: true },
    ],
    content: 'bitmaps',
  },
  completion: {
    words: 'Completion',
    classByte: 0x06,
    instruction: 0x0f,
    parts: [],
    content: 'opaque',
  },
  abort: {
    words: 'Aborted',
    classByte: 0x06,
    instruction: 0x1e,
    parts: [{ name: 'resultCode', byteCount: 1 }],
    content: 'opaque',
  },
  printLine: {
    words: 'Print line',
    classByte: 0x06,
    instruction: 0xd1,
    parts: [{ name: 'attribute', byteCount: 1 }],
    content: 'text',
  },
  printTextBlock: {
    words: 'Print text block',
    classByte: 0x06,
    instruction: 0xd3,
    parts: [],
    content: 'bitmaps',
  },
} as const satisfies Record<string, Declaration>;

export type PacketName = keyof typeof packets;

// Object.entries forgets the names of its entries.
const byCode = new Map(
  Object.entries(packets).map(([name, { classByte, instruction }]) => [
    classByte * 0x100 + instruction,
    name as PacketName,
  ]),
);

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
  const name = byCode.get(apdu.classByte * 0x100 + apdu.instruction);
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

/** null when the packet is no answer. `84 00` counts as positive (ZVT PA00P016, section 5.2). */
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
