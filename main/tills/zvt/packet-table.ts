/**
 * The packets of ZVT (ZVT PA00P015, chapters 2 and 3), one row each. Parser, encoder, dispatch, log
 * texts and docs/zvt.md follow from the row.
 */
import { type Group, groups } from './command-groups.ts';

interface Part {
  readonly name: string;
  readonly byteCount: number;
  readonly optional?: true;
}

export interface Declaration {
  /** Readable name. */
  readonly words: string;
  readonly classByte: number;
  readonly instruction: number;
  /** Untagged bytes before the bitmaps, in order. */
  readonly parts: readonly Part[];
  /** What follows the parts. `opaque`: it depends on the context. */
  readonly content: 'bitmaps' | 'text' | 'nothing' | 'opaque';
  readonly group: keyof typeof groups;
  /** The name of its handler, in `session.ts` or one of the files that it imports. */
  readonly handler: string;
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
    group: 'service',
    handler: 'register',
  },
  authorisation: {
    words: 'Authorisation',
    classByte: 0x06,
    instruction: 0x01,
    parts: [],
    content: 'bitmaps',
    group: 'payment',
    handler: 'moveMoney',
  },
  logOff: {
    words: 'Log-off',
    classByte: 0x06,
    instruction: 0x02,
    parts: [],
    content: 'nothing',
    group: 'service',
    handler: 'logOff',
  },
  totals: {
    words: 'Totals',
    classByte: 0x06,
    instruction: 0x10,
    parts: [password],
    content: 'bitmaps',
    group: 'report',
    handler: 'tellTotals',
  },
  printTotals: {
    words: 'Print totals',
    classByte: 0x0f,
    instruction: 0x10,
    parts: [password],
    content: 'bitmaps',
    group: 'report',
    handler: 'printTotals',
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
    group: 'report',
    handler: 'repeatReceipts',
  },
  reset: {
    words: 'Reset',
    classByte: 0x06,
    instruction: 0x18,
    parts: [],
    content: 'nothing',
    group: 'service',
    handler: 'reset',
  },
  printConfiguration: {
    words: 'Print configuration',
    classByte: 0x06,
    instruction: 0x1a,
    parts: [],
    content: 'nothing',
    group: 'service',
    handler: 'printConfiguration',
  },
  setTerminalId: {
    words: 'Set terminal id',
    classByte: 0x06,
    instruction: 0x1b,
    parts: [],
    content: 'opaque',
    group: 'unsupported',
    handler: 'refuse',
  },
  repeatReceipt: {
    words: 'Repeat receipt',
    classByte: 0x06,
    instruction: 0x20,
    parts: [password],
    content: 'bitmaps',
    group: 'report',
    handler: 'repeatReceipt',
  },
  preauthorisation: {
    words: 'Reservation',
    classByte: 0x06,
    instruction: 0x22,
    parts: [],
    content: 'bitmaps',
    group: 'reservation',
    handler: 'moveMoney',
  },
  partialReversal: {
    words: 'Partial reversal',
    classByte: 0x06,
    instruction: 0x23,
    parts: [],
    content: 'bitmaps',
    group: 'booking',
    handler: 'moveMoney',
  },
  bookTotal: {
    words: 'Book total',
    classByte: 0x06,
    instruction: 0x24,
    parts: [],
    content: 'bitmaps',
    group: 'booking',
    handler: 'moveMoney',
  },
  preauthorisationReversal: {
    words: 'Reversal of a reservation',
    classByte: 0x06,
    instruction: 0x25,
    parts: [],
    content: 'bitmaps',
    group: 'booking',
    handler: 'moveMoney',
  },
  preauthorisationReversalByTrace: {
    words: 'Reversal of a reservation by its trace number',
    classByte: 0x06,
    instruction: 0x26,
    parts: [],
    content: 'bitmaps',
    group: 'booking',
    handler: 'moveMoney',
  },
  reversal: {
    words: 'Reversal',
    classByte: 0x06,
    instruction: 0x30,
    parts: [password],
    content: 'bitmaps',
    group: 'refund',
    handler: 'moveMoney',
  },
  refund: {
    words: 'Refund',
    classByte: 0x06,
    instruction: 0x31,
    parts: [password],
    content: 'bitmaps',
    group: 'refund',
    handler: 'moveMoney',
  },
  endOfDay: {
    words: 'End of day',
    classByte: 0x06,
    instruction: 0x50,
    parts: [password],
    content: 'bitmaps',
    group: 'report',
    handler: 'closeDay',
  },
  // The packet belongs to a later version of the standard; its data is not known.
  partialReconciliation: {
    words: 'Partial reconciliation',
    classByte: 0x06,
    instruction: 0x52,
    parts: [{ ...password, optional: true }],
    content: 'opaque',
    group: 'report',
    handler: 'tellTotals',
  },
  diagnosis: {
    words: 'Diagnosis',
    classByte: 0x06,
    instruction: 0x70,
    parts: [],
    content: 'bitmaps',
    group: 'service',
    handler: 'diagnose',
  },
  selfTest: {
    words: 'Self-test',
    classByte: 0x06,
    instruction: 0x79,
    parts: [],
    content: 'nothing',
    group: 'service',
    handler: 'testItself',
  },
  setTime: {
    words: 'Set time',
    classByte: 0x06,
    instruction: 0x91,
    parts: [password],
    content: 'bitmaps',
    group: 'service',
    handler: 'complete',
  },
  initialisation: {
    words: 'Initialisation',
    classByte: 0x06,
    instruction: 0x93,
    parts: [password],
    content: 'bitmaps',
    group: 'service',
    handler: 'complete',
  },
  // Its passwords are not read: refusing a wrong one in another way would tell which one is right.
  changePassword: {
    words: 'Change password',
    classByte: 0x06,
    instruction: 0x95,
    parts: [],
    content: 'opaque',
    group: 'unsupported',
    handler: 'refuse',
  },
  selectLanguage: {
    words: 'Select language',
    classByte: 0x08,
    instruction: 0x30,
    parts: [{ name: 'language', byteCount: 1 }],
    content: 'opaque',
    group: 'service',
    handler: 'selectLanguage',
  },
  setBaudRate: {
    words: 'Change baud rate',
    classByte: 0x08,
    instruction: 0x40,
    parts: [{ name: 'baudRate', byteCount: 1 }],
    content: 'opaque',
    group: 'beside',
    handler: 'compareBaudRate',
  },
  cardReader: {
    words: 'Activate card reader',
    classByte: 0x08,
    instruction: 0x50,
    parts: [],
    content: 'opaque',
    group: 'unsupported',
    handler: 'refuse',
  },
  readCard: {
    words: 'Read card',
    classByte: 0x06,
    instruction: 0xc0,
    parts: [],
    content: 'opaque',
    group: 'unsupported',
    handler: 'refuse',
  },
  closeCardSession: {
    words: 'Close card session',
    classByte: 0x06,
    instruction: 0xc5,
    parts: [],
    content: 'opaque',
    group: 'unsupported',
    handler: 'refuse',
  },
  sendToCard: {
    words: 'Send APDUs to card',
    classByte: 0x06,
    instruction: 0xc6,
    parts: [],
    content: 'opaque',
    group: 'unsupported',
    handler: 'refuse',
  },
  // Not parsed: some tills send its text in another character set than agreed, and must not be
  // refused for that.
  displayText: {
    words: 'Display text',
    classByte: 0x06,
    instruction: 0xe0,
    parts: [],
    content: 'opaque',
    group: 'beside',
    handler: 'acknowledge',
  },
  displayKeyInput: {
    words: 'Display text, ask for a key',
    classByte: 0x06,
    instruction: 0xe1,
    parts: [],
    content: 'opaque',
    group: 'unsupported',
    handler: 'refuse',
  },
  displayNumberInput: {
    words: 'Display text, ask for a number',
    classByte: 0x06,
    instruction: 0xe2,
    parts: [],
    content: 'opaque',
    group: 'unsupported',
    handler: 'refuse',
  },
  pinInput: {
    words: 'Ask for a PIN',
    classByte: 0x06,
    instruction: 0xe3,
    parts: [],
    content: 'opaque',
    group: 'unsupported',
    handler: 'refuse',
  },
  // The cancel key is never refused because of its data.
  abortCommand: {
    words: 'Abort',
    classByte: 0x06,
    instruction: 0xb0,
    parts: [],
    content: 'opaque',
    group: 'beside',
    handler: 'abort',
  },
  statusEnquiry: {
    words: 'Status enquiry',
    classByte: 0x05,
    instruction: 0x01,
    parts: [{ ...password, optional: true }],
    content: 'bitmaps',
    group: 'enquiry',
    handler: 'tellStatus',
  },
  // terminal → till
  statusInformation: {
    words: 'Status information',
    classByte: 0x04,
    instruction: 0x0f,
    parts: [],
    content: 'bitmaps',
    group: 'sent',
    handler: 'refuse',
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
    group: 'sent',
    handler: 'refuse',
  },
  completion: {
    words: 'Completion',
    classByte: 0x06,
    instruction: 0x0f,
    parts: [],
    content: 'opaque',
    group: 'sent',
    handler: 'refuse',
  },
  abort: {
    words: 'Aborted',
    classByte: 0x06,
    instruction: 0x1e,
    parts: [{ name: 'resultCode', byteCount: 1 }],
    content: 'opaque',
    group: 'sent',
    handler: 'refuse',
  },
  printLine: {
    words: 'Print line',
    classByte: 0x06,
    instruction: 0xd1,
    parts: [{ name: 'attribute', byteCount: 1 }],
    content: 'text',
    group: 'sent',
    handler: 'refuse',
  },
  printTextBlock: {
    words: 'Print text block',
    classByte: 0x06,
    instruction: 0xd3,
    parts: [],
    content: 'bitmaps',
    group: 'sent',
    handler: 'refuse',
  },
} as const satisfies Record<string, Declaration>;

