/** How often, and for how long, what was not answered is asked again. Of a payment and of a refund. */

/** A capture or cancel that was not confirmed is repeated for days: quickly at first, then every five minutes. */
const firstRetryMs = 500;
const longestRetryMs = 300_000;
export function retryDelayMs(failedAttempts: number): number {
  return Math.min(longestRetryMs, firstRetryMs * 2 ** Math.max(0, failedAttempts - 1));
}

/**
 * "There is none" is no proof while the answer to the create request is missing: the request may still be on its way, and arrive when the
 * service has been asked. So it is asked for some minutes before that is believed.
 */
const mostLookUps = 9;
/** null: it is believed. */
export function lookAgainDelayMs(failedAttempts: number): number | null {
  return failedAttempts + 1 < mostLookUps ? retryDelayMs(failedAttempts + 1) : null;
}
export const notThereYet = 'the service knows none; the request may still be on its way';
