import { dirname, resolve } from 'node:path';
import type { z } from 'zod';
import { NexoPassphrase, TillPassword } from '../core/domain/field-rules.ts';
import type { ReadyNetwork } from '../core/domain/network-settings.ts';
import { maskedAddress } from '../core/domain/service-address.ts';
import { maxSettingsBytes, readBoundedText } from '../support/bounded-file.ts';
import { checksOff } from './certificate-checks.ts';
import { type LaneSettings, Settings, type ZvtSettings } from './schema.ts';
import { passphrasePath, passwordPath, proxyPasswordPath } from './each-secret.ts';
import { readyNetwork } from './network.ts';
import {
  type FormerWalletSettings,
  isForTests,
  mapSecrets,
  type WalletSettings,
  type WithSecrets,
} from './wallet.ts';
import { type Environment, lookUpSecret, type SecretSources } from './secrets.ts';
import { SettingsError } from './settings-error.ts';
import { followToken, followTokenRule } from '../core/domain/stickers.ts';
import { messageOf, systemCodeOf } from '../core/domain/errors.ts';

export { SettingsError } from './settings-error.ts';

type ReadyTill<Till> = Till extends { protocol: 'http'; nexo?: infer Nexo }
  ? { protocol: 'http'; nexo?: ReadyNexo<NonNullable<Nexo>> }
  : Till extends { protocol: 'zvt' }
    ? Omit<Till, 'password'> & { password?: string }
    : Till;
type ReadyNexo<Nexo> = Nexo extends { key?: infer Key }
  ? Omit<Nexo, 'key'> & { key?: Omit<NonNullable<Key>, 'passphrase'> & { passphrase: string } }
  : never;
type ReadyLane = Omit<LaneSettings, 'till'> & { till: ReadyTill<LaneSettings['till']> };
export type ReadyZvt = ReadyTill<ZvtSettings>;
type Monitoring = NonNullable<Settings['monitoring']>;
export type MetricsServerSettings = Omit<NonNullable<Monitoring['metrics']>, 'token'> & {
  token: string;
};
interface ReadyMonitoring {
  metrics?: MetricsServerSettings;
  traces?: { endpoint: string; token?: string };
}
interface ReadyReceiver {
  url: string;
  token: string;
}
export type ReadyWallet = WithSecrets<WalletSettings>;
export type ReadyFormerWallet = WithSecrets<FormerWalletSettings>;
/** Settings whose secrets have been looked up. */
export type ReadySettings = Omit<
  Settings,
  'wallet' | 'formerWallet' | 'lanes' | 'monitoring' | 'network' | 'receiver'
> & {
  wallet: ReadyWallet;
  formerWallet?: ReadyFormerWallet;
  lanes: ReadyLane[];
  monitoring?: ReadyMonitoring;
  network?: ReadyNetwork;
  receiver?: ReadyReceiver;
};

/** @throws SettingsError */
export function loadSettings(path: string, environment: Environment): ReadySettings {
  return parseSettings(readSettingsFile(path), environment, dirname(path));
}

/** The JSON in a settings file, unchecked. @throws SettingsError */
export function readSettingsFile(path: string): unknown {
  let text: string;
  try {
    text = readBoundedText(path, maxSettingsBytes);
  } catch (error) {
    throw new SettingsError([
      `${path}: cannot be read (${systemCodeOf(error) ?? messageOf(error)})`,
    ]);
  }
  return jsonOfSettings(path, text);
}

/** Editors of Windows may begin a file with a byte order mark. @throws SettingsError */
export function jsonOfSettings(path: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new SettingsError([`${path}: is not JSON (${withoutSnippet(messageOf(error))})`]);
  }
}

/** Removes the parser's excerpt, because it may contain a secret. */
function withoutSnippet(message: string): string {
  return message.replace(/, (\.\.\.)?".*"(\.\.\.)? is not valid JSON/s, '').replace(/\s+/g, ' ');
}

/** @param folder the folder of the settings file. @throws SettingsError */
export function parseSettings(json: unknown, environment: Environment, folder = ''): ReadySettings {
  return readySettings(checkSettings(Settings, json), { environment, safe: null, folder });
}

