/** What stands on the command line of `callbacks`. */
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { addressRule } from '../domain/service-address.ts';
import { SettingsError } from '../settings/load.ts';
import { localDayBeginsMs } from '../support/local-day.ts';
import { insideStatus } from '../wallet/callbacks/lifecycle.ts';
import { kinds } from '../wallet/callbacks/record.ts';
import { profileNames } from '../wallet/v10/profile.ts';
import type { Wanted } from '../wallet/callbacks/sqlite-reader.ts';

export const usage = `usage: callbacks --settings FILE --data DIR [--port N] [--catch-up TIME]     receives
       callbacks register --settings FILE [--address URL] [--merchant N] [--credential N] [--counter FILE] [--show]
       callbacks register --settings NEWFILE --service URL --key-env NAME --address URL [--profile NAME]
       callbacks test --settings FILE --data DIR [--merchant N]
       callbacks list --data DIR [--state STATE] [--kind KIND] [--from TIME] [--to TIME] [--agreement ID] [--payment ID] [--limit N] [--json]
       callbacks list --rejected --data DIR [--from TIME] [--to TIME] [--limit N] [--json]
       callbacks show ID --data DIR [--json]                       an identifier of the service, or your own
       callbacks show (--seq NUMBER | --rejected NUMBER) --data DIR [--json]
       callbacks follow --data DIR [--since SEQ]
       callbacks forward URL --data DIR (--secret-file FILE | --secret-env NAME)… [--since SEQ]
       callbacks dead-letters --data DIR [--json]
       callbacks resend NUMBER|all --data DIR`;

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;
const several = { type: 'string', multiple: true } as const;

/** The newest ones; more than these are asked for. */
const usualLimit = 50;
const mostListed = 1_000_000;

type Args = readonly string[];

/** What follows the command → what is asked for. */
const readers = {
  receive: (args: Args) => {
    const { values } = parsed(args, { settings: text, data: text, port: text, 'catch-up': text }, 0);
    const since = values['catch-up'] === undefined ? undefined : Date.parse(values['catch-up']);
    if (Number.isNaN(since)) throw new SettingsError([`--catch-up: must be a date and time, got ${values['catch-up']}`]);
    const port = values.port === undefined ? null : whole('--port', values.port, 0, 65_535);
    return { command: 'receive', settings: given(values.settings), data: given(values.data), port, since } as const;
  },
  register: (args: Args) => {
    const options = {
      settings: text,
      address: text,
      merchant: text,
      credential: text,
      show: flag,
      service: text,
      'key-env': text,
      profile: text,
      counter: text,
    };
    const { values } = parsed(args, options, 0);
    const { address = null, service, show } = values;
    if (address !== null) checkAddress('--address', address);
    const about = { command: 'register', settings: given(values.settings), show, address, counter: values.counter ?? null } as const;
    if (service === undefined && values['key-env'] === undefined && values.profile === undefined)
      return { ...about, made: null, merchant: placeIn('--merchant', values.merchant), credential: placeIn('--credential', values.credential) } as const;
    checkAddress('--service', given(service));
    for (const name of ['merchant', 'credential'] as const)
      if (values[name] !== undefined) throw new SettingsError([`--${name}: is for settings that are there already, not for new ones`]);
    const profile = profileNames.find((one) => one === (values.profile ?? 'generic'));
    if (profile === undefined) throw new SettingsError([`--profile: must be one of ${profileNames.join(', ')}, got ${values.profile}`]);
    const made = { service: given(service), keyEnv: given(values['key-env']), profile };
    return { ...about, address: given(values.address), made, merchant: null, credential: null } as const;
  },
  test: (args: Args) => {
    const { values } = parsed(args, { settings: text, data: text, merchant: text }, 0);
    return { command: 'test', settings: given(values.settings), data: given(values.data), merchant: placeIn('--merchant', values.merchant) } as const;
  },
  list: (args: Args) => {
    const period = { from: text, to: text };
    const about = { state: text, kind: text, agreement: text, payment: text };
    const { values } = parsed(args, { data: text, ...period, ...about, rejected: flag, limit: text, json: flag }, 0);
    for (const name of ['state', 'kind', 'agreement', 'payment'] as const)
      if (values.rejected && values[name] !== undefined)
        throw new SettingsError([`--${name}: does not go with --rejected: what was rejected is not known to have one`]);
    const kind = values.kind === undefined ? null : kinds.find((one) => one === values.kind);
    if (kind === undefined) throw new SettingsError([`--kind: must be one of ${kinds.join(', ')}, got ${values.kind}`]);
    const wanted: Wanted = {
      kind,
      status: values.state === undefined ? null : insideStatus(values.state),
      fromMs: instant('--from', values.from, 0),
      toMs: instant('--to', values.to, 1),
      agreementId: values.agreement ?? null,
      paymentId: values.payment ?? null,
    };
    if (wanted.fromMs !== null && wanted.toMs !== null && wanted.toMs <= wanted.fromMs)
      throw new SettingsError([`--to: must be later than --from, got ${values.to}`]);
    const limit = values.limit === undefined ? usualLimit : whole('--limit', values.limit, 1, mostListed);
    return { command: 'list', data: given(values.data), wanted, rejected: values.rejected, limit, json: values.json } as const;
  },
  show: (args: Args) => {
    const isNumbered = args.some((one) => /^--(seq|rejected)(=|$)/.test(one));
    const { values, positionals } = parsed(args, { data: text, seq: text, rejected: text, json: flag }, isNumbered ? 0 : 1);
    const { data, seq, rejected, json } = values;
    if (seq !== undefined && rejected !== undefined) throw new SettingsError([usage]);
    const which =
      seq !== undefined
        ? ({ by: 'seq', number: whole('--seq', seq, 1) } as const)
        : rejected !== undefined
          ? ({ by: 'rejected', number: whole('--rejected', rejected, 1) } as const)
          : ({ by: 'id', id: given(positionals[0]) } as const);
    return { command: 'show', data: given(data), which, json } as const;
  },
  follow: (args: Args) => {
    const { values } = parsed(args, { data: text, since: text }, 0);
    return { command: 'follow', data: given(values.data), since: whole('--since', values.since ?? '0') } as const;
  },
  forward: (args: Args) => {
    const { values, positionals } = parsed(args, { data: text, since: text, 'secret-file': several, 'secret-env': several }, 1);
    const url = given(positionals[0]);
    checkAddress('URL', url);
    const secrets = [...(values['secret-file'] ?? []).map((file) => ({ file })), ...(values['secret-env'] ?? []).map((env) => ({ env }))];
    if (secrets.length === 0) throw new SettingsError(['--secret-file or --secret-env: must say where the secret of the signatures is']);
    const since = values.since === undefined ? null : whole('--since', values.since);
    // As a URL is compared: two spellings of an address would be two positions.
    return { command: 'forward', data: given(values.data), url: new URL(url).href, secrets, since } as const;
  },
  'dead-letters': (args: Args) => {
    const { values } = parsed(args, { data: text, json: flag }, 0);
    return { command: 'dead-letters', data: given(values.data), json: values.json } as const;
  },
  resend: (args: Args) => {
    const { values, positionals } = parsed(args, { data: text }, 1);
    const which = given(positionals[0]);
    return { command: 'resend', data: given(values.data), which: which === 'all' ? null : whole('NUMBER', which, 1) } as const;
  },
};

