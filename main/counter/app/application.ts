/** The composition root: the one place that knows every area. */
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { PinCost } from '../manager/people/pin.ts';
import type { Served } from '../server/connection.ts';
import type { Handlers } from '../server/router.ts';
import { startScreensServer } from '../server/pages-server.ts';
import { ShopPictures } from '../server/shop-pictures.ts';
import type { Starts } from '../../../preload/procedures/health.ts';
import type { UpdateStatus } from '../../core/domain/update-status.ts';
import type { Notice } from '../../core/domain/notices.ts';
import { sleep } from '../../core/domain/clock.ts';
import { defaultPorts } from '../../core/domain/default-ports.ts';
import { checksOff } from '../../support/settings/certificate-checks.ts';
import { networkOf } from '../../support/settings/network-settings.ts';
import { SettingsFile } from '../settings/settings-file.ts';
import { DiskWatch } from '../../support/disk-space.ts';
import { FileGuard } from '../../support/file-guard.ts';
import { useNetwork } from '../../support/network.ts';
import { type Counter, openCounter } from './counter.ts';
import { CounterSupervisor, type SettingsSource } from './counter-supervisor.ts';
import { DisplayServer } from './display-server.ts';
import { openMoneyIn } from './open-money.ts';
import { openParts, type Parts } from './parts.ts';
import { demoManagerOf, makeDemoManager, openPeople } from './people.ts';
import { Procedures } from './procedures.ts';
import { serveAtPort } from './screens-port.ts';
import { Tokens } from '../../tills/http/tokens.ts';
import { ApiServer } from './api-server.ts';
import { MetricsServer } from './metrics-server.ts';
import { Monitoring } from '../monitoring/monitoring.ts';
import type { Readiness } from '../monitoring/readiness.ts';
import type { System } from './system.ts';
import { terminalVersion } from './version.ts';
import { createViews } from './views.ts';

/**
 * `port` is null for the data folder's own, which was chosen at its first start, and 0 for any free
 * one.
 */
export interface ScreensAt {
  readonly port: number | null;
}

/** Brings newer versions once it is started, until it is closed. */
export interface ProgramUpdater {
  readonly status: UpdateStatus | null;
  start(): void;
  close(): void;
}

export interface ApplicationOptions {
  /**
   * A settings file, which is watched while the daemon runs and which setup changes. Without
   * settings, the screens lead through setup.
   */
  readonly settings: SettingsSource;
  readonly dataFolder: string;
  /** Where browsers find the screens; null when only Electron's windows show them. */
  readonly screens: ScreensAt | null;
  /** Folder of the built screens. */
  readonly rendererFolder: string;
  /** Whether a till and a phone to try are added; needs the embedded simulator. */
  readonly demo: boolean;
  readonly system: System;
  /** The newest lines of the log, for the diagnostics bundle. */
  readonly recentLog?: () => readonly string[];
  /** What replaces this program by newer versions. Missing: nothing is updated. */
  readonly openUpdater?: (parts: Parts, counter: () => Counter | null) => ProgramUpdater;
  /**
   * Ends the desktop app to be started again, so that an empty counter can be restored from a
   * backup. Missing: it cannot be.
   */
  readonly restart?: () => void;
  /** How this program starts with its computer. */
  readonly starts?: () => Starts;
  /** What the desktop app knows of this computer that Health should say, as long as it holds. */
  readonly ownNotices?: () => readonly Notice[];
  /**
   * What pages may ask of the computer that shows them; missing when they are shown by browsers.
   */
  readonly thisPc?: Handlers;
  /** Limits that tests lower. */
  readonly limits?: Limits;
}

/** What only pages need is loaded after this time even when the lanes cannot open. */
const lanesFirstMs = 10_000;

export interface Limits {
  /** The cost of hashing a manager's PIN, instead of about a second. */
  readonly pinCost?: PinCost;
  /** A manager who does nothing for this long must sign in again. */
  readonly signsOutAfterMs?: number;
  /** How long a cashier waits for the answer to a cancel before leaving is offered. */
  readonly leaveAfterMs?: number;
}

