/** The same terminal in Electron's kiosk windows: `electron . [--settings FILE] [--demo]`. Thin on purpose: everything worth testing is behind it. */
import './support/umask.ts';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { app, BrowserWindow, dialog, ipcMain, type IpcMainEvent, type IpcMainInvokeEvent, safeStorage, screen, session, type WebContents } from 'electron';
import type { ScreenName } from '../preload/contract.ts';
import { desktopSettings } from './desktop/settings.ts';
import { systemClock } from './domain/clock.ts';
import { systemIds } from './domain/ids.ts';
import { type Door, openDoor } from './server/door.ts';
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
  options: { settings: { type: 'string' }, demo: { type: 'boolean' } },
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
  const dataFolder = join(app.getPath('userData'), demo ? 'demo' : 'data');
  const settings = demo ? await demoSettings() : desktopSettings({ dataFolder, importedFrom: settingsFile, safeStorage, clock: systemClock, log });
  requireCertificateChecks({ environment: process.env, args: process.argv }, settings instanceof SettingsFile ? readyIn(settings) : settings);
  keepMemorySmall(1);
  application = await startApplication({
    settings,
    dataFolder,
    screens: null,
    rendererFolder,
    demo,
    clock: systemClock,
    ids: systemIds,
    log,
    recentLog: recent,
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

/** The Electron door: the same contract as the WebSocket, one door per page that a window shows. */
function serveScreens(served: Application): void {
  const { desk } = served;
  const doors = new Map<WebContents, Door>();
  const doorOf = (contents: WebContents): Door => {
    const known = doors.get(contents);
    if (known !== undefined) return known;
    const door = openDoor(
      desk,
      (message) => {
        if (!contents.isDestroyed() && message.type === 'view') contents.send('tillbeacon:view', message.view);
      },
      { pictureAt: (address) => served.pictureFile(address) },
    );
    doors.set(contents, door);
    return door;
  };
  const leave = (contents: WebContents): void => {
    doors.get(contents)?.close();
    doors.delete(contents);
  };
  app.on('web-contents-created', (_event, contents) => contents.once('destroyed', () => leave(contents)));
  // Who is signed in is so on one page: the way to the cashier's screen signs a manager out, as it does in a browser.
  ipcMain.on('tillbeacon:page', ({ sender }) => leave(sender));
  ipcMain.on('tillbeacon:watch', (event, watch: unknown) => {
    if (isOurs(event)) doorOf(event.sender).watch(watch);
  });
  ipcMain.handle('tillbeacon:command', (event, command: unknown) => {
    if (isOurs(event)) return doorOf(event.sender).command(command);
    throw new Error('not one of our screens');
  });
  ipcMain.handle('tillbeacon:ask', (event, name: unknown, asked: unknown) => {
    if (isOurs(event)) return doorOf(event.sender).ask(String(name), asked);
    throw new Error('not one of our screens');
  });
}

const ourPages = `${pathToFileURL(rendererFolder).href}/`;
function isOurs({ senderFrame }: IpcMainEvent | IpcMainInvokeEvent): boolean {
  return senderFrame?.url.startsWith(ourPages) === true;
}

function openWindow(name: ScreenName): void {
  const displays = screen.getAllDisplays();
  const display =
    (name === 'customer' && displays.length > 1 ? displays.find(({ id }) => id !== screen.getPrimaryDisplay().id) : null) ?? screen.getPrimaryDisplay();
  // Whoever sets it up needs the rest of the computer as well.
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
    // Set up: from here on as after any start.
    event.preventDefault();
    counterScreens.forEach(openWindow);
    window.close();
  });
  window.webContents.on('will-attach-webview', (event) => event.preventDefault());
  // A screen that died shows nothing or, worse, something old: it is loaded anew.
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    log.error({ screen: name, reason }, 'a screen died and is loaded again');
    if (!quitting) window.webContents.reload();
  });
  window.once('ready-to-show', () => window.show());
  window.loadFile(join(rendererFolder, name, 'index.html')).catch((error: Error) => {
    // Whoever quits takes a page away while it is still coming.
    if (!quitting) log.error({ screen: name, detail: error.message }, 'a screen could not be loaded');
  });
}
