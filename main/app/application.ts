/** The parts list: data folder, journal, screens, and the counter that the settings make. The one place that knows every room. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { NoticeBoard } from '../manager/health/notice-board.ts';
import { ServiceMonitor } from '../manager/health/service-monitor.ts';
import type { JournalDamage } from '../journal/journal.ts';
import { openSqliteJournal } from '../journal/sqlite-journal.ts';
import type { PinCost } from '../manager/people/pin.ts';
import type { Clock } from '../domain/clock.ts';
import type { Ids } from '../domain/ids.ts';
import type { Log } from '../domain/log.ts';
import type { ScreensDesk } from '../server/door.ts';
import { Router } from '../server/router.ts';
import { startScreensServer } from '../server/server.ts';
import type { ShopShown } from '../server/lane-view.ts';
import { ShopPictures } from '../server/shop-pictures.ts';
import { checksOff } from '../settings/certificate-checks.ts';
import { SettingsFile } from '../settings/settings-file.ts';
import { Recreations } from '../setup/recreation.ts';
import { FileGuard } from '../support/file-guard.ts';
import { createAnswerers } from './handlers.ts';
import { type Counter, openCounter } from './counter.ts';
import { CounterSupervisor, type SettingsSource } from './counter-supervisor.ts';
import { openDataFolder } from './data-folder.ts';
import { DisplayServer } from './display-server.ts';
import { openMoneyByLane } from './open-money.ts';
import { createScreensDesk } from './screens-desk.ts';
import { serveAtPort } from './screens-port.ts';

const usualScreensPort = 4180;

/** `port` null: the data folder's own, as it was at its first start. 0: any free one. */
export interface ScreensAt {
  readonly port: number | null;
}

export interface TerminalOptions {
  /** A file: followed while it runs, and changed by setup. Without settings the screens lead through it. */
  readonly settings: SettingsSource;
  readonly dataFolder: string;
  /** Where browsers find the screens; null: only Electron's windows show them. */
  readonly screens: ScreensAt | null;
  /** The built screens. */
  readonly rendererFolder: string;
  /** Adds a till and a phone to play with; needs the embedded simulator. */
  readonly demo: boolean;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** The newest lines of the log, for the diagnostics bundle. */
  readonly recentLog?: () => readonly string[];
  /** What a manager's PIN takes to try, instead of about a second; tests take less. */
  readonly pinCost?: PinCost;
  /** A manager who asks nothing for so long must sign in again; tests take less. */
  readonly signsOutAfterMs?: number;
  /** How long a cashier waits for the answer to a cancel before there is a way out; tests take less. */
  readonly leaveAfterMs?: number;
}

export interface Application {
  readonly desk: ScreensDesk;
  /** Where a page that is a file itself finds a picture of the shop. */
  pictureFile(address: string): string;
  /** e.g. `http://127.0.0.1:4180`. */
  readonly screensUrl: string | null;
  /** Where the embedded simulator answers; null when the wallet service is a real one. */
  readonly simulatorUrl: string | null;
  /** In the order of the settings; addresses are exact. Empty before the counter is set up. */
  lanes(): { id: string; till: string }[];
  /** Resolves when every lane takes payments. */
  readonly ready: Promise<void>;
  /** Within two seconds, whatever is in flight. */
  close(): Promise<void>;
}

