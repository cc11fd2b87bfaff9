import { hostPort } from './host-port.ts';

/**
 * Where the HTTP API of a counter is, as tills call it: by the first name of its certificate, where
 * it has one.
 */
export function apiAddress(
  isEncrypted: boolean,
  { host, port, names }: { host: string; port: number; names: readonly string[] },
): string {
  return `${isEncrypted ? 'https' : 'http'}://${hostPort(names[0] ?? host, port)}`;
}
