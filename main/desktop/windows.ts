import { type BrowserWindow, type Display, screen as displayScreen, type WebContents } from 'electron';
import type { ScreenName } from '../../preload/contract.ts';
import type { ThisPcChoices } from '../../preload/procedures/this-pc.ts';
import type { Cancel, Clock } from '../domain/clock.ts';
import type { Log } from '../domain/log.ts';
import { ScreenWindow, type ScreenWindowOptions, type Wanted } from './screen-window.ts';
import { type ConnectedDisplay, planWindows } from './window-plan.ts';

interface WindowsOptions extends Pick<ScreenWindowOptions, 'preload' | 'isPackaged' | 'isQuitting' | 'onSessionEnd' | 'clock' | 'log'> {
  readonly choices: () => ThisPcChoices;
  /** demo: small windows side by side. setUp: what was chosen. notSetUp: the installer's screen. */
  readonly mode: () => 'demo' | 'setUp' | 'notSetUp';
}

/** Displays report several changes when a cable is plugged in. */
const settleMs = 250;
/** The installer's and the demonstration's windows: the rest of the computer is needed as well. */
const smallWindow = { width: 1024, height: 768 };

/** Every window of the app: as the plan says, and again whenever displays or choices change. */
export class Windows {
  readonly #options: WindowsOptions;
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #open = new Map<string, ScreenWindow>();
  /** Chosen windows that have no display now, by their place in the choices. */
  waiting: readonly number[] = [];
  #cancelArranging: Cancel = () => {};

  constructor(options: WindowsOptions) {
    this.#options = options;
    this.#log = options.log;
    this.#clock = options.clock;
    const changed = (): void => {
      this.#cancelArranging();
      this.#cancelArranging = this.#clock.after(settleMs, () => this.arrange());
    };
    displayScreen.on('display-added', changed);
    displayScreen.on('display-removed', changed);
    displayScreen.on('display-metrics-changed', changed);
  }

  /** Opens, moves and closes windows as the plan says. */
  arrange(): void {
    if (this.#options.isQuitting()) return;
    const wanted = this.#wanted();
    for (const [key, next] of wanted) {
      const open = this.#open.get(key);
      if (open === undefined) this.#open.set(key, this.#begin(key, next));
      else open.change(next);
    }
    // Windows are closed last, because an app without windows ends.
    for (const [key, window] of this.#open) {
      if (wanted.has(key)) continue;
      this.#open.delete(key);
      window.close();
    }
  }

  of(contents: WebContents): ScreenWindow | undefined {
    return [...this.#open.values()].find((window) => window.contents === contents);
  }

  /** Brings the windows to the front, and opens those again that somebody has closed. */
  focus(): void {
    this.arrange();
    for (const window of [...this.#open.values()].toReversed()) window.focus();
  }

  /** The window in front of which a question is asked. */
  get first(): BrowserWindow | undefined {
    return this.#open.values().next().value?.window;
  }

  #wanted(): Map<string, Wanted> {
    const { zoomPercent, language, sound: hasSound, kiosk: isKiosk, windows } = this.#options.choices();
    this.waiting = [];
    const common = { zoomPercent, language, hasSound };
    const mode = this.#options.mode();
    if (mode !== 'setUp') {
      const screens: readonly ScreenName[] = mode === 'demo' ? ['cashier', 'customer', 'demo'] : ['setup'];
      const { x, y } = displayScreen.getPrimaryDisplay().bounds;
      return new Map(screens.map((screen) => [screen, { ...common, screen, laneId: null, bounds: { x, y, ...smallWindow }, isKiosk: false }]));
    }
    const plan = planWindows(connectedDisplays(), windows);
    this.waiting = plan.waiting;
    if (plan.waiting.length > 0) this.#log.warn({ windows: plan.waiting.map((place) => windows[place]) }, 'there is no display for these windows');
    return new Map(plan.windows.map(({ key, screen, laneId, display: { bounds } }) => [key, { ...common, screen, laneId, bounds, isKiosk }]));
  }

  #begin(key: string, wanted: Wanted): ScreenWindow {
    const window: ScreenWindow = new ScreenWindow(wanted, {
      ...this.#options,
      mayLead: (from, to) => this.#mayLead(from, to),
      onClosed: () => {
        if (this.#open.get(key) === window) this.#open.delete(key);
      },
    });
    return window;
  }

  /** A customer's window stays one; from the others a manager gets everywhere. */
  #mayLead(from: ScreenName, to: ScreenName): boolean {
    if (from === 'customer') return to === 'customer';
    if (from !== 'setup' || this.#options.mode() !== 'setUp' || (to !== 'cashier' && to !== 'customer')) return true;
    // Setup is finished: the windows are those of any other start.
    this.#clock.after(0, () => this.arrange());
    return false;
  }
}

export function connectedDisplays(): ConnectedDisplay[] {
  const main = displayScreen.getPrimaryDisplay().id;
  return displayScreen.getAllDisplays().map(({ id, label, bounds }: Display) => ({ id, label, bounds, isMain: id === main }));
}
