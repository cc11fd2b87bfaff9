import type { PlannedCaptureDelay } from '../domain/sale.ts';
import { type Claimant, claimantOf, type Flow, type Payment } from '../settlement/payment.ts';
import { isToBeAgreed } from '../settlement/payment-decisions.ts';
import { isContested, isWaitedFor, moneyKnownOf, outcomeOf } from '../settlement/outcome.ts';
import { capturedMinorOf } from '../settlement/reservation.ts';
import type { Cancel, Clock } from '../domain/clock.ts';
import { type Ids, screenPaymentId } from '../domain/ids.ts';
import type { Log } from '../domain/log.ts';
import type { Currency } from '../domain/money.ts';
import type { CustomerRefusal, NamedCustomer } from '../domain/named-customer.ts';
import { testOrderText } from '../domain/service-text.ts';
import type { Journal } from '../journal/journal.ts';
import type {
  AmountAnswer,
  PaymentAnswerWithId,
  PaymentRequestWithId,
  PaymentAnswer,
  Till,
} from './till-port.ts';
import type { PointOfSaleClient, ServiceContact } from './wallet-port.ts';
import {
  isOrderText,
  isSameOrder,
  type PaymentByHand,
  type PaymentByHandAnswer,
  repeated,
} from './by-hand.ts';
import { newSale, type PaymentOrder } from './new-sale.ts';
import { paymentOfSale } from './paid-sale.ts';
import { type RecentSale, RecentLanePayments } from './recent-sales.ts';
import { ResultBoard } from './result-board.ts';
import { SaleCode } from './sale-code.ts';
import { type CustomerOnScreen, SaleCustomer } from './sale-customer.ts';
import type { PaymentRunner, SettlementService } from './settlement-service.ts';
import { type CurrentSale, progressOf, type ResultOnScreen } from './snapshot.ts';

export interface SalesOptions {
  readonly laneId: string;
  readonly currency: Currency;
  readonly flow: Flow;
  /** How long a customer has, in milliseconds. */
  readonly deadlineMs: number;
  /** What the service is told about reservations. Without it, none can be made. */
  readonly plannedCaptureDelay?: PlannedCaptureDelay;
  /** Whether customers are named at the counter, by their own code or their number. */
  readonly namesCustomers: boolean;
  readonly settlements: SettlementService;
  readonly till: Till;
  readonly wallet: Pick<PointOfSaleClient, 'service'>;
  readonly service?: ServiceContact;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly changed: () => void;
  /** Called when the service would not take a payment here any more. */
  readonly notOnboarded: () => void;
  /** How long a request to cancel stays unanswered before the cashier may leave the sale. */
  readonly leaveAfterMs: number;
}

/** How long the screens show that a scan named nobody. */
const refusalShownMs = 20_000;
/** How long a customer who is named waits for the amount. */
const nextKnownMs = 120_000;

/** Whether nothing of it is at the service yet. */
const isToBeNamed = (payment: Payment): boolean =>
  payment.kind === 'creating' ||
  (payment.kind === 'awaiting' &&
    payment.stop === null &&
    (payment.status === 'prepared' || payment.status === 'paired'));

/** Six BCD bytes: what a till can ask for (ZVT PA00P015, bitmap 04). */
const maxAmountMinor = 999_999_999_999;

const wrongAmount = (amountMinor: number): 'amountTooSmall' | 'amountTooHigh' | null => {
  if (!Number.isSafeInteger(amountMinor) || amountMinor < 1) return 'amountTooSmall';
  return amountMinor > maxAmountMinor ? 'amountTooHigh' : null;
};

