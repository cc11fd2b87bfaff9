/** The command line of `callbacks`. */
import { join } from 'node:path';
import { addressRule } from '../../core/domain/service-address.ts';
import {
  chosenCommand,
  type Command,
  command,
  CommandEnd,
  parseCommand,
  usageOf,
  wholeNumber,
} from '../../support/command-line.ts';
import { localDayBeginsMs } from '../../support/local-day.ts';
import { insideStatus } from './lifecycle.ts';
import { kinds } from './callback-record.ts';
import { profileNames } from '../v10/v10-profile.ts';
import type { WantedRecords } from './sqlite-reader.ts';

const call = (name: string): string => `npm run -s callbacks -- ${name}`;
const settings = {
  type: 'string',
  value: 'FILE',
  does: "the receiver's settings",
  isRequired: true,
} as const;
const data = {
  type: 'string',
  value: 'DIR',
  does: "the receiver's folder",
  isRequired: true,
} as const;
const json = { type: 'boolean', does: 'prints one line of JSON for each' } as const;
const merchant = {
  type: 'string',
  value: 'N',
  does: 'the merchant: its number in catchUp of the settings, from 1',
} as const;
const time = (does: string) =>
  ({
    type: 'string',
    value: 'TIME',
    does: `${does}: a day, or a time such as 2026-11-21T09:00:00Z`,
  }) as const;

const commands = {
  receive: command({
    call: 'npm run callbacks --',
    does: "Receives the service's callbacks. Prints a line of JSON when it is ready, and logs on stderr.",
    options: {
      settings: {
        type: 'string',
        value: 'FILE',
        does: 'the settings; default: settings.json in the folder',
      },
      data: { ...data, does: 'the folder for the records, which nothing else uses' },
      port: {
        type: 'string',
        value: 'N',
        does: 'the port to listen on; overrides the settings',
      },
      'catch-up': {
        type: 'string',
        value: 'TIME',
        does: 'reads everything since then from the service, such as 2026-11-20T00:00:00Z',
      },
    },
  }),
  register: command({
    call: call('register'),
    does: 'Registers the receiver at the service. With --service it writes the settings first, and the secrets beside them.',
    options: {
      settings: { ...settings, does: "the receiver's settings; with --service a new file" },
      address: {
        type: 'string',
        value: 'URL',
        does: 'the public address of the receiver, if the settings have none; for new settings required',
      },
      merchant,
      credential: {
        type: 'string',
        value: 'N',
        does: 'the credentials: their number in the settings, from 1',
      },
      counter: {
        type: 'string',
        value: 'FILE',
        does: 'the settings of a counter: prints the aliases that its points of sale need; with the ePayment service registers the events of its sales unit instead',
      },
      webhook: {
        type: 'string',
        value: 'N',
        does: 'the webhook of the sales unit: its number in epayment of the settings, from 1',
      },
      remove: {
        type: 'string',
        value: 'ID',
        does: 'deletes this registration of the sales unit instead',
      },
      show: { type: 'boolean', does: 'prints the registrations and changes nothing' },
      service: {
        type: 'string',
        value: 'URL',
        does: 'for new settings: the address of the service',
      },
      'key-env': {
        type: 'string',
        value: 'NAME',
        does: "for new settings: the environment variable that has the merchant's key",
      },
      profile: {
        type: 'string',
        value: 'NAME',
        does: `for new settings: ${profileNames.join(' or ')}`,
      },
    },
  }),
  test: command({
    call: call('test'),
    does: 'Makes the service send a test notification, and prints the stored record.',
    options: { settings, data, merchant },
  }),
  list: command({
    call: call('list'),
    does: 'Prints the newest records, or the rejected ones.',
    options: {
      data,
      state: { type: 'string', value: 'STATE', does: 'only in this state' },
      kind: { type: 'string', value: 'KIND', does: `only of this kind: ${kinds.join(', ')}` },
      agreement: { type: 'string', value: 'ID', does: 'only of this agreement' },
      payment: { type: 'string', value: 'ID', does: 'only of this payment' },
      from: time('only from then on'),
      to: time('only until then'),
      rejected: { type: 'boolean', does: 'prints rejected records instead' },
      limit: { type: 'string', value: 'N', does: 'how many at most', default: '50' },
      json,
    },
  }),
  show: command({
    call: call('show'),
    does: 'Prints all records about an id, of the service or your own, or one record by its number.',
    operands: '[ID]',
    options: {
      data,
      seq: { type: 'string', value: 'NUMBER', does: 'instead of an id: the number of a record' },
      rejected: {
        type: 'string',
        value: 'NUMBER',
        does: 'instead of an id: the number of a rejected record',
      },
      json,
    },
  }),
  follow: command({
    call: call('follow'),
    does: 'Prints every record as a line of JSON, then each new one, until it is stopped.',
    options: {
      data,
      since: { type: 'string', value: 'SEQ', does: 'only records after this number', default: '0' },
    },
  }),
  forward: command({
    call: call('forward'),
    does: 'Sends every record, signed and at least once, to a web address, until it is stopped.',
    operands: 'URL',
    options: {
      data,
      'secret-file': {
        type: 'string',
        value: 'FILE',
        does: 'a file whose only line is the secret of the signatures',
        multiple: true,
      },
      'secret-env': {
        type: 'string',
        value: 'NAME',
        does: 'the environment variable with the secret of the signatures',
        multiple: true,
      },
      since: {
        type: 'string',
        value: 'SEQ',
        does: 'at the first start for an address: only records after this number',
      },
    },
  }),
  'dead-letters': command({
    call: call('dead-letters'),
    does: 'Prints the records that could not be forwarded.',
    options: { data, json },
  }),
  resend: command({
    call: call('resend'),
    does: 'Forwards one dead letter, or all of them, again.',
    operands: 'NUMBER|all',
    options: { data },
  }),
};

