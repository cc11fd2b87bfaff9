import type { Journal } from '../journal/journal.ts';
import { JournalWriteError } from '../journal/journal.ts';
import type { Flow, Payment } from '../settlement/payment.ts';
import type { Refund } from '../settlement/refund.ts';
import type { ClosingOfTill, ClosingTold, DayBook, DayTotalsTold } from '../domain/day.ts';
import type { Log } from '../domain/log.ts';
import type {
  BookingTicket,
  FinishedBooking,
  FinishedRefund,
  FinishedPayment,
  PlannedCaptureDelay,
} from '../domain/sale.ts';
import type {
  AmountAnswer,
  BookingAnswer,
  BookingEnd,
  BookingRequest,
  ClosingAnswer,
  Hindrance,
  RefundAnswerWithId,
  RefundRequestWithId,
  RequestsWithIds,
  PaymentAnswerWithId,
  PaymentRequestWithId,
  OpenReservation,
  RefundAnswer,
  RefundRequest,
  PaymentAnswer,
  PaymentRequest,
  TillLink,
} from './till-port.ts';
import type { Availability, NotOpen } from './availability.ts';
import type { LinkShown } from './link-shown.ts';
import { paymentOfSale } from './paid-sale.ts';
import type { Refunds } from './refunds.ts';
import type { Reservations } from './reservations.ts';
import type { LanePayments } from './sales.ts';
import type { SettlementService } from './settlement-service.ts';
import type { LaneSnapshot } from './snapshot.ts';
import type { RefusedPayments } from './tried-sales.ts';
import type { PointOfSaleClient } from './wallet-port.ts';

interface TillRequestsOptions {
  readonly laneId: string;
  readonly flow: Flow;
  /** Missing when payments cannot be reserved. */
  readonly plannedCaptureDelay?: PlannedCaptureDelay;
  readonly wallet: PointOfSaleClient;
  readonly journal: Journal;
  /** Missing when tills cannot close the lane's day. */
  readonly dayBook?: DayBook;
  readonly settlements: SettlementService;
  readonly sales: LanePayments;
  readonly refunds: Refunds;
  readonly reservations: Reservations;
  readonly availability: Availability;
  readonly tried: RefusedPayments;
  readonly link: LinkShown;
  /** Bounded, because a till may send requests without end. */
  readonly log: Log;
  readonly changed: () => void;
  readonly snapshot: () => LaneSnapshot;
  /** The point of sale's id at the service. */
  readonly posId: () => string;
  /** Whether the lane is open at the service. */
  readonly isOpened: () => boolean;
  /** The address of the till's line. */
  readonly address: () => string;
}

/** The requests of a till to its lane: checks each one, and passes it on. */
export class TillRequests implements RequestsWithIds {
  readonly #options: TillRequestsOptions;
  readonly #log: Log;
  readonly #settlements: SettlementService;
  readonly #sales: LanePayments;
  readonly #refunds: Refunds;
  readonly #reservations: Reservations;
  readonly #availability: Availability;
  readonly #tried: RefusedPayments;
  readonly #link: LinkShown;

  constructor(options: TillRequestsOptions) {
    this.#options = options;
    this.#log = options.log;
    this.#settlements = options.settlements;
    this.#sales = options.sales;
    this.#refunds = options.refunds;
    this.#reservations = options.reservations;
    this.#availability = options.availability;
    this.#tried = options.tried;
    this.#link = options.link;
  }

  get id(): string {
    return this.#options.laneId;
  }

  /** The lane as screens show it. */
  snapshot(): LaneSnapshot {
    return this.#options.snapshot();
  }

  // Requests of any till (LaneCommands). A till waits for one request at a time.

