const two = (value: number): string => String(value).padStart(2, '0');

/**
 * The years of which a day may be: those that every calendar here can write with four digits, and
 * that `Date` does not take for others. A computer whose clock has lost its battery is in 1970.
 */
const minYear = 1900;
const maxYear = 2999;

/** Whether a text of the form YYYY-MM-DD is of such a year. */
export const isDayOfUse = (day: string): boolean =>
  Number(day.slice(0, 4)) >= minYear && Number(day.slice(0, 4)) <= maxYear;

/** Whether a moment is of such a year, wherever this machine is. */
export const isTimeOfUse = (atMs: number): boolean =>
  atMs >= Date.UTC(minYear, 0, 2) && atMs < Date.UTC(maxYear, 11, 31);

/** The day of this machine's calendar, YYYY-MM-DD. */
export function localDayOf(atMs: number): string {
  const at = new Date(atMs);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** By this machine's clock, e.g. `2026-11-21 09:05`. */
export function localMinute(atMs: number): string {
  const at = new Date(atMs);
  return `${localDayOf(atMs)} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** With seconds: `2026-11-21 09:05:00`. */
export const localTime = (atMs: number): string =>
  `${localMinute(atMs)}:${two(new Date(atMs).getSeconds())}`;
