/** Which room answers which question of a screen. */
import { healthAnswerers } from '../manager/health/handlers.ts';
import type { NoticeBoard } from '../manager/health/notice-board.ts';
import type { ServiceMonitor } from '../manager/health/service-monitor.ts';
import { openSerialWire } from '../devices/serial-port.ts';
import { listSerialPorts } from '../devices/serial-ports.ts';
import type { Journal, JournalDamage } from '../journal/journal.ts';
import type { Office } from '../journal/office.ts';
import { type JournalReader, openJournalReader } from '../journal/reader.ts';
import type { Lane } from '../lane/lane.ts';
import { journalActionBook } from '../manager/people/action-book.ts';
import { managersAnswerers } from '../manager/people/handlers.ts';
import { FirstManager } from '../manager/people/first-manager.ts';
import { Managers } from '../manager/people/managers.ts';
import type { PinCost } from '../manager/people/pin.ts';
import { Sessions, usualSignsOutAfterMs } from '../manager/people/sessions.ts';
import { dayAnswerers } from '../manager/day/day.ts';
import { refundAnswerers } from '../manager/refunds/refunds.ts';
import { reconciliationAnswerers } from '../manager/reconciliation/handlers.ts';
import type { Clock } from '../domain/clock.ts';
import type { Ids } from '../domain/ids.ts';
import type { Log } from '../domain/log.ts';
import { DownloadStore } from '../server/download-store.ts';
import type { Handlers } from '../server/router.ts';
import type { Guard } from '../server/session.ts';
import type { ReadySettings } from '../settings/load.ts';
import { createSetup } from '../setup/setup.ts';
import type { Recreations } from '../setup/recreation.ts';
import { fetchHttp } from '../wallet/http/http.ts';
import { pointOfSaleCapabilities } from '../wallet/v10/point-of-sale/capabilities.ts';
import type { Counter } from './counter.ts';
import type { CounterSupervisor } from './counter-supervisor.ts';
import type { DataFolder } from './data-folder.ts';
import { reportsAccess } from './reports-access.ts';
import { setupHost } from './setup-host.ts';
import { terminalVersion } from './version.ts';

interface HandlersOptions {
  /** null: not set up yet. */
  readonly counter: () => Counter | null;
  readonly supervisor: CounterSupervisor;
  readonly recreations: Recreations;
  readonly folder: DataFolder;
  readonly journal: Journal & Office;
  readonly serviceWatch: ServiceMonitor;
  readonly notices: NoticeBoard;
  readonly displaysPort: () => Promise<number | null>;
  readonly journalDamage: () => JournalDamage | null;
  readonly damageNoted: () => void;
  readonly journalCheckedMs: () => number | null;
  readonly recentLog: () => readonly string[];
  readonly signsOutAfterMs: number | undefined;
  readonly pinCost: PinCost | undefined;
  /** There are settings: a first manager is not anybody. */
  readonly isSetUp: () => boolean;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

interface ScreenAnswers {
  readonly answerers: Handlers;
  readonly guard: Guard;
  /** Whether this counter needs a first manager may be another answer by now. */
  announceFirstManager(): void;
  endSetup(): Promise<void>;
  close(): void;
}

export function createAnswerers(options: HandlersOptions): ScreenAnswers {
  const { counter, folder, journal, clock, ids, log, signsOutAfterMs = usualSignsOutAfterMs } = options;
  const downloads = new DownloadStore({ clock, ids });
  const managers = new Managers({ path: folder.managers, clock, ids, log, cost: options.pinCost });
  const firstManager = new FirstManager({ managers, isSetUp: options.isSetUp, path: folder.firstManagerCode, clock, log });
  const sessions = new Sessions({ managers, firstManager, book: journalActionBook(journal), notices: options.notices, clock, log, signsOutAfterMs });
  const health = healthAnswerers({
    ...options,
    lanes: () => counter()?.lanes.map((lane) => lane.snapshot()) ?? null,
    serviceKind: () => counter()?.service ?? 'real',
    service: options.serviceWatch,
    notices: () => options.notices.list(),
    dataFolder: folder.path,
    journal: folder.journal,
    version: terminalVersion,
    startedMs: clock.wallMs(),
    downloads,
    openReader: () => openJournalReader(folder.journal),
    settings: () => counter()?.settings ?? null,
    known: () => [...secretsOf(counter()?.settings), ...managers.list().map(({ name }) => name)],
  });
  // Opened by the first who reads, and kept: a counter without a manager has no use for it.
  let opened: JournalReader | null = null;
  const reader = (): JournalReader => (opened ??= openJournalReader(folder.journal));
  const lanes = (): readonly Lane[] => counter()?.lanes ?? [];
  const shopName = (): string | null => counter()?.settings.shop?.name ?? null;
  const reconciliation = reconciliationAnswerers({
    access: () => reportsAccess(counter()),
    storePath: folder.reconciliation,
    journalPath: folder.journal,
    office: journal,
    reader,
    downloads,
    clock,
    log,
  });
  const setup = createSetup({
    host: setupHost({ ...options, handOver: (session) => sessions.handOver(session) }),
    dataFolder: folder.path,
    downloads,
    network: { send: fetchHttp, clock, log, clientVersion: terminalVersion },
    listSerialPorts,
    openSerialWire,
    clock,
    ids,
    log,
  });
  return {
    answerers: {
      ...downloads.answerers,
      ...dayAnswerers({ reader, office: journal, lanes, clock }),
      ...reconciliation.answerers,
      ...refundAnswerers({
        reader,
        lane: (laneId) => lanes().find(({ id }) => id === laneId),
        shopName,
        capabilities: pointOfSaleCapabilities,
        clock,
      }),
      ...managersAnswerers({ managers, sessions, signsOutAfterMs }),
      ...health,
      ...setup.answerers,
    },
    guard: sessions,
    announceFirstManager: () => void firstManager.announce(),
    endSetup: () => setup.close(),
    close() {
      reconciliation.close();
      opened?.close();
    },
  };
}

function secretsOf(settings: ReadySettings | undefined): string[] {
  if (settings === undefined) return [];
  const { wallet, lanes } = settings;
  const ofWallet = 'simulator' in wallet ? [] : [wallet.clientSecret, wallet.reportingKey];
  return [...ofWallet, ...lanes.map(({ till }) => till.password)].filter((secret): secret is string => secret !== undefined && secret !== '');
}
