/** A bank for tests and a journal, on the disk as in the product. */
import { join } from 'node:path';
import type { Period } from '../../../../../preload/procedures/reconciliation.ts';
import type { Journal } from '../../../../../main/core/journal/journal.ts';
import type { ManagerRecords } from '../../../../../main/core/journal/manager-records.ts';
import { openSqliteJournal } from '../../../../../main/core/journal/sqlite-journal.ts';
import type { Sale } from '../../../../../main/core/settlement/payment.ts';
import { silentLog } from '../../../../../main/core/domain/log.ts';
import { minorUnits } from '../../../../../main/core/domain/money.ts';
import { dayMs } from '../../../../../main/counter/manager/reconciliation/period.ts';
import {
  type ReportingReaderOptions,
  reportingReader,
} from '../../../../../main/counter/manager/reconciliation/read-report.ts';
import { Reconciliation } from '../../../../../main/counter/manager/reconciliation/reconciliation.ts';
import type {
  ReportedTransaction,
  ReportedTransfer,
} from '../../../../../main/wallets/v10/reporting/reporting-schemas.ts';
import {
  Folder,
  noReserve,
  paid,
  paidBack,
  refundNumbered,
  saleNumbered,
} from '../../../core/journal/support.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const storeId = '51070000-0000-4000-8000-000000000001';
const otherStoreId = '51070000-0000-4000-8000-000000000002';
export const period: Period = { from: '2026-11-01', to: '2026-11-30' };
export const all = { category: 'all', transferId: null, text: '' } as const;
export const newest = { by: 'time', descending: true } as const;

type Reporting = ReportingReaderOptions['reporting'];
export type Line = ReportedTransaction & { transferId: string | null };

const nothing = {
  paymentId: null,
  message: null,
  merchantReference: null,
  merchantPaymentLabel: null,
  transferReference: null,
  transferDate: null,
  userPhoneNumber: '+4511111111',
  userName: 'Somebody',
  loyaltyId: null,
  myShopNumber: null,
  brandName: null,
  brandId: null,
  locationId: null,
  posName: 'Check-out 1',
  beaconId: null,
  agreementExternalId: null,
  agreementId: null,
  refundId: null,
} satisfies Partial<ReportedTransaction>;

/** The service's reports, with a count of the requests. */
class Bank implements Reporting {
  readonly lines: Line[] = [];
  readonly payouts: ReportedTransfer[] = [];
  readonly asked: string[] = [];
  readonly storeId: string;
  /** The error that it fails with; null when it answers. */
  fails: Error | null = null;
  /** Called before each line. */
  beforeLine: () => void | Promise<void> = () => {};

  constructor(of = storeId) {
    this.storeId = of;
  }

  /** A line that no transfer has taken yet. */
  line(
    type: string,
    amountMinor: number,
    about: Partial<Omit<Line, 'amount' | 'type'>> = {},
  ): Line {
    const line = {
      ...nothing,
      type,
      amount: minorUnits(amountMinor),
      currencyCode: 'DKK',
      timestamp: '2026-11-20T12:00:00Z',
      transferId: null,
      ...about,
    };
    this.lines.push(line);
    return line;
  }

  /**
   * Pays out the waiting lines less fees. With `short` the transfer is smaller than their sum by so
   * much.
   */
  payOut(date: string, { feeMinor = 25, short = 0 } = {}): ReportedTransfer | null {
    const waiting = this.lines.filter(({ transferId }) => transferId === null);
    const id = `7a000000-0000-4000-8${this.storeId.slice(-3)}-${String(this.payouts.length + 1).padStart(12, '0')}`;
    const reference = `01-${this.payouts.length + 1}`;
    if (feeMinor > 0) {
      for (const { merchantReference, type } of waiting)
        if (type === 'Payment')
          waiting.push(
            this.line('TransactionFee', -feeMinor, { timestamp: date, merchantReference }),
          );
    }
    const total = waiting.reduce((sum, { amount }) => sum + amount, 0) - short;
    for (const line of waiting)
      Object.assign(line, {
        transferId: id,
        transferReference: reference,
        transferDate: date.slice(0, 10),
      });
    this.line('Transfer', -total, {
      timestamp: date,
      transferId: id,
      transferReference: reference,
    });
    const payout = {
      id,
      reference,
      date,
      totalTransferredAmount: minorUnits(total),
      currencyCode: 'DKK',
      paymentPointId: this.storeId,
    };
    this.payouts.push(payout);
    return payout;
  }

  async *paymentPoints() {
    this.#answer('paymentPoints');
    yield { id: this.storeId, name: 'Shop', productType: 'PointOfSale', alias: null };
  }

