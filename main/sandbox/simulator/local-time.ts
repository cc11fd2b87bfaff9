/** Times of the day where a customer lives, with summer time. */
const dayMs = 24 * 60 * 60 * 1000;

/** How far the clocks of a time zone are ahead of UTC. */
function offsetMs(atMs: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('sv', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  return Date.parse(`${format.format(atMs).replace(' ', 'T')}Z`) - Math.floor(atMs / 1_000) * 1_000;
}

/**
 * The next `HH:MM` after now by the clocks of a time zone. Clocks must not be changed at that time
 * of the day.
 */
export function nextLocalTime(
  nowMs: number,
  timeZone: string,
  hours: number,
  minutes: number,
): number {
  const localMs = nowMs + offsetMs(nowMs, timeZone);
  const timeMs = localMs - (localMs % dayMs) + (hours * 60 + minutes) * 60_000;
  const inUtc = (ms: number): number => ms - offsetMs(ms - offsetMs(nowMs, timeZone), timeZone);
  const todayMs = inUtc(timeMs);
  return todayMs > nowMs ? todayMs : inUtc(timeMs + dayMs);
}
