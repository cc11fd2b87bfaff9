import type { Clock } from '../domain/clock.ts';
import type { Log } from '../domain/log.ts';
import type { Currency } from '../domain/money.ts';
import type { BookingTicket } from '../domain/sale.ts';
import { certaintyOf } from '../settlement/outcome.ts';
import { type Booking, claimantOf, type Payment } from '../settlement/payment.ts';
import {
  bookingOf,
  bookingTicket,
  isEndingSoon,
  whyNotCaptured,
} from '../settlement/reservation.ts';
import type { Journal } from '../journal/journal.ts';
import type { BookingAnswer, BookingEnd, BookingRequest, OpenReservation } from './till-port.ts';
import { paymentOfSale } from './paid-sale.ts';
import type { SettlementService } from './settlement-service.ts';
import type { HeldReservation } from './snapshot.ts';

export interface ReservationsOptions {
  readonly laneId: string;
  readonly currency: Currency;
  readonly settlements: SettlementService;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly log: Log;
  /** Called when something that screens show has changed. */
  readonly changed: () => void;
}

/** Within this time the same booking is a repetition of one whose end the till did not hear. */
const repeatAnswerMs = 600_000;

export type ReservationAnswer =
  | { readonly accepted: true }
  | {
      readonly accepted: false;
      readonly reason: /** None of this lane is held: it was captured (for another amount) or cancelled, or has expired. */
        | 'notHeld'
        /** It is not known what time it is. */
        | 'laneNotReady'
        | 'amountTooSmall'
        | 'amountTooHigh'
        /** The service captures all of this one or nothing. */
        | 'wholeAmountOnly'
        | 'storageFailed';
    };

/** A lane's reservations that are held for days: what is open, and how each is decided. */
export class Reservations {
  readonly #options: ReservationsOptions;
  /** The booking that a till is being told. */
  #offered: BookingTicket | null = null;

  constructor(options: ReservationsOptions) {
    this.#options = options;
  }

  /** Whether a till is being told of a booking. */
  get tillWaits(): boolean {
    return this.#offered !== null;
  }

  /** The reservations that tills made. */
  ofTills(): readonly OpenReservation[] {
    return this.held().filter(({ by }) => by === 'till');
  }

