import type { HourTotals, LaneTotals } from '../../../preload/procedures/day.ts';

type Currency = LaneTotals['currency'];
type Sum = LaneTotals['payments'];
type Moved = Pick<LaneTotals, 'payments' | 'refunds'>;

/** The figures of one currency, because amounts of two currencies are never added. */
export interface CurrencyFigures extends Moved {
  readonly currency: Currency;
  readonly lanes: readonly LaneTotals[];
  /** The part of them that are test payments of setup, and refunds of them. */
  readonly tests: Moved;
}

export function byCurrency(lanes: readonly LaneTotals[]): CurrencyFigures[] {
  return [...Map.groupBy(lanes, ({ currency }) => currency)].map(([currency, ofIt]) => ({
    currency,
    lanes: ofIt,
    ...added(ofIt),
    tests: added(ofIt.flatMap(({ tests }) => tests ?? [])),
  }));
}

export function netMinor({ payments, refunds }: Moved): number {
  return payments.sumMinor - refunds.sumMinor;
}

export interface HourFigures extends Moved {
  readonly hourMs: number;
}

const hourMs = 3_600_000;
/** The least number of bars, because a single hour would otherwise be one wide bar. */
const minHours = 8;

/**
 * The hours of one currency in all lanes, from the first to the last one with money, including
 * those without money in between.
 */
export function hoursOf(
  currency: Currency,
  hours: readonly HourTotals[],
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): HourFigures[] {
  const ofIt = Map.groupBy(
    hours.filter((hour) => hour.currency === currency),
    (hour) => hour.hourMs,
  );
  if (ofIt.size === 0) return [];
  let first = Math.min(...ofIt.keys());
  let last = Math.max(...ofIt.keys());
  while (last - first < (minHours - 1) * hourMs) {
    if (last + hourMs < toMs) last += hourMs;
    else if (first - hourMs >= fromMs) first -= hourMs;
    else break;
  }
  return Array.from({ length: (last - first) / hourMs + 1 }, (_, index) => {
    const at = first + index * hourMs;
    return { hourMs: at, ...added(ofIt.get(at) ?? []) };
  });
}

/** Only hours with money, because a report over months would otherwise be full of empty ones. */
export function busyHoursOf(currency: Currency, hours: readonly HourTotals[]): HourFigures[] {
  const ofIt = Map.groupBy(
    hours.filter((hour) => hour.currency === currency),
    (hour) => hour.hourMs,
  );
  return [...ofIt]
    .sort(([a], [b]) => a - b)
    .map(([at, totals]) => ({ hourMs: at, ...added(totals) }));
}

/** Shifts a day by the calendar, so that days of 23 and 25 hours are right. */
export function shiftedDay(isoDay: string, days: number): string {
  const [year = 0, month = 1, date = 1] = isoDay.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1, date + days)).toISOString().slice(0, 10);
}

function added(all: readonly Moved[]): Moved {
  const sum = (what: 'payments' | 'refunds'): Sum =>
    all.reduce(
      (so, { [what]: one }) => ({
        count: so.count + one.count,
        sumMinor: so.sumMinor + one.sumMinor,
      }),
      { count: 0, sumMinor: 0 },
    );
  return { payments: sum('payments'), refunds: sum('refunds') };
}
