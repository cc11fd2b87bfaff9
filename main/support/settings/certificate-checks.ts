import type { Environment } from './secrets.ts';
import { SettingsError } from './settings-error.ts';

/**
 * Node reads this variable at each connection, Chromium (in the desktop app) its switches. A
 * certificate authority of the shop's own is allowed.
 */
const variable = 'NODE_TLS_REJECT_UNAUTHORIZED';
const chromiumSwitch =
  /^--(ignore-certificate-errors|allow-insecure-localhost|ignore-urlfetcher-cert-requests)/;

/** The setting that disables certificate checks in this process, or null. */
export function checksOff(environment: Environment, args: readonly string[] = []): string | null {
  if (environment[variable] === '0') return `${variable}=0`;
  return args.find((arg) => chromiumSwitch.test(arg)) ?? null;
}

/**
 * Refuses to run without certificate checks, because credentials and payments would go to any
 * server that answers.
 * @param isForTests whether the settings say that the wallet service is for tests
 * @throws SettingsError when certificates are not checked, unless the service is for tests
 */
export function requireCertificateChecks(
  { environment, args = [] }: { environment: Environment; args?: readonly string[] },
  isForTests: boolean,
): void {
  const off = checksOff(environment, args);
  if (off === null || isForTests) return;
  const instead =
    'NODE_EXTRA_CA_CERTS names an authority of your own, and wallet.testService or wallet.environment in the settings of a counter a service for tests';
  throw new SettingsError([`${off} disables certificate checks: start without it (${instead})`]);
}
