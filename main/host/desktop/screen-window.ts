import type { BrowserWindow, BrowserWindowConstructorOptions, WebContents } from 'electron';
import type { KeyboardPresses, ScreenName } from '../../../preload/contract.ts';
import type { Cancel, Clock } from '../../core/domain/clock.ts';
import type { Log } from '../../core/domain/log.ts';
import { CrashCounter } from './crash-counter.ts';
import { guardContents } from './guards.ts';
import { Heartbeat } from './heartbeat.ts';
import { isRefusedKey } from './kiosk-keys.ts';
import { pageAddress } from './page-address.ts';
import { isCovered, type Rectangle } from './window-plan.ts';

/** What a window is to show, and where. */
export interface Wanted {
  readonly screen: ScreenName;
  readonly laneId: string | null;
  /** In kiosk mode the whole display. */
  readonly bounds: Rectangle;
  readonly display: Rectangle;
  readonly isKiosk: boolean;
  readonly zoomPercent: number;
  readonly language: string | null;
  readonly hasSound: boolean;
  readonly keyboard: KeyboardPresses;
}

export interface ScreenWindowOptions {
  readonly openWindow: (options: BrowserWindowConstructorOptions) => BrowserWindow;
  readonly preload: string;
  readonly isPackaged: boolean;
  readonly isQuitting: () => boolean;
  /**
   * Whether a window can be placed. Otherwise the system decides on which display it is, and a
   * kiosk's fills that one.
   */
  readonly canPlace: boolean;
  /** Whether the window takes the keyboard focus when it opens. */
  readonly takesFocus: boolean;
  /** Whether this window's page may lead to another screen; otherwise it stays. */
  readonly mayLead: (from: ScreenName, to: ScreenName) => boolean;
  readonly onClosed: () => void;
  /** The user signs out, or the system is shut down (Windows). */
  readonly onSessionEnd: () => void;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * A page that crashes or fails as often as that, within that time, is loaded again only after a
 * pause.
 */
const crashLoop = { maxCrashes: 4, withinMs: 10_000 };
const pauseMs = 5_000;
/** What could not be read a moment ago may be readable now. */
const retryMs = 1_000;
/** A page that is loading may be slow without hanging. */
const loadWithinMs = 60_000;

/**
 * One window with a screen, which comes back by itself when its page crashes, hangs or cannot be
 * loaded.
 */
export class ScreenWindow {
  readonly contents: WebContents;
  readonly #window: BrowserWindow;
  readonly #options: ScreenWindowOptions;
  readonly #heartbeat: Heartbeat;
  readonly #crashes: CrashCounter;
  #wanted: Wanted;
  #isClosing = false;
  /** The page that was loaded last could not be. */
  #hasFailed = false;
  #stopWaiting: Cancel = () => {};
  #cancelReload: Cancel = () => {};

