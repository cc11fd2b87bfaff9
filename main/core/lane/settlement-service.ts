import type { Clock } from '../domain/clock.ts';
import type { Log } from '../domain/log.ts';
import { replayPayment, replayRefund } from '../settlement/apply.ts';
import { beginPayment } from '../settlement/payment-decisions.ts';
import { beginRefund } from '../settlement/refund-decisions.ts';
import {
  isPayment,
  type SettlementEffect,
  type Settlement,
  isUnseen,
  nounOf,
} from '../settlement/payment-or-refund.ts';
import {
  isFinal,
  isHeld,
  isSettled,
  isTooLateToStop,
  isUnidentified,
  isWaitedFor,
  mayArriveLate,
} from '../settlement/outcome.ts';
import type {
  Booking,
  Payment,
  PaymentEvent,
  PaymentInput,
  ReleaseReason,
  Sale,
  StopReason,
} from '../settlement/payment.ts';
import type { Refund, RefundEvent, RefundRequest, RefundStopReason } from '../settlement/refund.ts';
import type { Journal } from '../journal/journal.ts';
import type { OpenPayment } from './wallet-port.ts';
import type { PendingLookup } from './delayed-requests.ts';
import { pendingLookups } from './pending-lookups.ts';
import { correlated } from './correlated.ts';
import { failedAttempts, hasEnoughAttempts } from './opening.ts';
import { SaleCode } from './sale-code.ts';
import { SaleCustomer } from './sale-customer.ts';
import { type Settling, SettlementRunner } from './settlement-runner.ts';
import { paymentSettling, refundSettling, type SettlingOptions } from './settling.ts';
import { type Unsettled, unsettledOf } from './snapshot.ts';
import { walletOf, type Wallets } from './wallets.ts';
import { asError } from '../domain/errors.ts';

export type PaymentRunner = SettlementRunner<Payment>;
export type RefundRunner = SettlementRunner<Refund>;

/**
 * Called with each payment and refund that a lane takes up. @returns a function that is called with
 * its state after each change. Neither may throw
 */
export type SettlementObserver = (first: Settlement) => (next: Settlement) => void;

export interface SettlementServiceOptions extends Omit<SettlingOptions, 'wallet'>, Wallets {
  readonly laneId: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether a sale is under way: then the service is not asked about anything else. */
  readonly isBusy: () => boolean;
  /** `paymentChanged` and `refundChanged` are called before `changed`. */
  readonly paymentChanged: (runner: PaymentRunner) => void;
  readonly refundChanged: (runner: RefundRunner) => void;
  readonly storage: (working: boolean, error: Error | null) => void;
  /** Called when one has ended whose request may still arrive at the service. */
  readonly mayArriveLate: () => void;
  /** For monitoring; optional. */
  readonly observe?: SettlementObserver | undefined;
}

interface Running<State extends Settlement> {
  readonly runner: SettlementRunner<State>;
  /** Attempts that had failed before the restart, for what was open then. */
  failedBefore: number;
  /** When it was decided, by the wall clock; null while it is undecided. */
  decidedAtMs: number | null;
}

interface Beginning<State extends Settlement> {
  readonly runner: SettlementRunner<State>;
  readonly effects: readonly SettlementEffect[];
  readonly deadlineMs: number;
}

/**
 * A lane's payments and refunds that are not settled: begun here or taken over from the journal,
 * and carried until the service agrees.
 */
export class SettlementService {
  readonly #options: SettlementServiceOptions;
  /** Payments by sale id, refunds by refund order id. */
  readonly #payments = new Map<string, Running<Payment>>();
  readonly #refunds = new Map<string, Running<Refund>>();

  constructor(options: SettlementServiceOptions) {
    this.#options = options;
  }

