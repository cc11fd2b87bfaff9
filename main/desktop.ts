/**
 * The application in Electron's kiosk windows: `electron . [--settings FILE] [--demo [--service NAME]] [--daemon PORT]`. Where a daemon takes the payments already (it
 * has the data folder, or its screens' port is named), the windows are its screens.
 */
import './support/memory.ts';
import './support/umask.ts';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { app, BrowserWindow, dialog, ipcMain, Menu, powerMonitor, powerSaveBlocker, protocol, safeStorage, screen, session } from 'electron';
import { appDelivery } from './desktop/app-delivery.ts';
import { appImageOf } from './desktop/app-image.ts';
import { keepDisplaysAwake } from './desktop/awake.ts';
import { autostart as autostartOf } from './desktop/autostart.ts';
import { argsAtSignIn, type CommandLine, parseCommandLine } from './desktop/command-line.ts';
import { followGraphicsCrashes } from './desktop/graphics-crashes.ts';
import { guardSession } from './desktop/guards.ts';
import { servePages } from './desktop/page-connections.ts';
import { pageScheme } from './desktop/page-address.ts';
import { answerPage } from './desktop/page-protocol.ts';
import { openPreferences } from './desktop/preferences.ts';
import { type DaemonClient, daemonClient } from './desktop/daemon-client.ts';
import type { Payments } from './desktop/payments.ts';
import { desktopSettings } from './desktop/settings.ts';
import { screensUpdater } from './desktop/screens-updater.ts';
import { StatusTray } from './desktop/status-tray.ts';
import { statusOf } from './desktop/tray-status.ts';
import { exits } from './desktop/supervised.ts';
import { desktopTexts } from './desktop/texts.ts';
import { Kiosk, thisPcHandlers } from './desktop/this-pc-handlers.ts';
import { endsInWords, isSomebodyWaiting as isSomebodyWaitingIn, underWay } from './desktop/under-way.ts';
import { connectedDisplays, Windows } from './desktop/windows.ts';
import { systemClock } from './domain/clock.ts';
import { systemIds } from './domain/ids.ts';
import { isLanguage, type Language } from './domain/languages.ts';
import { openConnection } from './server/connection.ts';
import { type ReadySettings, requireCertificateChecks, SettingsError } from './settings/load.ts';
import { SettingsFile } from './settings/settings-file.ts';
import { createLogger } from './support/logger.ts';
import { demoSettings, serviceNamed } from './app/demo-settings.ts';
import { type ApplicationOptions, startApplication } from './app/application.ts';
import { DataFolderInUseError, requireFree } from './app/data-folder.ts';
import { terminalVersion } from './app/version.ts';
import { newestVersion as journalLayout } from './journal/schema.ts';
import type { Delivery, Updater, UpdateStatus } from './updates/updater.ts';
import { noteReady, noteScreensOnly, restartCode } from './updates/versions.ts';

const here = dirname(fileURLToPath(import.meta.url));
const { log, recent, flush } = createLogger(process.env['TILLBEACON_LOG'] ?? 'info');

let payments: Payments | null = null;
/** Of the app beside a daemon; null: the payments are its own, and so are its versions. */
let updater: Updater | null = null;
let quitting: 'no' | 'asking' | 'now' = 'no';
/** The system ends the program: nobody can be asked. */
let mustEnd = false;
let exitCode: number = exits.wanted;

if (!app.requestSingleInstanceLock()) app.quit();
else run();

