import type { Capabilities } from '../../../../main/core/settlement/capabilities.ts';
import { pointOfSaleCapabilities } from '../../../../main/wallets/v10/point-of-sale/point-of-sale-capabilities.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Journal, JournalWriteError } from '../../../../main/core/journal/journal.ts';
import type { ManagerRecords } from '../../../../main/core/journal/manager-records.ts';
import { type JournalReader, openJournalReader } from '../../../../main/core/journal/reader.ts';
import { openSqliteJournal } from '../../../../main/core/journal/sqlite-journal.ts';
import { Lane, type LaneSettings } from '../../../../main/core/lane/lane.ts';
import { Closings } from '../../../../main/counter/manager/day/day-book.ts';
import { unnamedShop } from '../../../../main/core/domain/shop.ts';
import { sleep } from '../../../../main/core/domain/clock.ts';
import { currentCorrelation } from '../../../../main/core/domain/correlation.ts';
import { systemIds } from '../../../../main/core/domain/ids.ts';
import { type Log, silentLog } from '../../../../main/core/domain/log.ts';
import type { Money } from '../../../../main/core/domain/money.ts';
import type {
  CustomerFacts,
  RefundOutcome,
  PaymentOutcome,
  ServiceName,
} from '../../../../main/core/domain/sale.ts';
import type { LaneCommands, OfferAnswer, Till } from '../../../../main/core/lane/till-port.ts';
import type {
  CheckInAnswer,
  CreateAnswer,
  CreateRefundAnswer,
  ListAnswer,
  LookUpAnswer,
  LookUpRefundAnswer,
  OpenAnswer,
  OpenPayment,
  PollAnswer,
  RefundPollAnswer,
  SettleAnswer,
  PointOfSaleClient,
  ServiceContact,
} from '../../../../main/core/lane/wallet-port.ts';
import { paymentId } from '../settlement/support.ts';
import { noReserve } from '../journal/support.ts';
import { ManualClock } from '../../support/manual-clock.ts';

export const refundId = '4ef00000-0000-4000-8000-000000000001';

/** Records everything that leaves the lane, with what the journal on disk has at that moment. */
export class World {
  readonly folder: string;
  readonly clock = new ManualClock();
  readonly left: { what: string; onDisk: string[] }[] = [];
  diskWorks = true;
  /** What the daemon knows about the service. `serviceSays` tells the lanes. */
  service = { awaySinceMs: null as number | null, unansweredForMs: null as number | null };
  openAnswer: OpenAnswer = {
    kind: 'open',
    posId: '905e0000-0000-4000-8000-000000000001',
    qr: 'qr',
  };
  createAnswer: CreateAnswer = { kind: 'created', paymentId };
  lookUpAnswer: LookUpAnswer = { kind: 'none' };
  /** The open payments that a look-up at the point of sale finds. */
  openPayments: (OpenPayment & { readonly isActive: boolean })[] = [];
  isTimeKnown = true;
  /** A clean-up looks at the service only after this. */
  clearWaitsFor: Promise<void> | null = null;
  /** When the list is answered, and with what; null for the open payments at once. */
  listWaitsFor: Promise<ListAnswer | null> | null = null;
  pollAnswers: PollAnswer[] = [];
  createRefundAnswer: CreateRefundAnswer = { kind: 'created', refundId };
  lookUpRefundAnswer: LookUpRefundAnswer = { kind: 'none' };
  /** The capabilities of a service, unless `capabilitiesOf` has others. */
  capabilities: Capabilities = pointOfSaleCapabilities;
  capabilitiesOf: Partial<Record<ServiceName, Capabilities>> = {};
  /** Keys of the create requests whose outcome was unknown. */
  readonly identified: string[] = [];
  refundPollAnswers: RefundPollAnswer[] = [];
  settleAnswer: SettleAnswer = { kind: 'done' };
  tillAnswer: OfferAnswer | Promise<OfferAnswer> = 'acknowledged';
  outcomes: PaymentOutcome[] = [];
  refundOutcomes: RefundOutcome[] = [];
  commands!: LaneCommands;
  readonly dayBook: Closings;
  #reader: JournalReader | null = null;
  lane: Lane;
  readonly journal: Journal & ManagerRecords;

  /** The answer about the check-in, a second after it was asked for. */
  checkIn: CheckInAnswer = {
    kind: 'seen',
    isCheckedIn: false,
    customer: { loyaltyIds: null, receiptToken: null },
  };
  /** For each poll, the delay that the service had named before. */
  readonly waitedFirst: (number | null)[] = [];
  checkInLookUps = 0;
  readonly captured: Money[] = [];
  /** The amounts that were sent. */
  readonly amounts: [what: 'ready' | 'capture', amountMinor: number][] = [];
  /** The number of changes that the lane has announced. */
  changes = 0;
  changed: () => void = () => {};
  /** The facts about who paid that the till was told. */
  readonly customers: (CustomerFacts | undefined)[] = [];