export interface Application extends Served {
  /** A picture of the shop, `logo` or `picture`; null when the shop has no such picture. */
  picture(name: string): Promise<{ readonly type: string; readonly content: Uint8Array } | null>;
  /** Called when the computer was asleep: what may have ended meanwhile is checked now. */
  resumed(): void;
  /** Address of the screens, e.g. `http://127.0.0.1:4180`. */
  readonly screensUrl: string | null;
  /** The address of the HTTP API for tills that are software; null while it is not served. */
  readonly apiUrl: string | null;
  /** Where the embedded simulator answers; null when the wallet service is a real one. */
  readonly simulatorUrl: string | null;
  /**
   * The lanes in the order of the settings, with exact addresses; empty before the counter is set
   * up.
   */
  lanes(): { id: string; till: string }[];
  /** Resolves when every lane takes payments. */
  readonly ready: Promise<void>;
  /**
   * Resolves when everything is loaded: what only pages need comes after the lanes, or after ten
   * seconds without them.
   */
  readonly loaded: Promise<void>;
  /** Whether every lane takes payments now, as `/readyz` says it. */
  readiness(): Readiness;
  /** Closes within two seconds, also during a payment. */
  close(): Promise<void>;
}

/**
 * @throws Error in plain words when it can never work: the data folder, a TCP port, the screens'
 * port
 */