  async *transfers({ startdate = '', enddate = '' }: Parameters<Reporting['transfers']>[0] = {}) {
    this.#answer(`transfers ${startdate}..${enddate}`);
    yield* this.payouts.filter(
      ({ date }) => date.slice(0, 10) >= startdate && date.slice(0, 10) <= enddate,
    );
  }

  async *transactions(
    { transferid, startdate }: Parameters<Reporting['transactions']>[0] = {},
    { signal }: Parameters<Reporting['transactions']>[1] = {},
  ) {
    this.#answer(`transactions ${transferid ?? 'since'}`);
    const wanted = this.lines.filter(({ transferId, timestamp }) =>
      transferid === undefined ? timestamp >= (startdate as string) : transferId === transferid,
    );
    for (const line of wanted) {
      await this.beforeLine();
      signal?.throwIfAborted();
      yield line;
    }
  }

  #answer(what: string): void {
    this.asked.push(what);
    if (this.fails !== null) throw this.fails;
  }
}

/** 21 November 2026, 9:00 UTC. */
export class Shop implements Disposable {
  readonly clock = new ManualClock();
  readonly bank: Bank;
  readonly folder = new Folder();
  readonly storePath = join(this.folder.path, 'reconciliation.sqlite');
  readonly journal: Journal & ManagerRecords = openSqliteJournal(this.folder.journal, this.clock, {
    reserve: noReserve,
  });
  /** Reports of the former service. */
  readonly formerBank = new Bank();
  readonly #former: 'none' | 'readable' | 'noKey';
  reconciliation: Reconciliation;

  /**
   * @param former whether v10 was in use before another service, and the key of its reports is
   * there
   */
  constructor(former: 'none' | 'readable' | 'noKey' = 'none') {
    this.#former = former;
    this.bank = new Bank(former === 'none' ? storeId : otherStoreId);
    this.reconciliation = this.#open();
  }

  #open(): Reconciliation {
    const { clock, bank, formerBank, storePath } = this;
    const formerReports =
      this.#former === 'noKey'
        ? null
        : reportingReader({ reporting: formerBank, storeIds: [formerBank.storeId], clock });
    return new Reconciliation({
      storePath,
      journalPath: this.folder.journal,
      reports: reportingReader({ reporting: bank, storeIds: [bank.storeId], clock }),
      former: this.#former === 'none' ? null : { service: 'v10', reports: formerReports },
      posNames: ['Check-out 1'],
      clock,
      log: silentLog,
    });
  }

  /** Opens everything again, as after a restart. */
  async reopen(): Promise<void> {
    await this.reconciliation.close();
    this.reconciliation = this.#open();
  }

  /** Appends a sale that is paid now. */
  sale(n: number, amountMinor: number, about: Partial<Sale> = {}): Sale {
    const sale = saleNumbered(n, { amountMinor, ...about });
    this.journal.append('1', sale.saleId, paid(sale));
    return sale;
  }

  refund(n: number, of: Sale, amountMinor: number): string {
    const refund = refundNumbered(n, of, { amountMinor });
    this.journal.appendRefund('1', refund.refundOrderId, paidBack(refund));
    return refund.refundOrderId;
  }

  /** Adds the payment to the bank's report. */
  report(orderId: string, amountMinor: number, about: Partial<Line> = {}): Line {
    const timestamp = new Date(this.clock.wallMs()).toISOString();
    return this.bank.line(amountMinor < 0 ? 'Refund' : 'Payment', amountMinor, {
      merchantReference: orderId,
      timestamp,
      ...about,
    });
  }

  async open(again = false): Promise<void> {
    const state = await this.reconciliation.open(period, again, 60_000);
    if (state.kind !== 'ready') throw new Error(JSON.stringify(state));
  }

  /** The category, order and amounts of each row, the newest first. */
  rows(
    filter: Partial<{
      category: 'all' | 'lookAt' | 'fee';
      transferId: string | null;
      text: string;
    }> = {},
  ): unknown[] {
    const page = this.reconciliation.rows(period, { ...all, ...filter }, newest, 0, 500);
    return (page?.rows ?? []).map(({ category, orderId, oursMinor, bankMinor }) => [
      category,
      orderId,
      oursMinor,
      bankMinor,
    ]);
  }

  days(count: number): Promise<void> {
    return this.clock.pass(count * dayMs);
  }

  [Symbol.dispose](): void {
    void this.reconciliation.close();
    this.journal.close();
    this.folder[Symbol.dispose]();
  }
}
