import { proxyPasswordPath } from '../../support/settings/network-settings.ts';
import { mapTillSecrets } from '../../tills/protocols.ts';
import type { Settings } from './schema.ts';
import { mapSecrets } from './wallet.ts';
import { type Secret } from '../../support/settings/secrets.ts';

/** @param path in the settings, e.g. `lanes.0.till.password` */
type Change = (secret: Secret, path: string) => Secret;

/** @param till its path, e.g. `lanes.0.till` */
const passwordPath = (till: string): string => `${till}.password`;
export const isPasswordPath = (path: string): boolean => path.endsWith('.till.password');
const passphrasePath = (till: string): string => `${till}.nexo.key.passphrase`;

/** The secrets of a till. @param till its path */
export const tillSecretPaths = (till: string): readonly string[] => [
  passwordPath(till),
  passphrasePath(till),
];

/**
 * The secrets beside those of wallets and tills; `*` stands for each item of a list. A secret that
 * is not named here is not sealed.
 */
const secretPaths = [
  'receiver.token',
  'monitoring.metrics.token',
  'monitoring.traces.token',
  proxyPasswordPath,
];

/** Returns the settings with each secret changed. */
export function mapSettingsSecrets(settings: Settings, change: Change): Settings {
  const { wallet, formerWallet, lanes } = settings;
  return {
    ...mapSecretsAt(settings, secretPaths, change),
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
  };
}

/** Returns the value with the secrets at these paths changed. A secret may be absent. */
export const mapSecretsAt = <Value>(
  value: Value,
  paths: readonly string[],
  change: Change,
): Value =>
  paths.reduce((changed, path) => changedAt(changed, path.split('.'), [], change) as Value, value);

function changedAt(
  value: unknown,
  [name, ...rest]: readonly string[],
  above: readonly (string | number)[],
  change: Change,
): unknown {
  if (value == null) return value;
  if (name === undefined) return change(value as Secret, above.join('.'));
  if (Array.isArray(value))
    return value.map((item, index) => changedAt(item, rest, [...above, index], change));
  const before = (value as Readonly<Record<string, unknown>>)[name];
  const after = changedAt(before, rest, [...above, name], change);
  return after === before ? value : { ...value, [name]: after };
}
