import type { Broken, Rule } from './rules.ts';
import { runShop } from './shop.ts';
import type { ShopService } from './wallets.ts';

export interface Ended {
  readonly seed: number;
  readonly broken: readonly Broken[];
  /** The lines of its story, when somebody wants to read it. */
  readonly lines: readonly string[];
}

export interface Tally {
  runs: number;
  payments: number;
  refunds: number;
  reservations: number;
  bookings: number;
  requests: number;
  restarts: number;
  /** Number of changes to another service. */
  changes: number;
  /** Payments and refunds that were not settled at the change. */
  carriedOver: number;
  /** Refunds, begun after the change, of payments of the former service. */
  formerRefunds: number;
  /** The number of runs in which each rule was broken. */
  readonly brokenRules: Map<Rule, number>;
  seconds: number;
  /** Processor time of one core, without other processes. */
  cpuSeconds: number;
}

export interface SimulateOptions {
  readonly runs: number;
  /** Seed of the first run; each following run has the next number. */
  readonly seed: number;
  /** The same as in `runShop`. */
  readonly service?: ShopService | undefined;
  readonly sqliteEvery?: number;
  readonly story?: boolean;
  /** Ends earlier after this time. */
  readonly maxMs?: number;
  readonly ended: (run: Ended) => void;
}

export const emptyTally = (): Tally => ({
  runs: 0,
  payments: 0,
  refunds: 0,
  reservations: 0,
  bookings: 0,
  requests: 0,
  restarts: 0,
  changes: 0,
  carriedOver: 0,
  formerRefunds: 0,
  brokenRules: new Map(),
  seconds: 0,
  cpuSeconds: 0,
});

/** Runs one shop after another. It never throws for an error in a shop, which is a broken rule. */
export async function simulate({
  runs,
  seed: firstSeed,
  service,
  sqliteEvery,
  story = false,
  maxMs = Number.POSITIVE_INFINITY,
  ended,
}: SimulateOptions): Promise<Tally> {
  const tally = emptyTally();
  const startedAtMs = performance.now();
  const cpuBefore = process.cpuUsage();
  const uncaught: string[] = [];
  const onUncaught = (error: unknown): void =>
    void uncaught.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.on('unhandledRejection', onUncaught);
  try {
    while (tally.runs < runs && performance.now() - startedAtMs < maxMs) {
      const seed = firstSeed + tally.runs;
      tally.runs += 1;
      const lines: string[] = [];
      const result = await runShop({
        seed,
        service,
        ...(sqliteEvery !== undefined && { sqliteEvery }),
        ...(story && { story: lines }),
      });
      // Rejections that nobody handles are announced between two turns of Node's own loop.
      await new Promise((resolve) => setImmediate(resolve));
      const broken = [
        ...result.broken,
        ...uncaught.splice(0).map((what): Broken => ({ rule: 8, what })),
      ];
      tally.payments += result.payments;
      tally.refunds += result.refunds;
      tally.reservations += result.reservations;
      tally.bookings += result.bookings;
      tally.requests += result.requests;
      tally.restarts += result.restarts;
      tally.changes += result.changes;
      tally.carriedOver += result.carriedOver;
      tally.formerRefunds += result.formerRefunds;
      for (const rule of new Set(broken.map((one) => one.rule)))
        tally.brokenRules.set(rule, (tally.brokenRules.get(rule) ?? 0) + 1);
      ended({ seed, broken, lines });
    }
  } finally {
    process.off('unhandledRejection', onUncaught);
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  tally.seconds = (performance.now() - startedAtMs) / 1000;
  tally.cpuSeconds = (user + system) / 1_000_000;
  return tally;
}