/** What a till and a cashier ask for, one sale at a time; how the last ones ended. */
export class LanePayments {
  readonly #options: SalesOptions;
  readonly #recent: RecentLanePayments;
  readonly #results: ResultBoard;
  /** `mayLeaveAtMs` is by the monotonic clock, and null before a request to cancel. */
  #current: {
    readonly runner: PaymentRunner;
    readonly customer: SaleCustomer;
    readonly code: SaleCode;
    readonly endsAtMs: number;
    mayLeaveAtMs: number | null;
  } | null = null;

  /** The customer named before there is an amount. */
  #next: { readonly customer: NamedCustomer; readonly end: Cancel } | null = null;
  /** A scan that was refused before there was an amount. */
  #refusedScan: { readonly refused: CustomerRefusal; readonly end: Cancel } | null = null;

  constructor(options: SalesOptions) {
    this.#options = options;
    this.#recent = new RecentLanePayments(options.journal, options.laneId);
    this.#results = new ResultBoard(options);
  }

  /** Reads the last sales from the journal. */
  readRecent(): void {
    this.#recent.read();
  }

  /** Whether a sale is under way, of a till or by hand. */
  get isBusy(): boolean {
    return this.#current !== null;
  }

  /** @param saleId set by a till that names its requests */
  request(
    request: PaymentRequestWithId,
    posId: string,
    saleId = this.#options.ids.uuid(),
  ): PaymentAnswer {
    const { laneId, plannedCaptureDelay } = this.#options;
    const { reserve = false, amountFollows = false, ...asked } = request;
    if (reserve && plannedCaptureDelay === undefined)
      return { accepted: false, reason: 'noReservations' };
    const order: PaymentOrder = {
      ...asked,
      ...(amountFollows && { amountFollows }),
      saleId,
      by: 'till',
      orderPrefix: laneId,
      posId,
    };
    return this.#begin(
      reserve && plannedCaptureDelay !== undefined ? { ...order, plannedCaptureDelay } : order,
    );
  }

  /** How the same request of a till was answered before, by its name; null when it is new. */
  answeredByName(
    saleId: string,
    { reserve, amountFollows, ...money }: PaymentRequestWithId,
  ): PaymentAnswerWithId | null {
    const before = paymentOfSale(this.#options.journal, saleId);
    if (before === null) return null;
    const isSame = isSameOrder(
      before.sale,
      { ...money, saleId, by: 'till', reserve, amountFollows },
      this.#options,
    );
    return isSame ? { accepted: true, isRepeated: true } : { accepted: false, reason: 'nameUsed' };
  }

  /** How the same action of a cashier was answered before; null when it is new. */
  answeredByHand(payment: PaymentByHand): PaymentByHandAnswer | null {
    const { journal, laneId, currency } = this.#options;
    const before =
      paymentOfSale(journal, screenPaymentId(payment.actionId)) ??
      this.#byHandBefore(payment.actionId);
    return before && repeated(before, payment, { laneId, currency });
  }

  /**
   * A payment by hand of an earlier version, whose id was the action's own. A till's payment has
   * another name, and is none of a page's.
   */
  #byHandBefore(actionId: string): Payment | null {
    const before = paymentOfSale(this.#options.journal, actionId);
    return before !== null && claimantOf(before.sale) === 'cashier' ? before : null;
  }

  requestByHand(
    { actionId, amountMinor, orderText, reserve = false, isTest }: PaymentByHand,
    posId: string,
  ): PaymentByHandAnswer {
    const { laneId, currency, plannedCaptureDelay, namesCustomers } = this.#options;
    const text = isTest ? testOrderText : (orderText?.trim() ?? '');
    if (!isOrderText(text)) return { accepted: false, reason: 'orderText' };
    if (reserve && plannedCaptureDelay === undefined)
      return { accepted: false, reason: 'noReservations' };
    // Where customers are named, their request needs the amount: there is nothing to agree
    // afterwards.
    const agreed = {
      ...(namesCustomers && { typedMinor: amountMinor }),
      ...(isTest && { isTest }),
    };
    const order: PaymentOrder = {
      amountMinor,
      currency,
      saleId: screenPaymentId(actionId),
      by: 'cashier',
      orderPrefix: text || laneId,
      posId,
      ...agreed,
    };
    return this.#begin(
      reserve && plannedCaptureDelay !== undefined ? { ...order, plannedCaptureDelay } : order,
    );
  }

  #begin(order: PaymentOrder): PaymentAnswer {
    const { currency, settlements, clock, log, changed } = this.#options;
    if (order.currency !== currency) return { accepted: false, reason: 'wrongCurrency' };
    const wrong = wrongAmount(order.amountMinor);
    if (wrong !== null) return { accepted: false, reason: wrong };
    const customer = new SaleCustomer(this.#next?.customer ?? null);
    const code = new SaleCode();
    const runner = settlements.beginPayment(() => newSale(order, this.#options), customer, code);
    if (runner === null) return { accepted: false, reason: 'storageFailed' };
    const { sale } = runner.state;
    const { saleId, orderId, amountMinor, by } = sale;
    log.info({ saleId, orderId, amountMinor, currency, by }, 'sale');
    this.nameNext(null);
    this.#recent.began(runner.state);
    this.#results.show(null);
    this.#current = {
      runner,
      customer,
      code,
      endsAtMs: clock.monotonicMs() + sale.deadlineMs,
      mayLeaveAtMs: null,
    };
    changed();
    return { accepted: true, sale };
  }

  /**
   * Names the customer whom the next request goes to, for the sale under way or the next one; null
   * for nobody. @returns whether it was taken
   */
  name(customer: NamedCustomer | null): boolean {
    if (this.#current === null) this.nameNext(customer);
    else if (!isToBeNamed(this.#current.runner.state) || !this.#current.customer.name(customer))
      return false;
    this.#options.changed();
    return true;
  }

  /** A payment waits for its customer, who may type their own number. */
  get takesNumber(): boolean {
    const current = this.#current;
    return (
      current !== null &&
      this.#options.namesCustomers &&
      isToBeNamed(current.runner.state) &&
      current.customer.mayBeTyped
    );
  }

  /** @returns whether the request goes to them */
  typed(customer: NamedCustomer): boolean {
    if (!this.takesNumber || this.#current?.customer.typed(customer) !== true) return false;
    this.#options.changed();
    return true;
  }

  /**
   * The screens show for a while that a scanner read a code that is no customer's.
   */
  refuseScan(refused: CustomerRefusal): void {
    this.#refusedScan?.end();
    this.#refusedScan = null;
    // Nobody can be named any more.
    if (this.#current?.customer.named.isSent === true) return;
    if (this.#current !== null) this.#current.customer.refuseScan(refused);
    else
      this.#refusedScan = {
        refused,
        end: this.#options.clock.after(refusalShownMs, () => this.#forgetRefusal()),
      };
    this.#options.changed();
  }

  #forgetRefusal(): void {
    this.#refusedScan?.end();
    this.#refusedScan = null;
    this.#options.changed();
  }

  /**
   * @returns why the customer who scanned the sticker is not asked; null when they are, for the
   * sale under way or the next
   */
  scanned(
    token: string,
    { needsPayment }: { readonly needsPayment: boolean },
  ): 'someoneNamed' | 'tooLate' | 'noPayment' | null {
    const customer = { kind: 'sticker', token } as const;
    const current = this.#current;
    if (current === null) {
      if (needsPayment) return 'noPayment';
      if (this.#next !== null && this.#next.customer.kind !== 'sticker') return 'someoneNamed';
    } else if (!isToBeNamed(current.runner.state)) return 'tooLate';
    else if (!current.customer.isOpenToScans)
      return current.customer.named.isSent ? 'tooLate' : 'someoneNamed';
    return this.name(customer) ? null : 'tooLate';
  }

  /** It says for which sale: a customer who has gone must not be asked to pay the next one's. */
  nameNext(customer: NamedCustomer | null): void {
    this.#refusedScan?.end();
    this.#refusedScan = null;
    this.#next?.end();
    this.#next = null;
    if (customer === null) return;
    const end = this.#options.clock.after(nextKnownMs, () => {
      this.#next = null;
      this.#options.changed();
    });
    this.#next = { customer, end };
  }

  /** The customer named for the sale under way or the next one; null when nobody is named here. */
  get named(): CustomerOnScreen | null {
    if (!this.#options.namesCustomers) return null;
    return (
      this.#current?.customer.named ?? {
        customer: this.#next?.customer ?? null,
        isSent: false,
        refused: this.#refusedScan?.refused ?? null,
      }
    );
  }

  /** @param by whose sale it is @returns null when it is not under way */
  agreeAmount(saleId: string, amountMinor: number, by: Claimant): AmountAnswer | null {
    if (this.#current?.runner.state.sale.saleId !== saleId) return null;
    const { runner } = this.#current;
    if (claimantOf(runner.state.sale) !== by) return 'amountFixed';
    const wrong = wrongAmount(amountMinor);
    if (wrong !== null) return wrong;
    const { sale } = runner.state;
    // The answer to the first call was lost.
    if (sale.typedMinor !== undefined && sale.amountMinor === amountMinor) return 'agreed';
    if (!isToBeAgreed(runner.state)) return 'amountFixed';
    return runner.attempt({ type: 'amountAgreed', amountMinor }) ? 'agreed' : 'storageFailed';
  }

  /**
   * Lets the cashier go on although a cancel is unanswered: the sale is decided against, and the
   * cancel is repeated in the background. null when it is not under way.
   */
  leave(saleId: string): 'left' | 'tooEarly' | 'tooLate' | null {
    if (this.#current?.runner.state.sale.saleId !== saleId) return null;
    const { runner, mayLeaveAtMs } = this.#current;
    if (runner.state.kind === 'offering') return 'tooLate';
    if (mayLeaveAtMs === null || this.#options.clock.monotonicMs() < mayLeaveAtMs)
      return 'tooEarly';
    runner.take({ type: 'stopRequested', reason: 'leftByCashier' });
    return 'left';
  }

  /** Nobody will be there to hear how it ends. */
  interrupt(): void {
    this.#current?.runner.take({ type: 'stopRequested', reason: 'interrupted' });
  }

  close(): void {
    this.nameNext(null);
    this.#results.close();
  }

  current(): CurrentSale | null {
    if (this.#current === null) return null;
    const { runner, customer, code, endsAtMs, mayLeaveAtMs } = this.#current;
    const until = (atMs: number): number =>
      Math.max(0, Math.round(atMs - this.#options.clock.monotonicMs()));
    return {
      payment: runner.state,
      customer: customer.moneyKnown,
      code: code.shown,
      remainingMs: until(endsAtMs),
      unansweredMs: this.#options.service?.unansweredMs(runner.state.sale.saleId) ?? null,
      mayLeaveInMs: mayLeaveAtMs === null ? null : until(mayLeaveAtMs),
    };
  }

  /**
   * The result to show; null also when the service contradicts the outcome, which `unsettled` then
   * shows.
   */
  get result(): ResultOnScreen | null {
    const { shown } = this.#results;
    const payment = shown && this.#options.settlements.paymentOf(shown.saleId);
    if (shown === null) return null;
    const settled = shown.outcome.paid ? 'moved' : 'notMoved';
    const known = payment === null ? settled : moneyKnownOf(payment);
    return isContested(known) ? null : { ...shown, known };
  }

  recent(): readonly RecentSale[] {
    return this.#recent.shown();
  }

  /** To be called after each change of a refund of this sale. */
  refundChanged(saleId: string): void {
    this.#recent.refundChanged(saleId);
  }

  /** To be called after each change of any payment of this lane. */
  paymentChanged(runner: PaymentRunner): void {
    const { till, clock, notOnboarded, leaveAfterMs } = this.#options;
    const payment = runner.state;
    if (this.#current?.runner === runner) {
      if (isWaitedFor(payment)) {
        const progress = progressOf(payment);
        if (progress !== null && claimantOf(payment.sale) === 'till')
          till.progress(payment.sale.saleId, progress);
        if (progress === 'cancelling')
          this.#current.mayLeaveAtMs ??= clock.monotonicMs() + leaveAfterMs;
      } else {
        this.#current = null;
        this.showOutcome(payment);
        const isShutOut =
          'reason' in payment &&
          (payment.reason === 'notOnboarded' || payment.reason === 'credentialsRefused');
        if (isShutOut) notOnboarded();
      }
    }
    this.#endReserved(payment);
    this.#recent.changed(payment);
  }

  /** Removes the result "reserved" once a manager has decided about the reservation. */
  #endReserved({ kind, sale }: Payment): void {
    const { shown } = this.#results;
    if (
      shown?.saleId === sale.saleId &&
      !shown.outcome.paid &&
      shown.outcome.reason === 'held' &&
      kind !== 'held'
    )
      this.#results.show(null);
  }

  showOutcome(payment: Payment): void {
    const outcome = outcomeOf(payment);
    const { saleId, currency, isTest } = payment.sale;
    const amountMinor = capturedMinorOf(payment);
    const by = claimantOf(payment.sale);
    if (outcome !== null)
      this.#results.show({ saleId, amountMinor, currency, by, ...(isTest && { isTest }), outcome });
  }
}