  requestByTill({
    receiptNumber,
    traceNumber,
    what,
    currency,
    from,
  }: BookingRequest): BookingAnswer {
    const { settlements, journal, laneId, clock, log, changed } = this.#options;
    if (currency !== null && currency !== this.#options.currency)
      return { accepted: false, reason: 'wrongCurrency' };
    const hasNumbers = ({ sale }: Payment): boolean =>
      (receiptNumber === null || sale.receiptNumber === receiptNumber) &&
      (traceNumber === null || sale.traceNumber === traceNumber);
    const [payment, ...others] = settlements.held().filter(hasNumbers);
    // Receipt numbers start again: where one means two reservations, neither is guessed.
    if (others.length > 0) return { accepted: false, reason: 'unknownReservation' };
    if (payment === undefined)
      return this.#notHeld(journal.reservation(laneId, { receiptNumber, traceNumber }), what);
    const asked = bookingAmount(payment.sale.amountMinor, what);
    if (typeof asked === 'string') return { accepted: false, reason: asked };
    if (asked.kind === 'capture' && whyNotCaptured(payment, asked.amountMinor) !== null)
      return { accepted: false, reason: 'wholeAmountOnly' };
    const { sale } = payment;
    const booking = {
      ...asked,
      ...journal.nextNumbers(laneId),
      startedAtMs: clock.wallMs(),
      ...(from !== undefined && { from }),
    };
    if (!settlements.bookHeld(sale.saleId, booking))
      return { accepted: false, reason: 'storageFailed' };
    const ticket = bookingTicket(sale, booking);
    log.info({ ...ticket }, 'a till asks for a reservation to be decided');
    this.#offered = ticket;
    changed();
    return { accepted: true, booking: ticket };
  }

  endBooking(
    { saleId, kind, amountMinor, receiptNumber }: BookingTicket,
    acknowledged: boolean,
  ): BookingEnd {
    const { settlements, log, changed } = this.#options;
    if (this.#offered?.saleId !== saleId || this.#offered.receiptNumber !== receiptNumber)
      return 'notHeld';
    this.#offered = null;
    const isDecided =
      acknowledged && this.#find(saleId)?.reservation.booking?.receiptNumber === receiptNumber;
    const isOnDisk =
      isDecided &&
      (kind === 'capture'
        ? settlements.captureHeld(saleId, amountMinor, null)
        : settlements.releaseHeld(saleId, 'cancelledByTill'));
    changed();
    if (!acknowledged) return 'notAcknowledged';
    if (!isDecided) return 'notHeld';
    log.info({ saleId, kind, amountMinor, isOnDisk }, 'a till has decided a reservation');
    return isOnDisk ? 'booked' : 'storageFailed';
  }

  /** The answer when a reservation is decided, or was never there. */
  #notHeld(payment: Payment | null, what: BookingRequest['what']): BookingAnswer {
    if (payment === null) return { accepted: false, reason: 'unknownReservation' };
    if (payment.kind === 'needsPerson') return { accepted: false, reason: 'unclear' };
    const done = bookingOf(payment);
    if (
      done !== null &&
      Math.abs(this.#options.clock.wallMs() - done.startedAtMs) < repeatAnswerMs
    ) {
      const asked = bookingAmount(payment.sale.amountMinor, what);
      const isSame =
        typeof asked === 'object' &&
        asked.kind === done.kind &&
        asked.amountMinor === done.amountMinor;
      if (isSame)
        return {
          accepted: false,
          reason: 'done',
          finished: { booking: bookingTicket(payment.sale, done), certainty: certaintyOf(payment) },
        };
    }
    if (payment.kind === 'capturing' || payment.kind === 'paid')
      return { accepted: false, reason: 'alreadyBooked' };
    if (payment.kind !== 'cancelling' && payment.kind !== 'notPaid')
      return { accepted: false, reason: 'unknownReservation' };
    return {
      accepted: false,
      reason: payment.reason === 'expired' ? 'reservationExpired' : 'reservationReleased',
    };
  }

  held(): readonly HeldReservation[] {
    const nowMs = this.#options.clock.wallMs();
    return this.#options.settlements.held().map((payment) => heldReservation(payment, nowMs));
  }

  capture(saleId: string, amountMinor: number, by: string): ReservationAnswer {
    const { settlements, log } = this.#options;
    const payment = this.#find(saleId);
    if (payment === undefined)
      return this.#isAnswered(saleId, (before) => isCaptureOf(before, amountMinor));
    const refusal = whyNotCaptured(payment, amountMinor);
    if (refusal !== null) return { accepted: false, reason: refusal };
    if (!settlements.captureHeld(saleId, amountMinor, by))
      return { accepted: false, reason: 'storageFailed' };
    log.info({ saleId, amountMinor }, 'a reservation is captured');
    return { accepted: true };
  }

  release(saleId: string): ReservationAnswer {
    const { settlements, log } = this.#options;
    if (this.#find(saleId) === undefined) return this.#isAnswered(saleId, isReleased);
    if (!settlements.releaseHeld(saleId, 'cancelledByManager'))
      return { accepted: false, reason: 'storageFailed' };
    log.info({ saleId }, 'a reservation is cancelled');
    return { accepted: true };
  }

  #find(saleId: string): Extract<Payment, { kind: 'held' }> | undefined {
    return this.#options.settlements.held().find(({ sale }) => sale.saleId === saleId);
  }

  /** Whether the same decision was made before, perhaps with a lost answer. */
  #isAnswered(saleId: string, isSame: (before: Payment) => boolean): ReservationAnswer {
    const { journal, laneId } = this.#options;
    const before = paymentOfSale(journal, saleId);
    return before?.sale.laneId === laneId && isSame(before)
      ? { accepted: true }
      : { accepted: false, reason: 'notHeld' };
  }
}

/** The kind and amount of a booking of a reservation, or why it is impossible. */
function bookingAmount(
  reservedMinor: number,
  { kind, amountMinor }: BookingRequest['what'],
): Pick<Booking, 'kind' | 'amountMinor'> | 'amountTooHigh' | 'amountDiffers' {
  const release = { kind: 'release', amountMinor: reservedMinor } as const;
  if (kind === 'back')
    return amountMinor === null || amountMinor === reservedMinor ? release : 'amountDiffers';
  if (amountMinor !== null && amountMinor > reservedMinor) return 'amountTooHigh';
  const usedMinor =
    kind === 'used' ? (amountMinor ?? reservedMinor) : reservedMinor - (amountMinor ?? 0);
  return usedMinor === 0 ? release : { kind: 'capture', amountMinor: usedMinor };
}

const isCaptureOf = ({ kind, reservation }: Payment, amountMinor: number): boolean =>
  (kind === 'capturing' || kind === 'paid') && reservation?.captureMinor === amountMinor;

const isReleased = (payment: Payment): boolean =>
  (payment.kind === 'cancelling' || payment.kind === 'notPaid') &&
  payment.reason === 'cancelledByManager';

function heldReservation(
  { sale, reservation }: Extract<Payment, { kind: 'held' }>,
  nowMs: number,
): HeldReservation {
  const { saleId, orderId, receiptNumber, amountMinor, currency, startedAtMs } = sale;
  const { expiresAtMs, partialCapturePossible } = reservation;
  const facts = {
    saleId,
    orderId,
    receiptNumber,
    amountMinor,
    currency,
    startedAtMs,
    by: claimantOf(sale),
  };
  return {
    ...facts,
    expiresAtMs,
    partialCapturePossible,
    isEndingSoon: isEndingSoon(reservation, nowMs),
  };
}
