/** A reservation that is held for days: what may be captured of it, and when it ends. */
import type { BookingTicket } from '../domain/sale.ts';
import type {
  Booking,
  Payment,
  PaymentEvent,
  PolledPayment,
  Reservation,
  Sale,
} from './payment.ts';

/**
 * The amount that is captured of a payment, or would be: all of it, unless less of a reservation
 * was decided.
 */
export const capturedMinorOf = ({
  sale,
  reservation,
}: {
  readonly sale: Sale;
  readonly reservation?: Reservation;
}): number => reservation?.captureMinor ?? sale.amountMinor;

/** Money moved although nobody here decided so. */
export const capturedUnasked = (payment: Payment, polled: PolledPayment): PaymentEvent =>
  otherCaptured(payment, polled, 'capturedUnasked') ?? {
    type: 'personNeeded',
    problem: 'capturedUnasked',
  };

/**
 * Somebody may capture another amount in the service's portal than was requested; null when the
 * amounts agree, as far as is known.
 */
export function otherCaptured(
  payment: Payment,
  { capturedMinor: movedMinor }: PolledPayment,
  problem: 'otherAmountCaptured' | 'capturedUnasked',
): PaymentEvent | null {
  if (movedMinor === undefined || movedMinor === capturedMinorOf(payment)) return null;
  return { type: 'personNeeded', problem, movedMinor };
}

/**
 * Why this much of a reservation cannot be captured; null when it can (document 4, section 1.11).
 */
export function whyNotCaptured(
  {
    sale,
    reservation: { partialCapturePossible },
  }: { readonly sale: Sale; readonly reservation: Pick<Reservation, 'partialCapturePossible'> },
  amountMinor: number,
): 'amountTooSmall' | 'amountTooHigh' | 'wholeAmountOnly' | null {
  if (!Number.isSafeInteger(amountMinor) || amountMinor < 1) return 'amountTooSmall';
  if (amountMinor > sale.amountMinor) return 'amountTooHigh';
  return amountMinor < sale.amountMinor && !partialCapturePossible ? 'wholeAmountOnly' : null;
}

/** A till's decision about the reservation; null before it, or if a manager decided. */
export const bookingOf = (payment: Payment): Booking | null =>
  payment.kind === 'held' ? null : (payment.reservation?.booking ?? null);

export function bookingTicket(
  sale: Sale,
  { kind, amountMinor, receiptNumber, traceNumber, startedAtMs }: Booking,
): BookingTicket {
  const {
    saleId,
    orderId,
    amountMinor: reservedMinor,
    currency,
    receiptNumber: originalReceiptNumber,
    traceNumber: originalTraceNumber,
  } = sale;
  const reservation = {
    saleId,
    orderId,
    reservedMinor,
    currency,
    originalReceiptNumber,
    originalTraceNumber,
  };
  return { ...reservation, kind, amountMinor, receiptNumber, traceNumber, startedAtMs };
}

/** How long before its end a reservation is warned about (document 4, section 8). */
export const warnedBeforeMs = 24 * 3_600_000;

export const isEndingSoon = (
  { expiresAtMs }: Pick<Reservation, 'expiresAtMs'>,
  nowMs: number,
): boolean => expiresAtMs !== null && nowMs >= expiresAtMs - warnedBeforeMs;

/**
 * How long until the service is asked again about a reservation that nobody decides: it is not to
 * be troubled without need.
 */
const maxPauseMs = 6 * 3_600_000;
const minPauseMs = 60_000;
/**
 * Between questions about one that should have ended by now: this computer's clock may be ahead.
 */
const overduePauseMs = 15 * 60_000;

export function reservationPauseMs(expiresAtMs: number | null, nowMs: number): number {
  if (expiresAtMs === null) return maxPauseMs;
  const next = [expiresAtMs - warnedBeforeMs, expiresAtMs].find((atMs) => atMs > nowMs);
  return next === undefined
    ? overduePauseMs
    : Math.min(maxPauseMs, Math.max(next - nowMs, minPauseMs));
}
