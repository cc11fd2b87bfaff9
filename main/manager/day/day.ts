/** A day's totals and the closing reports: numbered, kept for good, each beginning where the previous one ended. */
import type { Lane } from '../../lane/lane.ts';
import type { Handlers } from '../../server/router.ts';
import { localDayOf } from '../../domain/local-time.ts';
import { localDayPeriod } from '../../support/local-day.ts';
import { Refusal } from '../../../preload/procedures/procedure.ts';
import { Closings, type DayBookOptions } from './day-book.ts';

export interface DayHandlersOptions extends DayBookOptions {
  readonly lanes: () => readonly Pick<Lane, 'id' | 'name' | 'isUndecided'>[];
  /** Whether it is known what time it is. Missing: it always is. */
  readonly isTimeKnown?: () => boolean;
}

export function dayHandlers(options: DayHandlersOptions): Handlers {
  const { reader, lanes, isTimeKnown = () => true, clock } = options;
  const closings = new Closings(options);
  return {
    day({ day, laneId }) {
      const today = localDayOf(clock.wallMs());
      const period = localDayPeriod(day ?? today);
      const last = reader().lastClosing(laneId);
      return {
        day: day ?? today,
        today,
        ...period,
        ...closings.reportOf(reader().dayTotals(period), laneId),
        newestClosing: reader().newestClosing(),
        lastClosing: last && { number: last.number, toMs: last.toMs },
        overlaps: closings.overlapsOf({ laneId, fromMs: last?.toMs ?? 0, toMs: clock.wallMs() + 1 }),
      };
    },

    closeDay({ laneId }, { manager }) {
      // A person can set the clock, and is told to.
      if (!isTimeKnown() || clock.wallMs() <= (reader().lastClosing(laneId)?.toMs ?? 0)) throw new Refusal('clockBehind', 'the clock is known to be wrong');
      const concerned = lanes().filter(({ id }) => laneId === null || id === laneId);
      if (laneId !== null && concerned.length === 0) throw new Refusal('notFound', `there is no lane ${laneId}`, { field: 'laneId' });
      // It would be in the next report, and today's is what a person waits for.
      if (concerned.some((lane) => lane.isUndecided)) throw new Refusal('paymentUnderWay', 'a payment or refund is undecided');
      return closings.closeFor(laneId, { manager: manager?.name ?? '' });
    },

    closings: ({ before }) => ({
      closings: reader()
        .closings(before ?? undefined)
        .map((kept) => closings.closingOf(kept)),
    }),

    closing({ number }) {
      const kept = reader().closing(number);
      if (kept === null) throw new Refusal('notFound', `there is no closing ${number}`, { field: 'number' });
      return closings.closingOf(kept);
    },
  };
}
