import { hostname } from 'node:os';
import type { Hono } from 'hono';
import type { Clock } from '../../core/domain/clock.ts';
import type { Log } from '../../core/domain/log.ts';
import type { Settlement } from '../../core/settlement/payment-or-refund.ts';
import { tillLinks } from '../../core/domain/till-links.ts';
import { bytesOf } from '../../core/journal/files.ts';
import type { LaneCondition, LaneSnapshot } from '../../core/lane/snapshot.ts';
import type { ServiceCall } from '../../wallets/http/transport.ts';
import { freeBytesNow } from '../../support/disk-space.ts';
import { Metrics } from './metrics.ts';
import {
  metricsPage,
  type MonitoringPages,
  refusedToPages,
  statusPages,
} from './monitoring-pages.ts';
import { type Readiness, readinessOf, restoredAndWaiting } from './readiness.ts';
import { watchSettlement } from './settlement-watch.ts';
import { Tracer, type TracesTo } from './tracer.ts';

export interface MonitoringOptions {
  /** null while the counter is not set up. */
  readonly lanes: () =>
    | readonly { readonly condition: LaneCondition; snapshot(): LaneSnapshot }[]
    | null;
  readonly service: {
    readonly awaySinceMs: number | null;
    readonly clockOffSeconds: number | null;
  };
  /** null when nothing is traced. */
  readonly traces: () => TracesTo | null;
  /** Whether the counter was restored and waits for a manager to confirm it. */
  readonly isRestored?: () => boolean;
  /** Missing or null when the daemon does not update itself. */
  readonly update?: () => { readonly state: string } | null;
  readonly dataFolder: string;
  /** Path of the journal's file. */
  readonly journal: string;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** A page of metrics is reused for this long, so that requests in a loop do not delay payments. */
const pageKeptMs = 1_000;

/** The daemon's status, metrics and traces for other programs. It only observes payments. */
export class Monitoring {
  readonly #options: MonitoringOptions;
  readonly #metrics: Metrics;
  readonly #tracer: Tracer;
  readonly #stopWatchingLoop: () => void;
  #page: { readonly atMs: number; readonly text: Promise<string> } | null = null;
  readonly #startedMs: number;

