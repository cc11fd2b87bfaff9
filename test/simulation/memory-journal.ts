/**
 * The journal's interface on a disk that is an array: the same answers as the SQLite one, many
 * times as fast. What survives a crash is `MemoryDisk`; a journal that is opened on it reads the
 * rest anew.
 */
import {
  bookingOf,
  bookingTicket,
  capturedMinorOf,
} from '../../main/core/settlement/reservation.ts';
import {
  type Journal,
  type JournalEntry,
  JournalWriteError,
  type OpenRefund,
  type OpenSale,
} from '../../main/core/journal/journal.ts';
import {
  applyToPayment,
  applyToRefund,
  replayPayment,
  replayRefund,
} from '../../main/core/settlement/apply.ts';
import {
  certaintyOf,
  mayArriveLate,
  outcomeOf,
  refundOutcomeOf,
} from '../../main/core/settlement/outcome.ts';
import { refundedElsewhere } from '../../main/core/settlement/refundable.ts';
import {
  type Booking,
  claimantOf,
  type Payment,
  type PaymentEvent,
} from '../../main/core/settlement/payment.ts';
import type { Refund, RefundEvent, RefundRequest } from '../../main/core/settlement/refund.ts';
import type { Clock } from '../../main/core/domain/clock.ts';
import type {
  FinishedBooking,
  FinishedRefund,
  FinishedPayment,
} from '../../main/core/domain/sale.ts';
import { numbersAfter } from '../../main/core/domain/receipt-number.ts';

interface Row {
  readonly seq: number;
  readonly atMs: number;
  readonly laneId: string;
  readonly saleId: string;
  readonly refundOrderId: string | null;
  /** JSON, as in the SQLite journal. */
  readonly body: string;
}

/** Sales and refunds of a lane in the order in which they began. */
type Story = (
  | { readonly kind: 'sale'; readonly saleId: string; readonly rows: Row[] }
  | {
      readonly kind: 'refund';
      readonly saleId: string;
      readonly refundOrderId: string;
      readonly rows: Row[];
    }
) & {
  /** As in the SQLite journal's projection, what has ended is not replayed. */
  isOpen: boolean;
  /** Whether an attempt had no answer, so that its request may still arrive. */
  hasFailed: boolean;
};

export class MemoryDisk {
  readonly rows: Row[] = [];
  readonly lanes = new Map<string, Story[]>();
  readonly stories = new Map<string, Story>();
  /** The events of a sale and of its refunds, by sale. */
  readonly ofSale = new Map<string, Row[]>();
  /** The requests of tills about reservations, by lane. */
  readonly bookings = new Map<string, Row[]>();
  /** The refunds' order ids by sale, the oldest first. */
  readonly refundsOfSale = new Map<string, string[]>();

  add(
    laneId: string,
    key: string,
    start: () => Story,
    rows: readonly Row[],
    isOpen: boolean,
  ): void {
    let story = this.stories.get(key);
    if (story === undefined) {
      story = start();
      this.stories.set(key, story);
      const lane = this.lanes.get(laneId);
      if (lane === undefined) this.lanes.set(laneId, [story]);
      else lane.push(story);
      if (story.kind === 'refund')
        this.refundsOfSale.set(story.saleId, [
          ...(this.refundsOfSale.get(story.saleId) ?? []),
          story.refundOrderId,
        ]);
    }
    story.isOpen = isOpen;
    story.hasFailed ||= rows.some(({ body }) => body.startsWith('{"type":"attemptFailed"'));
    this.rows.push(...rows);
    story.rows.push(...rows);
    const bookings = rows.filter(({ body }) => body.startsWith('{"type":"bookingRequested"'));
    if (bookings.length > 0)
      this.bookings.set(laneId, [...(this.bookings.get(laneId) ?? []), ...bookings]);
    const ofSale = this.ofSale.get(story.saleId);
    if (ofSale === undefined) this.ofSale.set(story.saleId, [...rows]);
    else ofSale.push(...rows);
  }
}

