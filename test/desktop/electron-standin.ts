/**
 * Stands in for `electron` where its binary cannot be had: the built and unmodified bundles run
 * over a real Chromium. It is typed against Electron's own types, and refuses what Electron
 * refuses: use before ready, values that cannot be cloned, a second handler of a scheme, a preload
 * that needs Node or is no file of the app, a window with more rights than isolation and sandbox
 * give, an address that no registered scheme answers. The preload has a world of its own in each
 * page. What the system and people do is done by tests through `control.ts`.
 *
 * Where it differs from Electron: - pages are at https://screens.invalid, because Chromium alone
 * serves no scheme of ours; every address is translated on its way in and out
 * - messages hold what JSON can say; Electron carries everything that can be cloned
 * - a message that nobody listens to fails the test; Electron drops it without a word
 * - permissions are asked once for each window, of five kinds; Electron asks for each use, of all
 * kinds - a window that a page opens exists for a moment before it is refused, and gets nothing;
 * Electron makes none
 * - `<webview>` is an unknown element; there are no redirects of pages and no child processes
 * - windows are pages without frames: kiosk mode, bounds, zoom, focus and sound are kept, and not
 * shown; keys come from the test alone - there is one instance, unless the test says otherwise; the
 * main process is a process of Node, which Chromium outlives by a moment
 * - the key store keeps nothing secret; tray and menus are lists of words
 * - requests of the main process are Node's, without sessions, proxies or the system's
 * certificates; there is no Squirrel
 * - no asar, no fuses, no sandbox of processes: test/electron shows these, where Electron is
 */
import { EventEmitter } from 'node:events';
import type Electron from 'electron';
import { app } from './standin/app.ts';
import { ipcMain } from './standin/ipc.ts';
import { net } from './standin/net.ts';
import { protocol } from './standin/protocol.ts';
import { session } from './standin/session.ts';
import {
  dialog,
  Menu,
  nativeImage,
  powerMonitor,
  powerSaveBlocker,
  safeStorage,
  screen,
  Tray,
} from './standin/system.ts';
import { BrowserWindow } from './standin/window.ts';

/** Squirrel's updater on Windows and macOS, of which only the events are there. */
export const autoUpdater = new EventEmitter();
export {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  nativeImage,
  net,
  powerMonitor,
  powerSaveBlocker,
  protocol,
  safeStorage,
  screen,
  session,
  Tray,
};
/** The default export, for libraries that import Electron as a whole. */
const electron = {
  app,
  autoUpdater,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  nativeImage,
  net,
  powerMonitor,
  powerSaveBlocker,
  protocol,
  safeStorage,
  screen,
  session,
  shell: {},
  Tray,
} satisfies Partial<Record<keyof typeof Electron, object>>;
export default electron;