  constructor(options: MonitoringOptions) {
    this.#options = options;
    this.#startedMs = options.clock.wallMs();
    this.#metrics = new Metrics((metrics) => this.#collect(metrics));
    this.#tracer = new Tracer({
      ...options,
      to: options.traces,
      host: hostname(),
      dropped: (count) => this.#metrics.count('tillbeacon_trace_spans_dropped_total', {}, count),
    });
    this.#stopWatchingLoop = watchLoopDelay((seconds) =>
      this.#metrics.observe('tillbeacon_event_loop_delay_seconds', {}, seconds),
    );
  }

  readiness(): Readiness {
    if (this.#options.isRestored?.() === true) return restoredAndWaiting;
    return readinessOf(this.#options.lanes()?.map(({ condition }) => condition) ?? null);
  }

  get pages(): MonitoringPages {
    return { readiness: () => this.readiness(), metrics: () => this.#pageNow() };
  }

  /** The pages for this machine: any program may read them, but no page of a web site. */
  addPages(app: Hono): void {
    statusPages(app, this.pages);
    metricsPage(app, this.pages, refusedToPages);
  }

  /** Observes a lane's payments and refunds. */
  observerOf(laneId: string): (first: Settlement) => (next: Settlement) => void {
    const { clock } = this.#options;
    return (first) =>
      watchSettlement(laneId, first, { metrics: this.#metrics, tracer: this.#tracer, clock });
  }

  readonly serviceCalled = ({ operation, polled, result, ms }: ServiceCall): void => {
    this.#metrics.observe('tillbeacon_service_request_seconds', { operation }, ms / 1000);
    if (polled) this.#metrics.count('tillbeacon_polls_total', { operation });
    if (result !== 'answered')
      this.#metrics.count('tillbeacon_service_errors_total', { operation, error: result });
  };

  async close(): Promise<void> {
    this.#stopWatchingLoop();
    await this.#tracer.close();
  }

  #pageNow(): Promise<string> {
    const nowMs = this.#options.clock.monotonicMs();
    if (this.#page === null || nowMs - this.#page.atMs >= pageKeptMs)
      this.#page = { atMs: nowMs, text: this.#metrics.page() };
    return this.#page.text;
  }

  #collect(metrics: Metrics): void {
    const { lanes, service, dataFolder, journal, version } = this.#options;
    metrics.set('tillbeacon_info', { version, node: process.versions.node }, 1);
    metrics.set('tillbeacon_ready', {}, Number(this.readiness().isReady));
    metrics.set('tillbeacon_service_reachable', {}, Number(service.awaySinceMs === null));
    if (service.clockOffSeconds !== null)
      metrics.set('tillbeacon_clock_off_seconds', {}, service.clockOffSeconds);
    metrics.set('tillbeacon_journal_bytes', {}, bytesOf(journal) + bytesOf(`${journal}-wal`));
    const free = freeBytes(dataFolder);
    if (free !== null) metrics.set('tillbeacon_disk_free_bytes', {}, free);
    const update = this.#options.update?.() ?? null;
    if (update !== null) {
      metrics.set('tillbeacon_update_waiting', {}, Number(update.state === 'waiting'));
      metrics.set(
        'tillbeacon_update_failed',
        {},
        Number(['failed', 'expired', 'takenBack'].includes(update.state)),
      );
    }
    metrics.set('process_resident_memory_bytes', {}, process.memoryUsage.rss());
    metrics.set('process_start_time_seconds', {}, this.#startedMs / 1000);
    for (const lane of lanes() ?? []) this.#collectLane(metrics, lane.snapshot());
  }

  #collectLane(
    metrics: Metrics,
    { laneId: lane, condition, currency, till, unsettled }: LaneSnapshot,
  ): void {
    metrics.set('tillbeacon_lane_takes_payments', { lane }, Number(condition.kind === 'open'));
    for (const state of tillLinks)
      metrics.set('tillbeacon_till_link', { lane, state }, Number(state === till.state));
    metrics.set('tillbeacon_unsettled', { lane }, unsettled.length);
    metrics.set(
      'tillbeacon_unsettled_needs_person',
      { lane },
      unsettled.filter(({ problem }) => problem !== null).length,
    );
    const oldestMs = Math.min(...unsettled.map(({ sinceMs }) => sinceMs));
    metrics.set(
      'tillbeacon_unsettled_oldest_seconds',
      { lane },
      unsettled.length === 0 ? 0 : Math.max(0, this.#options.clock.wallMs() - oldestMs) / 1000,
    );
    const sums = new Map<string, number>([[currency, 0]]);
    for (const { currency: of, amountMinor } of unsettled)
      sums.set(of, (sums.get(of) ?? 0) + amountMinor);
    for (const [of, sum] of sums)
      metrics.set('tillbeacon_unsettled_minor_units', { lane, currency: of }, sum);
  }
}

function freeBytes(folder: string): number | null {
  try {
    return freeBytesNow(folder);
  } catch {
    return null;
  }
}

/**
 * Each tick wakes the processor: fifty ticks a second took a third of the processor time of an idle
 * daemon.
 */
const tickMs = 100;
const ticksOfAReport = 10;

/**
 * Reports each second how late the event loop was at most, in seconds. Does not keep the process
 * alive. Node's `monitorEventLoopDelay` does not count the tick after each reset: of delays near
 * the end of a second it misses some. @returns ends it
 */
export function watchLoopDelay(report: (seconds: number) => void): () => void {
  let tickedAtMs = performance.now();
  let latestMs = 0;
  let ticks = 0;
  const timer = setInterval(() => {
    const nowMs = performance.now();
    latestMs = Math.max(latestMs, nowMs - tickedAtMs - tickMs);
    tickedAtMs = nowMs;
    ticks += 1;
    if (ticks % ticksOfAReport !== 0) return;
    report(latestMs / 1_000);
    latestMs = 0;
  }, tickMs).unref();
  return () => clearInterval(timer);
}
