import { EventEmitter } from 'node:events';
import { readFileSync, realpathSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import type { CDPSession, Frame, Page, Route } from 'playwright';
import type {
  BrowserWindow as ElectronWindow,
  BrowserWindowConstructorOptions,
  Input,
  Rectangle,
  WebContents as ElectronContents,
} from 'electron';
import { app } from './app.ts';
import { readyOr } from './chromium.ts';
import { control, isPrevented } from './control.ts';
import { deliver, jsonOf } from './ipc.ts';
import { answerOf, own, shown } from './protocol.ts';
import { theSession } from './session.ts';
import { changeDisplays, type FakeDisplay } from './system.ts';
import { bindingName, deliverName, preloadWorld, worldsOf } from './worlds.ts';

type OpenHandler = Parameters<ElectronContents['setWindowOpenHandler']>[0];
type UsedContents = Pick<
  ElectronContents,
  | 'forcefullyCrashRenderer'
  | 'isDestroyed'
  | 'isLoading'
  | 'send'
  | 'setAudioMuted'
  | 'setWindowOpenHandler'
  | 'setZoomFactor'
>;
type UsedWindow = Pick<
  ElectronWindow,
  | 'destroy'
  | 'focus'
  | 'getBounds'
  | 'isDestroyed'
  | 'isMinimized'
  | 'loadURL'
  | 'restore'
  | 'setBounds'
  | 'setKiosk'
  | 'show'
  | 'showInactive'
>;

const windows: BrowserWindow[] = [];

class WebContents extends EventEmitter implements UsedContents {
  readonly #window: BrowserWindow;
  readonly mainFrame = { url: '' };
  isMuted = false;
  zoom = 1;
  openHandler: OpenHandler = () => ({ action: 'allow' });
  constructor(window: BrowserWindow) {
    super();
    this.#window = window;
  }
  isDestroyed(): boolean {
    return this.#window.isDestroyed();
  }
  isLoading(): boolean {
    return this.#window.isLoading;
  }
  setWindowOpenHandler(handler: OpenHandler): void {
    this.openHandler = handler;
  }
  setAudioMuted(muted: boolean): void {
    this.isMuted = muted;
  }
  setZoomFactor(factor: number): void {
    if (!(factor > 0)) throw new Error("'zoomFactor' must be a double greater than 0.0");
    this.zoom = factor;
  }
  /** Ends the page's process without asking it, because the page may hang. */
  forcefullyCrashRenderer(): void {
    void this.#window.losePage();
  }
  send(channel: string, ...args: unknown[]): void {
    if (this.isDestroyed()) throw new Error('Object has been destroyed');
    this.#window.deliver(channel, jsonOf(args));
  }
}

export class BrowserWindow extends EventEmitter implements UsedWindow {
  readonly webContents: WebContents;
  readonly #options: BrowserWindowConstructorOptions;
  #page: Page | null = null;
  #cdp: CDPSession | null = null;
  /** Id of the preload's world in the page that is shown. */
  #contextId: number | null = null;
  /** Address that the app itself is loading, for which no permission is asked. */
  #loading: string | null = null;
  #isDestroyed = false;
  #isShown = false;
  #hasFocus = false;
  #isKiosk: boolean;
  #bounds: Rectangle;

  constructor(options: BrowserWindowConstructorOptions) {
    super();
    readyOr('Cannot create BrowserWindow before app is ready');
    refuseOpenDoors(options);
    this.#options = options;
    this.#isKiosk = options.kiosk === true;
    this.#bounds = {
      x: options.x ?? 0,
      y: options.y ?? 0,
      width: options.width ?? 800,
      height: options.height ?? 600,
    };
    this.webContents = new WebContents(this);
    windows.push(this);
    app.emit('web-contents-created', {}, this.webContents);
  }

  get facts(): object {
    const { isMuted, zoom, mainFrame } = this.webContents;
    const { webPreferences } = this.#options;
    return {
      url: mainFrame.url,
      isKiosk: this.#isKiosk,
      bounds: this.#bounds,
      isShown: this.#isShown,
      hasFocus: this.#hasFocus,
      isMuted,
      zoom,
      webPreferences,
    };
  }

  get isLoading(): boolean {
    return this.#loading !== null;
  }
  show(): void {
    this.#isShown = true;
    this.focus();
  }
  showInactive(): void {
    this.#isShown = true;
  }
  getBounds(): Rectangle {
    return this.#bounds;
  }
  /** Moves a window whose display is lost as the systems do, also one that fills the display. */
  moveOffDisplay(lost: Rectangle, primary: Rectangle): void {
    const { x, y } = this.#bounds;
    const isThere =
      x >= lost.x && x < lost.x + lost.width && y >= lost.y && y < lost.y + lost.height;
    if (isThere)
      this.#bounds = this.#isKiosk ? primary : { ...this.#bounds, x: primary.x, y: primary.y };
  }
  focus(): void {
    for (const window of windows) window.#hasFocus = window === this;
  }
  static focusNone(): void {
    for (const window of windows) window.#hasFocus = false;
  }
  isMinimized(): boolean {
    return false;
  }
  restore(): void {}
  setKiosk(flag: boolean): void {
    this.#isKiosk = flag;
  }
  setBounds(bounds: Partial<Rectangle>): void {
    // As in the systems, a window that fills a display stays there.
    if (this.#isKiosk) return;
    this.#bounds = { ...this.#bounds, ...bounds };
    const { width, height } = this.#bounds;
    void this.#page?.setViewportSize({ width, height }).catch(() => undefined);
  }
  isDestroyed(): boolean {
    return this.#isDestroyed;
  }
  /** Closes the window as a person would. */
  close(): void {
    if (!isPrevented((event) => this.emit('close', event))) this.destroy();
  }
  destroy(): void {
    const page = this.#page;
    this.#ended();
    void page?.close().catch(() => undefined);
  }

  async losePage(): Promise<void> {
    const page = this.#page;
    this.#page = null;
    this.#contextId = null;
    this.webContents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 1 });
    await page?.close().catch(() => undefined);
  }

  async loadURL(address: string): Promise<void> {
    if (await answersNothing(address)) throw this.#failed(address);
    if (this.#page === null) await this.#begin();
    this.#loading = address;
    this.webContents.emit('did-start-navigation', { isMainFrame: true, isSameDocument: false });
    await this.#page?.goto(shown(address)).finally(() => (this.#loading = null));
    this.emit('ready-to-show');
    this.webContents.emit('did-finish-load');
    this.webContents.emit('did-stop-loading');
  }

  #failed(address: string): Error {
    this.webContents.emit('did-fail-load', {}, -2, 'ERR_FAILED', address, true);
    this.webContents.emit('did-stop-loading');
    return new Error(`ERR_FAILED (-2) loading '${address}'`);
  }

  deliver(channel: string, json: string): void {
    if (this.#contextId === null) return;
    const expression = `globalThis.${deliverName}(${JSON.stringify(channel)}, ${json})`;
    // The page may just be closing.
    void this.#cdp
      ?.send('Runtime.evaluate', { expression, contextId: this.#contextId })
      .catch(() => undefined);
  }

  #ended(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    windows.splice(windows.indexOf(this), 1);
    this.webContents.emit('destroyed');
    this.emit('closed');
    if (windows.length === 0) app.emit('window-all-closed');
  }

  async #begin(): Promise<void> {
    const { context } = readyOr('no browser');
    const page = await context.newPage();
    this.#page = page;
    const { width, height } = this.#bounds;
    await page.setViewportSize({ width, height });
    // A page that was lost is not the end of its window.
    page.on('close', () => this.#page === page && this.#ended());
    page.on('crash', () => this.#page === page && void this.losePage());
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame()) this.webContents.mainFrame.url = own(frame.url());
    });
    page.on('popup', (popup) => this.#opened(popup));
    page.on('download', (download) => theSession.downloaded(this.webContents as never, download));
    await page.route('**/*', (route) => this.#answer(page, route));
    await theSession.applyTo(this.webContents as never);
    await this.#injectPreload(page);
  }

  /** Electron asks before there is a window; here there is one for a moment, which gets nothing. */
  #opened(popup: Page): void {
    const { action } = this.webContents.openHandler({ url: own(popup.url()) } as never);
    process.stderr.write(
      `${JSON.stringify({ standIn: action === 'deny' ? 'a window was refused' : 'a window was opened' })}\n`,
    );
    if (action === 'deny') void popup.close().catch(() => undefined);
  }

  async #injectPreload(page: Page): Promise<void> {
    const preload = this.#options.webPreferences?.preload;
    if (preload === undefined) return;
    const worlds = worldsOf(readFileSync(preload, 'utf8'));
    const cdp = await page.context().newCDPSession(page);
    this.#cdp = cdp;
    const frames = new Map<number, string>();
    cdp.on('Runtime.executionContextCreated', ({ context: { id, name, auxData } }) => {
      if (name !== preloadWorld) return;
      const { frameId } = auxData as { frameId: string };
      frames.set(id, frameId);
      // Playwright does not tell frames' ids; the first of a page is its main frame's, and stays
      // so.
      if ([...frames.values()][0] === frameId) this.#contextId = id;
    });
    cdp.on('Runtime.bindingCalled', ({ payload, executionContextId }) => {
      if (this.#page !== page || executionContextId !== this.#contextId) return;
      const [channel, args] = JSON.parse(payload) as [string, unknown[]];
      this.heard(page.mainFrame(), channel, args);
    });
    // An exception of the preload: Electron says so on the console, and the page is without its
    // bridge.
    cdp.on('Runtime.exceptionThrown', ({ exceptionDetails: { text, exception } }) =>
      process.stderr.write(`${JSON.stringify({ exception: exception?.description ?? text })}\n`),
    );
    await cdp.send('Runtime.enable');
    await cdp.send('Page.enable');
    await cdp.send('Runtime.addBinding', { name: bindingName, executionContextName: preloadWorld });
    await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source: worlds.page });
    await cdp.send('Page.addScriptToEvaluateOnNewDocument', {
      source: worlds.preload,
      worldName: preloadWorld,
    });
  }

  /** @param frame where the message comes from */
  heard(frame: Frame | { url(): string }, channel: string, args: readonly unknown[]): void {
    const { webContents } = this;
    const isMain = frame === this.#page?.mainFrame();
    deliver(
      channel,
      {
        sender: webContents,
        senderFrame: isMain ? webContents.mainFrame : { url: own(frame.url()) },
      },
      args,
    );
  }

  /**
   * Asks about navigation as Electron does, and takes every request to the protocol's handler: no
   * page gets anything from elsewhere.
   */
  async #answer(page: Page, route: Route): Promise<void> {
    const request = route.request();
    const url = own(request.url());
    if (
      request.isNavigationRequest() &&
      page.url() !== 'about:blank' &&
      !this.#mayNavigate(request.frame() === page.mainFrame(), url)
    )
      return route.abort('aborted');
    const answer = await answerOf(url, request.method()).catch(() => null);
    if (answer === null) return route.abort('blockedbyclient');
    return route.fulfill({
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: Buffer.from(await answer.arrayBuffer()),
    });
  }

  #mayNavigate(isMainFrame: boolean, url: string): boolean {
    if (this.#loading === url) return true;
    const { webContents } = this;
    webContents.emit('did-start-navigation', { isMainFrame, isSameDocument: false });
    if (
      !isPrevented((event) =>
        webContents.emit('will-frame-navigate', Object.assign(event, { url, isMainFrame })),
      )
    )
      return true;
    webContents.emit('did-stop-loading');
    return false;
  }
}