export function openMemoryJournal(disk: MemoryDisk, clock: Clock): Journal {
  const payments = new Map<string, Payment>();
  const refunds = new Map<string, Refund>();
  const saleKey = (saleId: string): string => `sale ${saleId}`;
  const refundKey = (refundOrderId: string): string => `refund ${refundOrderId}`;
  const eventsOf = <Event>(key: string): Event[] =>
    (disk.stories.get(key)?.rows ?? []).map(({ body }) => JSON.parse(body) as Event);
  const ofLane = (laneId: string): readonly Story[] => disk.lanes.get(laneId) ?? [];

  function paymentOf(saleId: string): Payment {
    const known = payments.get(saleId) ?? replayPayment(eventsOf<PaymentEvent>(saleKey(saleId)));
    payments.set(saleId, known);
    return known;
  }

  function refundOf(refundOrderId: string): Refund {
    const known =
      refunds.get(refundOrderId) ?? replayRefund(eventsOf<RefundEvent>(refundKey(refundOrderId)));
    refunds.set(refundOrderId, known);
    return known;
  }

  const refundsOf = (saleId: string): Refund[] =>
    (disk.refundsOfSale.get(saleId) ?? []).map(refundOf);
  const refundedMinor = (saleId: string): number =>
    refundsOf(saleId).reduce(
      (sum, { kind, request }) => sum + (kind === 'notRefunded' ? 0 : request.amountMinor),
      0,
    );

  /** The same check as the SQLite journal's last line of defence. */
  function demandCover({ saleId, amountMinor }: RefundRequest): void {
    const payment = paymentOf(saleId);
    if (payment.kind !== 'paid' && payment.kind !== 'capturing' && payment.kind !== 'elsewhere')
      throw new Error(`a refund of a sale that is not paid: it is ${payment.kind}`);
    if (
      amountMinor >
      capturedMinorOf(payment) - (refundedElsewhere(payment) ?? 0) - refundedMinor(saleId)
    )
      throw new Error(`a refund of ${amountMinor} that is not covered`);
  }

  const rowsOf = (
    laneId: string,
    saleId: string,
    refundOrderId: string | null,
    events: readonly (PaymentEvent | RefundEvent)[],
  ): Row[] =>
    events.map((event, index) => ({
      seq: disk.rows.length + index + 1,
      atMs: clock.wallMs(),
      laneId,
      saleId,
      refundOrderId,
      body: JSON.stringify(event),
    }));

  const isOpen = ({ kind }: Payment | Refund): boolean =>
    kind !== 'paid' &&
    kind !== 'elsewhere' &&
    kind !== 'notPaid' &&
    kind !== 'refunded' &&
    kind !== 'notRefunded';

  const ticketOf = (story: Story) =>
    story.kind === 'sale' ? paymentOf(story.saleId).sale : refundOf(story.refundOrderId).request;

  /** The requests of tills about reservations, newest first. */
  const bookingsOf = (
    laneId: string,
  ): { readonly seq: number; readonly saleId: string; readonly booking: Booking }[] =>
    (disk.bookings.get(laneId) ?? []).toReversed().flatMap(({ seq, saleId, body }) => {
      const event = JSON.parse(body) as PaymentEvent;
      return event.type === 'bookingRequested' ? [{ seq, saleId, booking: event.booking }] : [];
    });
  const lastBooked = (
    laneId: string,
  ): { readonly seq: number; readonly finished: FinishedBooking } | null => {
    for (const { seq, saleId, booking } of bookingsOf(laneId)) {
      const payment = paymentOf(saleId);
      const decided = bookingOf(payment);
      if (decided?.receiptNumber === booking.receiptNumber)
        return {
          seq,
          finished: {
            booking: bookingTicket(payment.sale, decided),
            certainty: certaintyOf(payment),
          },
        };
    }
    return null;
  };

  const lastDecided = (
    laneId: string,
  ): FinishedPayment | FinishedRefund | FinishedBooking | null => {
    const booked = lastBooked(laneId);
    for (const story of ofLane(laneId).toReversed()) {
      if (booked !== null && booked.seq > (story.rows[0]?.seq ?? 0)) return booked.finished;
      if (story.kind === 'sale') {
        const payment = paymentOf(story.saleId);
        const outcome = outcomeOf(payment);
        if (outcome !== null && claimantOf(payment.sale) === 'till')
          return {
            sale: payment.sale,
            capturedMinor: capturedMinorOf(payment),
            outcome,
            certainty: certaintyOf(payment),
          };
      } else {
        const refund = refundOf(story.refundOrderId);
        const outcome = refundOutcomeOf(refund);
        if (outcome !== null && refund.request.by.kind === 'till')
          return { refund: refund.request, outcome, certainty: certaintyOf(refund) };
      }
    }
    return null;
  };

  const journal: Journal = {
    append(laneId, saleId, events) {
      try {
        const isFirst = events[0]?.type === 'saleRequested' || events[0]?.type === 'foundAtService';
        let payment: Payment | null = isFirst ? null : paymentOf(saleId);
        for (const event of events) payment = applyToPayment(payment, event);
        disk.add(
          laneId,
          saleKey(saleId),
          () => ({ kind: 'sale', saleId, rows: [], isOpen: true, hasFailed: false }),
          rowsOf(laneId, saleId, null, events),
          isOpen(payment as Payment),
        );
        payments.set(saleId, payment as Payment);
      } catch (cause) {
        throw new JournalWriteError(cause);
      }
    },
    appendRefund(laneId, refundOrderId, events) {
      try {
        const [first] = events;
        if (first?.type === 'refundRequested') demandCover(first.request);
        let refund: Refund | null =
          first?.type === 'refundRequested' ? null : refundOf(refundOrderId);
        for (const event of events) refund = applyToRefund(refund, event);
        const { saleId } = (refund as Refund).request;
        disk.add(
          laneId,
          refundKey(refundOrderId),
          () => ({
            kind: 'refund',
            saleId,
            refundOrderId,
            rows: [],
            isOpen: true,
            hasFailed: false,
          }),
          rowsOf(laneId, saleId, refundOrderId, events),
          isOpen(refund as Refund),
        );
        refunds.set(refundOrderId, refund as Refund);
      } catch (cause) {
        throw new JournalWriteError(cause);
      }
    },
    openSales: (laneId): OpenSale[] =>
      ofLane(laneId).flatMap((story) =>
        story.kind === 'sale' && story.isOpen
          ? [{ saleId: story.saleId, events: eventsOf<PaymentEvent>(saleKey(story.saleId)) }]
          : [],
      ),
    openRefunds: (laneId): OpenRefund[] =>
      ofLane(laneId).flatMap((story) =>
        story.kind === 'refund' && story.isOpen
          ? [
              {
                refundOrderId: story.refundOrderId,
                events: eventsOf<RefundEvent>(refundKey(story.refundOrderId)),
              },
            ]
          : [],
      ),
    refundsOf,
    paidSale(laneId, receiptNumber) {
      for (const story of ofLane(laneId).toReversed()) {
        if (story.kind !== 'sale') continue;
        const payment = paymentOf(story.saleId);
        const booked = bookingOf(payment);
        if (
          (booked ?? payment.sale).receiptNumber !== receiptNumber ||
          (payment.kind !== 'paid' && payment.kind !== 'capturing')
        )
          continue;
        return {
          sale: payment.sale,
          paymentId: payment.paymentId,
          capturedMinor: capturedMinorOf(payment),
          captured: payment.kind === 'paid',
          refundedMinor: refundedMinor(story.saleId),
          ...(booked && { booked }),
        };
      }
      return null;
    },
    story: (saleId): JournalEntry[] =>
      (disk.ofSale.get(saleId) ?? []).map(({ body, ...row }) => ({
        ...row,
        event: JSON.parse(body) as PaymentEvent | RefundEvent,
      })),
    nextNumbers(laneId) {
      const last = ofLane(laneId).at(-1);
      const booked = bookingsOf(laneId)[0];
      const isBooking = booked !== undefined && booked.seq > (last?.rows[0]?.seq ?? 0);
      return numbersAfter(isBooking ? booked.booking : last === undefined ? null : ticketOf(last));
    },
    newestSales: (laneId, most) =>
      ofLane(laneId)
        .filter(({ kind }) => kind === 'sale')
        .slice(-most)
        .toReversed()
        .map(({ saleId }) => paymentOf(saleId)),
    lastDecided,
    reservation(laneId, { receiptNumber, traceNumber }) {
      for (const story of ofLane(laneId).toReversed()) {
        if (story.kind !== 'sale') continue;
        const payment = paymentOf(story.saleId);
        const { sale } = payment;
        if (
          (receiptNumber !== null && sale.receiptNumber !== receiptNumber) ||
          (traceNumber !== null && sale.traceNumber !== traceNumber)
        )
          continue;
        return sale.plannedCaptureDelay === undefined ? null : payment;
      }
      return null;
    },
    refundOfOrder: (refundOrderId) =>
      disk.stories.has(refundKey(refundOrderId)) ? refundOf(refundOrderId) : null,
    paymentOfOrder(orderId) {
      for (const story of disk.stories.values())
        if (story.kind === 'sale' && paymentOf(story.saleId).sale.orderId === orderId)
          return paymentOf(story.saleId);
      return null;
    },
    unfound(laneId) {
      const failed = ofLane(laneId).filter(({ hasFailed }) => hasFailed);
      return {
        payments: failed
          .flatMap((story) => (story.kind === 'sale' ? paymentOf(story.saleId) : []))
          .filter(mayArriveLate),
        refunds: failed
          .flatMap((story) => (story.kind === 'refund' ? refundOf(story.refundOrderId) : []))
          .filter(mayArriveLate),
      };
    },
    saleOfPayment(paymentId) {
      for (const story of disk.stories.values()) {
        if (story.kind !== 'sale') continue;
        const payment = paymentOf(story.saleId);
        if ('paymentId' in payment && payment.paymentId === paymentId) return payment.sale;
      }
      return null;
    },
    close() {},
  };
  return journal;
}
