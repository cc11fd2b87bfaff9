/** Every procedure's handler, from the areas that implement them, and the router to them. */
import { openSerialWire } from '../devices/serial-port.ts';
import { listSerialPorts } from '../devices/serial-ports.ts';
import type { Notice } from '../../core/domain/notices.ts';
import { type ShopOnPaper, unnamedShop } from '../../core/domain/shop.ts';
import { openJournalReader } from '../../core/journal/reader.ts';
import type { Lane } from '../../core/lane/lane.ts';
import { backupHandlers } from '../manager/backup/backup-handlers.ts';
import { restoringHandlers } from '../manager/backup/restore-handlers.ts';
import { restoredHandlers } from '../manager/restored/restored-handlers.ts';
import { dayHandlers } from '../manager/day/day-handlers.ts';
import type { HealthSources } from '../manager/health/health.ts';
import { healthHandlers } from '../manager/health/health-handlers.ts';
import { reconciliationHandlers } from '../manager/reconciliation/reconciliation-handlers.ts';
import { reservationHandlers } from '../manager/reservations/reservations-handlers.ts';
import { refundHandlers } from '../manager/refunds/refunds-handlers.ts';
import { tillTokenHandlers } from '../manager/till-tokens/till-tokens-handlers.ts';
import { DownloadStore } from '../server/download-store.ts';
import { type Handlers, Router } from '../server/router.ts';
import type { ReadySettings } from '../settings/load.ts';
import { createSetup } from '../setup/setup.ts';
import type { Tokens } from '../../tills/http/tokens.ts';
import { fetchHttp } from '../../wallets/http/http.ts';
import { secretsIn } from '../settings/wallet.ts';
import { providerOf } from '../../wallets/wallet-providers.ts';
import type { ApiServer } from './api-server.ts';
import { counterHandlers } from './counter-handlers.ts';
import type { CounterSupervisor } from './counter-supervisor.ts';
import type { DisplayServer } from './display-server.ts';
import type { Parts } from './parts.ts';
import type { People } from './people.ts';
import type { OpenProcedures } from './procedures.ts';
import { reportsAccess } from './reports-access.ts';
import { setupHost } from './counter-setup-host.ts';
import type { Starts } from '../../../preload/procedures/health.ts';
import { terminalVersion } from './version.ts';
import { secretsOfTill } from '../../tills/protocols.ts';

export interface ProceduresOptions {
  readonly supervisor: CounterSupervisor;
  readonly people: People;
  readonly displays: DisplayServer;
  readonly api: ApiServer;
  readonly tokens: Tokens;
  /** See `ApplicationOptions`. */
  readonly restart: (() => void) | null;
  /** Path of the settings; null when they are in no file. */
  readonly settingsFile: string | null;
  /** The newest lines of the log, for the diagnostics bundle. */
  readonly recentLog: () => readonly string[];
  readonly update: NonNullable<HealthSources['update']>;
  /** When this process started, as milliseconds since the epoch. */
  readonly startedMs: number;
  /** See `ApplicationOptions`. */
  readonly starts: () => Starts;
  readonly thisPc: Handlers;
  /** See `ApplicationOptions`. */
  readonly ownNotices: () => readonly Notice[];
}