  /**
   * @param services the one in use, and the former one; what is sent to any but v10 is recorded
   * with the service's name
   */
  constructor(
    folder?: string,
    about: Partial<LaneSettings> = {},
    log: Log = silentLog,
    till: (clock: ManualClock) => Till = () => this.#till(),
    services: readonly [ServiceName, ServiceName?] = ['v10'],
  ) {
    this.folder = folder ?? mkdtempSync(join(tmpdir(), 'tillbeacon-lane-'));
    this.journal = openSqliteJournal(join(this.folder, 'journal.sqlite'), this.clock, {
      reserve: noReserve,
    });
    const journal: Journal = {
      ...this.journal,
      append: (...entry) => {
        if (!this.diskWorks) throw new JournalWriteError(new Error('disk I/O error'));
        this.journal.append(...entry);
      },
      appendRefund: (...entry) => {
        if (!this.diskWorks) throw new JournalWriteError(new Error('disk I/O error'));
        this.journal.appendRefund(...entry);
      },
    };
    const keepClosing: ManagerRecords['keepClosing'] = (closing) => {
      if (!this.diskWorks) throw new JournalWriteError(new Error('disk I/O error'));
      return this.journal.keepClosing(closing);
    };
    this.dayBook = new Closings({
      reader: () => this.reader,
      journal: { ...this.journal, keepClosing },
      lanes: () => [settings],
      shop: () => unnamedShop,
      clock: this.clock,
    });
    const settings = {
      id: '1',
      name: 'Check-out 1',
      currency: 'DKK',
      flow: 'initiate',
      beacons: ['QR'],
      deadlineMs: 120_000,
      ...about,
    } as const;
    this.lane = new Lane({
      settings,
      till: till(this.clock),
      wallet: this.#wallet(services[0]),
      ...(services[1] !== undefined && { formerWallet: this.#wallet(services[1]) }),
      service: this.#contact(),
      isTimeKnown: () => this.isTimeKnown,
      journal,
      dayBook: this.dayBook,
      clock: this.clock,
      ids: systemIds,
      log,
      changed: () => {
        this.changes += 1;
        this.changed();
      },
    });
  }

  get reader(): JournalReader {
    return (this.#reader ??= openJournalReader(join(this.folder, 'journal.sqlite')));
  }

  #contact(): ServiceContact {
    const now = () => this.service;
    return {
      get awaySinceMs() {
        return now().awaySinceMs;
      },
      unansweredMs: () => now().unansweredForMs,
    };
  }

  serviceSays(about: Partial<World['service']>): void {
    this.service = { ...this.service, ...about };
    this.lane.serviceChanged();
  }

  async open(): Promise<this> {
    await this.lane.start();
    return this;
  }

  whatLeft(): string[] {
    return this.left.map(({ what }) => what);
  }
  onDiskWhen(what: string): string[] | undefined {
    return this.left.find((one) => one.what === what)?.onDisk;
  }

  saleIdOf(openPaymentId: string): string {
    const orderId =
      this.openPayments.find((payment) => payment.paymentId === openPaymentId)?.orderId ?? '';
    return this.journal.paymentOfOrder(orderId)?.sale.saleId ?? '';
  }

  /** The correlation ids of the calls, each with the call's name. */
  readonly correlations: (readonly [string, string | undefined])[] = [];

  #leaves(what: string): void {
    this.correlations.push([what, currentCorrelation()]);
    const last = this.journal.openSales('1').at(-1);
    this.left.push({ what, onDisk: last?.events.map(({ type }) => type) ?? [] });
  }

  #leavesOfRefund(what: string): void {
    this.correlations.push([what, currentCorrelation()]);
    const last = this.journal.openRefunds('1').at(-1);
    this.left.push({ what, onDisk: last?.events.map(({ type }) => type) ?? [] });
  }

