import type { Clock } from '../domain/clock.ts';
import type { Log } from '../domain/log.ts';
import { claimantOf, type Payment } from '../domain/settlement/payment.ts';
import { isEndingSoon, whyNotCaptured } from '../domain/settlement/reservation.ts';
import type { Journal } from '../journal/journal.ts';
import { paymentOfSale } from './paid-sale.ts';
import type { SettlementService } from './settlement-service.ts';
import type { HeldReservation } from './snapshot.ts';

export interface ReservationsOptions {
  readonly laneId: string;
  readonly settlements: SettlementService;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly log: Log;
}

export type ReservationAnswer =
  | { readonly accepted: true }
  | {
      readonly accepted: false;
      readonly reason: /** None of this lane is held: it was captured (for another amount) or cancelled, or has expired. */
        | 'notHeld'
        | 'amountTooSmall'
        | 'amountTooHigh'
        /** The service captures all of this one or nothing. */
        | 'wholeAmountOnly'
        | 'storageFailed';
    };

/** A lane's reservations that are held for days: what is open, and how each is decided. */
export class Reservations {
  readonly #options: ReservationsOptions;

  constructor(options: ReservationsOptions) {
    this.#options = options;
  }

  held(): readonly HeldReservation[] {
    const nowMs = this.#options.clock.wallMs();
    return this.#options.settlements.held().map((payment) => heldReservation(payment, nowMs));
  }

  capture(saleId: string, amountMinor: number, by: string): ReservationAnswer {
    const { settlements, log } = this.#options;
    const payment = this.#find(saleId);
    if (payment === undefined) return this.#isAnswered(saleId, (before) => isCaptureOf(before, amountMinor));
    const refusal = whyNotCaptured(payment, amountMinor);
    if (refusal !== null) return { accepted: false, reason: refusal };
    if (!settlements.captureHeld(saleId, amountMinor, by)) return { accepted: false, reason: 'storageFailed' };
    log.info({ saleId, amountMinor }, 'a reservation is captured');
    return { accepted: true };
  }

  release(saleId: string): ReservationAnswer {
    const { settlements, log } = this.#options;
    if (this.#find(saleId) === undefined) return this.#isAnswered(saleId, isReleased);
    if (!settlements.releaseHeld(saleId, 'cancelledByManager')) return { accepted: false, reason: 'storageFailed' };
    log.info({ saleId }, 'a reservation is cancelled');
    return { accepted: true };
  }

  #find(saleId: string): Extract<Payment, { kind: 'held' }> | undefined {
    return this.#options.settlements.held().find(({ sale }) => sale.saleId === saleId);
  }

  /** The same decision again, perhaps after a lost answer. */
  #isAnswered(saleId: string, isSame: (before: Payment) => boolean): ReservationAnswer {
    const { journal, laneId } = this.#options;
    const before = paymentOfSale(journal, saleId);
    return before?.sale.laneId === laneId && isSame(before) ? { accepted: true } : { accepted: false, reason: 'notHeld' };
  }
}

const isCaptureOf = ({ kind, reservation }: Payment, amountMinor: number): boolean =>
  (kind === 'capturing' || kind === 'paid') && reservation?.captureMinor === amountMinor;

const isReleased = (payment: Payment): boolean => (payment.kind === 'cancelling' || payment.kind === 'notPaid') && payment.reason === 'cancelledByManager';

function heldReservation({ sale, reservation }: Extract<Payment, { kind: 'held' }>, nowMs: number): HeldReservation {
  const { saleId, orderId, receiptNumber, amountMinor, currency, startedAtMs } = sale;
  const { expiresAtMs, partialCapturePossible } = reservation;
  const facts = { saleId, orderId, receiptNumber, amountMinor, currency, startedAtMs, by: claimantOf(sale) };
  return { ...facts, expiresAtMs, partialCapturePossible, isEndingSoon: isEndingSoon(reservation, nowMs) };
}
