import { isIP } from 'node:net';
import { addressFilter, type Peer } from '../line/peer.ts';
import type { Registration } from './registration.ts';

/**
 * What tills have agreed that open a connection for each command. Only an address that `till.from`
 * names by itself is one till; in a network, any device could have registered.
 */
export class AddressRegistrations {
  readonly #isNamed: (address: string) => boolean;
  readonly #agreed = new Map<string, Registration>();

  /** @param from the addresses and networks that may connect */
  constructor(from: readonly string[] = []) {
    const addresses = from.filter((entry) => isIP(entry) !== 0);
    this.#isNamed = addresses.length === 0 ? () => false : addressFilter(addresses);
  }

  /** The till has registered, and answered the end of it. */
  agreed({ address }: Peer, registration: Registration): void {
    if (this.#isNamed(address)) this.#agreed.set(address, registration);
  }

  forget({ address }: Peer): void {
    this.#agreed.delete(address);
  }

  of({ address }: Peer): Registration | null {
    return this.#agreed.get(address) ?? null;
  }
}
