/**
 * Rule 9 while it happens: what a till hears, a screen shows, a manager reads and an export writes,
 * held against the service's books at that moment, and again whenever those books change. A
 * sentence that says itself that it is not sure may be wrong, and no other.
 */
import type { JournalEntry } from '../../main/core/journal/journal.ts';
import { exportRow } from '../../main/core/journal/export-csv.ts';
import { storyText } from '../../main/core/journal/history-text.ts';
import type { Lane } from '../../main/core/lane/lane.ts';
import { refundHandlers } from '../../main/counter/manager/refunds/refunds-handlers.ts';
import type { Payment, Sale } from '../../main/core/settlement/payment.ts';
import { capturedMinorOf } from '../../main/core/settlement/reservation.ts';
import type { Refund } from '../../main/core/settlement/refund.ts';
import { unnamedShop } from '../../main/core/domain/shop.ts';
import type { Clock } from '../../main/core/domain/clock.ts';
import { forCustomer, laneView } from '../../main/counter/server/lane-view.ts';
import { RESULT } from '../../main/tills/zvt/result-codes.ts';
import { tillTexts } from '../../main/tills/zvt/texts.ts';
import type { LaneState } from '../../preload/contract.ts';
import type { SaleStory } from '../../preload/procedures/refunds.ts';
import type { Books } from './books.ts';
import type { Kept } from './kept.ts';
import type { Broken } from './rules.ts';
import type { RequestEnd, TillRequest } from './till-request.ts';
import { capabilitiesOf } from './wallets.ts';

/** `moved`: paid, or refunded. `isSure` false when it says that this is not confirmed. */
interface Sentence {
  readonly where: string;
  readonly order: string;
  readonly moved: boolean;
  readonly isSure: boolean;
}

export interface SaidOptions {
  readonly kept: Kept;
  readonly books: Books;
  /** Orders that somebody else touched at the service, about which nothing can be known here. */
  readonly meddled: ReadonlySet<string>;
  /** Whether the service could not be reached for longer than it holds open money. */
  readonly isBeyondKnowing: boolean;
  readonly clock: Clock;
}

/** A till's texts that say that nothing is certain. */
const unsure: ReadonlySet<string> = new Set([tillTexts.en.unclear, tillTexts.en.unconfirmed]);
const decidedFor: ReadonlySet<string> = new Set(['offering', 'capturing', 'paid', 'refunded']);

export class Said {
  readonly #options: SaidOptions;
  readonly #told = new Set<string>();
  readonly broken: Broken[] = [];

  constructor(options: SaidOptions) {
    this.#options = options;
  }

