import { dirname, resolve } from 'node:path';
import type { ReadyNetwork } from '../../core/domain/network-settings.ts';
import { mapTillSecrets, type ReadyTill } from '../../tills/protocols.ts';
import { type LaneSettings, Settings } from './schema.ts';
import { proxyPasswordPath, readyNetwork } from '../../support/settings/network-settings.ts';
import {
  type FormerWalletSettings,
  isForTests,
  mapSecrets,
  type WalletSettings,
} from './wallet.ts';
import type { WithSecrets } from '../../wallets/wallet-provider.ts';
import { providerOf } from '../../wallets/wallet-providers.ts';
import {
  type Environment,
  lookUpSecret,
  type SecretSources,
} from '../../support/settings/secrets.ts';
import { requireCertificateChecks } from '../../support/settings/certificate-checks.ts';
import { checkSettings, readSettingsFile } from '../../support/settings/settings-text.ts';
import { SettingsError } from '../../support/settings/settings-error.ts';
import { followToken, followTokenRule } from '../../core/domain/stickers.ts';

type ReadyLane = Omit<LaneSettings, 'till'> & { till: ReadyTill };
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
  for (const one of [wallet, formerWallet])
    if (one !== undefined && !('simulator' in one))
      requireCertificateChecks(sources, isForTests(one));
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

function readyWallet<Wallet extends WalletSettings>(
  wallet: Wallet,
  path: string,
  sources: SecretSources,
): WithSecrets<Wallet> {
  const { secretRule } = providerOf(wallet);
  const ready = mapSecrets(wallet, (secret, field) => {
    const text = lookUpSecret(secret, `${path}.${field}`, sources);
    if (secretRule?.pattern.test(text) === false)
      throw new SettingsError([`${path}.${field}: ${secretRule.message}, got "***"`]);
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
  const ready = mapTillSecrets(till, (secret, { path: field, mistakes }) => {
    const where = `${path}.${field}`;
    const text = lookUpSecret(secret, where, sources);
    const broken = mistakes(text);
    if (broken.length > 0) throw new SettingsError(broken.map((rule) => `${where}: ${rule}`));
    return text;
  });
  // Each is text now.
  return { ...lane, till: ready as ReadyTill };
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
