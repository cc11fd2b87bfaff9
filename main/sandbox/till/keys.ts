/** The commands that a person types at the test till. */
import type { Step } from './steps.ts';

interface Key {
  readonly short: string;
  readonly takes: string;
  readonly does: string;
  /** null when the arguments are not valid. */
  readonly step: (args: readonly string[]) => Step | null;
}

const amountOf = (text: string | undefined): number | null => {
  const [, whole = '', part = ''] = /^(\d{1,10})(?:[.,](\d{2}))?$/.exec(text ?? '') ?? [];
  return whole === '' ? null : Number(whole) * 100 + Number(part || 0);
};
const receiptOf = (text: string | undefined): number | 'last' | null =>
  text === undefined || text === 'last' ? 'last' : /^\d{1,4}$/.test(text) ? Number(text) : null;

const withAmount =
  (name: 'pay' | 'reserve') =>
  (args: readonly string[]): Step | null => {
    const amount = amountOf(args[0]);
    return amount === null || args.length !== 1 ? null : { do: name, amount };
  };
const withReceipt =
  (build: (receipt: number | 'last', amount: number | undefined) => Step) =>
  (args: readonly string[]): Step | null => {
    const receipt = receiptOf(args[0]);
    const amount = args[1] === undefined ? undefined : amountOf(args[1]);
    return receipt === null || amount === null || args.length > 2 ? null : build(receipt, amount);
  };
const alone =
  (name: 'register' | 'repeatReceipt' | 'endOfDay' | 'status' | 'diagnosis' | 'logOff') =>
  (args: readonly string[]): Step | null =>
    args.length === 0 ? { do: name } : null;

const keys: Readonly<Record<string, Key>> = {
  register: {
    short: 'g',
    takes: '',
    does: 'registers with receipt lines and intermediate status',
    step: alone('register'),
  },
  pay: {
    short: 'p',
    takes: 'AMOUNT',
    does: 'a payment, such as pay 12.50',
    step: withAmount('pay'),
  },
  abort: {
    short: 'a',
    takes: '',
    does: 'the cancel key, also while a command runs',
    step: (args) => (args.length === 0 ? { do: 'abort' } : null),
  },
  reverse: {
    short: 'r',
    takes: '[RECEIPT [AMOUNT]]',
    does: 'refunds a payment (06 30); without a number the last one',
    step: withReceipt((receipt, amount) => ({
      do: 'reverse',
      receipt,
      ...(amount !== undefined && { amount }),
    })),
  },
  reserve: { short: 'v', takes: 'AMOUNT', does: 'a reservation', step: withAmount('reserve') },
  capture: {
    short: 'c',
    takes: '[RECEIPT [AMOUNT]]',
    does: 'captures a reservation, or a part of it',
    step: withReceipt((receipt, used) => ({
      do: 'capture',
      receipt,
      ...(used !== undefined && { used }),
    })),
  },
  release: {
    short: 'l',
    takes: '[RECEIPT]',
    does: 'releases a reservation',
    step: (args) =>
      args.length > 1 ? null : withReceipt((receipt) => ({ do: 'release', receipt }))(args),
  },
  repeat: { short: 't', takes: '', does: 'repeats the last receipt', step: alone('repeatReceipt') },
  day: { short: 'e', takes: '', does: 'closes the day', step: alone('endOfDay') },
  status: { short: 's', takes: '', does: 'asks for the status', step: alone('status') },
  diagnosis: { short: 'd', takes: '', does: 'diagnosis', step: alone('diagnosis') },
  logoff: { short: 'o', takes: '', does: 'log-off', step: alone('logOff') },
};

/** One line for each command. */
export const keyHelp: string = [
  ...Object.entries(keys).map(
    ([name, { short, takes, does }]) => [`${short}, ${name} ${takes}`.trimEnd(), does] as const,
  ),
  ['06 70 00', 'any command, as bytes in hex'] as const,
  ['q, quit', 'disconnects and ends; h, help: this list'] as const,
]
  .map(([parseKey, does]) => `  ${parseKey.padEnd(32)}${does}`)
  .join('\n');

export type KeyInput =
  | { readonly what: 'step'; readonly step: Step }
  | { readonly what: 'help' | 'quit' | 'nothing' }
  | { readonly what: 'mistake'; readonly why: string };

export function typed(line: string): KeyInput {
  const [name = '', ...args] = line.trim().split(/\s+/);
  if (name === '') return { what: 'nothing' };
  if (['h', 'help', '?'].includes(name)) return { what: 'help' };
  if (['q', 'quit'].includes(name)) return { what: 'quit' };
  const entry = Object.entries(keys).find(([long, { short }]) => long === name || short === name);
  if (entry === undefined) {
    if (/^([0-9A-Fa-f]{2}\s*){3,}$/.test(line.trim()))
      return { what: 'step', step: { do: 'send', bytes: line.trim() } };
    return { what: 'mistake', why: `there is no key ${name}; h lists them` };
  }
  const [long, { takes, step }] = entry;
  const parsed = step(args);
  return parsed === null
    ? {
        what: 'mistake',
        why: `${long}: takes ${takes === '' ? 'nothing' : takes}, got ${args.join(' ') || 'nothing'}`,
      }
    : { what: 'step', step: parsed };
}