  /** Takes up what the journal has as unfinished. */
  adoptOpen(): void {
    const { journal, laneId } = this.#options;
    for (const { events } of journal.openSales(laneId)) {
      const payment: Payment = replayPayment(events);
      if (this.#hasService(payment.sale))
        this.#adoptPayment(payment, new SaleCustomer(), pollDelayIn(events));
    }
    for (const { events } of journal.openRefunds(laneId)) {
      const refund: Refund = replayRefund(events);
      if (this.#hasService(refund.request)) this.#adoptRefund(refund, pollDelayIn(events));
    }
    for (const carried of this.#all())
      if (!isWaitedFor(carried.runner.state) && !isHeld(carried.runner.state))
        carried.decidedAtMs = decidedAtMs(journal, carried.runner.state);
  }

  /** Goes on with what was taken up, by its intent. */
  restart(): void {
    const open = this.#unfinished();
    for (const carried of open) carried.failedBefore = failedAttempts(carried.runner.state);
    for (const { runner } of open) runner.take({ type: 'restarted' });
  }

  /** Whether an outcome is still open. */
  get isUndecided(): boolean {
    return this.#all().some(({ runner }) => isWaitedFor(runner.state));
  }

  /**
   * Whether a till's refund may still move money and nothing can decide against it. Until the
   * service has answered, it counts as what the till did last.
   */
  get mayStillRefund(): boolean {
    return [...this.#refunds.values()].some(
      ({ runner: { state } }) =>
        isWaitedFor(state) &&
        state.request.by.kind === 'till' &&
        this.#settlingOptions(state.request).wallet.capabilities.refunds === 'oneStep',
    );
  }

  get isAllSettled(): boolean {
    return this.#unsettled().length === 0;
  }

  /**
   * Whether the service has accepted each since the restart, or was asked often enough. What it
   * would not confirm is repeated while the lane is open.
   */
  get isAllAsked(): boolean {
    return this.#unsettled().every(
      ({ runner, failedBefore }) =>
        runner.isConfirming || hasEnoughAttempts(runner.state, failedBefore),
    );
  }

  /** The last payment that somebody waits for. */
  get waitedForPayment(): PaymentRunner | null {
    return lastWaitedFor(this.#payments);
  }

  get waitedForRefund(): RefundRunner | null {
    return lastWaitedFor(this.#refunds);
  }

  /**
   * Writes the intent to disk, then sends the request. @returns null when the disk refuses; then
   * nothing has begun
   */
  beginPayment(newSale: () => Sale, customer: SaleCustomer, code: SaleCode): PaymentRunner | null {
    return this.#begin(() => {
      const sale = newSale();
      const { events, effects } = beginPayment(sale);
      this.#options.journal.append(sale.laneId, sale.saleId, events);
      return {
        runner: this.#adoptPayment(replayPayment(events), customer, null, code),
        effects,
        deadlineMs: sale.deadlineMs,
      };
    });
  }

  /** As `beginPayment`. */
  beginRefund(newRequest: () => RefundRequest): RefundRunner | null {
    return this.#begin(() => {
      const request = newRequest();
      const { events, effects } = beginRefund(request);
      this.#options.journal.appendRefund(request.laneId, request.refundOrderId, events);
      return {
        runner: this.#adoptRefund(replayRefund(events)),
        effects,
        deadlineMs: request.deadlineMs,
      };
    });
  }

  /** @returns null when there is no such payment or refund under way */
  stop(noun: 'payment', saleId: string, reason: StopReason): 'aborting' | 'tooLate' | null;
  stop(
    noun: 'refund',
    refundOrderId: string,
    reason: RefundStopReason,
  ): 'aborting' | 'tooLate' | null;
  stop(
    noun: 'payment' | 'refund',
    id: string,
    reason: StopReason | RefundStopReason,
  ): 'aborting' | 'tooLate' | null {
    const carried = noun === 'payment' ? this.#payments.get(id) : this.#refunds.get(id);
    if (carried === undefined) return null;
    if (isTooLateToStop(carried.runner.state)) return 'tooLate';
    carried.runner.take({ type: 'stopRequested', reason });
    return 'aborting';
  }

  /** The reservations, oldest first. */
  held(): readonly Extract<Payment, { kind: 'held' }>[] {
    return [...this.#payments.values()].flatMap(({ runner: { state } }) =>
      state.kind === 'held' ? [state] : [],
    );
  }

