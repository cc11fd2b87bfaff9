/**
 * Bearer tokens of merchants: app payments, subscriptions, reporting and invoice (document 4,
 * sections 3.5, 4 and 5).
 */
import type { Authenticated } from './api-module.ts';
import type { Merchant, Scope } from './merchant.ts';
import { ServiceError } from './service-error.ts';
import type { World } from './world.ts';
import type { IncomingRequest } from './world-event.ts';

/** @throws ServiceError 401 without a body */
export function authenticatedMerchant(
  world: World,
  { headers }: IncomingRequest,
  scope: Scope,
): Authenticated<Merchant> {
  const key = /^Bearer (\S+)$/.exec(String(headers['authorization']))?.[1];
  const merchant = key === undefined ? undefined : world.merchantByApiKey.get(key);
  if (!merchant?.scopes.has(scope)) throw new ServiceError(401, null, '');
  return { caller: merchant, keyScope: merchant.vat };
}