type Command = keyof typeof readers;
export type Asked = ReturnType<(typeof readers)[Command]>;
export type AskedTo<Name extends Asked['command']> = Extract<Asked, { command: Name }>;

const isCommand = (name: string): name is Command => Object.hasOwn(readers, name);

/** @param args without a command it receives. @throws SettingsError; what parseArgs throws */
export function readArguments(args: Args): Asked {
  const [first = '--', ...others] = args;
  if (first.startsWith('-')) return readers.receive(args);
  if (!isCommand(first) || first === 'receive') throw new SettingsError([usage]);
  return readers[first](others);
}

/** @param operands how many stand beside the options */
function parsed<Options extends ParseArgsOptionsConfig>(args: Args, options: Options, operands: number) {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
  if (positionals.length !== operands) throw new SettingsError([usage]);
  return { values, positionals };
}

function given(value: string | undefined): string {
  if (value === undefined || value === '') throw new SettingsError([usage]);
  return value;
}

function whole(name: string, value: string, least = 0, most = Number.MAX_SAFE_INTEGER): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= least && number <= most) return number;
  const rule = most === Number.MAX_SAFE_INTEGER ? `a whole number from ${least} on` : `a whole number from ${least} to ${most}`;
  throw new SettingsError([`${name}: must be ${rule}, got ${value}`]);
}

/** As people count. @returns from 0 on; null: none is named */
const placeIn = (name: string, value: string | undefined): number | null => (value === undefined ? null : whole(name, value, 1, 1_000) - 1);

function checkAddress(name: string, address: string): void {
  const rule = addressRule(address);
  if (rule !== null) throw new SettingsError([`${name}: ${rule}`]);
}

/** A day is meant with all of it. */
function instant(name: string, value: string | undefined, daysLater: number): number | null {
  if (value === undefined) return null;
  const atMs = localDayBeginsMs(value, daysLater) ?? (/^\d{4}-\d{2}-\d{2}T/.test(value) ? Date.parse(value) : Number.NaN);
  if (Number.isNaN(atMs)) throw new SettingsError([`${name}: must be a day such as 2026-11-21, or a time such as 2026-11-21T09:00:00Z, got ${value}`]);
  return atMs;
}
