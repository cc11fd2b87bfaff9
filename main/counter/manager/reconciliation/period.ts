/**
 * Converts days to moments. The shop's days are in this machine's time zone; the service counts
 * transfers in UTC days.
 */
import type { Period } from '../../../../preload/procedures/reconciliation.ts';

export const dayMs = 86_400_000;

/**
 * A sum with nothing to pay out is carried on (documents 4 and 5, section 5): a transfer may hold
 * what is so much older.
 */
export const maxDaysCarried = 31;

/** Days read beyond the period, because a payment of its last day is transferred later. */
const daysBehind = 7;

export interface Span {
  readonly fromMs: number;
  /** The first moment behind it. */
  readonly toMs: number;
}

export const periodKey = ({ from, to }: Period): string => `${from}..${to}`;

export function spanOf({ from, to }: Period): Span {
  return { fromMs: startOfDay(from, 0), toMs: startOfDay(to, 1) };
}

/** When a day begins in local time: a day may have 23 or 25 hours. */
function startOfDay(day: string, daysLater: number): number {
  const [year = Number.NaN, month = Number.NaN, date = Number.NaN] = day.split('-').map(Number);
  return new Date(year, month - 1, date + daysLater).getTime();
}

export const utcDay = (ms: number): string =>
  new Date(ms).toISOString().slice(0, 'YYYY-MM-DD'.length);
export const utcDayEndMs = (day: string): number => Date.parse(day) + dayMs;

/** The UTC days whose transfers contain what was paid in the span. */
export function transferDays({ fromMs, toMs }: Span): string[] {
  const days: string[] = [];
  for (let ms = Date.parse(utcDay(fromMs)); ms < toMs + daysBehind * dayMs; ms += dayMs)
    days.push(utcDay(ms));
  return days;
}
