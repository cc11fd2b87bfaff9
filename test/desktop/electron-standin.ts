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
import { type Browser, chromium, type Frame, type Page, type Route } from 'playwright';

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
  getLocale(): string {
    return 'en-GB';
  }
  setLoginItemSettings(): void {}
  disableHardwareAcceleration(): void {
    if (browser !== null) throw new Error('app.disableHardwareAcceleration() can only be called before app is ready');
  }
  relaunch(): void {}
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
        args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', `--remote-debugging-port=${need('STANDIN_DEBUG_PORT')}`],
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
process.on('SIGTERM', () => {
  // Node's listener takes the place of Electron's.
  if (process.listenerCount('SIGTERM') === 1) app.quit();
});

/** Chromium serves no scheme of ours without Electron: the pages are at this origin instead, and every address is translated. */
const shownOrigin = 'https://screens.invalid';
const privileged = new Set<string>();
const protocolHandlers = new Map<string, (request: Request) => Promise<Response> | Response>();
const shown = (address: string): string => address.replace(/^tillbeacon:\/\/screens(?=\/|$)/, shownOrigin);
const own = (address: string): string => address.replace(shownOrigin, 'tillbeacon://screens');

export const protocol = {
  registerSchemesAsPrivileged(schemes: { scheme: string }[]): void {
    if (browser !== null) throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready');
    for (const { scheme } of schemes) privileged.add(scheme);
  },
  handle(scheme: string, handler: (request: Request) => Promise<Response> | Response): void {
    if (browser === null) throw new Error('Session can only be received when app is ready');
    if (!privileged.has(scheme)) throw new Error(`the scheme ${scheme} has no origin: it was not registered`);
    protocolHandlers.set(scheme, handler);
  },
};

class WebContents extends EventEmitter {
  readonly #window: BrowserWindow;
  readonly mainFrame = {
    url: '',
  };
  constructor(window: BrowserWindow) {
    super();
    this.#window = window;
  }
  isDestroyed(): boolean {
    return this.#window.isDestroyed();
  }
  setWindowOpenHandler(): void {}
  setAudioMuted(): void {}
  setZoomFactor(): void {}
  /** The page may hang: its process is not asked. */
  forcefullyCrashRenderer(): void {
    void this.#window.losePage();
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
  #isDestroyed = false;
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
  isMinimized(): boolean {
    return false;
  }
  setKiosk(): void {}
  setBounds(): void {}
  isDestroyed(): boolean {
    return this.#isDestroyed;
  }
  destroy(): void {
    const { page } = this;
    this.#ended();
    void page?.close().catch(() => undefined);
  }
  async losePage(): Promise<void> {
    const { page } = this;
    this.page = null;
    this.webContents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 1 });
    await page?.close().catch(() => undefined);
  }
  #ended(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    this.webContents.emit('destroyed');
    this.emit('closed');
    windows.splice(windows.indexOf(this), 1);
    if (windows.length === 0) app.emit('window-all-closed');
  }
  async loadURL(address: string): Promise<void> {
    const { width = 800, height = 600, webPreferences } = this.#options;
    if (this.page === null) await this.#begin(width, height, webPreferences?.preload);
    await this.page?.goto(shown(address));
    this.emit('ready-to-show');
    this.webContents.emit('did-finish-load');
  }
  async #begin(width: number, height: number, preload: string | undefined): Promise<void> {
    const page = await (browser as Browser).newPage({ viewport: { width, height } });
    this.page = page;
    // A page that was lost is not the end of its window.
    page.on('close', () => this.page === page && this.#ended());
    page.on('crash', () => this.page === page && void this.losePage());
    await page.route('**/*', (route) => this.#answer(page, route));
    const { webContents } = this;
    const eventOf = (frame: Frame): object => {
      webContents.mainFrame.url = own(page.mainFrame().url());
      return { sender: webContents, senderFrame: frame === page.mainFrame() ? webContents.mainFrame : { url: own(frame.url()) } };
    };
    await page.exposeBinding('__ipcInvoke', async ({ frame }, channel: string, args: unknown[]) => {
      const handler = handlers.get(channel);
      try {
        if (handler === undefined) throw new Error(`No handler registered for '${channel}'`);
        return { value: clone(await handler(eventOf(frame), ...args)) };
      } catch (error) {
        return { error: `Error invoking remote method '${channel}': ${String(error)}` };
      }
    });
    await page.exposeBinding('__ipcSend', ({ frame }, channel: string, args: unknown[]) => {
      ipcMain.emit(channel, eventOf(frame), ...args);
    });
    if (preload) await page.addInitScript({ content: sandboxedPreload(readFileSync(preload, 'utf8')) });
  }
  /** Asks about navigation as Electron does, and takes every request to the protocol's handler: no page gets anything from elsewhere. */
  async #answer(page: Page, route: Route): Promise<void> {
    const request = route.request();
    const url = own(request.url());
    const from = page.url();
    if (request.isNavigationRequest() && from !== 'about:blank') {
      let isPrevented = false;
      const isMainFrame = request.frame() === page.mainFrame();
      this.webContents.emit('will-frame-navigate', {
        url,
        isMainFrame,
        preventDefault() {
          isPrevented = true;
        },
      });
      if (isPrevented) return route.abort('aborted');
      if (isMainFrame) this.webContents.emit('did-start-navigation', { isMainFrame, isSameDocument: false });
    }
    const handler = protocolHandlers.get(url.slice(0, url.indexOf(':')));
    if (handler === undefined) return route.abort('blockedbyclient');
    const answer = await handler(new Request(url, { method: request.method() }));
    return route.fulfill({ status: answer.status, headers: Object.fromEntries(answer.headers), body: Buffer.from(await answer.arrayBuffer()) });
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

export const screen = Object.assign(new EventEmitter(), {
  getAllDisplays: () => [{ id: 1, label: '', bounds: { x: 0, y: 0, width: 1024, height: 768 } }],
  getPrimaryDisplay: () => ({ id: 1, label: '', bounds: { x: 0, y: 0, width: 1024, height: 768 } }),
});
export const session = {
  defaultSession: Object.assign(new EventEmitter(), {
    setPermissionRequestHandler(): void {},
    setPermissionCheckHandler(): void {},
    setDevicePermissionHandler(): void {},
    setSpellCheckerEnabled(): void {},
  }),
};
export const Menu = { setApplicationMenu(): void {} };
export const powerMonitor = new EventEmitter();
export const powerSaveBlocker = { start: (): number => 1, stop(): void {} };
export const dialog = {
  showErrorBox(title: string, content: string): void {
    process.stderr.write(`${title}: ${content}\n`);
  },
  /** Somebody presses the button with this number, once it is asked. */
  showMessageBox(...asked: { message: string; detail?: string }[]): Promise<{ response: number }> {
    const { message, detail } = asked.at(-1) ?? {};
    process.stderr.write(`${JSON.stringify({ asked: message, detail })}\n`);
    return Promise.resolve({ response: Number(process.env['STANDIN_ANSWERS'] ?? 0) });
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
export default { app, BrowserWindow, Menu, dialog, ipcMain, powerMonitor, powerSaveBlocker, protocol, safeStorage, screen, session, shell };
