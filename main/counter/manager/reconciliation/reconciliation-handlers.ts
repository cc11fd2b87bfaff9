/**
 * Implements `preload/procedures/reconciliation.ts`: the rows come from the thread that reconciles,
 * the notes from the journal.
 */
import type { Period, Row } from '../../../../preload/procedures/reconciliation.ts';
import { Refusal } from '../../../../preload/procedures/procedure.ts';
import type { ManagerRecords } from '../../../core/journal/manager-records.ts';
import type { JournalReader } from '../../../core/journal/reader.ts';
import type { Clock } from '../../../core/domain/clock.ts';
import type { Log } from '../../../core/domain/log.ts';
import type { DownloadStore } from '../../server/download-store.ts';
import type { Handlers } from '../../server/router.ts';
import type { WholeRow } from './opened.ts';
import { startWorker, type WorkerLink } from './reconciliation-worker-link.ts';
import type { ReportsAccess } from './reconciliation-worker-data.ts';

/**
 * Stored reports are matched within a second or two. The answer waits for that, which saves the
 * page a second request.
 */
const patienceMs = 2_000;

const fileTypes = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

export interface ReconciliationHandlersOptions {
  /** null when the settings do not contain it. */
  readonly access: () => ReportsAccess | null;
  readonly storePath: string;
  readonly journalPath: string;
  readonly records: Pick<ManagerRecords, 'keepNote'>;
  readonly reader: () => Pick<JournalReader, 'reconciliationNotes'>;
  /** By id. */
  readonly laneNames: () => Readonly<Record<string, string>>;
  readonly downloads: DownloadStore;
  readonly clock: Clock;
  readonly log: Log;
}

export function reconciliationHandlers(options: ReconciliationHandlersOptions): {
  handlers: Handlers;
  close(): void;
} {
  const { access, storePath, journalPath, records, reader, laneNames, downloads, clock, log } =
    options;
  let link: WorkerLink | null = null;

  /** @throws Refusal `notSetUp` */
  function worker(): WorkerLink['calls'] {
    const now = access();
    if (now === null)
      throw new Refusal('notSetUp', 'the settings name no key for the reporting interface');
    const data = { ...now, storePath, journalPath };
    if (link !== null && !link.serves(data)) link.close();
    if (link !== null) return link.calls;
    const started: WorkerLink = startWorker(data, {
      clock,
      log,
      ended: () => {
        if (link === started) link = null;
      },
    });
    link = started;
    return link.calls;
  }

  const opened = <Answer>(answer: Answer | null, { from, to }: Period): Answer => {
    if (answer === null) throw new Refusal('notOpen', `the period ${from} to ${to} is not open`);
    return answer;
  };

  return {
    handlers: {
      reconciliationOpen: ({ period, again }) => worker().open(period, again, patienceMs),
      reconciliationState: () => worker().state(),
      async reconciliationCancel({ what }) {
        await worker().cancel(what);
        return {};
      },
      reconciliationSummary: async ({ period }) => opened(await worker().summary(period), period),
      reconciliationTransfers: async ({ period, from, count }) =>
        opened(await worker().transfers(period, from, count), period),
      async reconciliationRows({ period, filter, sort, from, count }) {
        const { total, rows } = opened(
          await worker().rows(period, filter, sort, from, count),
          period,
        );
        return { total, rows: rows.map(pageRow) };
      },
      async reconciliationStory({ period, rowId }) {
        const { row, ...story } = opened(await worker().story(period, rowId), period);
        const notes = reader().reconciliationNotes(story.subject);
        return {
          ...story,
          row: pageRow(row),
          notes: notes.map(({ number, atMs, manager, text }) => ({ number, atMs, manager, text })),
        };
      },
      reconciliationNote({ subject, text }, { manager }) {
        if (manager === null) throw new Refusal('pinNeeded', 'a note has an author');
        records.keepNote({ subject, text, manager: manager.name });
        return {};
      },
      async reconciliationExport({ period, sort, ...sheet }, session) {
        const content = opened(
          await worker().exportFile(period, sort, { ...sheet, laneNames: laneNames() }),
          period,
        );
        if (content === 'cancelled') throw new Refusal('cancelled', 'the export was given up');
        const { format, words } = sheet;
        return downloads.offer(session, {
          name: `${words.name} ${period.from} – ${period.to}.${format}`,
          type: fileTypes[format],
          content,
        });
      },
    },
    close: () => link?.close(),
  };
}

function pageRow({
  subject: _subject,
  saleId: _saleId,
  paymentId: _paymentId,
  noteTexts: _noteTexts,
  ...row
}: WholeRow): Row {
  return row;
}
