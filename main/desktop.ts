/** The application in Electron's kiosk windows: `electron . [--settings FILE] [--demo [--service NAME]]`. */
import './support/umask.ts';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { app, dialog, ipcMain, Menu, powerMonitor, powerSaveBlocker, protocol, safeStorage, session } from 'electron';
import { isAwake } from './desktop/awake.ts';
import { autostart as autostartOf } from './desktop/autostart.ts';
import { CrashCounter } from './desktop/crash-counter.ts';
import { guardSession } from './desktop/guards.ts';
import { servePages } from './desktop/page-connections.ts';
import { pageScheme } from './desktop/page-address.ts';
import { answerPage } from './desktop/page-protocol.ts';
import { openPreferences } from './desktop/preferences.ts';
import { desktopSettings } from './desktop/settings.ts';
import { StatusTray, statusOf } from './desktop/status-tray.ts';
import { desktopTexts } from './desktop/texts.ts';
import { Kiosk, thisPcHandlers } from './desktop/this-pc-handlers.ts';
import { endsInWords, underWay } from './desktop/under-way.ts';
import { connectedDisplays, Windows } from './desktop/windows.ts';
import type { LaneView } from '../preload/contract.ts';
import { systemClock } from './domain/clock.ts';
import { systemIds } from './domain/ids.ts';
import { isLanguage, type Language } from './domain/languages.ts';
import { openConnection } from './server/connection.ts';
import { type ReadySettings, requireCertificateChecks, SettingsError } from './settings/load.ts';
import { SettingsFile } from './settings/settings-file.ts';
import { createLogger } from './support/logger.ts';
import { keepMemorySmall } from './support/memory.ts';
import { demoSettings, serviceNamed } from './app/demo-settings.ts';
import { startApplication, type Application } from './app/application.ts';

const here = dirname(fileURLToPath(import.meta.url));
const { log, recent, flush } = createLogger(process.env['TILLBEACON_LOG'] ?? 'info');

const { values } = parseArgs({
  args: process.argv.slice(app.isPackaged ? 1 : 2),
  strict: false,
  options: { settings: { type: 'string' }, data: { type: 'string' }, demo: { type: 'boolean' }, service: { type: 'string' } },
});
const demo = values.demo === true;
const settingsFile = typeof values.settings === 'string' ? values.settings : null;

let application: Application | null = null;
let quitting: 'no' | 'asking' | 'now' = 'no';
/** The system ends the program: nobody can be asked. */
let mustEnd = false;

if (!app.requestSingleInstanceLock()) app.quit();
else run();

