/** Node asks this variable at each connection, whoever set it; Chromium, in the desktop app, asks its switches. An authority of one's own is no such thing. */
const variable = 'NODE_TLS_REJECT_UNAUTHORIZED';
const chromiumSwitch = /^--(ignore-certificate-errors|allow-insecure-localhost|ignore-urlfetcher-cert-requests)/;

/** What switches the checks of certificates off in this process; null: nothing does. */
export function checksOff(environment: Readonly<Record<string, string | undefined>>, args: readonly string[] = []): string | null {
  if (environment[variable] === '0') return `${variable}=0`;
  return args.find((arg) => chromiumSwitch.test(arg)) ?? null;
}
