/** Computes the refundable rest of a payment, and the end of the refund window. */
import type { Capabilities } from './capabilities.ts';
import type { Payment, Sale } from './payment.ts';
import type { Refund } from './refund.ts';
import { retryDelayMs } from './retry.ts';

const dayMs = 24 * 3_600_000;
/**
 * What ends earlier was dated by a clock without a battery, in 1970 or 2000: only the service knows
 * how old the sale is.
 */
const noEndBeforeMs = Date.UTC(2020, 0, 1);

export interface Refundable {
  /**
   * Sum of the refunds that are decided. Refunds under way, being cancelled or in dispute are not
   * in it.
   */
  readonly refundedMinor: number;
  /** What refunds may give back whose end is not known. */
  readonly openMinor: number;
  readonly leftMinor: number;
  /**
   * Whole minutes until `openMinor` should be known; null when nothing is open, or when a person
   * has to see to it first.
   */
  readonly askAgainMinutes: number | null;
  /** When the service stops refunding, by the wall clock; null when only the service knows. */
  readonly untilMs: number | null;
}

/**
 * @param refunds of this sale, all that are in the journal
 * @param elsewhereMinor of another counter's payment: what the service names as refunded and the
 * journal does not know; null: the payment is ours
 */
export function refundable(
  { sale, capturedMinor }: { readonly sale: Sale; readonly capturedMinor: number },
  refunds: readonly Refund[],
  capabilities: Capabilities,
  elsewhereMinor: number | null = null,
): Refundable {
  const refundedMinor = refundedOf(refunds);
  const open = openAmong(refunds);
  const openMinor = sumMinor(open);
  const ends = open
    .map((refund) => endKnownInMs(refund, capabilities))
    .filter((inMs) => inMs !== null);
  return {
    refundedMinor,
    openMinor,
    leftMinor: Math.max(0, capturedMinor - (elsewhereMinor ?? 0) - refundedMinor - openMinor),
    askAgainMinutes:
      open.length === 0 || ends.length < open.length ? null : Math.ceil(Math.max(...ends) / 60_000),
    untilMs: elsewhereMinor !== null ? null : sale.startedAtMs + capabilities.refundDays * dayMs,
  };
}

/** Until when a sale can be refunded; null when only the service knows. */
export const refundableUntilMs = ({ untilMs }: Pick<Refundable, 'untilMs'>): number | null =>
  untilMs !== null && untilMs < noEndBeforeMs ? null : untilMs;

/** The amount refunded elsewhere, as an argument of `refundable`; null if unknown. */
export const refundedElsewhere = (payment: Payment): number | null =>
  payment.kind === 'elsewhere' ? payment.refundedMinor : null;

/**
 * Why an amount cannot be refunded; null when it can. What may have been refunded is not reported
 * as refunded. @param amountMinor null for any amount
 */
export function notLeft(
  { leftMinor, openMinor }: Refundable,
  amountMinor: number | null,
): 'refundOpen' | 'alreadyRefunded' | 'amountTooHigh' | null {
  const wantedMinor = amountMinor ?? 1;
  if (wantedMinor <= leftMinor) return null;
  if (openMinor > 0 && wantedMinor <= leftMinor + openMinor) return 'refundOpen';
  return leftMinor + openMinor <= 0 ? 'alreadyRefunded' : 'amountTooHigh';
}

/** What these have given back, as far as that is decided. */
export const refundedOf = (refunds: readonly Refund[]): number =>
  sumMinor(refunds.filter(({ kind }) => isDecidedFor(kind)));

/** What these may still give back, or may have given back: their end is not known. */
export const refundOpenOf = (refunds: readonly Refund[]): number => sumMinor(openAmong(refunds));

const openAmong = (refunds: readonly Refund[]): readonly Refund[] =>
  refunds.filter(({ kind }) => !isDecidedFor(kind) && kind !== 'notRefunded');
const isDecidedFor = (kind: Refund['kind']): boolean => kind === 'capturing' || kind === 'refunded';
const sumMinor = (refunds: readonly Refund[]): number =>
  refunds.reduce((sum, { request }) => sum + request.amountMinor, 0);

/** The longest time that a request to the service and its repetitions may take. */
const attemptMs = 15_000;

function endKnownInMs(refund: Refund, capabilities: Capabilities): number | null {
  if (refund.kind === 'needsPerson') return null;
  return refund.kind === 'cancelling'
    ? retryDelayMs(refund.failedAttempts, capabilities) + attemptMs
    : refund.request.deadlineMs;
}
