/** Addresses that a merchant gives the service. */
import { z } from 'zod';
import { isThisMachine } from '../../core/domain/service-address.ts';
import type { Rule } from './operation.ts';

export const address = (allows: (url: URL) => boolean, says: string) =>
  z
    .string()
    .refine((text) => {
      const url = URL.parse(text);
      return url !== null && allows(url);
    }, says)
    .meta({ format: 'uri' });

export const HttpUrl = address(
  ({ protocol }) => /^https?:$/.test(protocol),
  'must be an address with https, or http',
);

const callbackPorts: ReadonlySet<string> = new Set(['', '80', '443']);

/**
 * "Callbacks are delivered only to ports 80 and 443" (interface document 1, "Authentication"). To
 * this machine any port will do, so that a simulator can reach a test; the real service could not
 * reach it at all.
 */
export const isAtCallbackPort = (url: URL): boolean =>
  callbackPorts.has(url.port) || isThisMachine(url);

/**
 * The service accepts an address at another port, but never sends anything there, so such an
 * address is refused here.
 */
export function atCallbackPort<Body>(
  addressesIn: (body: Body) => readonly { readonly field: string; readonly value: unknown }[],
): Rule<Body> {
  return {
    says: 'must be at port 443 or 80: the service delivers nowhere else',
    source:
      'interface document 1, "Authentication", for subscriptions; taken for invoices too, whose document names no ports',
    refusedByService: false,
    broken: (body) =>
      addressesIn(body).find(({ value }) => {
        const url = typeof value === 'string' ? URL.parse(value) : null;
        return url !== null && !isAtCallbackPort(url);
      }) ?? null,
  };
}

/**
 * Plain HTTP is allowed to this machine, where the simulator calls back and which the real service
 * cannot reach.
 */
export const SecureUrl = address(
  (url) => url.protocol === 'https:' || (url.protocol === 'http:' && isThisMachine(url)),
  'must be an address with https',
);
