/**
 * Divides the shops that `simulate` would run among processes, so that each runs its share on a
 * core of its own.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { seenPairs } from './coverage.ts';
import type { Report, Share } from './share.ts';
import { serviceNames } from '../../main/core/domain/sale.ts';
import { emptyTally, type SimulateOptions, type Tally } from './simulate.ts';

export async function simulateInJobs(
  jobs: number,
  { runs, seed, ended, ...options }: SimulateOptions,
): Promise<Tally> {
  const tally = emptyTally();
  const startedAtMs = performance.now();
  const shares = Array.from({ length: jobs }, (_, index): Share => {
    const from = Math.floor((runs * index) / jobs);
    return { ...options, seed: seed + from, runs: Math.floor((runs * (index + 1)) / jobs) - from };
  });
  await Promise.all(
    shares.map((share) =>
      runShare(share, (report) => {
        if (report.kind === 'ended') return ended(report.run);
        add(tally, report.tally);
        for (const service of serviceNames) {
          count(seenPairs[service].payment, report.seenPairs[service].payment);
          count(seenPairs[service].refund, report.seenPairs[service].refund);
        }
      }),
    ),
  );
  tally.seconds = (performance.now() - startedAtMs) / 1000;
  return tally;
}

const started = new Set<ChildProcess>();
const endStarted = (): void => {
  for (const child of started) child.kill();
};

/** @throws Error when the process ends without a report about its share */
function runShare(share: Share, hear: (report: Report) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = fork(new URL('share.ts', import.meta.url), { serialization: 'advanced' });
    if (started.size === 0) process.once('exit', endStarted);
    started.add(child);
    let isTold = false;
    child.on('message', (message) => {
      const report = message as Report;
      isTold ||= report.kind === 'tally';
      hear(report);
    });
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      started.delete(child);
      if (isTold) resolve();
      else
        reject(
          new Error(
            `the process with the shops from seed ${share.seed} ended before they had: ${signal ?? code}`,
          ),
        );
    });
    child.send(share);
  });
}

function add(sum: Tally, more: Tally): void {
  const {
    runs,
    payments,
    refunds,
    reservations,
    bookings,
    requests,
    restarts,
    changes,
    carriedOver,
    formerRefunds,
    cpuSeconds,
    brokenRules,
  } = more;
  sum.runs += runs;
  sum.payments += payments;
  sum.refunds += refunds;
  sum.reservations += reservations;
  sum.bookings += bookings;
  sum.requests += requests;
  sum.restarts += restarts;
  sum.changes += changes;
  sum.carriedOver += carriedOver;
  sum.formerRefunds += formerRefunds;
  sum.cpuSeconds += cpuSeconds;
  count(sum.brokenRules, brokenRules);
}

function count<Key>(sum: Map<Key, number>, more: ReadonlyMap<Key, number>): void {
  for (const [key, times] of more) sum.set(key, (sum.get(key) ?? 0) + times);
}
