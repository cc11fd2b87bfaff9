/** The bearer tokens of merchants: app payments, subscriptions, reporting and invoice (document 4, sections 3.5, 4 and 5). */
import type { Incoming } from './face.ts';
import { type Merchant, ServiceError, type World } from './world.ts';

/** As the consent names them. */
export type Scope = 'subscriptions' | 'invoice' | 'transactionreporting' | 'merchantpayments' | 'webhooks';

/** @throws ServiceError 401 without a body */
export function merchantOf(world: World, request: Incoming, scope: Scope): Merchant {
  const key = request.headers.authorization?.match(/^Bearer (\S+)$/)?.[1];
  const merchant = key === undefined ? undefined : world.merchantByApiKey.get(key);
  if (!merchant?.scopes.has(scope)) throw new ServiceError(401, null, '');
  return merchant;
}