const maxListed = 1_000_000;

type Args = readonly string[];

/** Parses the arguments after the command. */
const readers = {
  receive: (args: Args) => {
    const { values } = parseCommand(commands.receive, args);
    const since = values['catch-up'] === undefined ? undefined : Date.parse(values['catch-up']);
    if (Number.isNaN(since))
      throw new CommandEnd(`--catch-up: must be a date and time, got ${values['catch-up']}`);
    const port = values.port === undefined ? null : wholeNumber('--port', values.port, 0, 65_535);
    const path = values.settings ?? join(values.data, 'settings.json');
    return { command: 'receive', settings: path, data: values.data, port, since } as const;
  },
  register: (args: Args) => {
    const { values } = parseCommand(commands.register, args);
    const { address = null, service, show } = values;
    if (address !== null) checkAddress('--address', address);
    const { counter = null, remove = null } = values;
    const ofSalesUnit = { webhook: placeIn('--webhook', values.webhook), remove };
    for (const name of ['webhook', 'remove'] as const)
      if (ofSalesUnit[name] !== null && counter === null)
        throw new CommandEnd(
          `--${name}: needs --counter: its settings have the keys of the sales unit`,
        );
    if (remove !== null && show)
      throw new CommandEnd('--remove: does not go with --show, which changes nothing');
    const about = {
      command: 'register',
      settings: values.settings,
      show,
      address,
      counter,
      ...ofSalesUnit,
    } as const;
    if (service === undefined && values['key-env'] === undefined && values.profile === undefined)
      return {
        ...about,
        newSettings: null,
        merchant: placeIn('--merchant', values.merchant),
        credential: placeIn('--credential', values.credential),
      } as const;
    const at = requiredValue('--service', service);
    checkAddress('--service', at);
    for (const name of ['merchant', 'credential'] as const)
      if (values[name] !== undefined)
        throw new CommandEnd(`--${name}: applies to existing settings, not to new ones`);
    const profile = profileNames.find((one) => one === (values.profile ?? 'generic'));
    if (profile === undefined)
      throw new CommandEnd(
        `--profile: must be one of ${profileNames.join(', ')}, got ${values.profile}`,
      );
    const newSettings = {
      service: at,
      keyEnv: requiredValue('--key-env', values['key-env']),
      profile,
    };
    return {
      ...about,
      address: requiredValue('--address', values.address),
      newSettings,
      merchant: null,
      credential: null,
    } as const;
  },
  test: (args: Args) => {
    const { values } = parseCommand(commands.test, args);
    return {
      command: 'test',
      settings: values.settings,
      data: values.data,
      merchant: placeIn('--merchant', values.merchant),
    } as const;
  },
  list: (args: Args) => {
    const { values } = parseCommand(commands.list, args);
    for (const name of ['state', 'kind', 'agreement', 'payment'] as const)
      if (values.rejected && values[name] !== undefined)
        throw new CommandEnd(
          `--${name}: does not go with --rejected: a rejected record has no known value`,
        );
    const kind = values.kind === undefined ? null : kinds.find((one) => one === values.kind);
    if (kind === undefined)
      throw new CommandEnd(`--kind: must be one of ${kinds.join(', ')}, got ${values.kind}`);
    const wanted: WantedRecords = {
      kind,
      status: values.state === undefined ? null : insideStatus(values.state),
      fromMs: instant('--from', values.from, 0),
      toMs: instant('--to', values.to, 1),
      agreementId: values.agreement ?? null,
      paymentId: values.payment ?? null,
    };
    if (wanted.fromMs !== null && wanted.toMs !== null && wanted.toMs <= wanted.fromMs)
      throw new CommandEnd(`--to: must be later than --from, got ${values.to}`);
    const limit = wholeNumber('--limit', values.limit, 1, maxListed);
    return {
      command: 'list',
      data: values.data,
      wanted,
      rejected: values.rejected,
      limit,
      json: values.json,
    } as const;
  },
  show: (args: Args) => {
    const { values, operands } = parseCommand(commands.show, args);
    const { seq, rejected } = values;
    const [id] = operands;
    if (operands.length + [seq, rejected].filter((one) => one !== undefined).length !== 1)
      throw new CommandEnd(
        `ID, --seq or --rejected: must be one of them\n${usageOf(commands.show)}`,
      );
    const which =
      seq !== undefined
        ? ({ by: 'seq', number: wholeNumber('--seq', seq, 1) } as const)
        : rejected !== undefined
          ? ({ by: 'rejected', number: wholeNumber('--rejected', rejected, 1) } as const)
          : ({ by: 'id', id: id ?? '' } as const);
    return { command: 'show', data: values.data, which, json: values.json } as const;
  },
  follow: (args: Args) => {
    const { values } = parseCommand(commands.follow, args);
    return {
      command: 'follow',
      data: values.data,
      since: wholeNumber('--since', values.since),
    } as const;
  },
  forward: (args: Args) => {
    const { values, operands } = parseCommand(commands.forward, args);
    const url = onlyOne('URL', operands, commands.forward);
    checkAddress('URL', url);
    const secrets = [
      ...values['secret-file'].map((file) => ({ file })),
      ...values['secret-env'].map((env) => ({ env })),
    ];
    if (secrets.length === 0)
      throw new CommandEnd(
        '--secret-file or --secret-env: one of them must name the secret of the signatures',
      );
    const since = values.since === undefined ? null : wholeNumber('--since', values.since);
    // Normalised, because two spellings of an address would be two positions.
    return {
      command: 'forward',
      data: values.data,
      url: new URL(url).href,
      secrets,
      since,
    } as const;
  },
  'dead-letters': (args: Args) => {
    return {
      command: 'dead-letters',
      ...parseCommand(commands['dead-letters'], args).values,
    } as const;
  },
  resend: (args: Args) => {
    const { values, operands } = parseCommand(commands.resend, args);
    const which = onlyOne('NUMBER', operands, commands.resend);
    return {
      command: 'resend',
      data: values.data,
      which: which === 'all' ? null : wholeNumber('NUMBER', which, 1),
    } as const;
  },
};

