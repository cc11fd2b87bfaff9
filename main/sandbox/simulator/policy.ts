import { pointOfSaleCapabilities } from '../../wallets/v10/point-of-sale/point-of-sale-capabilities.ts';

/** Times and fees of the simulated service (document 4, sections 1.3, 1.4 and 8). */
export interface Policy {
  /** null leaves the field out of answers. */
  readonly pollDelayInMs: number | null;
  readonly refundPollDelayInMs: number | null;
  readonly inactivityMs: number;
  readonly checkInMs: number;
  readonly reservationMs: number;
  /** Time from Initiated to Reserved. */
  readonly refundReservationMs: number;
  readonly refundCaptureMs: number;
  readonly refundWindowMs: number;
  readonly idempotencyMs: number;
  readonly tokenSeconds: number;
  /**
   * Time of the daily transfer in UTC, and the fees that it deducts; the documents name neither.
   */
  readonly transfersAt: { readonly hours: number; readonly minutes: number };
  readonly transactionFeeMinor: number;
  readonly serviceFeePerMille: number;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

export const defaultPolicy: Policy = {
  pollDelayInMs: 1_000,
  refundPollDelayInMs: 100,
  inactivityMs: 5 * minuteMs,
  checkInMs: 2 * minuteMs,
  reservationMs: 7 * dayMs,
  refundReservationMs: 0,
  refundCaptureMs: dayMs,
  refundWindowMs: pointOfSaleCapabilities.refundDays * dayMs,
  idempotencyMs: dayMs,
  tokenSeconds: 3_700,
  transfersAt: { hours: 3, minutes: 0 },
  transactionFeeMinor: 25,
  serviceFeePerMille: 5,
};
