/**
 * Reconciliation with the reporting interface. One period is read and matched at a time; opened
 * periods are kept until newer ones replace them.
 */
import { setImmediate } from 'node:timers/promises';
import type {
  Filter,
  FormerProblem,
  JobState,
  Period,
  ReadProblem,
  RowStory,
  Sort,
  Summary,
  Transfer,
} from '../../../../preload/procedures/reconciliation.ts';
import { attachSettled, isAnySettledAt } from '../../../core/journal/settled.ts';
import type { Clock } from '../../../core/domain/clock.ts';
import type { Log } from '../../../core/domain/log.ts';
import type { ServiceName } from '../../../core/domain/sale.ts';
import {
  CredentialsRefusedError,
  ServiceRefusedError,
  ServiceUnreachableError,
  WalletError,
} from '../../../wallets/http/errors.ts';
import { bankLines } from './bank-lines.ts';
import { exportRows } from './export.ts';
import type { ExportOptions } from './export-sheet.ts';
import { type OpenedPeriod, openPeriod, type WholeRow } from './opened.ts';
import { maxDaysCarried, dayMs, periodKey, spanOf, transferDays } from './period.ts';
import type { ReportRequest, ReadProgress, ReportReader } from './report-reader.ts';
import { isCorrupt } from '../../../support/sqlite-errors.ts';
import { forgetStore, openStore, type ReconciliationStore } from './store.ts';
import { messageOf } from '../../../core/domain/errors.ts';

const maxOpened = 2;

const everything: Filter = { category: 'all', transferId: null, text: '' };

export interface ReconciliationOptions {
  readonly storePath: string;
  readonly journalPath: string;
  readonly reports: ReportReader;
  /**
   * The previous service, for periods with its payments. `reports` is null without a key for its
   * reports.
   */
  readonly former?: { readonly service: ServiceName; readonly reports: ReportReader | null } | null;
  /** The names of this counter's points of sale. */
  readonly posNames: readonly string[];
  readonly clock: Clock;
  readonly log: Log;
}

interface Opened {
  readonly period: Period;
  readonly problem: ReadProblem | null;
  readonly formerProblem: FormerProblem | null;
  readonly asOfMs: number | null;
  readonly view: OpenedPeriod;
}

/** Answers are null when the period is not open. */
export class Reconciliation {
  readonly #options: ReconciliationOptions;
  #store: ReconciliationStore | null = null;
  #state: JobState = { kind: 'idle' };
  #job: { readonly abort: AbortController; readonly ended: Promise<void> } | null = null;
  /** The opened periods in the order of their last use. */
  readonly #opened = new Map<string, Opened>();
  #exporting: { readonly abort: AbortController; rows: number; readonly of: number } | null = null;

  constructor(options: ReconciliationOptions) {
    this.#options = options;
  }

