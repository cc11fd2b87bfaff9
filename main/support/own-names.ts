import { hostname, networkInterfaces } from 'node:os';
import { bracketed } from '../core/domain/host-port.ts';

/**
 * Names and addresses of this machine as a Host header may have them. Read each time, because
 * addresses change with the network.
 */
export function namesOf(host: string): string[] {
  const addresses =
    host === '0.0.0.0' || host === '::'
      ? Object.values(networkInterfaces()).flatMap((at) => at?.map(({ address }) => address) ?? [])
      : [host];
  const own = hostname().toLowerCase();
  return [...addresses.map(bracketed), 'localhost', own, `${own}.local`].map((name) =>
    name.toLowerCase(),
  );
}