export async function startApplication(options: ApplicationOptions): Promise<Application> {
  const {
    settings,
    screens,
    rendererFolder,
    demo,
    system,
    recentLog = () => [],
    starts = () => ({ with: 'nothing', system: 'other' }),
    restart = null,
    thisPc = {},
    ownNotices = () => [],
    limits = {},
  } = options;
  const environment = settings instanceof SettingsFile ? settings.secrets.environment : {};
  // Setup needs the internet before there are settings.
  useNetwork(networkOf(environment));
  const parts = openParts(options.dataFolder, system);
  const { folder, journal, journalCondition, changes, notices, clock, log } = parts;
  const supervisor: CounterSupervisor = new CounterSupervisor({
    source: settings,
    // Not before `start` below, when monitoring is there too.
    open: (ready) => {
      useNetwork(networkOf(environment, ready.network));
      return openCounter(
        ready,
        {
          ...parts,
          monitoring,
          journalDamage: () => journalCondition.shown,
          changed: (laneId: string) => changes.notify(laneId),
        },
        {
          demo,
          booksPath: folder.simulatedBooks,
          checksOff: checksOff(environment),
          leaveAfterMs: limits.leaveAfterMs,
        },
      );
    },
    openMoney: () => openMoneyIn(folder.journal),
    recreations: parts.recreations,
    restored: folder.restored,
    clock,
    log,
  });
  const counter = (): Counter | null => supervisor.counter;
  const updater = options.openUpdater?.(parts, counter) ?? null;
  const monitoring = new Monitoring({
    lanes: () => counter()?.lanes ?? null,
    service: parts.serviceMonitor,
    traces: () => counter()?.settings.monitoring?.traces ?? null,
    isRestored: () => folder.restored.waiting !== null,
    update: () => updater?.status ?? null,
    dataFolder: folder.path,
    journal: folder.journal,
    version: terminalVersion,
    clock,
    log,
  });
  // A counter with a settings file, correct or not, belongs to somebody.
  const isSetUp = (): boolean =>
    supervisor.fileState.state !== 'none' || counter() !== null || folder.restored.waiting !== null;
  // A demonstration has nothing to protect.
  const people = openPeople(parts, { ...limits, isSetUp: () => !demo && isSetUp() });
  const pictures = new ShopPictures(folder.path, log);
  const demoManager = demo
    ? makeDemoManager(people.managers, log).then(() => changes.notify(null))
    : null;
  const disk = new DiskWatch({
    folder: folder.path,
    changed: () => changes.notify(null),
    clock,
    log,
  });
  const computer = () => ({
    clockOffSeconds: parts.serviceMonitor.clockOffSeconds,
    disk: disk.state,
  });
  const views = createViews({
    counter,
    pictures,
    changes,
    computer,
    clock,
    restored: () => folder.restored.waiting,
    isSetUp,
    demoManager: () => demoManagerOf(people.managers),
  });
  const pages = { rendererFolder, version: terminalVersion, views, pictures, log };
  const tokens = new Tokens({ path: folder.tillTokens, clock, ids: parts.ids, log });
  const displays = new DisplayServer({
    ...pages,
    clock,
    settings: () => counter()?.settings.screens?.customerDisplays ?? null,
  });
  const api = new ApiServer({
    reader: parts.journalReader.get,
    settings: () => counter()?.settings ?? null,
    counter: (laneId) => counter()?.httpCounters.get(laneId) ?? null,
    nexoLanes: () => counter()?.nexoLanes ?? [],
    nexoRefusals: parts.nexoRefusals,
    notices,
    subscribe: (listener) => changes.subscribe(listener),
    tokens,
    clock,
    log,
  });
  const metrics = new MetricsServer({
    ...monitoring.pages,
    settings: () => counter()?.settings.monitoring?.metrics ?? null,
    clock,
    log,
  });
  const about = {
    supervisor,
    people,
    displays,
    api,
    tokens,
    restart,
    settingsFile: settings instanceof SettingsFile ? settings.path : null,
    recentLog,
    update: () => updater?.status ?? null,
    startedMs: clock.wallMs(),
    starts,
    thisPc,
    ownNotices,
  };
  const procedures = new Procedures(async () => {
    // Otherwise a page that is opened at once would ask for the first manager of a demonstration.
    await demoManager;
    return (await import('./page-handlers.ts')).openProcedures(parts, about);
  }, log);
  const fileGuard = new FileGuard({
    folder: folder.path,
    guarded: () => (settings instanceof SettingsFile ? settings.guarded : []),
    notices,
    clock,
    log,
  });

  const revokeTokensOfOthers = (): void => {
    const lanes = counter()?.settings.lanes;
    if (lanes !== undefined) tokens.keepOnly(new Set(lanes.map(({ id }) => id)));
  };
  supervisor.onReplaced(() => {
    revokeTokensOfOthers();
    people.firstManager.announce();
    changes.notify(null);
    void displays.follow();
    void api.follow();
    void metrics.follow();
  });
  await supervisor.start();
  revokeTokensOfOthers();
  people.firstManager.announce();
  fileGuard.start();
  disk.start();
  const stopClock = clock.watch(() => {
    for (const lane of counter()?.lanes ?? []) lane.serviceChanged();
    changes.notify(null);
  });
  updater?.start();
  const server =
    screens &&
    (await serveAtPort({
      requestedPort: screens.port,
      usual: defaultPorts.screens,
      pairing: demo ? null : { path: folder.screensPort, wasUsed: folder.wasUsed },
      log,
      start: (at) =>
        startScreensServer({
          ...at,
          ...pages,
          monitoring: (app) => monitoring.addPages(app),
          router: procedures,
          host: '127.0.0.1',
        }),
    }));
  // Each starts a thread where it is wanted, all at the same time.
  await Promise.all([displays.follow(), api.follow(), metrics.follow()]);
  const apiUrl = await api.address();
  const ready = counter()?.ready ?? Promise.resolve();
  const opened = Promise.withResolvers<void>();
  const stopWaiting = clock.after(lanesFirstMs, opened.resolve);
  ready.then(opened.resolve, opened.resolve);
  const closeServers = async (): Promise<void> => {
    // What the lanes ask of the service as they end leaves first.
    await setImmediate();
    await Promise.all([
      procedures.endSetup(),
      server?.close(),
      displays.close(),
      api.close(),
      metrics.close(),
    ]);
  };
  // Let the callers that wait for the lanes continue first.
  const loaded = opened.promise.then(() => sleep(clock, 0)).then(() => procedures.load());
  return {
    views,
    router: procedures,
    picture: (name) => pictures.read(name),
    resumed: () => void parts.serviceMonitor.ask(),
    screensUrl: server?.url ?? null,
    apiUrl,
    get simulatorUrl() {
      return counter()?.simulator?.baseUrl ?? null;
    },
    lanes: () => counter()?.lanes.map((lane) => ({ id: lane.id, till: lane.address })) ?? [],
    ready,
    loaded,
    readiness: () => monitoring.readiness(),
    async close() {
      fileGuard.close();
      disk.close();
      stopClock();
      updater?.close();
      stopWaiting();
      await Promise.all([supervisor.close(), closeServers()]);
      await monitoring.close();
      procedures.close();
      parts.journalReader.close();
      await parts.recordings.close();
      parts.tillLanguages.close();
      parts.nexoRefusals.close();
      journal.close();
      folder.close();
    },
  };
}

/** The folder of the screens beside the built daemon, in a checkout and in a package alike. */
export function rendererFolderBeside(entryFolder: string): string {
  return join(entryFolder, '..', 'renderer');
}
