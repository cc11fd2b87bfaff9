import { backoffMs } from '../domain/backoff.ts';
import type { Capabilities } from './capabilities.ts';

/**
 * A capture or cancel that was not confirmed is repeated for days: quickly at first, then every
 * five minutes.
 */
const maxRetryMs = 300_000;
export function retryDelayMs(
  failedAttempts: number,
  { firstRetryMs }: Pick<Capabilities, 'firstRetryMs'>,
): number {
  return backoffMs(failedAttempts - 1, { firstMs: firstRetryMs, maxMs: maxRetryMs });
}

/**
 * A capture that the service refuses again and again, although the payment is reserved: after a day
 * a person has to see to it (document 5, sections 2.10 and 8.5; the money is gone from the
 * customer's account, and may come back).
 */
const maxRefusals = (24 * 60 * 60_000) / maxRetryMs;
export const isRefusedForGood = (refusals: number): boolean => refusals >= maxRefusals;

/**
 * "Unknown" is no proof while the answer to the create request is missing: the request may still be
 * on its way, and arrive after the look-up. So this many look-ups, over some minutes, have to fail.
 */
const maxLookUps = 9;
export const isLookedUpOftenEnough = (failedAttempts: number): boolean =>
  failedAttempts + 1 >= maxLookUps;
