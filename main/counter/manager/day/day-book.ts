/** Closes a day. The manager's button and a till's command use the same code. */
import { z } from 'zod';
import type { Journal } from '../../../core/journal/journal.ts';
import type {
  Closing as KeptClosing,
  ManagerRecords,
} from '../../../core/journal/manager-records.ts';
import type { JournalReader } from '../../../core/journal/reader.ts';
import type { DayTotals, OpenItem } from '../../../core/journal/search.ts';
import type { Lane } from '../../../core/lane/lane.ts';
import type { Clock } from '../../../core/domain/clock.ts';
import { contestedOf } from '../../../core/settlement/outcome.ts';
import type { ClosingOfTill, ClosingTold, DayBook, DayTold } from '../../../core/domain/day.ts';
import type { ShopOnPaper } from '../../../core/domain/shop.ts';
import { maxReceiptNumber } from '../../../core/domain/receipt-number.ts';
import {
  type Closing,
  ClosingReport,
  type HourTotals,
  type Overlap,
  type LaneTotals,
  type OpenMoney,
} from '../../../../preload/procedures/day.ts';

export interface DayBookOptions {
  readonly reader: () => Pick<
    JournalReader,
    | 'dayTotals'
    | 'totalsBehind'
    | 'sale'
    | 'closings'
    | 'closing'
    | 'overlappingClosings'
    | 'lastClosing'
    | 'newestClosing'
    | 'finishedBetween'
  >;
  readonly journal: Pick<ManagerRecords, 'keepClosing'> & Pick<Journal, 'nextNumbers'>;
  readonly lanes: () => readonly Pick<Lane, 'id' | 'name'>[];
  /** The current shop. */
  readonly shop: () => ShopOnPaper;
  readonly clock: Clock;
}

/** The manager or the till that closes the day. */
type Closer = { readonly manager: string } | { readonly till: string };

/**
 * Stored with a closing and not printed: where the next one begins to count. `receipt`: of one
 * lane, the number that is given next.
 */
const CountedIn = z.object({
  counted: z.object({
    sale: z.int(),
    refund: z.int(),
    capture: z.int().default(0),
    undecided: z
      .object({ sales: z.array(z.int()), refunds: z.array(z.int()) })
      .default({ sales: [], refunds: [] }),
    receipt: z.int().optional(),
  }),
});
const fromBeginning: z.infer<typeof CountedIn>['counted'] = {
  sale: 0,
  refund: 0,
  capture: 0,
  undecided: { sales: [], refunds: [] },
  receipt: 1,
};

export class Closings implements DayBook {
  readonly #options: DayBookOptions;

  constructor(options: DayBookOptions) {
    this.#options = options;
  }

  /**
   * Numbers and stores a report of the payments since the last closing of this lane, or of all
   * lanes for null. An undecided payment belongs to the closing after its decision. @throws
   * JournalWriteError when nothing was written
   */
  closeFor(laneId: string | null, closer: Closer): Closing {
    const { reader, journal, shop, clock } = this.#options;
    const last = reader().lastClosing(laneId);
    const fromMs = last?.toMs ?? 0;
    const { receipts, counted, ...totals } = this.#since(last, laneId, { isHourly: true });
    const till = 'till' in closer ? { till: closer.till } : {};
    const report = {
      ...this.reportOf(totals, laneId),
      shop: shop(),
      ...till,
      ...(receipts && { receipts }),
      counted,
    };
    // It counts by numbers: a clock that was set back changes no figure, and must not keep a till's
    // day open.
    const toMs = Math.max(clock.wallMs(), fromMs + 1);
    return this.closingOf(
      journal.keepClosing({
        manager: 'manager' in closer ? closer.manager : '',
        laneId,
        fromMs,
        toMs,
        report,
      }),
    );
  }

  close(laneId: string, till: string): ClosingTold {
    return closingForTill(this.closeFor(laneId, { till }));
  }

  totals(laneId: string) {
    const { reader, journal, clock } = this.#options;
    const last = reader().lastClosing(laneId);
    const { receipts, ...sums } = this.#since(last, laneId, { isHourly: false });
    const day = dayForTill(
      { ...this.reportOf(sums, laneId), ...(receipts && { receipts }) },
      { fromMs: last?.toMs ?? 0, toMs: clock.wallMs() },
    );
    return { ...day, traceNumber: journal.nextNumbers(laneId).traceNumber - 1 };
  }

  last(laneId: string): ClosingTold | null {
    const last = this.#options.reader().lastClosing(laneId);
    return last && closingForTill(this.closingOf(last));
  }

  ofTills(sinceMs: number): readonly ClosingOfTill[] {
    const since: ClosingOfTill[] = [];
    for (let before: number | undefined; ; ) {
      const page = this.#options.reader().closings(before);
      for (const record of page) {
        if (record.atMs < sinceMs) return since;
        const closing = closingForTill(this.closingOf(record));
        if (closing.till !== null && record.laneId !== null)
          since.push({ ...closing, till: closing.till, laneId: record.laneId });
      }
      before = page.at(-1)?.number;
      if (before === undefined) return since;
    }
  }

  closing(number: number): ClosingTold | null {
    const record = this.#options.reader().closing(number);
    return record && closingForTill(this.closingOf(record));
  }

