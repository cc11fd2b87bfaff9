/** Addresses that a merchant gives the service. */
import { z } from 'zod';
import { isThisMachine } from '../../domain/service-address.ts';

export const address = (allows: (url: URL) => boolean, says: string) =>
  z
    .string()
    .refine((text) => {
      const url = URL.parse(text);
      return url !== null && allows(url);
    }, says)
    .meta({ format: 'uri' });

export const HttpUrl = address(({ protocol }) => /^https?:$/.test(protocol), 'must be an address with https, or http');

/** To this machine plain HTTP will do: that is where the simulator calls back, and the real service cannot reach it at all. */
export const SecureUrl = address((url) => url.protocol === 'https:' || (url.protocol === 'http:' && isThisMachine(url)), 'must be an address with https');
