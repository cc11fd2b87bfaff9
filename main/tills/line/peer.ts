import { BlockList, isIP, isIPv6 } from 'node:net';
import { hostPort } from '../../core/domain/host-port.ts';
import { isOfThisMachineAlone } from '../../core/domain/this-machine.ts';

/** The other end of a till's line. */
export interface Peer {
  /** Name for the journal and the log: `serial:/dev/ttyUSB0`, `192.168.1.40:50122`. */
  readonly name: string;
  /**
   * The address without the port, which changes with each connection. Failed attempts are counted
   * by it.
   */
  readonly address: string;
  readonly kind: 'serial' | 'loopback' | 'network';
  /** Set for a serial line. */
  readonly baudRate?: number;
}

export const serialPeer = (path: string, baudRate: number): Peer => ({
  name: `serial:${path}`,
  address: `serial:${path}`,
  kind: 'serial',
  baudRate,
});

export function tcpPeer(remoteAddress: string | undefined, remotePort: number | undefined): Peer {
  const address = withoutMapping(remoteAddress ?? 'unknown');
  return {
    name: hostPort(address, remotePort ?? 0),
    address,
    kind: isOfThisMachineAlone(address) ? 'loopback' : 'network',
  };
}

/** A server that listens on IPv6 too names IPv4 peers `::ffff:192.168.1.40`. */
const withoutMapping = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

/**
 * Whether `till.from` names the address. Entries are addresses or networks (`192.168.1.0/24`); an
 * empty list names all.
 */
export function addressFilter(entries: readonly string[]): (address: string) => boolean {
  if (entries.length === 0) return () => true;
  const allowed = new BlockList();
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (prefix === undefined) allowed.addAddress(address, family);
    else allowed.addSubnet(address, Number(prefix), family);
  }
  return (address) =>
    isIP(address) !== 0 && allowed.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
