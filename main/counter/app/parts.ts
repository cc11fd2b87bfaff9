import { type JournalReader, openJournalReader } from '../../core/journal/reader.ts';
import { openSqliteJournal, type SqliteJournal } from '../../core/journal/sqlite-journal.ts';
import { JournalCondition } from '../manager/health/journal-condition.ts';
import { NoticeBoard } from '../manager/health/notice-board.ts';
import { CheckedClock } from '../../core/domain/checked-clock.ts';
import { Recreations } from '../setup/recreation.ts';
import { ServiceMonitor } from '../../wallets/http/service-monitor.ts';
import { type DataFolder, openDataFolder } from './data-folder.ts';
import { StickerRecords } from './sticker-records.ts';
import { LaneChanges } from './lane-changes.ts';
import { Refusals } from '../../tills/nexo/refusals.ts';
import { TerminalIds } from './terminal-ids.ts';
import { TillLanguages } from './till-languages.ts';
import { TillRecordings } from './till-recordings.ts';
import type { System } from './system.ts';
import { builtMs } from './version.ts';

/** The parts that all areas share. They live as long as the process, also when settings change. */
export interface Parts extends System {
  readonly clock: CheckedClock;
  readonly folder: DataFolder;
  readonly journal: SqliteJournal;
  readonly journalReader: ReaderOnce;
  readonly journalCondition: JournalCondition;
  readonly changes: LaneChanges;
  readonly notices: NoticeBoard;
  readonly serviceMonitor: ServiceMonitor;
  /** Whether it is known what time it is. */
  readonly isTimeKnown: () => boolean;
  readonly recreations: Recreations;
  readonly madeStickers: StickerRecords;
  readonly recordings: TillRecordings;
  readonly tillLanguages: TillLanguages;
  readonly terminalIds: TerminalIds;
  readonly nexoRefusals: Refusals;
}

/** Opened at its first use: a counter whose day nobody closes or looks at does not need it. */
export interface ReaderOnce {
  readonly get: () => JournalReader;
  close(): void;
}

export function readerOnce(path: string): ReaderOnce {
  let opened: JournalReader | null = null;
  return {
    get: () => (opened ??= openJournalReader(path)),
    close: () => opened?.close(),
  };
}

/** @throws Error in plain words when the data folder or the journal cannot be used */
export function openParts(dataFolder: string, system: System): Parts {
  const { log } = system;
  const clock = new CheckedClock({ system: system.clock, builtMs, log });
  const folder = openDataFolder(dataFolder, clock, log);
  const changes = new LaneChanges();
  const journalCondition = new JournalCondition({
    clock,
    log,
    changed: () => changes.notify(null),
  });
  const journal = openSqliteJournal(folder.journal, clock, {
    checkSlowly: true,
    damaged: (damage) => journalCondition.damaged(damage),
    checked: () => journalCondition.checked(),
  });
  clock.notBefore(journal.newestAtMs() ?? 0);
  // Also damage that an earlier start found, until a manager has noted it.
  const damage = journal.damageToNote();
  if (damage !== null) journalCondition.show(damage);
  return {
    ...system,
    clock,
    folder,
    journal,
    journalReader: readerOnce(folder.journal),
    journalCondition,
    changes,
    notices: new NoticeBoard(clock),
    serviceMonitor: new ServiceMonitor({
      clock,
      log,
      compareClock: (dateMs) => clock.serviceSays(dateMs),
    }),
    isTimeKnown: () => clock.state !== 'unknown',
    recreations: new Recreations(folder.recreations, log),
    madeStickers: new StickerRecords(folder.madeStickers, log),
    recordings: new TillRecordings({
      folder: folder.recordings,
      untilPath: folder.recording,
      clock,
      log,
    }),
    nexoRefusals: new Refusals({ path: folder.nexoRefusals, clock, log }),
    tillLanguages: new TillLanguages({ path: folder.tillLanguages, clock, log }),
    terminalIds: new TerminalIds({
      path: folder.terminalIds,
      log,
      isUsed: (laneId) => journal.newestSales(laneId, 1).length > 0,
    }),
  };
}