  /**
   * Captures a held reservation, which is then settled like any other. @param by the manager, or
   * null for a till @returns whether it is on disk
   */
  captureHeld(saleId: string, amountMinor: number, by: string | null): boolean {
    return this.#decideHeld(saleId, {
      type: 'captureRequested',
      amountMinor,
      ...(by !== null && { by }),
    });
  }

  /**
   * Records what a till asks for of a held reservation, before the till is told. @returns whether
   * it is on disk
   */
  bookHeld(saleId: string, booking: Booking): boolean {
    return this.#decideHeld(saleId, { type: 'bookingRequested', booking });
  }

  /** Releases a held reservation, as `captureHeld` captures it. */
  releaseHeld(saleId: string, reason: ReleaseReason): boolean {
    return this.#decideHeld(saleId, { type: 'releaseRequested', reason });
  }

  #decideHeld(
    saleId: string,
    input: Extract<
      PaymentInput,
      { type: 'captureRequested' | 'releaseRequested' | 'bookingRequested' }
    >,
  ): boolean {
    const runner = this.#payments.get(saleId)?.runner;
    return runner?.state.kind === 'held' && runner.takeNow(input);
  }

  /**
   * Records what a manager found in the portal about a refund that the service does not show.
   * @returns whether it is on disk; null when there is no such refund
   */
  foundInPortal(refundOrderId: string, refunded: boolean, by: string): boolean | null {
    const runner = this.#refunds.get(refundOrderId)?.runner;
    return runner !== undefined && isUnseen(runner.state)
      ? runner.takeNow({ type: 'foundInPortal', refunded, by })
      : null;
  }

  /** Interrupts the refunds of a till that will not hear how they end. */
  interruptRefunds(): void {
    for (const refundOrderId of this.#refunds.keys())
      this.stop('refund', refundOrderId, 'interrupted');
  }

  /** Ends all work; the journal has everything for the next start. */
  close(): void {
    for (const { runner } of this.#all()) runner.stop();
  }

  /** The payment's state; null when it is settled or another lane's. */
  paymentOf(saleId: string): Payment | null {
    return this.#payments.get(saleId)?.runner.state ?? null;
  }

  unsettled(): Unsettled[] {
    return this.#all().flatMap(({ runner: { state }, decidedAtMs: sinceMs }) => {
      const unsettled = unsettledOf(state);
      const { startedAtMs } = isPayment(state) ? state.sale : state.request;
      return unsettled === null ? [] : { ...unsettled, sinceMs: sinceMs ?? startedAtMs };
    });
  }

  /** Operations that ended as unknown to the service, and may have arrived there since. */
  pendingLookups(): PendingLookup[] {
    return pendingLookups({
      ...this.#options,
      reconcilePayment: (payment) => this.reconcileOpenPayment(payment),
      reconcileRefund: (refundOrderId, refundId) => this.#reconcileRefund(refundOrderId, refundId),
    });
  }

  /**
   * A payment that is open at the service. One of a sale that is decided against is known from now
   * on, and cancelled like any other.
   * @returns whether it may be cancelled
   */
  reconcileOpenPayment({ paymentId, orderId }: OpenPayment): boolean {
    const { journal, laneId } = this.#options;
    const payment = journal.paymentOfOrder(orderId);
    if (payment === null || payment.sale.laneId !== laneId) return true;
    if (!this.#hasService(payment.sale)) return false;
    // Clearing can take longer than its own sale, and then finds the payment of the next one.
    if (isWaitedFor(payment) || isHeld(payment)) return false;
    if (!isUnidentified(payment)) return true;
    const runner = this.#payments.get(payment.sale.saleId)?.runner ?? this.#adoptPayment(payment);
    runner.take({ type: 'lookedUp', found: { paymentId } });
    return !isUnidentified(runner.state);
  }

  /**
   * Takes over a refund that is open at the service and cancels it: otherwise it would be paid out
   * there.
   */
  #reconcileRefund(refundOrderId: string, refundId: string): void {
    const refund = this.#options.journal.refundOfOrder(refundOrderId);
    if (refund === null || !mayArriveLate(refund) || !this.#hasService(refund.request)) return;
    const runner = this.#refunds.get(refundOrderId)?.runner ?? this.#adoptRefund(refund);
    runner.take({ type: 'lookedUp', found: { refundId } });
  }

  /**
   * Whether the settings have its service. Without it nothing may be asked, and it stays as the
   * journal has it.
   */
  #hasService(beginning: Sale | RefundRequest): boolean {
    const isThere = walletOf(this.#options, beginning) !== null;
    const { saleId, service = 'v10' } = beginning;
    if (!isThere)
      this.#options.log.error(
        { saleId, service },
        'its service is not in the settings any more: put it back there as formerWallet, so that it is settled',
      );
    return isThere;
  }

  /** @throws Error where {@link #hasService} is false, which callers have checked */
  #settlingOptions(beginning: Sale | RefundRequest): SettlingOptions {
    const wallet = walletOf(this.#options, beginning);
    if (wallet === null)
      throw new Error(`the service of ${beginning.saleId} is not in the settings`);
    return { ...this.#options, wallet };
  }

  #all(): Running<Settlement>[] {
    return [...this.#payments.values(), ...this.#refunds.values()];
  }

  #unfinished(): Running<Settlement>[] {
    return this.#all().filter(({ runner }) => !isFinal(runner.state));
  }

  /**
   * What the service and we have still to agree on: a reservation that is held waits for somebody's
   * decision, perhaps for days, and so does what a person has.
   */
  #unsettled(): Running<Settlement>[] {
    return this.#unfinished().filter(
      ({ runner }) => !isHeld(runner.state) && runner.state.kind !== 'needsPerson',
    );
  }

  #begin<State extends Settlement>(write: () => Beginning<State>): SettlementRunner<State> | null {
    const { storage } = this.#options;
    let beginning: Beginning<State>;
    try {
      beginning = write();
    } catch (error) {
      storage(false, asError(error));
      return null;
    }
    storage(true, null);
    const { runner, effects, deadlineMs } = beginning;
    runner.after(deadlineMs, () => runner.take({ type: 'stopRequested', reason: 'timedOut' }));
    // The till gets its answer first; the request to the service is sent after it, in the same
    // turn.
    queueMicrotask(() => runner.carryOut(effects));
    return runner;
  }

  #adoptPayment(
    payment: Payment,
    customer = new SaleCustomer(),
    named: number | null = null,
    code = new SaleCode(),
  ): PaymentRunner {
    const { sale } = payment;
    const settling = paymentSettling(
      sale,
      customer,
      code,
      (found) => this.reconcileOpenPayment(found),
      this.#settlingOptions(sale),
    );
    return this.#adopt(
      this.#payments,
      sale.saleId,
      payment,
      settling,
      { saleId: sale.saleId },
      this.#options.paymentChanged,
      named,
    );
  }

  #adoptRefund(refund: Refund, named: number | null = null): RefundRunner {
    const { saleId, refundOrderId } = refund.request;
    const settling = refundSettling(refund.request, this.#settlingOptions(refund.request));
    return this.#adopt(
      this.#refunds,
      refundOrderId,
      refund,
      settling,
      { saleId, refundOrderId },
      this.#options.refundChanged,
      named,
    );
  }

  #adopt<State extends Settlement>(
    among: Map<string, Running<State>>,
    id: string,
    state: State,
    settling: Settling<State>,
    named: Readonly<Record<string, string>>,
    changed: (runner: SettlementRunner<State>) => void,
    delayMs: number | null,
  ): SettlementRunner<State> {
    const { clock, log, storage } = this.#options;
    const { saleId } = isPayment(state) ? state.sale : state.request;
    const observed = this.#options.observe?.(state);
    const runner = new SettlementRunner(state, {
      settling: correlated(saleId, settling),
      clock,
      log: log.child(named),
      pollDelayMs: delayMs,
      storage,
      changed: () => {
        changed(runner);
        this.#onChanged(carried);
        observed?.(runner.state);
        if (isSettled(runner.state)) among.delete(id);
        if (mayArriveLate(runner.state)) this.#options.mayArriveLate();
        this.#options.changed();
      },
    });
    const carried: Running<State> = { runner, failedBefore: 0, decidedAtMs: null };
    among.set(id, carried);
    return runner;
  }

  #onChanged(carried: Running<Settlement>): void {
    const { runner } = carried;
    const { state } = runner;
    const { log, clock } = this.#options;
    if (state.kind === 'needsPerson') {
      const named = isPayment(state)
        ? { orderId: state.sale.orderId }
        : { refundOrderId: state.request.refundOrderId };
      log.error({ ...named, problem: state.problem }, `this ${nounOf(state)} needs attention`);
    }
    if (!isWaitedFor(state) && !isHeld(state)) carried.decidedAtMs ??= clock.wallMs();
    if (isFinal(state)) runner.stop();
  }
}

const lastWaitedFor = <State extends Settlement>(
  among: ReadonlyMap<string, Running<State>>,
): SettlementRunner<State> | null =>
  [...among.values()].findLast(({ runner }) => isWaitedFor(runner.state))?.runner ?? null;

/** The last delay between polls that the service named; null for the usual one. */
function pollDelayIn(events: readonly (PaymentEvent | RefundEvent)[]): number | null {
  return events.findLast((event) => event.type === 'pollDelayNamed')?.delayMs ?? null;
}

const decisions: ReadonlySet<string> = new Set(['captureIntended', 'cancelIntended', 'foundLate']);

/** When it was decided, as far as the journal says. */
function decidedAtMs(journal: Journal, state: Settlement): number | null {
  const { saleId, refundOrderId } = isPayment(state)
    ? { saleId: state.sale.saleId, refundOrderId: null }
    : state.request;
  const own = journal.story(saleId).filter((entry) => entry.refundOrderId === refundOrderId);
  return (own.findLast(({ event }) => decisions.has(event.type)) ?? own.at(-1))?.atMs ?? null;
}
