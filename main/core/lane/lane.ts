import { type BeaconType, radioOf } from '../domain/beacons.ts';
import { boundedLog } from '../domain/bounded-log.ts';
import { type Journal } from '../journal/journal.ts';
import type { Flow } from '../settlement/payment.ts';
import type { Clock } from '../domain/clock.ts';
import type { DayBook } from '../domain/day.ts';
import type { Ids } from '../domain/ids.ts';
import type { Log } from '../domain/log.ts';
import type { Currency } from '../domain/money.ts';
import type { PlannedCaptureDelay } from '../domain/sale.ts';
import type { AmountAnswer, Till } from './till-port.ts';
import type { CheckInWatch, ServiceContact } from './wallet-port.ts';
import { Availability } from './availability.ts';
import type { PaymentByHand, PaymentByHandAnswer } from './by-hand.ts';
import { CheckIn } from './check-in.ts';
import { CustomerNaming } from './customer-naming.ts';
import { DelayedRequests } from './delayed-requests.ts';
import { LaneLifecycle } from './lane-lifecycle.ts';
import { LinkShown } from './link-shown.ts';
import {
  type PaymentAtService,
  type ManagerRefund,
  type ManagerRefundAnswer,
  Refunds,
} from './refunds.ts';
import { Reservations, type ReservationAnswer } from './reservations.ts';
import type { DisplayCode } from './sale-code.ts';
import { LanePayments } from './sales.ts';
import { type SettlementObserver, SettlementService } from './settlement-service.ts';
import type { DamageShown, LaneCondition, LaneSnapshot } from './snapshot.ts';
import { Sticker } from './sticker.ts';
import { TillRequests } from './till-requests.ts';
import { RefusedPayments } from './tried-sales.ts';
import type { Wallets } from './wallets.ts';

export interface LaneSettings {
  readonly id: string;
  readonly name: string;
  readonly currency: Currency;
  readonly flow: Flow;
  readonly beacons: readonly BeaconType[];
  /** The customer's time-out. Shorter than the till's time-out (ZVT T4: 180 s). */
  readonly deadlineMs: number;
  /**
   * What the service is told about payments that are reserved here and captured later. Without it,
   * payments cannot be reserved.
   */
  readonly plannedCaptureDelay?: PlannedCaptureDelay;
  /** Whether customers may check in before there is an amount. */
  readonly checkInFirst?: boolean;
  /** Whether customers may type their own number at the customer's screen. */
  readonly typesNumber?: boolean;
  /**
   * The till's sticker, which customers can scan; with `needsPayment` only once there is an amount;
   * missing when the till has none.
   */
  readonly sticker?: { readonly needsPayment: boolean };
}

export interface LaneOptions extends Wallets {
  readonly settings: LaneSettings;
  readonly till: Till;
  /** The service's reachability. Without it, every request is tried. */
  readonly service?: ServiceContact;
  /** Whether it is known what time it is. Missing: it always is. */
  readonly isTimeKnown?: () => boolean;
  readonly journal: Journal;
  /** Missing when tills cannot close the lane's day. */
  readonly dayBook?: DayBook;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly changed: () => void;
  /** Damage to the journal that screens have to show, or null. */
  readonly journalDamage?: () => DamageShown | null;
  /** Observes the lane's payments and refunds, for monitoring. */
  readonly observe?: SettlementObserver;
  /**
   * How long a cashier waits for the answer to a cancel before there is a way out; tests take less.
   */
  readonly leaveAfterMs?: number | undefined;
}

/**
 * A poll normally takes less than a second; one that takes this long is waiting because the service
 * asked for a pause. Shorter than `decide` waits.
 */
const defaultLeaveAfterMs = 5_000;

const textCode = (text: string | null): DisplayCode | null =>
  text === null ? null : { kind: 'text', text };

/**
 * One till and one point of sale: opens at the service, and takes the requests of the till, the
 * cashier and the manager.
 */