/** Parses and resolves secrets. @throws SettingsError */
export function readySettings(checked: Settings, sources: SecretSources): ReadySettings {
  const { monitoring, network, receiver, wallet, formerWallet, ...others } = withWholePaths(
    checked,
    sources.folder,
  );
  if (!('simulator' in wallet)) requireCertificateChecks(sources, { wallet });
  if (formerWallet !== undefined) requireCertificateChecks(sources, { wallet: formerWallet });
  return {
    ...others,
    wallet: readyWallet(wallet, 'wallet', sources),
    lanes: checked.lanes.map((lane, at) => readyLane(lane, `lanes.${at}.till`, sources)),
    ...(formerWallet !== undefined && {
      formerWallet: readyWallet(formerWallet, 'formerWallet', sources),
    }),
    ...(receiver !== undefined && { receiver: readyReceiver(receiver, sources) }),
    ...(monitoring !== undefined && { monitoring: readyMonitoring(monitoring, sources) }),
    ...(network !== undefined && {
      network: readyNetwork(network, sources, (password) =>
        lookUpSecret(password, proxyPasswordPath, sources),
      ),
    }),
  };
}

/**
 * A header's: what cannot stand there would fail each call, and say so in English of the platform.
 */
const keyInHeader = /^[\x21-\x7e]{1,1000}$/;

function readyWallet<Wallet extends WalletSettings>(
  wallet: Wallet,
  path: string,
  sources: SecretSources,
): WithSecrets<Wallet> {
  const ready = mapSecrets(wallet, (secret, field) => {
    const text = lookUpSecret(secret, `${path}.${field}`, sources);
    if (wallet.service === 'epayment' && !keyInHeader.test(text))
      throw new SettingsError([
        `${path}.${field}: must be up to 1000 letters, digits and signs, without spaces, got "***"`,
      ]);
    return text;
  });
  // Each is text now.
  return ready as WithSecrets<Wallet>;
}

/** Guessing is hopeless then. */
const metricsToken = /^[\w.~+/=-]{32,200}$/;

function readyMonitoring({ metrics, traces }: Monitoring, sources: SecretSources): ReadyMonitoring {
  const ready: ReadyMonitoring = {};
  if (metrics !== undefined) {
    const token = lookUpSecret(metrics.token, 'monitoring.metrics.token', sources);
    if (!metricsToken.test(token))
      throw new SettingsError([
        'monitoring.metrics.token: must be 32 to 200 letters, digits and . _ ~ + / = -, got "***"',
      ]);
    ready.metrics = { ...metrics, token };
  }
  if (traces !== undefined) {
    const { endpoint, token } = traces;
    ready.traces = {
      endpoint,
      ...(token !== undefined && {
        token: lookUpSecret(token, 'monitoring.traces.token', sources),
      }),
    };
  }
  return ready;
}

function readyReceiver(
  { url, token }: NonNullable<Settings['receiver']>,
  sources: SecretSources,
): ReadyReceiver {
  const text = lookUpSecret(token, 'receiver.token', sources);
  if (!followToken.test(text))
    throw new SettingsError([`receiver.token: ${followTokenRule}, got "***"`]);
  return { url, token: text };
}

/** @param path of its till, for the message. @throws SettingsError */
export function readyLane(
  { till, ...lane }: LaneSettings,
  path: string,
  sources: SecretSources,
): ReadyLane {
  if (till.protocol === 'zvt')
    return { ...lane, till: readyZvt(till, passwordPath(path), sources) };
  if (till.protocol !== 'http') return { ...lane, till };
  const { protocol, nexo } = till;
  if (nexo === undefined) return { ...lane, till: { protocol } };
  const { poiId, key } = nexo;
  if (key === undefined) return { ...lane, till: { protocol, nexo: { poiId } } };
  const ofPassphrase = passphrasePath(path);
  const passphrase = lookUpSecret(key.passphrase, ofPassphrase, sources);
  const { error } = NexoPassphrase.safeParse(passphrase);
  // The rules alone: a mistake must not show the passphrase.
  if (error !== undefined)
    throw new SettingsError(error.issues.map(({ message }) => `${ofPassphrase}: ${message}`));
  return { ...lane, till: { protocol, nexo: { poiId, key: { ...key, passphrase } } } };
}

function readyZvt(
  { password, ...till }: ZvtSettings,
  path: string,
  sources: SecretSources,
): ReadyZvt {
  if (password === undefined) return till;
  const text = lookUpSecret(password, path, sources);
  if (!TillPassword.safeParse(text).success)
    throw new SettingsError([`${path}: must be six digits, got "***"`]);
  return { ...till, password: text };
}

