/**
 * An app that does what Electron refuses, one thing after the other, and says what each came to: a
 * line of JSON.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { app, BrowserWindow, ipcMain, protocol, safeStorage, screen } from 'electron';

const said: Record<string, string> = {};
async function tried(what: string, run: () => unknown): Promise<void> {
  try {
    await run();
    said[what] = 'done';
  } catch (error) {
    said[what] = (error as Error).message;
  }
}

const folder = app.getPath('userData');
const safe = { contextIsolation: true, sandbox: true, nodeIntegration: false };
const inTheApp = (name: string): string => join(app.getAppPath(), 'test/desktop/standin', name);
const outside = join(folder, 'preload.cjs');
writeFileSync(outside, '');

await tried('a window before ready', () => new BrowserWindow({ webPreferences: safe }));
await tried('displays before ready', () => screen.getPrimaryDisplay());
await tried('keys before ready', () => safeStorage.encryptString('a'));
protocol.registerSchemesAsPrivileged([{ scheme: 'tillbeacon' }]);
await app.whenReady();
await tried('a scheme after ready', () =>
  protocol.registerSchemesAsPrivileged([{ scheme: 'other' }]),
);
await tried('a handler of a scheme that is not registered', () =>
  protocol.handle('other', () => new Response()),
);
protocol.handle(
  'tillbeacon',
  () => new Response('<h1>page</h1>', { headers: { 'content-type': 'text/html' } }),
);
await tried('a second handler', () => protocol.handle('tillbeacon', () => new Response()));
await tried(
  'a window without sandbox',
  () => new BrowserWindow({ webPreferences: { ...safe, sandbox: false } }),
);
await tried(
  'a window with webviews',
  () => new BrowserWindow({ webPreferences: { ...safe, webviewTag: true } }),
);
await tried(
  'a preload outside the app',
  () => new BrowserWindow({ webPreferences: { ...safe, preload: outside } }),
);
const window = new BrowserWindow({
  webPreferences: { ...safe, preload: inTheApp('needs-node.cjs') },
});
await tried('a file', () => window.loadURL('file:///etc/passwd'));
await tried('the network', () => window.loadURL('https://example.com/'));
await tried('a page', () => window.loadURL('tillbeacon://screens/x/index.html'));
await tried('a message that cannot be cloned', () => window.webContents.send('x', () => 1));
await tried('a message that can', () => window.webContents.send('x', { a: [1] }));
window.destroy();
await tried('a message to a window that is gone', () => window.webContents.send('x', 1));
const asking = new BrowserWindow({
  webPreferences: { ...safe, preload: inTheApp('asks-main.cjs') },
});
const refused = new Promise((resolve) =>
  ipcMain.once('refused', (_event, message: string) => resolve(message)),
);
await asking.loadURL('tillbeacon://screens/x/index.html');
await tried('a call that nobody handles', async () => {
  throw new Error(String(await refused));
});
process.stdout.write(`${JSON.stringify(said)}\n`);
app.exit(0);