  /** Checks the end of a till's command. */
  till(laneId: string, { request, code, receiptNumber, text }: RequestEnd): void {
    if (text !== null && unsure.has(text)) return;
    const sale = this.#saleOf(saleNamedBy(request));
    // For a reservation, the till is not told where the money is, nor by a refusal to decide about
    // it.
    if (request.kind === 'reservation' && code === RESULT.ok) return;
    if (request.kind === 'booking') {
      if (code !== RESULT.ok || sale === undefined) return;
      return this.#check({
        where: `the till of lane ${laneId}`,
        order: sale.sale.orderId,
        moved: request.booking === 'capture',
        isSure: true,
      });
    }
    if (code === RESULT.alreadyReversed)
      return this.#refundedMuch(
        `the till of lane ${laneId}`,
        sale,
        sale === undefined ? 0 : capturedMinorOf(sale),
      );
    if (receiptNumber === null) {
      // The refund was not begun. "Too much" says that the rest of the sale has been refunded.
      if (
        text !== tillTexts.en.notRefunded.amountTooHigh ||
        sale === undefined ||
        request.amountMinor === null
      )
        return;
      return this.#refundedMuch(
        `the till of lane ${laneId}, asking for ${request.amountMinor},`,
        sale,
        capturedMinorOf(sale) - request.amountMinor + 1,
      );
    }
    const order =
      request.kind !== 'refund'
        ? sale?.sale.orderId
        : this.#refundNumbered(laneId, receiptNumber)?.request.refundOrderId;
    if (order !== undefined)
      this.#check({
        where: `the till of lane ${laneId}`,
        order,
        moved: code === RESULT.ok,
        isSure: true,
      });
  }

  /** Checks all that a lane's screens show. */
  screens(lane: Lane): void {
    const view = laneView(lane.snapshot());
    const { state, recent, refund } = view;
    const screen = (what: string): string => `the ${what} of lane ${lane.id}`;
    this.#result(screen('screen'), state, state.kind !== 'notPaid' || state.known === 'notMoved');
    // The customer's screen has no words for an uncertain result.
    this.#result(screen('display'), forCustomer(view).state, true);
    for (const { saleId, orderId, reason, certainty, refundedMinor } of recent) {
      if (certainty !== 'contested')
        this.#check({
          where: screen('list'),
          order: orderId,
          moved: reason === null,
          isSure: certainty === 'confirmed',
        });
      if (refundedMinor > 0)
        this.#refundedMuch(screen('list'), this.#options.books.payments.get(saleId), refundedMinor);
    }
    if (refund !== null && refund.kind !== 'refunding')
      this.#check({
        where: screen('strip'),
        order: refund.refundOrderId,
        moved: refund.kind === 'refunded',
        isSure: refund.isConfirmed,
      });
  }

  /**
   * Checks a manager's page, the text for support and the row of the export, as they are from this
   * write on.
   */
  papers(saleId: string, lane: Lane | undefined): void {
    const { books, clock } = this.#options;
    const payment = books.payments.get(saleId);
    if (payment === undefined) return;
    const refunds = [...books.refunds.values()].filter(({ request }) => request.saleId === saleId);
    const record = {
      requestedAtMs: 0,
      payment,
      refunds: refunds.map((refund) => ({ requestedAtMs: 0, refund })),
    };
    for (const of of [payment, ...refunds]) this.#row(payment, of);
    this.#text(storyText(record, []), payment, refunds);
    const office = refundHandlers({
      reader: () => ({
        findSales: () => ({ rows: [], next: null }),
        sale: () => record,
        story: () => [asked(payment.sale)],
      }),
      lanes: () => (lane === undefined ? [] : [lane]),
      service: () => null,
      shop: () => unnamedShop,
      capabilities: ({ service = 'v10' }) => capabilitiesOf[service],
      clock,
    });
    const page = office['saleStory']?.({ saleId }, { manager: null }) as SaleStory;
    this.#state("the manager's page", payment.sale.orderId, page.sale.state);
    for (const { refundOrderId, state } of page.refunds)
      this.#state("the manager's page", refundOrderId, state);
    if (page.sale.refundedMinor > 0)
      this.#refundedMuch("the manager's page", payment, page.sale.refundedMinor);
    if (page.notRefundable === 'allRefunded')
      this.#refundedMuch("the manager's page", payment, capturedMinorOf(payment));
    if (page.notRefundable === 'notPaid')
      this.#check({
        where: "the manager's page",
        order: payment.sale.orderId,
        moved: false,
        isSure: true,
      });
  }

  #result(where: string, state: LaneState, isSure: boolean): void {
    if (state.kind !== 'paid' && state.kind !== 'notPaid') return;
    const order = this.#options.books.payments.get(state.saleId)?.sale.orderId;
    if (order !== undefined) this.#check({ where, order, moved: state.kind === 'paid', isSure });
  }

  #row(sale: Payment, of: Payment | Refund): void {
    const row = exportRow({ requestedAtMs: 0, sale: sale.sale, of });
    const [order, state] = [String(row.order), String(row.state)];
    this.#state('the export', order, state);
    if (row.booked !== null)
      this.#check({
        where: 'the export',
        order,
        moved: row.booked !== 0,
        isSure: state !== 'capturing',
      });
  }

  /** Checks the first line of each, before a reason in brackets. */
  #text(text: string, { sale }: Payment, refunds: readonly Refund[]): void {
    const lines = text.split('\n').filter((line) => /^\d/.test(line));
    for (const [index, order] of [
      sale.orderId,
      ...refunds.map(({ request }) => request.refundOrderId),
    ].entries()) {
      const says = lines[index]?.split(', ').slice(1).join(', ') ?? '';
      const moved = /^(paid|refunded)\b/.test(says);
      if (moved || says.startsWith('not '))
        this.#check({
          where: 'the story',
          order,
          moved,
          isSure: !says.includes('not confirmed yet'),
        });
    }
  }

  #state(where: string, order: string, state: string): void {
    switch (state) {
      case 'paid':
      case 'refunded':
      case 'capturing':
        return this.#check({ where, order, moved: true, isSure: state !== 'capturing' });
      case 'notPaid':
      case 'notRefunded':
        return this.#check({ where, order, moved: false, isSure: true });
      default:
        // While money is under way, being cancelled or contested, the text does not say where it
        // is.
        return;
    }
  }

  #check({ where, order, moved, isSure }: Sentence): void {
    const { books } = this.#options;
    const payment = books.ofOrder(order);
    const refund = books.refunds.get(order);
    const sale = refund === undefined ? payment : books.payments.get(refund.request.saleId);
    if (this.#isExcused(order, sale)) return;
    const there =
      refund === undefined ? this.#atService(order) : this.#refundAtService(sale, order);
    const isMoved = there === 'Captured' || there === 'ExpiredAndCaptured';
    const willMove = there === 'Reserved' && decidedFor.has((refund ?? payment)?.kind ?? '');
    if (moved ? isMoved || willMove : !isMoved || !isSure) return;
    this.#tell(
      `${where} says that order ${order} is ${moved ? '' : 'not '}${refund === undefined ? 'paid' : 'refunded'}, at the service it is ${there ?? 'unknown'}`,
    );
  }

  /** Checks a message that says that at least this much of the sale was refunded. */
  #refundedMuch(where: string, sale: Payment | undefined, minor: number): void {
    if (sale === undefined || this.#isExcused(sale.sale.orderId, sale)) return;
    const { books, meddled } = this.#options;
    for (const [order, { request }] of books.refunds)
      if (request.saleId === sale.sale.saleId && meddled.has(order)) return;
    const refunds = this.#options.kept.ofOrder(sale.sale.orderId)?.refunds ?? [];
    const backMinor = refunds.reduce((sum, { refundOrderId, status, amountMinor }) => {
      const isBack = status === 'Captured' || status === 'ExpiredAndCaptured';
      const willBe =
        status === 'Reserved' && decidedFor.has(books.refunds.get(refundOrderId)?.kind ?? '');
      return isBack || willBe ? sum + amountMinor : sum;
    }, 0);
    if (backMinor < minor)
      this.#tell(
        `${where} says that ${minor} of order ${sale.sale.orderId} are refunded, at the service it is ${backMinor}`,
      );
  }

  #isExcused(order: string, sale: Payment | undefined): boolean {
    const { meddled, isBeyondKnowing } = this.#options;
    return (
      isBeyondKnowing ||
      meddled.has(order) ||
      (sale !== undefined && meddled.has(sale.sale.orderId))
    );
  }

  #tell(what: string): void {
    if (this.#told.has(what)) return;
    this.#told.add(what);
    this.broken.push({ rule: 9, what });
  }

  #saleOf({ amountMinor, receiptNumber }: RequestEnd['request']): Payment | undefined {
    for (const payment of this.#options.books.payments.values())
      if (
        payment.sale.amountMinor === amountMinor &&
        (receiptNumber === null || payment.sale.receiptNumber === receiptNumber)
      )
        return payment;
    return undefined;
  }

  #refundNumbered(laneId: string, receiptNumber: number): Refund | undefined {
    return [...this.#options.books.refunds.values()].findLast(
      ({ request }) => request.laneId === laneId && request.receiptNumber === receiptNumber,
    );
  }

  #atService(order: string): string | null {
    return this.#options.kept.ofOrder(order)?.status ?? null;
  }

  #refundAtService(sale: Payment | undefined, order: string): string | null {
    const refunds =
      sale === undefined ? [] : (this.#options.kept.ofOrder(sale.sale.orderId)?.refunds ?? []);
    return refunds.find(({ refundOrderId }) => refundOrderId === order)?.status ?? null;
  }
}

/**
 * The sale that a refund gives back, or the reservation that a booking, or the refund of one, is
 * about.
 */
function saleNamedBy(request: TillRequest): TillRequest {
  return request.of === null ? request : saleNamedBy(request.of);
}

/** The journal entry that a page needs. What the page says about money is not taken from it. */
const asked = (sale: Sale): JournalEntry => ({
  seq: 1,
  atMs: 0,
  laneId: sale.laneId,
  saleId: sale.saleId,
  refundOrderId: null,
  event: { type: 'saleRequested', sale },
});
