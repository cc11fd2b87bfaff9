/**
 * A day's totals and the closing reports: numbered, kept for good, each beginning where the
 * previous one ended.
 */
import type { Lane } from '../../../core/lane/lane.ts';
import type { Handlers } from '../../server/router.ts';
import { localDayOf } from '../../../core/domain/local-time.ts';
import { localDayPeriod } from '../../../support/local-day.ts';
import type { Closing } from '../../../../preload/procedures/day.ts';
import { Refusal } from '../../../../preload/procedures/procedure.ts';
import type { DownloadStore } from '../../server/download-store.ts';
import { Closings, type DayBookOptions } from './day-book.ts';
import { dayCsv } from './day-csv.ts';

export interface DayHandlersOptions extends DayBookOptions {
  readonly lanes: () => readonly Pick<Lane, 'id' | 'name' | 'isUndecided'>[];
  readonly downloads: DownloadStore;
  /** Whether it is known what time it is. Missing: it always is. */
  readonly isTimeKnown?: () => boolean;
}

export function dayHandlers(options: DayHandlersOptions): Handlers {
  const { reader, lanes, downloads, isTimeKnown = () => true, clock } = options;
  const closings = new Closings(options);
  const totalsOf = (day: string, laneId: string | null) =>
    closings.reportOf(reader().dayTotals(localDayPeriod(day)), laneId);
  /** @throws Refusal `notFound` */
  const closingNumbered = (number: number): Closing => {
    const record = reader().closing(number);
    if (record === null)
      throw new Refusal('notFound', `there is no closing ${number}`, { field: 'number' });
    return closings.closingOf(record);
  };
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
        overlaps: closings.overlapsOf({
          laneId,
          fromMs: last?.toMs ?? 0,
          toMs: clock.wallMs() + 1,
        }),
      };
    },

    closeDay({ laneId }, { manager }) {
      // A person can set the clock, and is told to.
      if (!isTimeKnown() || clock.wallMs() <= (reader().lastClosing(laneId)?.toMs ?? 0))
        throw new Refusal('clockBehind', 'the clock is known to be wrong');
      const concerned = lanes().filter(({ id }) => laneId === null || id === laneId);
      if (laneId !== null && concerned.length === 0)
        throw new Refusal('notFound', `there is no lane ${laneId}`, { field: 'laneId' });
      // It would be in the next report, and today's is what a person waits for.
      if (concerned.some((lane) => lane.isUndecided))
        throw new Refusal('paymentUnderWay', 'a payment or refund is undecided');
      return closings.closeFor(laneId, { manager: manager?.name ?? '' });
    },

    closings: ({ before }) => ({
      closings: reader()
        .closings(before ?? undefined)
        .map((record) => closings.closingOf(record)),
    }),

    closing: ({ number }) => closingNumbered(number),

    async dayExport({ of, csv, words }, session) {
      const day = 'number' in of ? null : (of.day ?? localDayOf(clock.wallMs()));
      const totals =
        'number' in of
          ? closingNumbered(of.number)
          : {
              number: null,
              overlaps: [],
              ...localDayPeriod(day ?? ''),
              ...totalsOf(day ?? '', of.laneId),
            };
      const content = await dayCsv(totals, csv, words.columns);
      return downloads.offer(session, {
        name: `${words.name} ${day ?? totals.number}.csv`,
        type: 'text/csv',
        content,
      });
    },
  };
}
