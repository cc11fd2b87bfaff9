/**
 * Node reads this variable at each connection, Chromium (in the desktop app) its switches. A
 * certificate authority of the shop's own is allowed.
 */
const variable = 'NODE_TLS_REJECT_UNAUTHORIZED';
const chromiumSwitch =
  /^--(ignore-certificate-errors|allow-insecure-localhost|ignore-urlfetcher-cert-requests)/;

/** The setting that disables certificate checks in this process, or null. */
export function checksOff(
  environment: Readonly<Record<string, string | undefined>>,
  args: readonly string[] = [],
): string | null {
  if (environment[variable] === '0') return `${variable}=0`;
  return args.find((arg) => chromiumSwitch.test(arg)) ?? null;
}