  receipts(laneId: string, first: number, last: number) {
    return this.#options.reader().finishedBetween(laneId, first, last);
  }

  #since(last: KeptClosing | null, laneId: string | null, how: { readonly isHourly: boolean }) {
    const { reader, journal } = this.#options;
    const before = last === null ? fromBeginning : CountedIn.parse(last.report).counted;
    const { counted, ...totals } = reader().totalsBehind(before, how);
    if (laneId === null) return { ...totals, counted, receipts: null };
    const next = journal.nextNumbers(laneId).receiptNumber;
    const first = before.receipt;
    const receipts =
      first === undefined || first === next
        ? null
        : { first, last: next === 1 ? maxReceiptNumber : next - 1 };
    return { ...totals, counted: { ...counted, receipt: next }, receipts };
  }

  closingOf({ manager, report, ...facts }: KeptClosing): Closing {
    return {
      ...facts,
      by: manager,
      overlaps: this.overlapsOf(facts, facts.number),
      ...ClosingReport.parse(report),
    };
  }

  /**
   * Earlier reports of the other series with money of this period. @param before the number of a
   * report, of which earlier ones are meant
   */
  overlapsOf(period: Pick<Closing, 'laneId' | 'fromMs' | 'toMs'>, before?: number): Overlap[] {
    return this.#options
      .reader()
      .overlappingClosings(period, before)
      .map(({ number, atMs, laneId, report }) => {
        const { lanes } = ClosingReport.parse(report);
        return {
          number,
          atMs,
          laneId,
          lanes: lanes.filter((lane) => period.laneId === null || lane.laneId === period.laneId),
        };
      });
  }

  reportOf(
    totals: DayTotals,
    laneId: string | null,
  ): Pick<ClosingReport, 'lanes' | 'hours' | 'open'> {
    const isOurs = (of: { readonly laneId: string }): boolean =>
      laneId === null || of.laneId === laneId;
    const hours = totals.hours.filter(isOurs);
    const tests = this.#laneTotals(totals.tests.filter(isOurs));
    const lanes = this.#laneTotals(hours).map((lane) => {
      const ofLane = tests.find(
        ({ laneId: id, currency }) => id === lane.laneId && currency === lane.currency,
      );
      return {
        ...lane,
        ...(ofLane && { tests: { payments: ofLane.payments, refunds: ofLane.refunds } }),
      };
    });
    return { lanes, hours, open: totals.open.filter(isOurs).map((item) => this.#openMoney(item)) };
  }

  #openMoney({ state, ...facts }: OpenItem): OpenMoney {
    return { ...facts, needsPerson: state === 'needsPerson', ...this.#standing(state, facts) };
  }

  #standing(
    state: OpenItem['state'],
    { kind, saleId, orderId }: Pick<OpenItem, 'kind' | 'saleId' | 'orderId'>,
  ): Pick<OpenMoney, 'intent'> & Partial<OpenMoney> {
    if (state === 'capturing') return { intent: 'capture' };
    if (state === 'cancelling') return { intent: 'cancel' };
    if (state === 'held') return { intent: 'held' };
    if (state !== 'needsPerson') return { intent: null };
    // There are few open items, with few events.
    const { payment, refunds } = this.#options.reader().sale(saleId);
    const needy =
      kind === 'sale'
        ? payment
        : refunds.find(({ refund: { request } }) => request.refundOrderId === orderId)?.refund;
    return needy?.kind === 'needsPerson' ? contestedOf(needy) : { intent: null };
  }

  #laneTotals(hours: readonly HourTotals[]): LaneTotals[] {
    const names = new Map(this.#options.lanes().map(({ id, name }) => [id, name]));
    const byLane = Map.groupBy(hours, ({ laneId, currency }) => JSON.stringify([laneId, currency]));
    return [...byLane.values()].flatMap((ofLane) => {
      const [first] = ofLane;
      if (first === undefined) return [];
      const { laneId, currency } = first;
      const sum = (what: 'payments' | 'refunds') =>
        ofLane.reduce(
          (all, hour) => ({
            count: all.count + hour[what].count,
            sumMinor: all.sumMinor + hour[what].sumMinor,
          }),
          { count: 0, sumMinor: 0 },
        );
      return {
        laneId,
        name: names.get(laneId) ?? laneId,
        currency,
        payments: sum('payments'),
        refunds: sum('refunds'),
      };
    });
  }
}

function closingForTill(closing: Closing): ClosingTold {
  const { number, atMs, till } = closing;
  return { ...dayForTill(closing, closing), number, atMs, till: till ?? null };
}

function dayForTill(
  { lanes, open, receipts }: Pick<ClosingReport, 'lanes' | 'open' | 'receipts'>,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): DayTold {
  const held = open.filter(({ intent }) => intent === 'held');
  return {
    fromMs,
    toMs,
    figures: lanes.map(({ currency, payments, refunds, tests }) => ({
      currency,
      payments,
      refunds,
      ...(tests && { tests }),
    })),
    receipts: receipts ?? null,
    reservations: held.map(({ receiptNumber, orderId, amountMinor, currency }) => ({
      receiptNumber: receiptNumber ?? null,
      orderId,
      amountMinor,
      currency,
    })),
    unsettledCount: open.length - held.length,
  };
}