/** Refuses every address without a registered scheme, such as files and the network. */
async function answersNothing(address: string): Promise<boolean> {
  return (await answerOf(address, 'HEAD').catch(() => null)) === null;
}

/**
 * @throws where a window would have more rights than the app gives any, or its preload is no file
 * of the app
 */
function refuseOpenDoors({ webPreferences = {} }: BrowserWindowConstructorOptions): void {
  const { contextIsolation, sandbox, nodeIntegration, webSecurity, webviewTag, preload } =
    webPreferences;
  if (contextIsolation !== true || sandbox !== true || nodeIntegration !== false)
    throw new Error('a window without isolation and sandbox');
  if (webSecurity === false || webviewTag === true)
    throw new Error('a window whose pages may include others');
  if (preload === undefined) return;
  const inside = isAbsolute(preload)
    ? relative(realpathSync(app.getAppPath()), realpathSync(preload))
    : '..';
  if (inside.split(sep)[0] === '..' || isAbsolute(inside))
    throw new Error(`the preload is not in the app: ${preload}`);
}

const windowAt = (part: string): BrowserWindow => {
  const found = windows.find(({ webContents }) => webContents.mainFrame.url.includes(part));
  if (found === undefined) throw new Error(`no window shows ${part}`);
  return found;
};
const moveWindows = (lost: Rectangle, primary: Rectangle): void =>
  windows.forEach((window) => window.moveOffDisplay(lost, primary));
control('displays', (now: readonly FakeDisplay[]) => changeDisplays(now, { move: moveWindows }));
/** Changes the displays as while the computer sleeps, when no program is notified. */
control('displaysAsleep', (now: readonly FakeDisplay[]) =>
  changeDisplays(now, { move: moveWindows, isHeard: false }),
);
control('windows', () => windows.map(({ facts }) => facts));
control('close', (part: string) => windowAt(part).close());
control('crash', (part: string) => windowAt(part).losePage());
/** The user works with another program. */
control('otherProgram', () => BrowserWindow.focusNone());
/** @returns whether the app keeps the key from the page */
control('key', ({ part, key }: { part: string; key: Partial<Input> }) =>
  isPrevented((event) =>
    windowAt(part).webContents.emit('before-input-event', event, {
      type: 'keyDown',
      control: false,
      alt: false,
      shift: false,
      meta: false,
      ...key,
    }),
  ),
);
/** A message from a frame or page that is not ours. */
control(
  'foreignMessage',
  ({
    part,
    url,
    channel,
    message,
  }: {
    part: string;
    url: string;
    channel: string;
    message: unknown;
  }) => windowAt(part).heard({ url: () => url }, channel, [message]),
);