function run(): void {
  const preferences = openPreferences({ folder: app.getPath('userData'), log });
  const kiosk = new Kiosk();
  // Both are too late once the app is ready.
  if (preferences.choices.softwareRendering) app.disableHardwareAcceleration();
  protocol.registerSchemesAsPrivileged([{ scheme: pageScheme, privileges: { standard: true, secure: true } }]);
  endAfterCrash();
  const windows: Promise<Windows> = app.whenReady().then(start);
  windows.catch(refuseToStart);
  app.on('second-instance', () => void windows.then((all) => all.focus()));
  app.on('before-quit', (event) => {
    if (quitting === 'now') return;
    event.preventDefault();
    void windows.catch(() => null).then(quit);
  });
  app.on('window-all-closed', () => app.quit());
  followGraphicsCrashes({ app, preferences, isSomebodyWaiting, restart, clock: systemClock, log });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, end);

  async function start(): Promise<Windows> {
    const given = parseCommandLine(process.argv.slice(app.isPackaged ? 1 : 2));
    const { demo, daemonPort } = given;
    const autostart = autostartOf({
      app,
      platform: process.platform,
      environment: process.env,
      program: process.execPath,
      args: argsAtSignIn(given),
    });
    const all: Windows = new Windows({
      openWindow: (options) => new BrowserWindow(options),
      displays: screen,
      preload: join(here, '..', 'preload', 'preload.cjs'),
      isPackaged: app.isPackaged,
      isQuitting: () => quitting === 'now',
      onSessionEnd: end,
      choices: () => ({ ...preferences.choices, ...(kiosk.isLeft && { kiosk: false }) }),
      mode: () => (demo ? 'demo' : served.isSetUp() ? 'setUp' : 'notSetUp'),
      clock: systemClock,
      log,
    });
    const thisPc = thisPcHandlers({
      preferences,
      autostart,
      kiosk,
      displays: () => connectedDisplays(screen),
      waiting: () => all.waiting,
      app: () => (updater === null ? null : { version: terminalVersion, update: shownUpdate(updater.status) }),
      apply: () => all.arrange(),
      quit: () => app.quit(),
      clock: systemClock,
    });
    const daemonAt = (port: number): Payments => {
      log.info({ port }, 'a daemon takes the payments: the windows are its screens');
      const client = daemonClient({ port, thisPc, onSetUp: () => all.arrange(), clock: systemClock, log });
      return demo ? client : followUpdates(client);
    };
    const served: Payments =
      daemonPort === null
        ? await ownPayments(given, { thisPc, isLoginItem: () => autostart.canBe && autostart.isOn() }).catch((error: unknown) => {
            if (error instanceof DataFolderInUseError && error.screensPort !== null) return daemonAt(error.screensPort);
            throw error;
          })
        : daemonAt(daemonPort);
    payments = served;
    Menu.setApplicationMenu(null);
    guardSession(session.defaultSession, log);
    protocol.handle(pageScheme, (request) => answerPage(request, { folder: join(here, '..', 'renderer'), picture: (name) => served.picture(name) }));
    servePages(ipcMain, {
      isWindow: (contents) => all.of(contents) !== undefined,
      connect: (send, connected) => served.connect(send, connected),
      onBeat: (contents, beat) => all.of(contents)?.beat(beat),
      log,
    });
    keepDisplaysAwake({ blocker: powerSaveBlocker, hours: () => preferences.choices.awake, isSomebodyWaiting, clock: systemClock });
    showStatus(all);
    powerMonitor.on('shutdown', end);
    powerMonitor.on('resume', () => {
      log.info({}, 'the computer was asleep');
      served.resumed();
      all.arrange();
    });
    all.arrange();
    return all;
  }

  /** The daemon's versions are its own; those of the app are looked for here. */
  function followUpdates(client: DaemonClient): Payments {
    const folder = join(app.getPath('userData'), 'updates');
    noteScreensOnly(folder, true);
    updater = screensUpdater({
      own: preferences.updates,
      settingsFile: join(app.getPath('userData'), 'data', 'settings.json'),
      delivery: delivery(folder, { screensOnly: true }),
      folder,
      version: terminalVersion,
      isQuiet: () => client.isQuiet(),
      clock: systemClock,
      log,
    });
    updater.start();
    void noteReady(folder, { isReady: () => client.isAnswered(), clock: systemClock });
    return client;
  }

  async function quit(all: Windows | null): Promise<void> {
    if (quitting === 'asking' && !mustEnd) return;
    const interrupted = mustEnd || payments?.areOwn === false ? [] : underWayNow();
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
    updater?.close();
    await payments?.close();
    flush();
    app.exit(exitCode);
  }

  function isSomebodyWaiting(): boolean {
    return isSomebodyWaitingIn(payments?.lanes() ?? []);
  }

  function underWayNow() {
    return underWay(payments?.lanes() ?? []);
  }

  function showStatus(all: Windows): void {
    const tray = new StatusTray({ onShow: () => all.focus(), log });
    const look = (): void => {
      const words = desktopTexts[language()].tray;
      tray.show(statusOf(payments?.lanes() ?? null, words), words.show);
      systemClock.after(statusEveryMs, look);
    };
    look();
  }

  function language(): Language {
    const system = app.getLocale().slice(0, 2);
    return preferences.choices.language ?? payments?.language() ?? (isLanguage(system) ? system : 'en');
  }
}

