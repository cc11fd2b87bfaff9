import type { BrowserWindow, Display, Screen, WebContents } from 'electron';
import type { ScreenName } from '../../../preload/contract.ts';
import type { ThisPcChoices } from '../../../preload/procedures/this-pc.ts';
import type { Cancel, Clock } from '../../core/domain/clock.ts';
import type { Log } from '../../core/domain/log.ts';
import { keyboardPresses } from './screen-keyboard.ts';
import { ScreenWindow, type ScreenWindowOptions, type Wanted } from './screen-window.ts';
import { type ConnectedDisplay, importance, planSmallWindows, planWindows } from './window-plan.ts';

interface WindowsOptions
  extends Pick<
    ScreenWindowOptions,
    | 'openWindow'
    | 'canPlace'
    | 'preload'
    | 'isPackaged'
    | 'isQuitting'
    | 'onSessionEnd'
    | 'clock'
    | 'log'
  > {
  readonly displays: Screen;
  readonly platform: NodeJS.Platform;
  readonly choices: () => ThisPcChoices;
  /**
   * demo: small windows side by side. setUp: what was chosen. notSetUp: the installer's screen.
   * null: not known yet.
   */
  readonly mode: () => 'demo' | 'setUp' | 'notSetUp' | null;
}

/** Displays report several changes when a cable is plugged in. */
const settleMs = 250;

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
    options.displays.on('display-added', changed);
    options.displays.on('display-removed', changed);
    options.displays.on('display-metrics-changed', changed);
  }

  /** Opens, moves and closes windows as the plan says. */
  arrange(): void {
    // Setup leads on by itself: its last page has what is seen once, such as the code for the first
    // manager.
    const isFinishing = this.#options.mode() === 'setUp' && this.#open.has('setup');
    this.#show(isFinishing ? 'notSetUp' : this.#options.mode());
  }

  #show(mode: ReturnType<WindowsOptions['mode']>): void {
    const displays = connectedDisplays(this.#options.displays);
    // Without a display every window stays, because an app without windows ends.
    if (this.#options.isQuitting() || mode === null || displays.length === 0) return;
    const wanted = this.#wanted(mode, displays);
    const leading = byImportance(wanted.values())[0];
    for (const [key, next] of wanted) {
      const open = this.#open.get(key);
      if (open === undefined)
        this.#open.set(key, this.#begin(key, next, { takesFocus: next === leading }));
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
    for (const window of byImportance(this.#open.values()).toReversed()) window.focus();
  }

  /** The window in front of which a question is asked. */
  get first(): BrowserWindow | undefined {
    return byImportance(this.#open.values())[0]?.window;
  }

  #wanted(
    mode: 'demo' | 'setUp' | 'notSetUp',
    displays: readonly ConnectedDisplay[],
  ): Map<string, Wanted> {
    const {
      zoomPercent,
      language,
      sound: hasSound,
      screenKeyboard,
      kiosk: isKiosk,
      windows,
    } = this.#options.choices();
    this.waiting = [];
    const common = {
      zoomPercent,
      language,
      hasSound,
      keyboard: keyboardPresses(screenKeyboard, this.#options.platform),
    };
    if (mode !== 'setUp') {
      const screens: readonly ScreenName[] =
        mode === 'demo' ? ['cashier', 'customer', 'demo'] : ['setup'];
      return new Map(
        planSmallWindows(displays, screens).map((placed) => [
          placed.screen,
          { ...common, ...placed, laneId: null, isKiosk: false },
        ]),
      );
    }
    const plan = planWindows(displays, windows);
    this.waiting = plan.waiting;
    if (plan.waiting.length > 0)
      this.#log.warn(
        { windows: plan.waiting.map((place) => windows[place]) },
        'no display for these windows',
      );
    return new Map(
      plan.windows.map(({ key, screen, laneId, display: { bounds } }) => [
        key,
        { ...common, screen, laneId, bounds, display: bounds, isKiosk },
      ]),
    );
  }

  #begin(
    key: string,
    wanted: Wanted,
    { takesFocus }: { readonly takesFocus: boolean },
  ): ScreenWindow {
    const window: ScreenWindow = new ScreenWindow(wanted, {
      ...this.#options,
      takesFocus,
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
    if (
      from !== 'setup' ||
      this.#options.mode() !== 'setUp' ||
      (to !== 'cashier' && to !== 'customer')
    )
      return true;
    // Setup is finished: the windows are those of any other start.
    this.#clock.after(0, () => this.#show('setUp'));
    return false;
  }
}

function byImportance<One extends { readonly screen: ScreenName }>(windows: Iterable<One>): One[] {
  return [...windows].toSorted((one, other) => importance[one.screen] - importance[other.screen]);
}

export function connectedDisplays(
  displays: Pick<Screen, 'getAllDisplays' | 'getPrimaryDisplay'>,
): ConnectedDisplay[] {
  const main = displays.getPrimaryDisplay().id;
  return displays
    .getAllDisplays()
    .map(({ id, label, bounds }: Display) => ({ id, label, bounds, isMain: id === main }));
}