export type PacketName = keyof typeof packets;

type NamesOf<Groups> = {
  [Name in PacketName]: (typeof packets)[Name]['group'] extends Groups ? Name : never;
}[PacketName];
export type MoneyGroup = {
  [Name in keyof typeof groups]: (typeof groups)[Name]['movesMoney'] extends true ? Name : never;
}[keyof typeof groups];
export type MoneyCommand = NamesOf<MoneyGroup>;
export type HandlerName = (typeof packets)[PacketName]['handler'];

const byCode = new Map(
  // Object.entries forgets the names of its entries.
  Object.entries(packets).map(([name, { classByte, instruction }]) => [
    classByte * 0x100 + instruction,
    name as PacketName,
  ]),
);

/** undefined for an unknown packet */
export const packetName = (classByte: number, instruction: number): PacketName | undefined =>
  byCode.get(classByte * 0x100 + instruction);
export const groupOf = (name: PacketName): Group => groups[packets[name].group];

/** The group of a packet that begins with these bytes; null for an unknown one. */
function groupOfBytes([classByte = 0, instruction = 0]: Uint8Array): Group | null {
  const name = packetName(classByte, instruction);
  return name === undefined ? null : groupOf(name);
}
export const isMoneyCommand = (bytes: Uint8Array): boolean =>
  groupOfBytes(bytes)?.movesMoney === true;
export const isJournalCommand = (bytes: Uint8Array): boolean =>
  groupOfBytes(bytes)?.usesJournal === true;
export const isExclusiveCommand = (bytes: Uint8Array): boolean =>
  groupOfBytes(bytes)?.runsAlone === true;
