import { isDayOfUse } from '../core/domain/local-time.ts';

/**
 * When a day of this machine's calendar begins: a shop's day. @param text YYYY-MM-DD; null when it
 * is none, or of no year that is in use
 */
export function localDayBeginsMs(text: string, daysLater = 0): number | null {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  const date = new Date(year, month - 1, day);
  if (
    !/^\d{4}-\d{2}-\d{2}$/.test(text) ||
    !isDayOfUse(text) ||
    date.getMonth() !== month - 1 ||
    date.getDate() !== day
  )
    return null;
  return new Date(year, month - 1, day + daysLater).getTime();
}

/**
 * A day of this machine's calendar, from midnight to midnight: 23 or 25 hours when the clocks
 * change. @throws RangeError when it is none
 */
export function localDayPeriod(day: string): { readonly fromMs: number; readonly toMs: number } {
  const [fromMs, toMs] = [localDayBeginsMs(day), localDayBeginsMs(day, 1)];
  if (fromMs === null || toMs === null) throw new RangeError(`${day} is not a date`);
  return { fromMs, toMs };
}