export class Lane {
  readonly #options: LaneOptions;
  /** Bounded, because tills and pages may send requests without end. */
  readonly #log: Log;
  readonly #settlements: SettlementService;
  readonly #sales: LanePayments;
  readonly #refunds: Refunds;
  readonly #reservations: Reservations;
  readonly #delayedRequests: DelayedRequests;
  readonly #lifecycle: LaneLifecycle;
  readonly #availability: Availability;
  readonly #checkIn: CheckIn;
  readonly #tried: RefusedPayments;
  readonly #sticker: Sticker | null;
  readonly #link: LinkShown;
  /** What the till may request. */
  readonly tillRequests: TillRequests;
  /** How customers are named. */
  readonly naming: CustomerNaming;

  constructor(options: LaneOptions) {
    this.#options = options;
    const log = options.log.child({ lane: options.settings.id });
    this.#log = boundedLog(log, { clock: options.clock });
    this.#link = new LinkShown(options.clock);
    const { id, ...settings } = options.settings;
    const shared = {
      ...settings,
      ...options,
      laneId: id,
      log,
      changed: () => this.#onProgress(),
    };
    const settlements = new SettlementService({
      ...shared,
      isBusy: () => this.#sales.isBusy,
      paymentChanged: (runner) => this.#sales.paymentChanged(runner),
      refundChanged: (runner) => this.#refunds.refundChanged(runner),
      storage: (working, error) => this.#availability.storage(working, error),
      mayArriveLate: () => this.#delayedRequests.schedule(),
    });
    this.#settlements = settlements;
    this.#sales = new LanePayments({
      ...shared,
      settlements,
      namesCustomers: settings.flow === 'prepare' && options.wallet.capabilities.codePerPayment,
      leaveAfterMs: options.leaveAfterMs ?? defaultLeaveAfterMs,
      notOnboarded: () => void this.#lifecycle.reopen(),
    });
    this.#refunds = new Refunds({
      ...shared,
      settlements,
      refundedChanged: (saleId) => this.#sales.refundChanged(saleId),
    });
    this.#reservations = new Reservations({ ...shared, settlements });
    this.#delayedRequests = new DelayedRequests({
      clock: options.clock,
      busy: () => this.tillRequests.isTillWaiting,
      pendingLookups: () => settlements.pendingLookups(),
    });
    this.#lifecycle = new LaneLifecycle({
      ...options,
      settlements,
      sales: this.#sales,
      refunds: this.#refunds,
      log,
      changed: () => this.#changed(),
    });
    this.#availability = new Availability({
      ...shared,
      opening: () => this.#lifecycle.condition,
      changed: () => this.#changed(),
    });
    this.#tried = new RefusedPayments({ log: this.#log, changed: options.changed });
    this.#sticker =
      settings.sticker === undefined
        ? null
        : new Sticker({ ...shared, changed: () => this.#changed() });
    this.tillRequests = new TillRequests({
      ...shared,
      settlements,
      sales: this.#sales,
      refunds: this.#refunds,
      reservations: this.#reservations,
      availability: this.#availability,
      tried: this.#tried,
      link: this.#link,
      log: this.#log,
      changed: options.changed,
      snapshot: () => this.snapshot(),
      posId: () => this.#lifecycle.posId,
      isOpened: () => this.isOpened,
      address: () => this.address,
    });
    this.naming = new CustomerNaming({
      currency: settings.currency,
      typesNumber: settings.typesNumber === true,
      sticker:
        settings.sticker === undefined || this.#sticker === null
          ? null
          : { scans: this.#sticker, ...settings.sticker },
      isOpen: () => this.condition.kind === 'open',
      sales: this.#sales,
      log: this.#log,
    });
    this.#checkIn = new CheckIn({
      ...options,
      isWanted: settings.checkInFirst === true,
      hasBeacon: radioOf(settings.beacons) !== null,
      ...(settings.sticker !== undefined && {
        isScanned: () => this.#sales.named?.customer != null,
      }),
    });
  }

  /**
   * Listens to the till at once (it is answered "not ready"), then opens at the service. Resolves
   * when the lane takes payments, or rejects when it never will: the till's settings cannot work.
   */
  async start(): Promise<void> {
    await this.listen();
    await this.enterService();
  }

  /** The first half of `start`. Rejects when the till's settings cannot work. */
  async listen(): Promise<void> {
    this.#settlements.adoptOpen();
    this.#sales.readRecent();
    await this.#options.till.open(this.tillRequests);
  }

  /** The second half of `start`, however long that takes. */
  async enterService(): Promise<void> {
    await this.#lifecycle.open();
    if (this.#lifecycle.isClosed) return;
    this.#delayedRequests.begin();
    this.#sticker?.begin();
  }

  /**
   * Ends what can be ended in little more than a second; the journal keeps the rest for the next
   * start.
   */
  async close(): Promise<void> {
    this.#lifecycle.close();
    this.#delayedRequests.close();
    this.#sales.interrupt();
    this.#settlements.interruptRefunds();
    await this.#lifecycle.drain();
    this.#settlements.close();
    this.#sales.close();
    this.#refunds.close();
    this.#checkIn.close();
    this.#sticker?.close();
    await this.#options.till.close();
  }

  // Requests of the cashier

  cancelByCashier(saleId: string): 'cancelling' | 'tooLate' | 'unknownSale' {
    if (this.#sales.current()?.payment.sale.saleId !== saleId) return 'unknownSale';
    return this.#settlements.stop('payment', saleId, 'cancelledByCashier') === 'tooLate'
      ? 'tooLate'
      : 'cancelling';
  }

  /** Takes a payment by hand when the till cannot. The outcome is shown on the cashier's screen. */
  payByHand(payment: PaymentByHand): PaymentByHandAnswer {
    const answer =
      this.#sales.answeredByHand(payment) ??
      this.tillRequests.refusal() ??
      this.#sales.requestByHand(payment, this.#lifecycle.posId);
    if (!answer.accepted)
      this.#log.warn(
        { reason: answer.reason, actionId: payment.actionId },
        'a manual payment of the cashier was refused',
      );
    return answer;
  }

  /**
   * Keeps or changes the amount of a payment by hand whose customer was found first, and sends it.
   * This can be done once.
   */
  agreeAmount(saleId: string, amountMinor: number): AmountAnswer | 'unknownSale' {
    const answer = this.#sales.agreeAmount(saleId, amountMinor, 'cashier') ?? 'unknownSale';
    if (answer !== 'agreed')
      this.#log.warn(
        { reason: answer, saleId, amountMinor },
        'an amount that the cashier agreed was refused',
      );
    return answer;
  }

  /**
   * Lets the cashier leave a cancel that nobody answers: the result is not known, the lane is free,
   * and the payment is cancelled until that is confirmed.
   */
  leaveByCashier(saleId: string): 'left' | 'tooEarly' | 'tooLate' | 'unknownSale' {
    return this.#sales.leave(saleId) ?? 'unknownSale';
  }

  // Requests of a manager

  /** Refunds at a manager's request. The till is not told. */
  refundByManager(refund: ManagerRefund): ManagerRefundAnswer {
    const answer: ManagerRefundAnswer =
      this.#refunds.answeredByManager(refund) ??
      this.#availability.notOpen() ??
      this.#refunds.requestByManager(refund);
    if (!answer.accepted)
      this.#log.warn(
        { reason: answer.reason, actionId: refund.actionId, ...refund.sale },
        'a manager asked for a refund and was refused',
      );
    return answer;
  }

  /** See `Refunds.takeOver`; null when the journal cannot be written. */
  takeOver(found: PaymentAtService): ReturnType<Refunds['takeOver']> {
    return this.#refunds.takeOver(found);
  }

  /** Cancels a refund, which is possible until it is decided. */
  cancelRefundByManager(refundOrderId: string): 'cancelling' | 'tooLate' | 'unknownRefund' {
    const answer = this.#settlements.stop('refund', refundOrderId, 'cancelledByManager');
    return answer === 'aborting' ? 'cancelling' : (answer ?? 'unknownRefund');
  }

  /**
   * Captures a reservation; repeated, it is the same capture. @param amountMinor at most what is
   * reserved; the rest is released
   */
  captureReservation(saleId: string, amountMinor: number, name: string): ReservationAnswer {
    return this.#availability.isTimeKnown
      ? this.#reservations.capture(saleId, amountMinor, name)
      : { accepted: false, reason: 'laneNotReady' };
  }

  /** Releases all of a reservation. */
  releaseReservation(saleId: string): ReservationAnswer {
    return this.#reservations.release(saleId);
  }

  /** The outcome of a payment or refund is still open, so the day cannot be closed. */
  get isUndecided(): boolean {
    return this.#settlements.isUndecided;
  }

  /**
   * Records what the manager found in the service's portal about a refund that the service took and
   * does not show.
   */
  refundFoundInPortal(
    refundOrderId: string,
    refunded: boolean,
    name: string,
  ): 'kept' | 'storageFailed' | 'unknownRefund' {
    const isOnDisk = this.#settlements.foundInPortal(refundOrderId, refunded, name);
    return isOnDisk === null ? 'unknownRefund' : isOnDisk ? 'kept' : 'storageFailed';
  }

  // State for the screens

  /** A screen can show this lane's code, until what it returns is called. */
  showsCode(): () => void {
    return this.#checkIn.showsCode();
  }

  /** Check-ins at this lane's point of sale, for setup's test of a beacon. */
  watchCheckIn(): CheckInWatch {
    return this.#options.wallet.watchCheckIn();
  }

  /** Whether a test by setup disturbs nobody. */
  get isFree(): boolean {
    return (
      this.isOpened && this.#sales.current() === null && this.#refunds.shown()?.outcome !== null
    );
  }

  snapshot(): LaneSnapshot {
    const { settings } = this.#options;
    return {
      laneId: settings.id,
      name: settings.name,
      currency: settings.currency,
      condition: this.condition,
      current: this.#sales.current(),
      result: this.#sales.result,
      recent: this.#sales.recent(),
      refund: this.#refunds.shown(),
      beacons: settings.beacons,
      qr: this.#lifecycle.qr,
      checkIn: this.#checkIn.customerOnScreen,
      codePerPayment: this.#options.wallet.capabilities.codePerPayment,
      named: this.#sales.named,
      takesNumber: settings.typesNumber === true && this.#sales.takesNumber,
      sticker: this.#sticker && { code: this.#sticker.shown },
      till: { ...this.#link.shown, address: this.address },
      unsettled: this.#settlements.unsettled(),
      tried: this.#tried.latest,
      journalDamage: this.#options.journalDamage?.() ?? null,
      takesReservations: settings.plannedCaptureDelay !== undefined,
      reservations: this.#reservations.held(),
    };
  }

  get condition(): LaneCondition {
    return this.#availability.condition;
  }

  get id(): string {
    return this.#options.settings.id;
  }

  /** At the service, whether or not it answers now. */
  get isOpened(): boolean {
    return this.#lifecycle.condition.kind === 'open';
  }

  /** The point of sale's id at the service; null while it is not open. */
  get posId(): string | null {
    return this.#lifecycle.posId;
  }

  get name(): string {
    return this.#options.settings.name;
  }

  /** Address of the till's line; exact once it is open. */
  get address(): string {
    return this.#options.till.address;
  }

  /**
   * Changes whether customers may check in before there is an amount. The till's line stays as it
   * is.
   */
  wantCheckInFirst(isWanted: boolean): void {
    this.#checkIn.want(isWanted);
    this.#changed();
  }

  /** Called when `service` or `isTimeKnown` has changed. */
  serviceChanged(): void {
    this.#changed();
  }

  #changed(): void {
    const { isBusy, result } = this.#sales;
    if (!this.tillRequests.isTillWaiting) this.#tried.forget();
    const takesPayments = this.condition.kind === 'open';
    this.#checkIn.follow({
      code: this.#sticker?.shown ?? textCode(this.#lifecycle.qr),
      takesPayments,
      isBusy,
      showsResult: result !== null,
    });
    this.#options.changed();
  }

  #onProgress(): void {
    this.#lifecycle.progressed();
    this.#changed();
  }
}