function run(): void {
  const preferences = openPreferences({ folder: app.getPath('userData'), log });
  const kiosk = new Kiosk();
  const autostart = autostartOf({ app, platform: process.platform, environment: process.env, program: process.execPath });
  // Both are too late once the app is ready.
  if (preferences.choices.softwareRendering) app.disableHardwareAcceleration();
  protocol.registerSchemesAsPrivileged([{ scheme: pageScheme, privileges: { standard: true, secure: true } }]);
  const windows: Promise<Windows> = app.whenReady().then(start);
  windows.catch(refuseToStart);
  app.on('second-instance', () => void windows.then((all) => all.focus()));
  app.on('before-quit', (event) => {
    if (quitting === 'now') return;
    event.preventDefault();
    void windows.catch(() => null).then(quit);
  });
  app.on('window-all-closed', () => app.quit());
  followCrashesOfTheGraphicsCard();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, end);

  async function start(): Promise<Windows> {
    const own = join(app.getPath('userData'), demo ? 'demo' : 'data');
    const dataFolder = demo && typeof values.data === 'string' ? values.data : own;
    const settings = demo
      ? await demoSettings(typeof values.service === 'string' ? serviceNamed(values.service) : 'v10')
      : desktopSettings({ dataFolder, importedFrom: settingsFile, safeStorage, clock: systemClock, log });
    requireCertificateChecks({ environment: process.env, args: process.argv }, settings instanceof SettingsFile ? readyIn(settings) : settings);
    keepMemorySmall(1);
    const all: Windows = new Windows({
      preload: join(here, '..', 'preload', 'preload.cjs'),
      isPackaged: app.isPackaged,
      isQuitting: () => quitting === 'now',
      onSessionEnd: end,
      choices: () => ({ ...preferences.choices, ...(kiosk.isLeft && { kiosk: false }) }),
      mode: () => (demo ? 'demo' : served.lanes().length > 0 ? 'setUp' : 'notSetUp'),
      clock: systemClock,
      log,
    });
    const served = await startApplication({
      settings,
      dataFolder,
      screens: null,
      rendererFolder: join(here, '..', 'renderer'),
      demo,
      system: { clock: systemClock, ids: systemIds, log },
      recentLog: recent,
      isLoginItem: () => autostart.canBe && autostart.isOn(),
      thisPc: thisPcHandlers({
        preferences,
        autostart,
        kiosk,
        displays: connectedDisplays,
        waiting: () => all.waiting,
        apply: () => all.arrange(),
        quit: () => app.quit(),
        clock: systemClock,
      }),
    });
    application = served;
    Menu.setApplicationMenu(null);
    guardSession(session.defaultSession, log);
    protocol.handle(pageScheme, (request) => answerPage(request, { folder: join(here, '..', 'renderer'), picture: (name) => served.picture(name) }));
    servePages(ipcMain, {
      isWindow: (contents) => all.of(contents) !== undefined,
      connect: (send) => openConnection(served, send),
      onBeat: (contents, beat) => all.of(contents)?.beat(beat),
      log,
    });
    keepDisplaysAwake();
    showStatus(all);
    powerMonitor.on('shutdown', end);
    powerMonitor.on('resume', () => {
      log.info({}, 'the computer was asleep');
      served.resumed();
      all.arrange();
    });
    all.arrange();
    // Not waited for: the app can be ended also while the service is away.
    served.ready.then(() => log.info({ lanes: served.lanes() }, 'ready')).catch(refuseToStart);
    return all;
  }

  function end(): void {
    mustEnd = true;
    app.quit();
  }

  async function quit(all: Windows | null): Promise<void> {
    if (quitting === 'asking' && !mustEnd) return;
    const interrupted = mustEnd ? [] : underWayNow();
    if (interrupted.length > 0) {
      quitting = 'asking';
      const words = desktopTexts[language()].quit;
      const question = {
        type: 'warning' as const,
        title: 'Tillbeacon',
        message: words.title,
        detail: `${words.lead}\n\n${endsInWords(language(), interrupted)}`,
        buttons: [words.stay, words.quit],
        defaultId: 0,
        cancelId: 0,
        noLink: true,
      };
      const parent = all?.first;
      const { response } = await (parent === undefined ? dialog.showMessageBox(question) : dialog.showMessageBox(parent, question));
      if (response !== 1 && !mustEnd) {
        quitting = 'no';
        return all?.focus();
      }
    }
    if (quitting === 'now') return;
    quitting = 'now';
    await application?.close();
    flush();
    app.exit(0);
  }

  function shownLanes(): readonly LaneView[] {
    const { views } = application ?? {};
    return views?.lanes().flatMap(({ laneId }) => views.lane(laneId) ?? []) ?? [];
  }

  function underWayNow() {
    return underWay(shownLanes());
  }

  function showStatus(all: Windows): void {
    const tray = new StatusTray({ onShow: () => all.focus(), log });
    const look = (): void => {
      const words = desktopTexts[language()].tray;
      tray.show(statusOf(shownLanes(), words), words.show);
      systemClock.after(statusEveryMs, look);
    };
    look();
  }

  function language(): Language {
    const system = app.getLocale().slice(0, 2);
    return preferences.choices.language ?? application?.views.language() ?? (isLanguage(system) ? system : 'en');
  }

  /** While the shop is open, and for as long as a payment is under way. */
  function keepDisplaysAwake(): void {
    let blocker: number | null = null;
    const look = (): void => {
      const awake = isAwake(preferences.choices.awake, new Date(systemClock.wallMs())) || underWayNow().length > 0;
      if (awake && blocker === null) blocker = powerSaveBlocker.start('prevent-display-sleep');
      if (!awake && blocker !== null) {
        powerSaveBlocker.stop(blocker);
        blocker = null;
      }
      systemClock.after(60_000, look);
    };
    look();
  }

  /** Three in a minute: from the next start on without it. Chromium itself ends after a few more. */
  function followCrashesOfTheGraphicsCard(): void {
    const crashes = new CrashCounter(systemClock, { most: 3, withinMs: 60_000 });
    app.on('child-process-gone', (_event, { type, reason }) => {
      if (type !== 'GPU' || reason === 'clean-exit') return;
      log.error({ reason }, 'the process that draws with the graphics card died');
      if (!crashes.crashed() || preferences.choices.softwareRendering) return;
      preferences.change({ softwareRendering: true });
      log.error({}, 'the graphics card fails again and again: the app starts anew without it as soon as no payment is under way');
      const restart = (): void => {
        if (underWayNow().length > 0) return void systemClock.after(1_000, restart);
        app.relaunch();
        return end();
      };
      restart();
    });
  }
}

const statusEveryMs = 2_000;

/** null: there are none, or none that can be read. */
function readyIn(file: SettingsFile): ReadySettings | null {
  const found = file.read();
  return found.kind === 'right' ? found.ready : null;
}

function refuseToStart(error: Error): void {
  quitting = 'now';
  log.error({ detail: error.message }, 'Tillbeacon cannot start');
  flush();
  dialog.showErrorBox('Tillbeacon cannot start', error.message);
  app.exit(error instanceof SettingsError ? 2 : 1);
}
