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
const json = { type: 'boolean', does: 'as JSON, a line each' } as const;
const merchant = {
  type: 'string',
  value: 'N',
  does: 'which of catchUp in the settings, from 1 on',
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
        does: 'who is heard, and where; left out, settings.json in the folder',
      },
      data: { ...data, does: 'the folder of its own where every record is kept' },
      port: {
        type: 'string',
        value: 'N',
        does: 'where it listens, instead of what the settings say',
      },
      'catch-up': {
        type: 'string',
        value: 'TIME',
        does: 'asks for everything since then, such as 2026-11-20T00:00:00Z',
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
        does: 'where the service finds the receiver, when the settings do not say, and for new ones',
      },
      merchant,
      credential: {
        type: 'string',
        value: 'N',
        does: 'which of the credentials in the settings, from 1 on',
      },
      counter: {
        type: 'string',
        value: 'FILE',
        does: "the settings of a counter: tells which aliases its points of sale need; on the ePayment service registers its sales unit's events instead",
      },
      webhook: {
        type: 'string',
        value: 'N',
        does: 'which of epayment in the settings is that of the sales unit, from 1 on',
      },
      remove: {
        type: 'string',
        value: 'ID',
        does: 'ends a registration of the sales unit instead',
      },
      show: { type: 'boolean', does: 'only shows what is registered' },
      service: { type: 'string', value: 'URL', does: 'for new settings: the service' },
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
    does: 'Has the service send a test notification, and shows it as it was stored.',
    options: { settings, data, merchant },
  }),
  list: command({
    call: call('list'),
    does: 'The newest records, or what was rejected.',
    options: {
      data,
      state: { type: 'string', value: 'STATE', does: 'only in this state' },
      kind: { type: 'string', value: 'KIND', does: `only of this kind: ${kinds.join(', ')}` },
      agreement: { type: 'string', value: 'ID', does: 'only of this agreement' },
      payment: { type: 'string', value: 'ID', does: 'only of this payment' },
      from: time('only from then on'),
      to: time('only until then'),
      rejected: { type: 'boolean', does: 'what was rejected, instead of records' },
      limit: { type: 'string', value: 'N', does: 'how many', default: '50' },
      json,
    },
  }),
  show: command({
    call: call('show'),
    does: 'All records about an id of the service or of yours; or one record by its number.',
    operands: '[ID]',
    options: {
      data,
      seq: { type: 'string', value: 'NUMBER', does: 'instead of an id: a record' },
      rejected: { type: 'string', value: 'NUMBER', does: 'instead of an id: what was rejected' },
      json,
    },
  }),
  follow: command({
    call: call('follow'),
    does: 'Every record as a line of JSON, those that come too, until it is ended.',
    options: {
      data,
      since: { type: 'string', value: 'SEQ', does: 'only later ones', default: '0' },
    },
  }),
  forward: command({
    call: call('forward'),
    does: 'Sends every record to a web address, signed, at least once, until it is ended.',
    operands: 'URL',
    options: {
      data,
      'secret-file': {
        type: 'string',
        value: 'FILE',
        does: 'the secret of the signatures, alone on one line of a file',
        multiple: true,
      },
      'secret-env': {
        type: 'string',
        value: 'NAME',
        does: 'the secret of the signatures, in an environment variable',
        multiple: true,
      },
      since: {
        type: 'string',
        value: 'SEQ',
        does: 'at the first start at an address: only later ones',
      },
    },
  }),
  'dead-letters': command({
    call: call('dead-letters'),
    does: 'What could not be forwarded.',
    options: { data, json },
  }),
  resend: command({
    call: call('resend'),
    does: 'Has one of the dead letters, or all of them, forwarded again.',
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
        throw new CommandEnd(`--${name}: is for settings that are there already, not for new ones`);
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
          `--${name}: does not go with --rejected: what was rejected is not known to have one`,
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
        '--secret-file or --secret-env: must say where the secret of the signatures is',
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
  if (one === '' || more.length > 0) throw new CommandEnd(`${name}: must be one\n${usageOf(of)}`);
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