function end(): void {
  mustEnd = true;
  app.quit();
}

/** The supervisor starts it again. */
function restart(): void {
  exitCode = restartCode;
  end();
}

/** What nobody expected: the journal knows what was open, and the next start, by the supervisor, finishes it. */
function endAfterCrash(): void {
  const crashed = (error: unknown): void => {
    log.error({ error: error instanceof Error ? error.stack : String(error) }, 'Tillbeacon ends because of an error that nobody expected');
    flush();
    const wasWanted = quitting === 'now';
    quitting = 'now';
    app.exit(wasWanted ? exitCode : exits.crashed);
  };
  process.on('uncaughtException', crashed);
  process.on('unhandledRejection', crashed);
}

/** Of this program itself. @throws SettingsError, DataFolderInUseError */
async function ownPayments(
  { demo, service, dataFolder: named, settingsFile }: CommandLine,
  about: Pick<ApplicationOptions, 'thisPc' | 'isLoginItem'>,
): Promise<Payments> {
  const userData = app.getPath('userData');
  const updates = join(userData, 'updates');
  const own = join(userData, demo ? 'demo' : 'data');
  const dataFolder = demo && named !== null ? named : own;
  // Reading the settings seals their secrets, which a daemon without this system's key store could not read any more.
  requireFree(dataFolder);
  if (!demo) noteScreensOnly(updates, false);
  const settings = demo
    ? await demoSettings(service === null ? 'v10' : serviceNamed(service))
    : desktopSettings({ dataFolder, importedFrom: settingsFile, safeStorage, clock: systemClock, log });
  requireCertificateChecks({ environment: process.env, args: process.argv }, settings instanceof SettingsFile ? readyIn(settings) : settings);
  const served = await startApplication({
    ...about,
    settings,
    dataFolder,
    screens: null,
    rendererFolder: join(here, '..', 'renderer'),
    demo,
    system: { clock: systemClock, ids: systemIds, log },
    recentLog: recent,
    ...(!demo && { appUpdates: { delivery: delivery(updates, { screensOnly: false }), folder: updates } }),
  });
  // A demonstration says nothing about the version that is being tried.
  if (!demo) void noteReady(updates, { isReady: () => served.readiness().isReady, clock: systemClock });
  // Not waited for: the app can be ended also while the service is away.
  served.ready.then(() => log.info({ lanes: served.lanes() }, 'ready')).catch(refuseToStart);
  const { views } = served;
  return {
    areOwn: true,
    connect(send, connected) {
      connected(true);
      return openConnection(served, send);
    },
    picture: (name) => served.picture(name),
    resumed: () => served.resumed(),
    isSetUp: () => served.lanes().length > 0,
    lanes: () => views.lanes().flatMap(({ laneId }) => views.lane(laneId) ?? []),
    language: () => views.language(),
    close: () => served.close(),
  };
}

const delivery = (folder: string, { screensOnly }: { readonly screensOnly: boolean }): Delivery =>
  appDelivery({
    folder,
    appImage: appImageOf(process.env, process.execPath),
    platform: process.platform,
    version: terminalVersion,
    journalLayout,
    screensOnly,
    restart,
    end,
    updaters: () => import('./desktop/app-updater.ts'),
    log,
  });

const shownUpdate = (status: UpdateStatus | null) => status && { code: status.state, version: status.version, detail: status.detail };

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
  app.exit(error instanceof SettingsError ? exits.settingsAreWrong : exits.cannotStart);
}
