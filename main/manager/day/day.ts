/** A day's totals and the closing reports: numbered, kept for good, each beginning where the previous one ended. */
import { z } from 'zod';
import type { Closing as KeptClosing, ManagerRecords } from '../../journal/manager-records.ts';
import type { JournalReader } from '../../journal/reader.ts';
import type { DayTotals, OpenItem } from '../../journal/search.ts';
import type { Lane } from '../../lane/lane.ts';
import type { Clock } from '../../domain/clock.ts';
import type { ShopOnPaper } from '../../domain/shop.ts';
import type { Handlers } from '../../server/router.ts';
import { type Closing, ClosingReport, type HourTotals, type LaneTotals, type OpenMoney } from '../../../preload/procedures/day.ts';
import { Refusal } from '../../../preload/procedures/procedure.ts';

export interface DayHandlersOptions {
  readonly reader: () => Pick<JournalReader, 'dayTotals' | 'totalsBehind' | 'sale' | 'closings' | 'closing' | 'lastClosing'>;
  readonly records: Pick<ManagerRecords, 'keepClosing'>;
  readonly lanes: () => readonly Pick<Lane, 'id' | 'snapshot' | 'isUndecided'>[];
  /** As it is now. */
  readonly shop: () => ShopOnPaper;
  readonly clock: Clock;
}

export function dayHandlers({ reader, records, lanes, shop, clock }: DayHandlersOptions): Handlers {
  return {
    day({ day, laneId }) {
      const today = dayOf(clock.wallMs());
      const period = periodOf(day ?? today);
      const last = reader().lastClosing(laneId);
      return {
        day: day ?? today,
        today,
        ...period,
        ...reportOf(reader().dayTotals(period), laneId),
        lastClosing: last && { number: last.number, toMs: last.toMs },
      };
    },

    closeDay({ laneId }, { manager }) {
      const toMs = clock.wallMs();
      const last = reader().lastClosing(laneId);
      const fromMs = last?.toMs ?? 0;
      if (toMs <= fromMs) throw new Refusal('clockBehind', 'the clock is before the last closing');
      const concerned = lanes().filter(({ id }) => laneId === null || id === laneId);
      if (laneId !== null && concerned.length === 0) throw new Refusal('notFound', `there is no lane ${laneId}`, { field: 'laneId' });
      // An undecided payment would later change a report that is already printed.
      if (concerned.some((lane) => lane.isUndecided)) throw new Refusal('paymentUnderWay', 'a payment or refund is undecided');
      const { counted, ...totals } = reader().totalsBehind(last === null ? { sale: 0, refund: 0, capture: 0 } : CountedIn.parse(last.report).counted);
      const report = { ...reportOf(totals, laneId), shop: shop(), counted };
      return closingOf(records.keepClosing({ manager: manager?.name ?? '', laneId, fromMs, toMs, report }));
    },

    closings: ({ before }) => ({
      closings: reader()
        .closings(before ?? undefined)
        .map(closingOf),
    }),

    closing({ number }) {
      const kept = reader().closing(number);
      if (kept === null) throw new Refusal('notFound', `there is no closing ${number}`, { field: 'number' });
      return closingOf(kept);
    },
  };

  function reportOf(totals: DayTotals, laneId: string | null): Omit<ClosingReport, 'shop'> {
    const isOurs = (of: { readonly laneId: string }): boolean => laneId === null || of.laneId === laneId;
    const hours = totals.hours.filter(isOurs);
    return { lanes: laneTotals(hours), hours, open: totals.open.filter(isOurs).map(openMoney) };
  }

  function openMoney({ state, ...facts }: OpenItem): OpenMoney {
    return { ...facts, intent: intentOf(state, facts), needsPerson: state === 'needsPerson' };
  }

  function intentOf(state: OpenItem['state'], { saleId, orderId }: Pick<OpenItem, 'saleId' | 'orderId'>): OpenMoney['intent'] {
    if (state === 'capturing') return 'capture';
    if (state === 'cancelling') return 'cancel';
    if (state === 'held') return 'held';
    if (state !== 'needsPerson') return null;
    // There are few open items, with few events.
    const { payment, refunds } = reader().sale(saleId);
    const refund = refunds.find(({ refund: { request } }) => request.refundOrderId === orderId)?.refund;
    const isCapture = refund?.kind === 'needsPerson' ? refund.problem === 'refundLost' : payment.kind === 'needsPerson' && payment.problem === 'captureLost';
    return isCapture ? 'capture' : 'cancel';
  }

  function laneTotals(hours: readonly HourTotals[]): LaneTotals[] {
    const names = new Map(lanes().map((lane) => [lane.id, lane.snapshot().name]));
    const byLane = Map.groupBy(hours, ({ laneId, currency }) => JSON.stringify([laneId, currency]));
    return [...byLane.values()].flatMap((ofLane) => {
      const [first] = ofLane;
      if (first === undefined) return [];
      const { laneId, currency } = first;
      const sum = (what: 'payments' | 'refunds') =>
        ofLane.reduce((all, hour) => ({ count: all.count + hour[what].count, sumMinor: all.sumMinor + hour[what].sumMinor }), { count: 0, sumMinor: 0 });
      return { laneId, name: names.get(laneId) ?? laneId, currency, payments: sum('payments'), refunds: sum('refunds') };
    });
  }
}

/** Kept with a closing but not printed: where the next one begins to count. */
/** Stored with a closing and not printed: where the next one begins to count. */
const CountedIn = z.object({ counted: z.object({ sale: z.int(), refund: z.int(), capture: z.int().default(0) }) });

function closingOf({ manager, report, ...facts }: KeptClosing): Closing {
  return { ...facts, by: manager, ...ClosingReport.parse(report) };
}

/** In this computer's time zone. */
function dayOf(atMs: number): string {
  const at = new Date(atMs);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** From midnight to midnight: 23 or 25 hours when the clocks change. */
function periodOf(day: string): { fromMs: number; toMs: number } {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return { fromMs: new Date(year, month - 1, date).getTime(), toMs: new Date(year, month - 1, date + 1).getTime() };
}