export function openProcedures(
  parts: Parts,
  {
    supervisor,
    people,
    displays,
    api,
    tokens,
    restart,
    settingsFile,
    recentLog,
    update,
    startedMs,
    starts,
    thisPc,
    ownNotices,
  }: ProceduresOptions,
): OpenProcedures {
  const {
    folder,
    journal,
    journalReader: reader,
    journalCondition,
    notices,
    serviceMonitor,
    clock,
    ids,
    log,
  } = parts;
  const counter = () => supervisor.counter;
  const lanes = (): readonly Lane[] => counter()?.lanes ?? [];
  const shop = (): ShopOnPaper => counter()?.shop ?? unnamedShop;
  const downloads = new DownloadStore({ clock, ids });
  const health = healthHandlers({
    lanes: () => counter()?.lanes.map((lane) => lane.snapshot()) ?? null,
    serviceKind: () => counter()?.service ?? 'real',
    service: serviceMonitor,
    isTimeKnown: parts.isTimeKnown,
    notices: () => [
      ...ownNotices().map((notice) => ({
        ...notice,
        count: 1,
        firstMs: startedMs,
        lastMs: clock.wallMs(),
      })),
      ...notices.list(),
    ],
    dataFolder: folder.path,
    journal: folder.journal,
    journalCondition,
    version: terminalVersion,
    update,
    startedMs,
    starts,
    clock,
    downloads,
    openReader: () => openJournalReader(folder.journal),
    recentLog,
    settings: () => counter()?.settings ?? null,
    recordings: parts.recordings,
    secrets: () => [
      ...secretsOf(counter()?.settings),
      ...people.managers.list().map(({ name }) => name),
    ],
  });
  const reconciliation = reconciliationHandlers({
    access: () => reportsAccess(counter()),
    storePath: folder.reconciliation,
    journalPath: folder.journal,
    records: journal,
    reader: reader.get,
    laneNames: () => Object.fromEntries(lanes().map(({ id, name }) => [id, name])),
    downloads,
    clock,
    log,
  });
  const isEmpty = (): boolean =>
    supervisor.fileState.state === 'none' &&
    counter() === null &&
    folder.restored.waiting === null &&
    reader.get().newestSeq() === 0;
  const restoring =
    restart &&
    restoringHandlers({
      dataFolder: folder.path,
      isEmpty,
      restart,
      version: terminalVersion,
      clock,
      log,
    });
  const setup = createSetup({
    host: setupHost(parts, {
      supervisor,
      displays,
      api,
      tokens,
      handOver: (session) => people.sessions.handOver(session),
      requirePerson: (session) => people.sessions.requirePerson(session),
      starts,
      lockedKeyStore: () =>
        ownNotices().find(({ code }) => code === 'keyStoreLocked')?.subject ?? null,
      canRestore: () => restart !== null && isEmpty(),
    }),
    dataFolder: folder.path,
    downloads,
    network: {
      send: fetchHttp,
      clock,
      compareClock: (dateMs) => clock.serviceSays(dateMs),
      log,
      clientVersion: terminalVersion,
    },
    listSerialPorts,
    openSerialWire,
    clock,
    ids,
    log,
  });
  const handlers: Handlers = {
    ...backupHandlers({
      dataFolder: folder.path,
      settingsFile,
      version: terminalVersion,
      downloads,
      clock,
      log,
    }),
    ...counterHandlers(counter),
    ...downloads.handlers,
    ...dayHandlers({
      reader: reader.get,
      journal,
      lanes,
      shop,
      isTimeKnown: parts.isTimeKnown,
      downloads,
      clock,
    }),
    ...reconciliation.handlers,
    ...refundHandlers({
      reader: reader.get,
      lanes,
      service: () => {
        const now = counter();
        if (now === null) return null;
        const storeIds = [
          ...new Set(now.settings.lanes.flatMap(({ pointOfSale }) => pointOfSale.storeId ?? [])),
        ];
        return { payments: now.inUse.merchantPayments, storeIds };
      },
      shop,
      capabilities: (payment) => providerOf(payment).capabilities,
      clock,
    }),
    ...reservationHandlers({ lanes }),
    ...restoring?.handlers,
    ...restoredHandlers({ folder: folder.restored, open: () => supervisor.startRestored() }),
    ...tillTokenHandlers({
      tokens,
      lanes: () =>
        [...(counter()?.httpCounters.keys() ?? [])].map((laneId) => ({
          laneId,
          name: lanes().find(({ id }) => id === laneId)?.name ?? laneId,
        })),
      address: () => api.address(),
    }),
    ...people.handlers,
    ...health,
    ...setup.handlers,
    ...thisPc,
  };
  return {
    router: new Router({ handlers, middleware: people.sessions, log }),
    endSetup: () => setup.close(),
    close() {
      reconciliation.close();
      downloads.close();
      restoring?.close();
    },
  };
}

function secretsOf(settings: ReadySettings | undefined): string[] {
  if (settings === undefined) return [];
  const { wallet, formerWallet = {}, lanes, monitoring, receiver } = settings;
  return [
    ...secretsIn(wallet),
    ...secretsIn(formerWallet),
    receiver?.token,
    monitoring?.metrics?.token,
    monitoring?.traces?.token,
    ...lanes.flatMap(({ till }) => secretsOfTill(till)),
  ].filter((secret): secret is string => secret !== undefined && secret !== '');
}
