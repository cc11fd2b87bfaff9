/**
 * The process of one of `simulateInJobs`: receives its share of the shops, runs them, and reports
 * the results.
 */
import { seenPairs } from './coverage.ts';
import { type Ended, simulate, type SimulateOptions, type Tally } from './simulate.ts';

export type Share = Omit<SimulateOptions, 'ended'>;

export type Report =
  | { readonly kind: 'ended'; readonly run: Ended }
  | { readonly kind: 'tally'; readonly tally: Tally; readonly seenPairs: typeof seenPairs };

const tell = (report: Report): void => void process.send?.(report);

process.once('message', (share: Share) => {
  const run = simulate({
    ...share,
    ended(run) {
      // The parent process needs only the runs with something to report.
      if (run.broken.length > 0 || run.lines.length > 0) tell({ kind: 'ended', run });
    },
  });
  void run
    .then((tally) => tell({ kind: 'tally', tally, seenPairs }))
    .finally(() => process.disconnect());
});
