import { proxyPasswordPath } from '../../support/settings/network-settings.ts';
import { mapTillSecrets } from '../../tills/protocols.ts';
import type { Settings } from './schema.ts';
import { mapSecrets } from './wallet.ts';
import { type Secret } from '../../support/settings/secrets.ts';

/** @param path in the settings, e.g. `lanes.0.till.password` */
type Change = (secret: Secret, path: string) => Secret;

/** Returns the settings with each secret changed. A secret that is not named here is not sealed. */
export function mapSettingsSecrets(settings: Settings, change: Change): Settings {
  const { wallet, formerWallet, lanes, monitoring, network, receiver } = settings;
  return {
    ...settings,
    wallet: mapSecrets(wallet, (secret, field) => change(secret, `wallet.${field}`)),
    ...(formerWallet !== undefined && {
      formerWallet: mapSecrets(formerWallet, (secret, field) =>
        change(secret, `formerWallet.${field}`),
      ),
    }),
    lanes: lanes.map((lane, at) => ({
      ...lane,
      till: mapTillSecrets(lane.till, (secret, { path }) =>
        change(secret, `lanes.${at}.till.${path}`),
      ),
    })),
    ...(receiver !== undefined && {
      receiver: { ...receiver, token: change(receiver.token, 'receiver.token') },
    }),
    ...(monitoring !== undefined && { monitoring: monitoringWith(monitoring, change) }),
    ...(network !== undefined && { network: networkWith(network, change) }),
  };
}

/** @param till its path, e.g. `lanes.0.till` */
export const passwordPath = (till: string): string => `${till}.password`;
export const isPasswordPath = (path: string): boolean => path.endsWith('.till.password');
export const passphrasePath = (till: string): string => `${till}.nexo.key.passphrase`;

function networkWith(
  network: NonNullable<Settings['network']>,
  change: Change,
): NonNullable<Settings['network']> {
  const { proxy } = network;
  return proxy?.password === undefined
    ? network
    : { ...network, proxy: { ...proxy, password: change(proxy.password, proxyPasswordPath) } };
}

type Monitoring = NonNullable<Settings['monitoring']>;

function monitoringWith(monitoring: Monitoring, change: Change): Monitoring {
  const { metrics, traces } = monitoring;
  return {
    ...monitoring,
    ...(metrics !== undefined && {
      metrics: { ...metrics, token: change(metrics.token, 'monitoring.metrics.token') },
    }),
    ...(traces?.token !== undefined && {
      traces: { ...traces, token: change(traces.token, 'monitoring.traces.token') },
    }),
  };
}