  #wallet(service: ServiceName): PointOfSaleClient {
    const capabilities = (): Capabilities => this.capabilitiesOf[service] ?? this.capabilities;
    const named = (what: string): string => (service === 'v10' ? what : `${service} ${what}`);
    const settle = (what: string) => async (): Promise<SettleAnswer> => {
      this.#leaves(named(what));
      return this.settleAnswer;
    };
    const settleRefund = (what: string) => async (): Promise<SettleAnswer> => {
      this.#leavesOfRefund(named(what));
      return this.settleAnswer;
    };
    return {
      service,
      get capabilities() {
        return capabilities();
      },
      open: async () => this.openAnswer,
      create: async () => {
        this.#leaves(named('create'));
        return this.createAnswer;
      },
      ready: (_paymentId, { amountMinor }) => {
        this.amounts.push(['ready', amountMinor]);
        return settle('ready')();
      },
      lookUp: async () => {
        this.#leaves('lookUp');
        return this.lookUpAnswer;
      },
      identify: async ({ idempotencyKey }) => {
        this.#leaves('identify');
        this.identified.push(idempotencyKey);
        return this.lookUpAnswer;
      },
      clear: async (mayCancel = () => true) => {
        if (this.clearWaitsFor !== null) await this.clearWaitsFor;
        const cancelled = this.openPayments
          .filter((payment) => mayCancel(payment) && payment.isActive)
          .map((payment) => payment.paymentId);
        for (const id of cancelled)
          this.left.push({
            what: `clear ${id}`,
            onDisk: this.journal.story(this.saleIdOf(id)).map(({ event }) => event.type),
          });
        return { kind: 'done', cancelledPaymentIds: cancelled };
      },
      listOpen: async (isOfInterest) => {
        this.left.push({ what: 'look', onDisk: [] });
        const answer = await this.listWaitsFor;
        return (
          answer ?? {
            kind: 'listed',
            payments: this.openPayments.filter((payment) => isOfInterest(payment.paymentId)),
          }
        );
      },
      watch: (_paymentId, namedBefore = null) => ({
        poll: (signal) => {
          this.waitedFirst.push(namedBefore);
          this.correlations.push(['poll', currentCorrelation()]);
          return this.#answered(signal, this.pollAnswers);
        },
      }),
      watchCheckIn: () => ({
        poll: async (signal) => {
          this.checkInLookUps += 1;
          await sleep(this.clock, 1_000, signal);
          return this.checkIn;
        },
      }),
      createRefund: async () => {
        this.#leavesOfRefund(named('createRefund'));
        return this.createRefundAnswer;
      },
      lookUpRefund: async () => {
        this.#leavesOfRefund('lookUpRefund');
        return this.lookUpRefundAnswer;
      },
      identifyRefund: async ({ idempotencyKey }) => {
        this.#leavesOfRefund('identifyRefund');
        this.identified.push(idempotencyKey);
        return this.lookUpRefundAnswer;
      },
      watchRefund: (_refundId, namedBefore = null) => ({
        poll: (signal) => {
          this.waitedFirst.push(namedBefore);
          this.correlations.push(['pollRefund', currentCorrelation()]);
          return this.#answered(signal, this.refundPollAnswers);
        },
      }),
      captureRefund: settleRefund('captureRefund'),
      cancelRefund: settleRefund('cancelRefund'),
      capture: async (_paymentId, { amountMinor, currency }) => {
        this.captured.push({ amountMinor, currency });
        this.amounts.push(['capture', amountMinor]);
        return settle('capture')();
      },
      cancel: settle('cancel'),
    };
  }

  /**
   * Gives the next answer a second later, as the service paces it; without one, the request stays
   * unanswered.
   */
  #answered<Answer>(signal: AbortSignal, answers: Answer[]): Promise<Answer> {
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
      this.clock.after(1_000, () => {
        const answer = answers.shift();
        if (answer !== undefined) resolve(answer);
      });
    });
  }

  #till(): Till {
    return {
      address: 'tcp:127.0.0.1:1',
      open: async (commands) => {
        this.commands = commands;
      },
      close: async () => {},
      progress: () => {},
      offerPaid: async (_sale, customer) => {
        this.customers.push(customer);
        this.#leaves('offerPaid');
        return this.tillAnswer;
      },
      offerRefunded: async () => {
        this.#leavesOfRefund('offerRefunded');
        return (await this.tillAnswer) === 'acknowledged' ? 'acknowledged' : 'notAcknowledged';
      },
      concludeRefund: (_refund, outcome) => {
        this.#leavesOfRefund(outcome.refunded ? 'refunded' : 'notRefunded');
        this.refundOutcomes.push(outcome);
      },
      conclude: (_sale, outcome) => {
        this.#leaves(outcome.paid ? 'paid' : 'notPaid');
        this.outcomes.push(outcome);
      },
    };
  }

  /** Ends the process: pending answers never arrive. */
  close(): void {
    this.#reader?.close();
    this.journal.close();
  }

  remove(): void {
    this.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export const money = { amountMinor: 1234, currency: 'DKK' } as const;
export const reserved = {
  kind: 'seen',
  status: 'reserved',
  ...money,
} as const satisfies PollAnswer;
