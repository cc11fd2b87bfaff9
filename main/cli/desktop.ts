/**
 * The application in Electron's kiosk windows:
 * `electron . [--settings FILE] [--demo [--service NAME]] [--daemon PORT]`. Where a daemon takes
 * the payments already (it has the data folder, or its screens' port is named), the windows are its
 * screens.
 */
import '../support/umask.ts';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  powerMonitor,
  powerSaveBlocker,
  protocol,
  safeStorage,
  screen,
  session,
} from 'electron';
import { appDelivery } from '../host/desktop/app-delivery.ts';
import { appImageOf, sandboxWarning } from '../host/desktop/app-image.ts';
import { keepDisplaysAwake } from '../host/desktop/awake.ts';
import { autostart as autostartOf } from '../host/desktop/autostart.ts';
import { argsAtSignIn, type CommandLine, parseCommandLine } from '../host/desktop/command-line.ts';
import { followGraphicsCrashes } from '../host/desktop/graphics-crashes.ts';
import { guardSession } from '../host/desktop/guards.ts';
import { servePages } from '../host/desktop/page-connections.ts';
import { pageScheme } from '../host/desktop/page-address.ts';
import { answerPage } from '../host/desktop/page-protocol.ts';
import { followPower } from '../host/desktop/power.ts';
import { openPreferences, type Preferences } from '../host/desktop/preferences.ts';
import { canPlaceWindows } from '../host/desktop/display-server.ts';
import { KeyStore } from '../host/desktop/key-store.ts';
import { Ending } from '../host/desktop/ending.ts';
import { type DaemonClient, daemonClient } from '../host/desktop/daemon-client.ts';
import type { Payments } from '../host/desktop/payments.ts';
import { desktopSettings } from '../host/desktop/settings.ts';
import { openUserData } from '../host/desktop/user-data.ts';
import { type AppFeed, appFeed, inChannel } from '../host/desktop/screens-updater.ts';
import { showStatus } from '../host/desktop/status-tray.ts';
import { Kiosk, feedView, updateRowOf, thisPcHandlers } from '../host/desktop/this-pc-handlers.ts';
import { exits } from '../host/desktop/supervised.ts';
import { isSomebodyWaiting, underWay } from '../host/desktop/under-way.ts';
import { connectedDisplays, Windows } from '../host/desktop/windows.ts';
import { takeRestored } from '../counter/backup/finish-restore.ts';
import { systemClock } from '../core/domain/clock.ts';
import { systemIds } from '../core/domain/ids.ts';
import type { Notice } from '../core/domain/notices.ts';
import { languageOfTag } from '../core/domain/language-tags.ts';
import type { Language } from '../core/domain/languages.ts';
import { openConnection } from '../counter/server/connection.ts';
import { type ReadySettings } from '../counter/settings/load.ts';
import { isForTests } from '../counter/settings/wallet.ts';
import { requireCertificateChecks } from '../support/settings/certificate-checks.ts';
import { networkOf } from '../support/settings/network-settings.ts';
import { SettingsFile } from '../counter/settings/settings-file.ts';
import { requireLocalDisk } from '../support/local-disk.ts';
import { createLogger } from '../support/logger.ts';
import { useNetwork } from '../support/network.ts';
import { keepHeapSmall } from '../counter/app/memory.ts';
import { demoSettings, serviceNamed } from '../counter/app/demo-settings.ts';
import { type ApplicationOptions, startApplication } from '../counter/app/application.ts';
import { DataFolderInUseError, requireFree } from '../counter/app/data-folder.ts';
import { builtMs, terminalVersion } from '../counter/app/version.ts';
import { newestVersion as journalLayout } from '../core/journal/schema.ts';
import { findStarts } from '../host/boot/starts.ts';
import { appUpdater } from '../host/updates/program-updates.ts';
import { type Delivery, Updater } from '../host/updates/updater.ts';
import { noteReady, noteScreensOnly } from '../host/updates/versions.ts';

const here = dirname(fileURLToPath(import.meta.url));
const { log, recent, flush, writeLater } = createLogger(process.env['TILLBEACON_LOG'] ?? 'info');

if (!openUserData({ app, dialog, platform: process.platform, environment: process.env, log }))
  app.exit(exits.cannotStart);
else if (!app.requestSingleInstanceLock()) app.quit();
else run();