  requestSale(request: PaymentRequest): PaymentAnswer {
    const answer = this.refusal() ?? this.#sales.request(request, this.#options.posId());
    if (!answer.accepted && answer.reason === 'busy') this.saleTried(request);
    else if (!answer.accepted)
      this.#log.warn(
        { reason: answer.reason, ...request },
        'the till asked for a sale and was refused',
      );
    return answer;
  }

  // Requests of tills that choose the ids (RequestsWithIds)

  requestNamedSale(id: string, request: PaymentRequestWithId): PaymentAnswerWithId {
    const before = this.#sales.answeredByName(id, request);
    if (before !== null) return before;
    if (request.amountFollows === true && this.#options.flow !== 'prepare')
      return { accepted: false, reason: 'noOpenAmounts' };
    // An age that nobody checks is worse than none.
    if (request.minimumAge !== undefined && this.#options.wallet.takesOrderDetails !== true)
      return { accepted: false, reason: 'noAgeLimits' };
    const answer = this.refusal() ?? this.#sales.request(request, this.#options.posId(), id);
    if (answer.accepted) return { accepted: true, isRepeated: false };
    const { lines: _many, ...facts } = request;
    if (answer.reason === 'busy') this.saleTried(facts);
    else
      this.#log.warn(
        { reason: answer.reason, ...facts },
        'the till asked for a sale and was refused',
      );
    return answer;
  }

  agreeNamedAmount(saleId: string, amountMinor: number): AmountAnswer | null {
    const answer = this.#sales.agreeAmount(saleId, amountMinor, 'till');
    if (answer !== 'agreed')
      this.#log.warn(
        { reason: answer, saleId, amountMinor },
        'an amount that the till gave was refused',
      );
    return answer;
  }

  requestNamedRefund(id: string, request: RefundRequestWithId): RefundAnswerWithId {
    const before = this.#refunds.answeredByName(id, request);
    if (before !== null) return before;
    const answer = this.refusal() ?? this.#refunds.requestByName(id, request);
    if (answer.accepted) return { accepted: true, isRepeated: false };
    this.#log.warn(
      { reason: answer.reason, ...request },
      'the till asked for a refund and was refused',
    );
    return answer;
  }

  payment(saleId: string): Payment | null {
    const payment = this.begunPayment(saleId);
    return payment?.sale.laneId === this.id ? payment : null;
  }

  refund(refundOrderId: string): Refund | null {
    const refund = this.begunRefund(refundOrderId);
    return refund?.request.laneId === this.id ? refund : null;
  }

  begunPayment(saleId: string): Payment | null {
    return this.#settlements.paymentOf(saleId) ?? paymentOfSale(this.#options.journal, saleId);
  }

  begunRefund(refundOrderId: string): Refund | null {
    return this.#options.journal.refundOfOrder(refundOrderId);
  }

  refundsOf(saleId: string): readonly Refund[] {
    return this.payment(saleId) === null ? [] : this.#options.journal.refundsOf(saleId);
  }

  saleTried(request: PaymentRequest): void {
    if (this.isTillWaiting) this.#tried.add(request);
  }

  requestBooking(request: BookingRequest): BookingAnswer {
    // A reservation is decided also while the service is away: it is captured or cancelled when
    // that answers again.
    const refusal = this.refusal();
    const answer =
      refusal === null || refusal.reason === 'serviceUnreachable'
        ? this.#reservations.requestByTill(request)
        : { accepted: false as const, reason: refusal.reason };
    if (!answer.accepted)
      this.#log.warn(
        { ...request, reason: answer.reason },
        'the till asked for a reservation to be decided and was refused, or told again',
      );
    return answer;
  }

  endBooking(booking: BookingTicket, acknowledged: boolean): BookingEnd {
    return this.#reservations.endBooking(booking, acknowledged);
  }

  openReservations(): readonly OpenReservation[] | null {
    const open = this.#reservations.ofTills();
    return open.length === 0 &&
      this.#options.plannedCaptureDelay === undefined &&
      this.#reservations.held().length === 0
      ? null
      : open;
  }

  abortSale(saleId: string): 'aborting' | 'tooLate' {
    return this.#settlements.stop('payment', saleId, 'cancelledByTill') ?? 'aborting';
  }

  requestRefund(request: RefundRequest): RefundAnswer {
    const answer = this.refusal() ?? this.#refunds.requestByTill(request);
    if (!answer.accepted)
      this.#log.warn(
        { reason: answer.reason, ...request },
        'the till asked for a refund and was refused',
      );
    return answer;
  }

  abortRefund(refundOrderId: string): 'aborting' | 'tooLate' {
    return this.#settlements.stop('refund', refundOrderId, 'cancelledByTill') ?? 'aborting';
  }

  tillLost(id: string): void {
    this.#settlements.stop('payment', id, 'tillGone');
    this.#settlements.stop('refund', id, 'tillGone');
  }

  readiness(): 'ready' | 'busy' | 'notReady' {
    if (this.#settlements.mayStillRefund) return 'busy';
    const refusal = this.refusal();
    if (refusal === null) return 'ready';
    return refusal.reason === 'busy' ? 'busy' : 'notReady';
  }

  hindrance(): Hindrance | null {
    return this.#availability.hindrance();
  }

  lastFinished(): FinishedPayment | FinishedRefund | FinishedBooking | null {
    return this.#options.journal.lastDecided(this.id);
  }

  closeDay(from: string): ClosingAnswer {
    const { dayBook } = this.#options;
    if (dayBook === undefined) return { closed: false, reason: 'noClosings' };
    if (!this.#availability.isTimeKnown) return { closed: false, reason: 'notReady' };
    // Decided within moments, and then in this report. Before the lane is open at the service, what
    // a restart found undecided may take as long as that is away.
    if (this.#options.isOpened() && (this.isTillWaiting || this.#settlements.isUndecided))
      return { closed: false, reason: 'busy' };
    try {
      const closing = dayBook.close(this.id, from);
      this.#log.info({ number: closing.number, from }, 'the till has closed the day');
      return { closed: true, closing };
    } catch (error) {
      if (!(error instanceof JournalWriteError)) throw error;
      this.#log.error(
        { from, detail: error.message },
        'the till asked for the day to be closed, and the journal cannot be written',
      );
      return { closed: false, reason: 'storageFailed' };
    }
  }

  dayTotals(): DayTotalsTold | null {
    return this.#options.dayBook?.totals(this.id) ?? null;
  }

  lastClosing(): ClosingTold | null {
    return this.#options.dayBook?.last(this.id) ?? null;
  }

  closingsOfTills(sinceMs: number): readonly ClosingOfTill[] {
    return this.#options.dayBook?.ofTills(sinceMs) ?? [];
  }

  closing(number: number): ClosingTold | null {
    return this.#options.dayBook?.closing(number) ?? null;
  }

  finishedBetween(
    first: number,
    last: number,
  ): readonly (FinishedPayment | FinishedRefund | FinishedBooking)[] | null {
    return this.#options.dayBook?.receipts(this.id, first, last) ?? null;
  }

  tillLink(link: TillLink): void {
    const change = this.#link.change(link);
    if (change === 'news')
      this.#log.info({ ...link, address: this.#options.address() }, 'till link');
    if (change !== null) this.#options.changed();
  }

  /** Whether a till waits for a sale (also one by hand) or a refund. */
  get isTillWaiting(): boolean {
    return this.#sales.isBusy || this.#refunds.tillWaits || this.#reservations.tillWaits;
  }

  refusal(): NotOpen | { readonly accepted: false; readonly reason: 'busy' } | null {
    if (this.isTillWaiting) return { accepted: false, reason: 'busy' };
    return this.#availability.notOpen();
  }
}
