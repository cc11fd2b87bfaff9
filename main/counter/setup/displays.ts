/** Where other devices can reach this machine. */
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { Refusal } from '../../../preload/procedures/procedure.ts';
import { isOfThisMachineAlone } from '../../../preload/procedures/setup-fields.ts';
import type { ListenRefusal } from '../../../preload/procedures/setup-till.ts';
import {
  type ListenAddress,
  ListenError,
  listenOn,
  type ListenProblem,
  reservedPortsCommand,
} from '../../core/domain/listening-port.ts';
import type { Session } from '../server/session.ts';
import type { SetupHost } from './setup-host.ts';

/** Private networks (RFC 1918), the most common in shops first. */
const likeliest = [/^192\.168\./, /^10\./, /^172\.(1[6-9]|2\d|3[01])\./];
/** Network interfaces of virtual machines, containers and VPNs. */
const virtual = /^(docker|br-|veth|virbr|vmnet|vboxnet|vEthernet|tun|tap|wg|tailscale|zt)/i;

/** Addresses to type into another device, the likeliest first. */
export function addressesHere(): string[] {
  const found = Object.entries(networkInterfaces()).flatMap(([name, at]) =>
    (at ?? [])
      .filter(({ family, internal }) => family === 'IPv4' && !internal)
      .map(({ address }) => ({ address, rank: rankOf(name, address) })),
  );
  return found.toSorted((one, other) => one.rank - other.rank).map(({ address }) => address);
}

function rankOf(name: string, address: string): number {
  const at = likeliest.findIndex((net) => net.test(address));
  return (at === -1 ? likeliest.length : at) + (virtual.test(name) ? 10 : 0);
}

/**
 * Any program of this computer can call setup before there is a manager, and must open nothing in
 * the network by that.
 * @param at where is listened @throws Refusal pinNeeded
 */
export function requirePersonFor(
  at: object | null | undefined,
  host: Pick<SetupHost, 'requirePerson'>,
  session: Session,
): void {
  if (at != null && 'host' in at && !isOfThisMachineAlone(String(at.host)))
    host.requirePerson(session);
}

const fieldsOfDisplays = { host: 'displays.host', port: 'displays.port' };

const listenRefusals = {
  taken: 'portTaken',
  reserved: 'portReserved',
  privileged: 'portPrivileged',
  noAddress: 'hostNotHere',
  noFamily: 'hostNotHere',
} as const satisfies Record<Exclude<ListenProblem, 'other'>, ListenRefusal['code']>;

/**
 * Why an address cannot be listened on, as setup's refusals say it; null when the cause is unknown.
 */
export function listenRefusal(error: unknown, { host, port }: ListenAddress): ListenRefusal | null {
  if (!(error instanceof ListenError) || error.problem === 'other') return null;
  const code = listenRefusals[error.problem];
  if (code === 'hostNotHere') return { code, facts: { host } };
  return {
    code,
    facts: { count: port, ...(code === 'portReserved' && { detail: reservedPortsCommand }) },
  };
}

/**
 * Resolves when the port can be listened on. @param fields what a refusal names. @throws Refusal
 * one of `addressRefusals`
 */
export async function tryToListen(
  host: string,
  port: number,
  fields = fieldsOfDisplays,
): Promise<void> {
  const server = createServer();
  try {
    await listenOn(server, 'this address cannot be served', { host, port });
  } catch (error) {
    if (!(error instanceof ListenError)) throw error;
    const { code, facts } = listenRefusal(error, { host, port }) ?? {
      code: 'portTaken',
      facts: { count: port },
    };
    throw new Refusal(code, error.message, {
      field: code === 'hostNotHere' ? fields.host : fields.port,
      facts,
    });
  }
  await new Promise((resolve) => server.close(resolve));
}
