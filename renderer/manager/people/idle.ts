import type { ReactiveController, ReactiveControllerHost } from 'lit';

interface Options {
  /** Nobody has touched this screen for that long. */
  readonly onIdle: () => void;
  /** Somebody is there: told at most once a minute, so that the daemon hears of who reads or types without asking anything. */
  readonly onActive: () => void;
}

const toldEveryMs = 60_000;
const signsOfPeople = ['pointerdown', 'keydown', 'wheel'] as const;

/** Whether somebody is at this screen. What a page asks by itself is no sign of it. */
export class Idle implements ReactiveController {
  readonly #options: Options;
  #afterMs: number | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #toldAtMs = 0;

  readonly #onSign = (): void => {
    if (this.#afterMs === null) return;
    this.watch(this.#afterMs);
    if (performance.now() - this.#toldAtMs < toldEveryMs) return;
    this.#toldAtMs = performance.now();
    this.#options.onActive();
  };

  constructor(host: ReactiveControllerHost, options: Options) {
    this.#options = options;
    host.addController(this);
  }

  hostConnected(): void {
    for (const sign of signsOfPeople) window.addEventListener(sign, this.#onSign, { capture: true, passive: true });
  }

  hostDisconnected(): void {
    for (const sign of signsOfPeople) window.removeEventListener(sign, this.#onSign, { capture: true });
    this.stop();
  }

  /** From now on, until `stop`. */
  watch(afterMs: number): void {
    clearTimeout(this.#timer);
    this.#afterMs = afterMs;
    this.#timer = setTimeout(() => {
      this.stop();
      this.#options.onIdle();
    }, afterMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#afterMs = null;
    this.#toldAtMs = performance.now();
  }
}