  constructor(wanted: Wanted, options: ScreenWindowOptions) {
    this.#wanted = wanted;
    this.#options = options;
    const { clock, log, isPackaged } = options;
    this.#window = options.openWindow({
      ...(options.canPlace
        ? wanted.bounds
        : { width: wanted.bounds.width, height: wanted.bounds.height }),
      kiosk: wanted.isKiosk,
      show: false,
      autoHideMenuBar: true,
      title: 'Tillbeacon',
      webPreferences: {
        preload: options.preload,
        contextIsolation: true,
        sandbox: true,
        nodeIntegration: false,
        webviewTag: false,
        webSecurity: true,
        spellcheck: false,
        navigateOnDragDrop: false,
        devTools: !isPackaged,
        // The customer's screen is in use while the cashier's window is in front.
        backgroundThrottling: false,
        zoomFactor: wanted.zoomPercent / 100,
      },
    });
    this.contents = this.#window.webContents;
    this.#crashes = new CrashCounter(clock, crashLoop);
    this.#heartbeat = new Heartbeat({
      clock,
      send: (beat) => this.#send('tillbeacon:beat', beat),
      onHung: (silentMs) => this.#end(silentMs),
    });
    guardContents(this.contents, (to) => options.mayLead(this.#wanted.screen, to), log);
    this.#follow();
    this.contents.setAudioMuted(!wanted.hasSound);
    this.#load();
  }

  beat(beat: unknown): void {
    this.#heartbeat.receive(beat);
  }

  focus(): void {
    if (this.#window.isMinimized()) this.#window.restore();
    this.#window.show();
    this.#window.focus();
  }

  /** Moves and changes the window. Its page stays, and a manager stays signed in. */
  change(wanted: Wanted): void {
    const before = this.#wanted;
    this.#wanted = wanted;
    const { bounds, isKiosk, zoomPercent, hasSound, language, keyboard } = wanted;
    const isMoved =
      this.#options.canPlace && (!isSame(before.bounds, bounds) || this.#isElsewhere());
    // A window that fills one display cannot be moved to another.
    if (before.isKiosk && (isMoved || !isKiosk)) this.#window.setKiosk(false);
    if (isMoved) this.#window.setBounds(bounds);
    if (isKiosk && (isMoved || !before.isKiosk)) this.#window.setKiosk(true);
    if (before.zoomPercent !== zoomPercent) this.contents.setZoomFactor(zoomPercent / 100);
    if (before.hasSound !== hasSound) this.contents.setAudioMuted(!hasSound);
    if (before.language !== language) this.#send('tillbeacon:language', language);
    if (before.keyboard !== keyboard) this.tellPage();
  }

  /**
   * Properties that are not in the page's address. Customers type nothing but a telephone number,
   * which has a pad.
   */
  tellPage(): void {
    this.#send('tillbeacon:keyboard', this.screen === 'customer' ? 'none' : this.#wanted.keyboard);
  }

  close(): void {
    this.#isClosing = true;
    this.#watchNothing();
    this.#cancelReload();
    this.#window.destroy();
  }

  get window(): BrowserWindow {
    return this.#window;
  }

  get screen(): ScreenName {
    return this.#wanted.screen;
  }

  /**
   * The system moves windows of a display that is lost. Outside of kiosk mode a person may move one
   * on its display.
   */
  #isElsewhere(): boolean {
    if (!this.#options.canPlace) return false;
    const { bounds, display, isKiosk } = this.#wanted;
    const actual = this.#window.getBounds();
    return isKiosk ? !isCovered(bounds, actual) : !isCovered(actual, display);
  }

  #send(channel: string, message: unknown): void {
    if (!this.contents.isDestroyed()) this.contents.send(channel, message);
  }

  #follow(): void {
    const { isPackaged, isQuitting, onClosed, onSessionEnd, takesFocus, log } = this.#options;
    const window = this.#window;
    window.once('ready-to-show', () => (takesFocus ? this.focus() : window.showInactive()));
    window.on('closed', onClosed);
    window.on('session-end', onSessionEnd);
    window.on('close', (event) => {
      if (!this.#wanted.isKiosk || isQuitting() || this.#isClosing) return;
      // Only a manager can close it, on the page "This computer".
      event.preventDefault();
      log.info({ screen: this.screen }, 'keys that close a window are ignored in kiosk mode');
    });
    this.contents.on('before-input-event', (event, input) => {
      if ((isPackaged || this.#wanted.isKiosk) && isRefusedKey(input)) event.preventDefault();
    });
    this.contents.on('did-start-navigation', (details) => {
      if (details.isMainFrame && !details.isSameDocument) this.#watchLoading();
    });
    this.contents.on('did-fail-load', (_event, code, detail, _address, isMainFrame) => {
      if (isMainFrame && code !== aborted) this.#failed(detail);
    });
    this.contents.on('did-finish-load', () =>
      this.contents.setZoomFactor(this.#wanted.zoomPercent / 100),
    );
    // Also where a page wanted to go elsewhere and was refused: it is still there.
    this.contents.on('did-stop-loading', () => this.#watchPage());
    this.contents.on('render-process-gone', (_event, { reason, exitCode }) => {
      this.#watchNothing();
      if (isQuitting() || this.#isClosing) return;
      log.error(
        { screen: this.screen, reason, exitCode },
        'screen process died: loading the screen again',
      );
      // The page may have shown an old state.
      if (!this.#crashes.crashed()) this.#load();
      else this.#loadAfter(pauseMs);
    });
    this.contents.on('unresponsive', () => this.#end(null));
  }

  #watchLoading(): void {
    this.#watchNothing();
    this.#hasFailed = false;
    this.#stopWaiting = this.#options.clock.after(loadWithinMs, () => {
      if (!this.contents.isLoading()) return this.#watchPage();
      this.#end(loadWithinMs);
      // The page may have no process.
      return this.#loadAfter(retryMs);
    });
  }

  #watchPage(): void {
    this.#watchNothing();
    if (!this.#hasFailed && !this.#isClosing) this.#heartbeat.begin();
  }

  #watchNothing(): void {
    this.#stopWaiting();
    this.#heartbeat.end();
  }

  #failed(detail: string): void {
    this.#watchNothing();
    this.#hasFailed = true;
    if (this.#options.isQuitting() || this.#isClosing) return;
    this.#options.log.error(
      { screen: this.screen, detail },
      'screen could not be loaded: trying again',
    );
    this.#loadAfter(this.#crashes.crashed() ? pauseMs : retryMs);
  }

  #end(silentMs: number | null): void {
    if (this.#options.isQuitting() || this.#isClosing) return;
    this.#options.log.error({ screen: this.screen, silentMs }, 'ending a screen that hangs');
    this.contents.forcefullyCrashRenderer();
  }

  #loadAfter(delayMs: number): void {
    this.#cancelReload();
    this.#cancelReload = this.#options.clock.after(delayMs, () => this.#load());
  }

  #load(): void {
    if (this.#isClosing || this.#window.isDestroyed()) return;
    this.#cancelReload();
    const { screen, laneId, language } = this.#wanted;
    // What fails is told by `did-fail-load`.
    this.#window.loadURL(pageAddress(screen, { laneId, language })).catch(() => {});
  }
}

/** Chromium's number for a load that quitting, or a newer page, has interrupted. */
const aborted = -3;

function isSame(one: Rectangle, other: Rectangle): boolean {
  return (
    one.x === other.x &&
    one.y === other.y &&
    one.width === other.width &&
    one.height === other.height
  );
}
