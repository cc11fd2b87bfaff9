/** The application in Electron's kiosk windows: `electron . [--settings FILE] [--demo]`. */
import './support/umask.ts';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { app, BrowserWindow, dialog, ipcMain, type IpcMainEvent, safeStorage, screen, session, type WebContents } from 'electron';
import type { ScreenName } from '../preload/contract.ts';
import { desktopSettings } from './desktop/settings.ts';
import { systemClock } from './domain/clock.ts';
import { systemIds } from './domain/ids.ts';
import { type Connection, openConnection } from './server/connection.ts';
import { type ReadySettings, requireCertificateChecks, SettingsError } from './settings/load.ts';
import { SettingsFile } from './settings/settings-file.ts';
import { createLogger } from './support/logger.ts';
import { keepMemorySmall } from './support/memory.ts';
import { demoSettings } from './app/demo-settings.ts';
import { startApplication, type Application } from './app/application.ts';

const here = dirname(fileURLToPath(import.meta.url));
const rendererFolder = join(here, '..', 'renderer');
const { log, recent, flush } = createLogger(process.env['TILLBEACON_LOG'] ?? 'info');

const { values } = parseArgs({
  args: process.argv.slice(app.isPackaged ? 1 : 2),
  strict: false,
  options: { settings: { type: 'string' }, data: { type: 'string' }, demo: { type: 'boolean' } },
});
const demo = values.demo === true;
const settingsFile = typeof values.settings === 'string' ? values.settings : null;

let application: Application | null = null;
let quitting = false;

if (!app.requestSingleInstanceLock()) app.quit();
else {
  app.on('second-instance', () => BrowserWindow.getAllWindows()[0]?.focus());
  app.on('window-all-closed', () => app.quit());
  app.on('before-quit', (event) => {
    if (quitting) return;
    quitting = true;
    event.preventDefault();
    void Promise.resolve(application?.close()).finally(() => {
      flush();
      app.exit(0);
    });
  });
  app.whenReady().then(start).catch(refuseToStart);
}

const counterScreens: readonly ScreenName[] = ['cashier', 'customer'];

async function start(): Promise<void> {
  const own = join(app.getPath('userData'), demo ? 'demo' : 'data');
  const dataFolder = demo && typeof values.data === 'string' ? values.data : own;
  const settings = demo ? await demoSettings() : desktopSettings({ dataFolder, importedFrom: settingsFile, safeStorage, clock: systemClock, log });
  requireCertificateChecks({ environment: process.env, args: process.argv }, settings instanceof SettingsFile ? readyIn(settings) : settings);
  keepMemorySmall(1);
  application = await startApplication({
    settings,
    dataFolder,
    screens: null,
    rendererFolder,
    demo,
    system: { clock: systemClock, ids: systemIds, log },
    recentLog: recent,
    isLoginItem: () => app.getLoginItemSettings().openAtLogin,
  });
  session.defaultSession.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  serveScreens(application);
  const isSetUp = application.lanes().length > 0;
  const screens: readonly ScreenName[] = demo ? [...counterScreens, 'demo'] : isSetUp ? counterScreens : ['setup'];
  screens.forEach(openWindow);
  await application.ready;
  log.info({ lanes: application.lanes() }, 'ready');
}

/** null: there are none, or none that can be read. */
function readyIn(file: SettingsFile): ReadySettings | null {
  const found = file.read();
  return found.kind === 'right' ? found.ready : null;
}

function refuseToStart(error: Error): void {
  log.error({ detail: error.message }, 'Tillbeacon cannot start');
  flush();
  dialog.showErrorBox('Tillbeacon cannot start', error.message);
  app.exit(error instanceof SettingsError ? 2 : 1);
}

/** Carries the contract's messages over IPC: one connection for each page that a window shows. */
function serveScreens(served: Application): void {
  const connections = new Map<WebContents, Connection>();
  const connect = (contents: WebContents): Connection => {
    const connection = openConnection(
      served,
      (message) => {
        if (!contents.isDestroyed()) contents.send('tillbeacon:message', message);
      },
      { pictureAt: (address) => served.pictureFile(address) },
    );
    connections.set(contents, connection);
    return connection;
  };
  const disconnect = (contents: WebContents): void => {
    connections.get(contents)?.close();
    connections.delete(contents);
  };
  app.on('web-contents-created', (_event, contents) => contents.once('destroyed', () => disconnect(contents)));
  // A manager is signed in on one page: leaving it, e.g. for the cashier's screen, signs out, as in a browser.
  ipcMain.on('tillbeacon:page', ({ sender }) => disconnect(sender));
  ipcMain.on('tillbeacon:message', (event, message: unknown) => {
    if (isOurs(event)) void (connections.get(event.sender) ?? connect(event.sender)).receive(message);
  });
}

const ourPages = `${pathToFileURL(rendererFolder).href}/`;
function isOurs({ senderFrame }: IpcMainEvent): boolean {
  return senderFrame?.url.startsWith(ourPages) === true;
}

function openWindow(name: ScreenName): void {
  const displays = screen.getAllDisplays();
  const display =
    (name === 'customer' && displays.length > 1 ? displays.find(({ id }) => id !== screen.getPrimaryDisplay().id) : null) ?? screen.getPrimaryDisplay();
  // An installer needs the rest of the computer as well.
  const kiosk = !demo && name !== 'setup' && (name === 'cashier' || displays.length > 1);
  const window = new BrowserWindow({
    x: display.bounds.x,
    y: display.bounds.y,
    width: 1024,
    height: 768,
    kiosk,
    show: false,
    autoHideMenuBar: true,
    title: 'Tillbeacon',
    webPreferences: { preload: join(here, '..', 'preload', 'preload.cjs'), contextIsolation: true, sandbox: true, nodeIntegration: false, webviewTag: false },
  });
  window.webContents.setWindowOpenHandler(() => ({ action: 'deny' }));
  // From the cashier's screen to the manager's and back; nowhere else.
  window.webContents.on('will-navigate', (event) => {
    if (!event.url.startsWith(ourPages)) return event.preventDefault();
    if (name !== 'setup' || !counterScreens.some((screenName) => event.url.startsWith(`${ourPages}${screenName}/`))) return;
    // Setup is finished: the windows are those of any other start.
    event.preventDefault();
    counterScreens.forEach(openWindow);
    window.close();
  });
  window.webContents.on('will-attach-webview', (event) => event.preventDefault());
  // A screen that crashed may show an old state.
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    log.error({ screen: name, reason }, 'a screen died and is loaded again');
    if (!quitting) window.webContents.reload();
  });
  window.once('ready-to-show', () => window.show());
  window.loadFile(join(rendererFolder, name, 'index.html')).catch((error: Error) => {
    // Quitting interrupts pages that are still loading.
    if (!quitting) log.error({ screen: name, detail: error.message }, 'a screen could not be loaded');
  });
}
