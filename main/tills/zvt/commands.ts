/**
 * The kinds of a till's commands. What a till may send while another one runs, and what is always
 * refused, is of no kind.
 */
import { packets, type PacketName } from './packets.ts';

const bookingCommands = [
  'partialReversal',
  'bookTotal',
  'preauthorisationReversal',
  'preauthorisationReversalByTrace',
] as const satisfies PacketName[];
const moneyCommands = [
  'authorisation',
  'preauthorisation',
  'reversal',
  'refund',
  ...bookingCommands,
] as const satisfies PacketName[];
const dayCommands = [
  'endOfDay',
  'repeatReceipts',
  'totals',
  'printTotals',
  'partialReconciliation',
] as const satisfies PacketName[];
const serviceCommands = [
  'reset',
  'initialisation',
  'printConfiguration',
  'selfTest',
  'diagnosis',
  'setTime',
  'selectLanguage',
] as const satisfies PacketName[];
const idleCommands = [
  ...moneyCommands,
  ...dayCommands,
  ...serviceCommands,
  'registration',
  'logOff',
  'repeatReceipt',
] as const satisfies PacketName[];

/** They move money. */
export type MoneyCommand = (typeof moneyCommands)[number];
/** They move no money, and may print. */
export type ServiceCommand = (typeof serviceCommands)[number];
/** They run alone: while another one runs they are refused. */
export type IdleCommand = (typeof idleCommands)[number];

const isOneOf =
  (names: readonly PacketName[]) =>
  ([classByte, instruction]: Uint8Array): boolean =>
    names.some(
      (name) => packets[name].classByte === classByte && packets[name].instruction === instruction,
    );

export const movesMoney = (name: PacketName): name is MoneyCommand =>
  (moneyCommands as readonly PacketName[]).includes(name);
export const isMoneyCommand = isOneOf(moneyCommands);
/** For these, the journal is read or written. */
export const isJournalCommand = isOneOf([...moneyCommands, ...dayCommands, 'repeatReceipt']);
export const isIdleCommand = isOneOf(idleCommands);
