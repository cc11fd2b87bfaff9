import { type Clock, systemClock } from '../../main/core/domain/clock.ts';

/** The system's clock with one part replaced. */
export const clockWith = (own: Partial<Clock>): Clock => ({
  wallMs: () => systemClock.wallMs(),
  monotonicMs: () => systemClock.monotonicMs(),
  elapsedMs: () => systemClock.elapsedMs(),
  after: (...timer) => systemClock.after(...timer),
  ...own,
});