export type CallbacksCommand = ReturnType<(typeof readers)[keyof typeof readers]>;
export type CallbacksCommandOf<Name extends CallbacksCommand['command']> = Extract<
  CallbacksCommand,
  { command: Name }
>;

/** @param args without a command for receiving @throws CommandEnd */
export function readArguments(args: Args): CallbacksCommand {
  const [first] = args;
  const isHelp = args.length === 1 && (first === '--help' || first === '-h');
  if (first?.startsWith('-') && !isHelp) return readers.receive(args);
  const { name, rest } = chosenCommand(commands, args);
  if (name === 'receive')
    throw new CommandEnd(
      `receive: is what it does without a command\n${usageOf(commands.receive)}`,
    );
  return readers[name](rest);
}

function onlyOne(name: string, operands: readonly string[], of: Command): string {
  const [one = '', ...more] = operands;
  if (one === '' || more.length > 0)
    throw new CommandEnd(`${name}: must be a single value\n${usageOf(of)}`);
  return one;
}

/** The value of an option that new settings need. @throws CommandEnd */
function requiredValue(name: string, value: string | undefined): string {
  if (value === undefined || value === '')
    throw new CommandEnd(`${name}: is missing\n${usageOf(commands.register)}`);
  return value;
}

/** An option that counts from 1. @returns its value counted from 0; null when it is missing */
const placeIn = (name: string, value: string | undefined): number | null =>
  value === undefined ? null : wholeNumber(name, value, 1, 1_000) - 1;

function checkAddress(name: string, address: string): void {
  const rule = addressRule(address);
  if (rule !== null) throw new CommandEnd(`${name}: ${rule}`);
}

/**
 * A time, or the beginning of a day. @param daysLater 1 for the beginning of the next day, so that
 * all of the day is included @throws CommandEnd
 */
function instant(name: string, value: string | undefined, daysLater: number): number | null {
  if (value === undefined) return null;
  const atMs =
    localDayBeginsMs(value, daysLater) ??
    (/^\d{4}-\d{2}-\d{2}T/.test(value) ? Date.parse(value) : Number.NaN);
  if (Number.isNaN(atMs))
    throw new CommandEnd(
      `${name}: must be a day such as 2026-11-21, or a time such as 2026-11-21T09:00:00Z, got ${value}`,
    );
  return atMs;
}
