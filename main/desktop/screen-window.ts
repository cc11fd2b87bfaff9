import { BrowserWindow, type WebContents } from 'electron';
import type { ScreenName } from '../../preload/contract.ts';
import type { Clock } from '../domain/clock.ts';
import type { Log } from '../domain/log.ts';
import { CrashCounter } from './crash-counter.ts';
import { guardContents } from './guards.ts';
import { Heartbeat } from './heartbeat.ts';
import { isRefusedKey } from './kiosk-keys.ts';
import { pageAddress } from './page-address.ts';
import type { Rectangle } from './window-plan.ts';

/** What a window is to show, and where. */
export interface Wanted {
  readonly screen: ScreenName;
  readonly laneId: string | null;
  readonly bounds: Rectangle;
  readonly isKiosk: boolean;
  readonly zoomPercent: number;
  readonly language: string | null;
  readonly hasSound: boolean;
}

export interface ScreenWindowOptions {
  readonly preload: string;
  readonly isPackaged: boolean;
  readonly isQuitting: () => boolean;
  /** Whether this window's page may lead to another screen; otherwise it stays. */
  readonly mayLead: (from: ScreenName, to: ScreenName) => boolean;
  readonly onClosed: () => void;
  /** The user signs out, or the system is shut down (Windows). */
  readonly onSessionEnd: () => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** A page that crashes as often as that, within that time, is loaded again only after a pause. */
const crashLoop = { most: 4, withinMs: 10_000 };
const pauseMs = 5_000;

/** One window with a screen, which comes back by itself when its page crashes or hangs. */
export class ScreenWindow {
  readonly contents: WebContents;
  readonly #window: BrowserWindow;
  readonly #options: ScreenWindowOptions;
  readonly #heartbeat: Heartbeat;
  readonly #crashes: CrashCounter;
  #wanted: Wanted;
  #isClosing = false;

  constructor(wanted: Wanted, options: ScreenWindowOptions) {
    this.#wanted = wanted;
    this.#options = options;
    const { clock, log, isPackaged } = options;
    this.#window = new BrowserWindow({
      ...wanted.bounds,
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
      send: (beat) => {
        if (!this.contents.isDestroyed()) this.contents.send('tillbeacon:beat', beat);
      },
      onHung: (silentMs) => this.#end(silentMs),
    });
    guardContents(this.contents, (to) => options.mayLead(this.#wanted.screen, to), log);
    this.#follow();
    this.contents.setAudioMuted(!wanted.hasSound);
    this.#load();
  }

  beat(beat: unknown): void {
    this.#heartbeat.heard(beat);
  }

  focus(): void {
    if (this.#window.isMinimized()) this.#window.restore();
    this.#window.show();
    this.#window.focus();
  }

  /** Moves and changes the window; the page is loaded again only where it is to show something else. */
  change(wanted: Wanted): void {
    const before = this.#wanted;
    this.#wanted = wanted;
    const { bounds, isKiosk, zoomPercent, hasSound, language, laneId } = wanted;
    const isMoved = !sameBounds(before.bounds, bounds);
    // A window that fills one display cannot be moved to another.
    if (before.isKiosk && (isMoved || !isKiosk)) this.#window.setKiosk(false);
    if (isMoved) this.#window.setBounds(bounds);
    if (isKiosk) this.#window.setKiosk(true);
    if (before.zoomPercent !== zoomPercent) this.contents.setZoomFactor(zoomPercent / 100);
    if (before.hasSound !== hasSound) this.contents.setAudioMuted(!hasSound);
    if (before.language !== language || before.laneId !== laneId) this.#load();
  }

  close(): void {
    this.#isClosing = true;
    this.#heartbeat.end();
    this.#window.destroy();
  }

  get window(): BrowserWindow {
    return this.#window;
  }

  #follow(): void {
    const { isPackaged, isQuitting, onClosed, onSessionEnd, log } = this.#options;
    const window = this.#window;
    window.once('ready-to-show', () => window.show());
    window.on('closed', onClosed);
    window.on('session-end', onSessionEnd);
    window.on('close', (event) => {
      if (!this.#wanted.isKiosk || isQuitting() || this.#isClosing) return;
      // Only a manager can close it, on the page "This computer".
      event.preventDefault();
      log.info({ screen: this.#wanted.screen }, 'a screen in kiosk mode is not closed by its keys');
    });
    this.contents.on('before-input-event', (event, input) => {
      if ((isPackaged || this.#wanted.isKiosk) && isRefusedKey(input)) event.preventDefault();
    });
    this.contents.on('did-finish-load', () => {
      this.contents.setZoomFactor(this.#wanted.zoomPercent / 100);
      // A page that is still loading may be slow without hanging.
      this.#heartbeat.begin();
    });
    this.contents.on('did-start-navigation', (details) => {
      if (details.isMainFrame && !details.isSameDocument) this.#heartbeat.end();
    });
    this.contents.on('render-process-gone', (_event, { reason, exitCode }) => {
      this.#heartbeat.end();
      if (isQuitting() || this.#isClosing) return;
      log.error({ screen: this.#wanted.screen, reason, exitCode }, 'a screen died and is loaded again');
      // The page may have shown an old state.
      if (!this.#crashes.crashed()) this.#load();
      else this.#options.clock.after(pauseMs, () => this.#load());
    });
    this.contents.on('unresponsive', () => this.#end(null));
  }

  #end(silentMs: number | null): void {
    if (this.#options.isQuitting() || this.#isClosing) return;
    this.#options.log.error({ screen: this.#wanted.screen, silentMs }, 'a screen hangs: it is ended');
    this.contents.forcefullyCrashRenderer();
  }

  #load(): void {
    if (this.#isClosing || this.#window.isDestroyed()) return;
    const { screen, laneId, language } = this.#wanted;
    this.#window.loadURL(pageAddress(screen, { laneId, language })).catch((error: Error) => {
      // Quitting, and a newer page, interrupt pages that are still loading.
      if (!this.#options.isQuitting() && !this.#isClosing) this.#options.log.warn({ screen, detail: error.message }, 'a screen could not be loaded');
    });
  }
}

function sameBounds(one: Rectangle, other: Rectangle): boolean {
  return one.x === other.x && one.y === other.y && one.width === other.width && one.height === other.height;
}