function run(): void {
  const preferences = openPreferences({ folder: app.getPath('userData'), log });
  /** What runs so far. */
  const running: { payments: Payments | null; windows: Windows | null; updater: Updater | null } = {
    payments: null,
    windows: null,
    updater: null,
  };
  const lanes = () => running.payments?.lanes() ?? [];
  const language = (): Language =>
    preferences.choices.language ??
    running.payments?.language() ??
    languageOfTag(app.getLocale()) ??
    'en';
  const ending = new Ending({
    app,
    dialog,
    interrupted: () => (running.payments?.areOwn === false ? [] : underWay(lanes())),
    language,
    parent: () => running.windows?.first,
    onStay: () => running.windows?.focus(),
    async close() {
      running.updater?.close();
      await running.payments?.close();
    },
    flush,
    log,
  });
  // Both are too late once the app is ready.
  if (preferences.choices.softwareRendering) app.disableHardwareAcceleration();
  protocol.registerSchemesAsPrivileged([
    { scheme: pageScheme, privileges: { standard: true, secure: true } },
  ]);
  process.on('uncaughtException', (error) => ending.crash(error));
  process.on('unhandledRejection', (error) => ending.crash(error));
  const started = app.whenReady().then(start);
  started.catch((error: Error) => ending.refuseToStart(error));
  app.on('second-instance', () => void started.then((windows) => windows.focus()));
  app.on('before-quit', (event) => {
    if (ending.isNow) return;
    event.preventDefault();
    void started.catch(() => null).then(() => ending.quit());
  });
  app.on('window-all-closed', () => app.quit());
  followGraphicsCrashes({
    app,
    preferences,
    isSomebodyWaiting: () => isSomebodyWaiting(lanes()),
    restart: () => ending.restart(),
    clock: systemClock,
    log,
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => ending.atOnce());

  async function start(): Promise<Windows> {
    const commandLine = parseCommandLine(process.argv.slice(app.isPackaged ? 1 : 2));
    const { demo, daemonPort } = commandLine;
    // Until the settings say more. Windows that are the screens of a daemon have none.
    useNetwork(networkOf(process.env));
    const kiosk = new Kiosk();
    const autostart = autostartOf({
      app,
      platform: process.platform,
      environment: process.env,
      program: process.execPath,
      args: argsAtSignIn(commandLine),
      updates: join(app.getPath('userData'), 'updates'),
    });
    const feed = appFeed({
      own: preferences.updates,
      settingsFile: join(app.getPath('userData'), 'data', 'settings.json'),
      log,
    });
    const appUpdate = () => updateRowOf(running.updater?.status ?? null);
    const canPlace = canPlaceWindows({
      platform: process.platform,
      environment: process.env,
      args: process.argv,
    });
    if (!canPlace)
      log.warn(
        {},
        'windows cannot be placed on displays under Wayland: use a session with X11, or install Xwayland',
      );
    const keyStore = new KeyStore(safeStorage, process.platform);
    if (keyStore.isPlain)
      log.warn(
        { keyStore: keyStore.name },
        'this session has no key store (basic_text): only the permissions of their files protect secrets',
      );
    const noSandbox = sandboxWarning(appImageOf(process.env, process.execPath), process.argv);
    const ofComputer: Notice[] = [
      ...(canPlace ? [] : [{ code: 'windowsUnplaced' as const, subject: 'Wayland', detail: null }]),
      ...(noSandbox === null
        ? []
        : [{ code: 'noSandbox' as const, subject: 'AppImage', detail: noSandbox }]),
    ];
    const windows = new Windows({
      canPlace,
      openWindow: (options) => new BrowserWindow(options),
      displays: screen,
      preload: join(here, '..', 'preload', 'preload.cjs'),
      platform: process.platform,
      isPackaged: app.isPackaged,
      isQuitting: () => ending.isNow,
      onSessionEnd: () => ending.atOnce(),
      choices: () => ({ ...preferences.choices, ...(kiosk.isLeft && { kiosk: false }) }),
      mode: () =>
        running.payments && (demo ? 'demo' : running.payments.isSetUp() ? 'setUp' : 'notSetUp'),
      clock: systemClock,
      log,
    });
    const thisPc = thisPcHandlers({
      preferences,
      autostart,
      kiosk,
      displays: () => connectedDisplays(screen),
      waiting: () => windows.waiting,
      app: () =>
        running.updater && {
          version: terminalVersion,
          update: appUpdate(),
          feed: feedView(feed()),
        },
      notices: () => [
        ...(running.payments?.areOwn === false ? [] : keyStore.notices()),
        ...ofComputer,
      ],
      apply: () => windows.arrange(),
      quit: () => app.quit(),
      clock: systemClock,
    });
    const daemonAt = (port: number): Payments => {
      log.info({ port }, 'a daemon takes the payments: this app shows its screens');
      const client = daemonClient({
        port,
        thisPc,
        appUpdate,
        ownNotices: () => ofComputer,
        onSetUp: () => windows.arrange(),
        clock: systemClock,
        log,
      });
      if (!demo) running.updater = updatesBeside(client, feed, preferences, ending);
      return client;
    };
    const payments =
      daemonPort === null
        ? await ownPayments(commandLine, ending, {
            thisPc,
            keyStore,
            ofComputer,
            starts: findStarts(() => autostart.canBe && autostart.isOn(), systemClock),
          }).catch((error: unknown) => {
            if (error instanceof DataFolderInUseError && error.screensPort !== null)
              return daemonAt(error.screensPort);
            throw error;
          })
        : daemonAt(daemonPort);
    running.payments = payments;
    Menu.setApplicationMenu(null);
    guardSession(session.defaultSession, log);
    protocol.handle(pageScheme, (request) =>
      answerPage(request, {
        folder: join(here, '..', 'renderer'),
        picture: (name) => payments.picture(name),
      }),
    );
    servePages(ipcMain, {
      isWindow: (contents) => windows.of(contents) !== undefined,
      connect: (send, connected) => payments.connect(send, connected),
      onPage: (contents) => windows.of(contents)?.tellPage(),
      onBeat: (contents, beat) => windows.of(contents)?.beat(beat),
      log,
    });
    keepDisplaysAwake({
      blocker: powerSaveBlocker,
      hours: () => preferences.choices.awake,
      isSomebodyWaiting: () => isSomebodyWaiting(lanes()),
      clock: systemClock,
    });
    showStatus({
      lanes: () => payments.lanes(),
      language,
      onShow: () => windows.focus(),
      clock: systemClock,
      log,
    });
    followPower({ monitor: powerMonitor, payments, windows, ending, log });
    running.windows = windows;
    windows.arrange();
    return windows;
  }
}

/** The daemon's versions are its own; those of the app are looked for here. */
function updatesBeside(
  client: DaemonClient,
  feed: () => AppFeed | null,
  preferences: Preferences,
  ending: Ending,
): Updater {
  const folder = join(app.getPath('userData'), 'updates');
  noteScreensOnly(folder, true);
  const updater = new Updater({
    settings: () => inChannel(feed(), preferences.choices.updateChannel),
    delivery: delivery(folder, ending, { screensOnly: true }),
    folder,
    version: terminalVersion,
    isQuiet: () => client.isQuiet(),
    isTimeKnown: () => systemClock.wallMs() >= builtMs,
    clock: systemClock,
    log,
  });
  updater.start();
  void noteReady(folder, {
    version: terminalVersion,
    isReady: () => client.isAnswered(),
    clock: systemClock,
  });
  return updater;
}

/** Of this program itself. @throws SettingsError, DataFolderInUseError */
async function ownPayments(
  { demo, service, dataFolder: folder, settingsFile }: CommandLine,
  ending: Ending,
  {
    keyStore,
    ofComputer,
    ...about
  }: Pick<ApplicationOptions, 'thisPc' | 'starts'> & {
    readonly keyStore: KeyStore;
    readonly ofComputer: readonly Notice[];
  },
): Promise<Payments> {
  const userData = app.getPath('userData');
  const updates = join(userData, 'updates');
  const own = join(userData, demo ? 'demo' : 'data');
  const dataFolder = demo && folder !== null ? folder : own;
  requireLocalDisk(dataFolder);
  // Reading the settings seals their secrets, which a daemon without this system's key store could
  // not read any more.
  requireFree(dataFolder);
  if (!demo) takeRestored(dataFolder, log);
  if (!demo) noteScreensOnly(updates, false);
  const settings = demo
    ? await demoSettings(service === null ? 'v10' : serviceNamed(service))
    : desktopSettings({
        dataFolder,
        importedFrom: settingsFile,
        keyStore,
        clock: systemClock,
        log,
      });
  const ready = settings instanceof SettingsFile ? readyIn(settings) : settings;
  requireCertificateChecks(
    { environment: process.env, args: process.argv },
    ready !== null && isForTests(ready.wallet),
  );
  const served = await startApplication({
    ...about,
    ownNotices: () => [...(demo ? [] : keyStore.notices()), ...ofComputer],
    settings,
    dataFolder,
    screens: null,
    rendererFolder: join(here, '..', 'renderer'),
    demo,
    system: { clock: systemClock, ids: systemIds, log },
    recentLog: recent,
    ...(!demo && { restart: () => ending.restart() }),
    ...(!demo && {
      openUpdater: appUpdater({
        delivery: delivery(updates, ending, { screensOnly: false }),
        folder: updates,
      }),
    }),
  });
  // A demonstration says nothing about the version that is being tried.
  if (!demo)
    void noteReady(updates, {
      version: terminalVersion,
      isReady: () => served.readiness().isReady,
      clock: systemClock,
    });
  // Not waited for: the app can be ended also while the service is away.
  served.ready
    .then(() => {
      log.info({ lanes: served.lanes() }, 'ready');
      writeLater();
    })
    .catch((error: Error) => ending.refuseToStart(error));
  const { views } = served;
  void served.loaded.then(() => keepHeapSmall(views, systemClock));
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

const delivery = (
  folder: string,
  ending: Ending,
  { screensOnly }: { readonly screensOnly: boolean },
): Delivery =>
  appDelivery({
    folder,
    appImage: appImageOf(process.env, process.execPath),
    platform: process.platform,
    version: terminalVersion,
    journalLayout,
    screensOnly,
    restart: () => ending.restart(),
    end: () => ending.atOnce(),
    updaters: () => import('../host/desktop/app-updater.ts'),
    log,
  });

/** null when the settings are missing or cannot be read. */
function readyIn(file: SettingsFile): ReadySettings | null {
  const settings = file.read();
  return settings.kind === 'right' ? settings.ready : null;
}
