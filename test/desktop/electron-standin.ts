/**
 * Stands in for `electron` where its binary cannot be had: app, windows, IPC and the bridge over a real Chromium, so that the built and
 * unmodified bundles run. It proves wiring, channel names, start order and the screens; it does not prove isolation, sandbox, kiosk mode,
 * single instance or packaging: the suite in test/electron does.
 *
 * As strict as the real one where the bundles touch it: structured clones over IPC, one handler per channel, no windows before `ready`,
 * a sandboxed preload that can only require 'electron'.
 */
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright';

type Handler = (event: unknown, ...args: unknown[]) => unknown;
interface Options {
  width?: number;
  height?: number;
  webPreferences?: { preload?: string; contextIsolation?: boolean; sandbox?: boolean; nodeIntegration?: boolean };
}

const clone = (value: unknown): unknown => structuredClone(value);
const need = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`the stand-in needs ${name}`);
  return value;
};

let browser: Browser | null = null;
const windows: BrowserWindow[] = [];
const handlers = new Map<string, Handler>();

class IpcMain extends EventEmitter {
  handle(channel: string, handler: Handler): void {
    if (handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    handlers.set(channel, handler);
  }
  removeHandler(channel: string): void {
    handlers.delete(channel);
  }
}
export const ipcMain = new IpcMain();

class App extends EventEmitter {
  readonly isPackaged = false;
  #ready: Promise<void> | null = null;
  requestSingleInstanceLock(): boolean {
    return true;
  }
  getLoginItemSettings(): { openAtLogin: boolean } {
    return { openAtLogin: false };
  }
  getPath(): string {
    return need('STANDIN_USER_DATA');
  }
  getName(): string {
    return 'tillbeacon';
  }
  getVersion(): string {
    return '0.0.0';
  }
  getAppPath(): string {
    return process.cwd();
  }
  whenReady(): Promise<void> {
    this.#ready ??= chromium
      .launch({
        executablePath: need('STANDIN_CHROMIUM'),
        args: [
          '--no-sandbox',
          '--disable-gpu',
          '--disable-quic',
          '--disable-background-networking',
          '--allow-file-access-from-files',
          `--remote-debugging-port=${need('STANDIN_DEBUG_PORT')}`,
        ],
      })
      .then((launched) => {
        browser = launched;
        this.emit('ready');
      });
    return this.#ready;
  }
  quit(): void {
    let prevented = false;
    this.emit('before-quit', {
      preventDefault() {
        prevented = true;
      },
    });
    if (!prevented) this.exit(0);
  }
  exit(code: number): void {
    void Promise.resolve(browser?.close()).finally(() => process.exit(code));
  }
}
export const app = new App();
// Electron quits in good order on SIGTERM.
process.on('SIGTERM', () => app.quit());

class WebContents extends EventEmitter {
  readonly #window: BrowserWindow;
  constructor(window: BrowserWindow) {
    super();
    this.#window = window;
  }
  isDestroyed(): boolean {
    return this.#window.page?.isClosed() ?? false;
  }
  setWindowOpenHandler(): void {}
  reload(): void {
    void this.#window.page?.reload();
  }
  send(channel: string, ...args: unknown[]): void {
    const message = [channel, clone(args)] as const;
    void this.#window.page
      ?.evaluate(([name, values]) => (globalThis as unknown as { __ipcEmit(name: unknown, values: unknown): void }).__ipcEmit(name, values), message)
      .catch(() => undefined); // the page is being closed
  }
}

export class BrowserWindow extends EventEmitter {
  page: Page | null = null;
  readonly webContents = new WebContents(this);
  readonly #options: Options;
  static getAllWindows(): BrowserWindow[] {
    return windows;
  }
  constructor(options: Options) {
    super();
    if (browser === null) throw new Error('Cannot create BrowserWindow before app is ready');
    const { contextIsolation, sandbox, nodeIntegration } = options.webPreferences ?? {};
    if (contextIsolation !== true || sandbox !== true || nodeIntegration !== false) throw new Error('a window without isolation and sandbox');
    this.#options = options;
    windows.push(this);
    app.emit('web-contents-created', {}, this.webContents);
  }
  show(): void {}
  focus(): void {}
  async loadFile(file: string): Promise<void> {
    const { width = 800, height = 600, webPreferences } = this.#options;
    const page = await (browser as Browser).newPage({ viewport: { width, height } });
    this.page = page;
    page.on('close', () => {
      this.webContents.emit('destroyed');
      this.emit('closed');
      windows.splice(windows.indexOf(this), 1);
      if (windows.length === 0) app.emit('window-all-closed');
    });
    page.on('crash', () => this.webContents.emit('render-process-gone', {}, { reason: 'crashed' }));
    const eventOf = (url: string): object => ({ sender: this.webContents, senderFrame: { url } });
    await page.exposeBinding('__ipcInvoke', async ({ frame }, channel: string, args: unknown[]) => {
      const handler = handlers.get(channel);
      try {
        if (handler === undefined) throw new Error(`No handler registered for '${channel}'`);
        return { value: clone(await handler(eventOf(frame.url()), ...args)) };
      } catch (error) {
        return { error: `Error invoking remote method '${channel}': ${String(error)}` };
      }
    });
    await page.exposeBinding('__ipcSend', ({ frame }, channel: string, args: unknown[]) => {
      ipcMain.emit(channel, eventOf(frame.url()), ...args);
    });
    if (webPreferences?.preload) await page.addInitScript({ content: sandboxedPreload(readFileSync(webPreferences.preload, 'utf8')) });
    await page.goto(pathToFileURL(file).href);
    this.emit('ready-to-show');
    this.webContents.emit('did-finish-load');
  }
}

/** The preload in a page: `require` knows 'electron' and nothing else, what is exposed is frozen. */
function sandboxedPreload(source: string): string {
  return `(() => {
    if (globalThis.top !== globalThis) return;
    const listeners = new Map();
    globalThis.__ipcEmit = (channel, args) => { for (const listener of [...(listeners.get(channel) ?? [])]) listener({}, ...args); };
    const invoke = globalThis.__ipcInvoke, send = globalThis.__ipcSend;
    const ipcRenderer = {
      async invoke(channel, ...args) { const answer = await invoke(channel, structuredClone(args)); if ('error' in answer) throw new Error(answer.error); return answer.value; },
      send(channel, ...args) { void send(channel, structuredClone(args)); },
      on(channel, listener) { if (!listeners.has(channel)) listeners.set(channel, new Set()); listeners.get(channel).add(listener); return this; },
      off(channel, listener) { listeners.get(channel)?.delete(listener); return this; },
      removeListener(channel, listener) { return this.off(channel, listener); },
    };
    const freeze = (value) => { if (value && typeof value === 'object') { Object.values(value).forEach(freeze); Object.freeze(value); } return value; };
    const contextBridge = { exposeInMainWorld: (name, api) => Object.defineProperty(globalThis, name, { value: freeze(api), configurable: false, writable: false }) };
    const require = (name) => { if (name === 'electron') return { ipcRenderer, contextBridge }; throw new Error('module not found: ' + name + ' (sandboxed preload)'); };
    const module = { exports: {} };
    (function (require, module, exports) {${source}\n})(require, module, module.exports);
  })();`;
}

export const screen = {
  getAllDisplays: () => [{ id: 1, bounds: { x: 0, y: 0, width: 1024, height: 768 } }],
  getPrimaryDisplay: () => ({ id: 1, bounds: { x: 0, y: 0, width: 1024, height: 768 } }),
};
export const session = { defaultSession: { setPermissionRequestHandler(): void {} } };
export const dialog = {
  showErrorBox(title: string, content: string): void {
    process.stderr.write(`${title}: ${content}\n`);
  },
};
/** A key store that keeps nothing readable: what it gives back to disk is not what went in. */
export const safeStorage = {
  isEncryptionAvailable: () => true,
  encryptString: (plain: string) => Buffer.from(plain, 'utf8').map((byte) => byte ^ 0x5a),
  decryptString: (encrypted: Buffer) => Buffer.from(encrypted.map((byte) => byte ^ 0x5a)).toString('utf8'),
};
export const shell = { openExternal: () => Promise.resolve() };
export const ipcRenderer = undefined;
export const contextBridge = undefined;
export default { app, BrowserWindow, ipcMain, screen, session, dialog, safeStorage, shell };