  /** Resolves when the period is ready, or after `patienceMs`. */
  async open(period: Period, again: boolean, patienceMs: number): Promise<JobState> {
    const before = this.#job;
    before?.abort.abort();
    const abort = new AbortController();
    const ended = Promise.resolve(before?.ended).then(() => this.#run(period, again, abort.signal));
    this.#job = { abort, ended };
    let cancel = (): void => {};
    await Promise.race([
      ended,
      new Promise<void>((resolve) => (cancel = this.#options.clock.after(patienceMs, resolve))),
    ]);
    cancel();
    return this.#state;
  }

  state(): { job: JobState; exported: { rows: number; of: number } | null } {
    return {
      job: this.#state,
      exported: this.#exporting && { rows: this.#exporting.rows, of: this.#exporting.of },
    };
  }

  async cancel(what: 'reading' | 'export'): Promise<void> {
    if (what === 'export') return this.#exporting?.abort.abort();
    this.#job?.abort.abort();
    await this.#job?.ended;
  }

  summary(period: Period): Summary | null {
    const opened = this.#find(period);
    return (
      opened && {
        period,
        problem: opened.problem,
        formerProblem: opened.formerProblem,
        asOfMs: opened.asOfMs,
        ...opened.view.summary(),
      }
    );
  }

  transfers(
    period: Period,
    from: number,
    count: number,
  ): { total: number; transfers: Transfer[] } | null {
    return this.#find(period)?.view.transfers(from, count) ?? null;
  }

  rows(
    period: Period,
    filter: Filter,
    sort: Sort,
    from: number,
    count: number,
  ): { total: number; rows: WholeRow[] } | null {
    return this.#find(period)?.view.rows(filter, sort, from, count) ?? null;
  }

  /** Everything except the journal's part. */
  story(
    period: Period,
    rowId: number,
  ):
    | (Pick<RowStory, 'subject' | 'saleId' | 'paymentId' | 'bank'> & { readonly row: WholeRow })
    | null {
    const row = this.#find(period)?.view.row(rowId);
    if (row === undefined || row === null || this.#store === null) return null;
    const { subject, saleId, paymentId } = row;
    return { row, subject, saleId, paymentId, bank: bankLines(this.#store.db, row) };
  }

  /**
   * A file with every row. The result is `cancelled` after `cancel`, or when another export began.
   */
  async exportFile(
    period: Period,
    sort: Sort,
    options: ExportOptions,
  ): Promise<Uint8Array | 'cancelled' | null> {
    const opened = this.#find(period);
    if (opened === null) return null;
    this.#exporting?.abort.abort();
    const { total } = opened.view.rows(everything, sort, 0, 1);
    const exporting = { abort: new AbortController(), rows: 0, of: total };
    this.#exporting = exporting;
    try {
      return await exportRows(this.#pages(opened, sort, exporting), options);
    } catch (error) {
      if (exporting.abort.signal.aborted) return 'cancelled';
      if (this.#find(period) !== opened) return null;
      throw error;
    } finally {
      if (this.#exporting === exporting) this.#exporting = null;
    }
  }

  async close(): Promise<void> {
    await this.cancel('export');
    await this.cancel('reading');
    this.#forget();
  }

  /** Reads in pages, so that other requests are answered in between. */
  async *#pages(
    opened: Opened,
    sort: Sort,
    exporting: { readonly abort: AbortController; rows: number },
  ): AsyncGenerator<WholeRow> {
    for (let from = 0; ; from += 1_000) {
      await setImmediate();
      exporting.abort.signal.throwIfAborted();
      if (this.#find(opened.period) !== opened)
        throw new Error('the period was closed, or read anew, while it was exported');
      const { rows } = opened.view.rows(everything, sort, from, 1_000);
      if (rows.length === 0) return;
      yield* rows;
      exporting.rows = from + rows.length;
    }
  }

  async #run(period: Period, again: boolean, signal: AbortSignal): Promise<void> {
    const { reports, clock, log } = this.#options;
    this.#state = {
      kind: 'reading',
      period,
      doneTransfers: 0,
      totalTransfers: null,
      transactions: 0,
    };
    try {
      signal.throwIfAborted();
      const store = this.#openStore();
      const span = spanOf(period);
      const progress = (read: ReadProgress): void => {
        this.#state = { kind: 'reading', period, ...read };
      };
      const request = { store, span, again, signal, progress };
      const problem = await this.#read(reports, request);
      const formerProblem = await this.#readFormer(request);
      signal.throwIfAborted();
      this.#state = { kind: 'matching', period };
      // Matching blocks this thread, so waiting requests are answered first.
      await setImmediate();
      const asOfMs = reports.points.length === 0 ? null : store.readAtMs(transferDays(span));
      this.#keep({
        period,
        problem,
        formerProblem,
        asOfMs,
        view: openPeriod(store.db, {
          span,
          posNames: this.#options.posNames,
          nowMs: clock.wallMs(),
        }),
      });
      this.#state = { kind: 'ready', period, problem };
    } catch (error) {
      if (signal.aborted) {
        this.#state = { kind: 'cancelled', period };
        return;
      }
      log.error(
        { error: error instanceof Error ? error.stack : String(error) },
        'a period could not be reconciled',
      );
      this.#state = { kind: 'failed', period, detail: messageOf(error) };
      if (isCorrupt(error)) {
        this.#forget();
        forgetStore(this.#options.storePath);
      }
    }
  }

  async #read(reports: ReportReader, request: ReportRequest): Promise<ReadProblem | null> {
    try {
      await reports.read(request);
      return null;
    } catch (error) {
      if (request.signal.aborted || !(error instanceof WalletError)) throw error;
      this.#options.log.warn(
        { error: error.message },
        'the reports of the service could not be read',
      );
      return problemOf(error);
    }
  }

  /**
   * What happened before the change is in its reports alone. It may have ended since, so nothing
   * else is asked of it.
   */
  async #readFormer(request: ReportRequest): Promise<FormerProblem | null> {
    const { former } = this.#options;
    const { fromMs, toMs } = request.span;
    if (
      former == null ||
      !isAnySettledAt(request.store.db, former.service, {
        fromMs: fromMs - maxDaysCarried * dayMs,
        toMs,
      })
    )
      return null;
    return former.reports === null ? 'noKey' : this.#read(former.reports, request);
  }

  #openStore(): ReconciliationStore {
    if (this.#store !== null) return this.#store;
    const store = openStore(this.#options.storePath);
    try {
      attachSettled(store.db, this.#options.journalPath);
    } catch (error) {
      store.close();
      throw error;
    }
    return (this.#store = store);
  }

  #keep(opened: Opened): void {
    const key = periodKey(opened.period);
    this.#opened.get(key)?.view.close();
    this.#opened.delete(key);
    this.#opened.set(key, opened);
    for (const [old, { view }] of [...this.#opened].slice(0, -maxOpened)) {
      view.close();
      this.#opened.delete(old);
    }
  }

  #find(period: Period): Opened | null {
    return this.#opened.get(periodKey(period)) ?? null;
  }

  #forget(): void {
    this.#opened.clear();
    this.#store?.close();
    this.#store = null;
  }
}

function problemOf(error: WalletError): ReadProblem {
  if (error instanceof ServiceUnreachableError) return 'unreachable';
  return error instanceof CredentialsRefusedError || error instanceof ServiceRefusedError
    ? 'refused'
    : 'unexpected';
}