/** @throws Error in plain words when it can never work: the data folder, a TCP port, the screens' port */
export async function startApplication(options: TerminalOptions): Promise<Application> {
  const { clock, ids, log, rendererFolder, demo, leaveAfterMs } = options;
  const folder = openDataFolder(options.dataFolder, clock, log);
  const wasUsed = existsSync(folder.journal);
  const listeners = new Set<(laneId: string | null) => void>();
  const changed = (laneId: string | null): void => {
    for (const listener of listeners) listener(laneId);
  };
  let journalDamage: JournalDamage | null = null;
  let journalCheckedMs: number | null = null;
  const damaged = (damage: JournalDamage): void => {
    tellDamage(damage, log);
    journalDamage = damage;
    changed(null);
  };
  const journal = openSqliteJournal(folder.journal, clock, { checkSlowly: true, damaged, checked: () => (journalCheckedMs = clock.wallMs()) });
  // Of a start before this one too, until a manager has noted it.
  journalDamage = journal.damageToNote() ?? journalDamage;
  const serviceWatch = new ServiceMonitor(clock);
  const notices = new NoticeBoard(clock);
  const damageShown = () => journalDamage && { repaired: journalDamage.repaired, lostSales: journalDamage.lost.length };
  const recreations = new Recreations(folder.recreations, log);
  const supervisor: CounterSupervisor = new CounterSupervisor({
    source: options.settings,
    open: (settings) =>
      openCounter({
        settings,
        journal,
        demo,
        clock,
        ids,
        log,
        changed,
        serviceWatch,
        notices,
        checksOff: checksOff(supervisor.secrets.environment),
        journalDamage: damageShown,
        recreations,
        simulatedBooks: demo ? folder.simulatedBooks : null,
        leaveAfterMs,
      }),
    openMoney: () => openMoneyByLane(folder.journal),
    recreations,
    changed() {
      office.announceFirstManager();
      changed(null);
      void displays.follow();
    },
    clock,
    log,
  });
  const counter = (): Counter | null => supervisor.counter;
  const office = createAnswerers({
    counter,
    supervisor,
    recreations,
    folder,
    journal,
    serviceWatch,
    notices,
    displaysPort: () => displays.port(),
    journalDamage: () => journalDamage,
    damageNoted() {
      journalDamage = null;
      changed(null);
    },
    journalCheckedMs: () => journalCheckedMs,
    recentLog: options.recentLog ?? (() => []),
    signsOutAfterMs: options.signsOutAfterMs,
    pinCost: options.pinCost,
    // Right or wrong, a settings file is somebody's. A demonstration has nothing to protect.
    isSetUp: () => !demo && (supervisor.fileState.state !== 'none' || supervisor.counter !== null),
    clock,
    ids,
    log,
  });
  const questions = new Router({ ...office, log });
  const pictures = new ShopPictures(folder.path, log);
  const shop = (): ShopShown => {
    const settings = counter()?.settings;
    return { shopName: settings?.shop?.name ?? null, language: settings?.language ?? null, ...pictures.shown(settings?.shop ?? null) };
  };
  const desk = createScreensDesk({ counter, questions, shop, listeners });
  const served = { rendererFolder, desk, pictures, log };
  const displays = new DisplayServer({ ...served, settings: () => counter()?.settings.screens?.customerDisplays ?? null });
  await supervisor.start();
  office.announceFirstManager();
  const { settings } = options;
  const guard = new FileGuard({ folder: folder.path, guarded: () => (settings instanceof SettingsFile ? settings.guarded : []), notices, clock, log });
  guard.start();
  const server =
    options.screens &&
    (await serveAtPort({
      asked: options.screens.port,
      usual: usualScreensPort,
      pairing: demo ? null : { path: folder.screensPort, wasUsed },
      log,
      start: (at) => startScreensServer({ ...at, ...served, host: '127.0.0.1' }),
    }));
  await displays.follow();
  return {
    desk,
    pictureFile: (address) => pictures.fileAddress(address),
    screensUrl: server?.url ?? null,
    get simulatorUrl() {
      return counter()?.simulator?.baseUrl ?? null;
    },
    lanes: () => counter()?.lanes.map((lane) => ({ id: lane.id, till: lane.address })) ?? [],
    ready: counter()?.ready ?? Promise.resolve(),
    async close() {
      guard.close();
      await Promise.all([supervisor.close(), office.endSetup(), server?.close(), displays.close()]);
      office.close();
      journal.close();
      folder.close();
    },
  };
}

function tellDamage({ lost, ...damage }: JournalDamage, log: Log): void {
  const what = damage.repaired ? 'the journal was damaged and is repaired' : 'the journal is damaged: a restart repairs it';
  log.error({ ...damage, lost: lost.length }, what);
  for (const sale of lost) log.error({ ...sale }, 'a person must look for this sale at the service: its story was lost');
}

/** Beside the built daemon, in a checkout and in a package alike. */
export function rendererFolderBeside(entryFolder: string): string {
  return join(entryFolder, '..', 'renderer');
}
