const two = (value: number): string => String(value).padStart(2, '0');

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
export const localTime = (atMs: number): string => `${localMinute(atMs)}:${two(new Date(atMs).getSeconds())}`;