/** A relative path begins at the settings. */
function withWholePaths(settings: Settings, folder: string): Settings {
  const { api, monitoring } = settings;
  const whole = <Server extends { readonly tls?: TlsSettings | undefined }>(
    server: Server,
  ): Server =>
    server.tls === undefined
      ? server
      : {
          ...server,
          tls: {
            certificate: resolve(folder, server.tls.certificate),
            key: { file: resolve(folder, server.tls.key.file) },
          },
        };
  return {
    ...settings,
    ...(api !== undefined && { api: whole(api) }),
    ...(monitoring?.metrics !== undefined && {
      monitoring: { ...monitoring, metrics: whole(monitoring.metrics) },
    }),
  };
}

type TlsSettings = NonNullable<NonNullable<Settings['api']>['tls']>;

/**
 * Refuses to run without certificate checks, because credentials and payments would go to whoever
 * answers.
 * @param settings null when there are none or they cannot be read
 * @throws SettingsError when certificates are not checked, unless the settings say that the service
 * is for tests
 */
export function requireCertificateChecks(
  { environment, args = [] }: { environment: Environment; args?: readonly string[] },
  settings: { readonly wallet: Parameters<typeof isForTests>[0] } | null,
): void {
  const off = checksOff(environment, args);
  const isTest = settings !== null && isForTests(settings.wallet);
  if (off === null || isTest) return;
  const instead =
    'NODE_EXTRA_CA_CERTS names an authority of your own, and wallet.testService or wallet.environment in the settings of a counter a service for tests';
  throw new SettingsError([
    `${off} switches the checks of certificates off: start without it (${instead})`,
  ]);
}

/** Parses JSON with the schema. @throws SettingsError with one line for each mistake */
export function checkSettings<Schema extends z.ZodType>(
  schema: Schema,
  json: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(json);
  if (!parsed.success)
    throw new SettingsError(
      flatten(parsed.error.issues, []).map(([path, issue]) => mistake(path, issue, json)),
    );
  return parsed.data;
}

type Issue = z.core.$ZodIssue;

/** A union's own message is useless, so the mistakes of its closest branch are reported. */
function flatten(issues: readonly Issue[], base: PropertyKey[]): [PropertyKey[], Issue][] {
  return issues.flatMap((issue): [PropertyKey[], Issue][] => {
    const path = [...base, ...issue.path];
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => [
        [...path, key],
        { ...issue, message: 'is not a known setting' },
      ]);
    const branches =
      issue.code === 'invalid_union' ? [...issue.errors].filter((branch) => branch.length > 0) : [];
    if (branches.length === 0 || issue.message !== 'Invalid input') return [[path, issue]];
    const closest = branches.reduce((best, branch) =>
      distance(branch) < distance(best) ? branch : best,
    );
    return flatten(closest, path);
  });
}

/** Ranks a union's branches by unknown names, then by mistakes. */
function distance(branch: readonly Issue[]): number {
  return branch.reduce(
    (sum, issue) => sum + (issue.code === 'unrecognized_keys' ? 10 * issue.keys.length : 1),
    0,
  );
}

const secretPath = /secret|password|token|key/i;

function mistake(path: PropertyKey[], issue: Issue, json: unknown): string {
  const value = path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined),
    json,
  );
  const isSecret = path.some((key) => secretPath.test(String(key)) && key !== 'env');
  const shown = value === undefined ? 'nothing' : isSecret ? '"***"' : maskWithin(value);
  return `${path.map(String).join('.') || 'settings'}: ${ruleOf(issue, value)}, got ${shown}`;
}

/** The schema's own words, where it has any for this mistake. */
function ruleOf(issue: Issue, value: unknown): string {
  if (issue.code !== 'invalid_type' || !issue.message.startsWith('Invalid input'))
    return issue.message;
  return value === undefined ? 'must be given' : `must be of the type ${issue.expected}`;
}

/** The value as short JSON without secrets. */
function maskWithin(value: unknown): string {
  const text = JSON.stringify(value, (key, inner) => {
    if (key !== '' && secretPath.test(key)) return '***';
    return typeof inner === 'string' ? maskedAddress(inner) : inner;
  });
  return text.length > 120 ? `${text.slice(0, 117)}...` : text;
}
