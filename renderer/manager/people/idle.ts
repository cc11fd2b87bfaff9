import type { ReactiveController, ReactiveControllerHost } from 'lit';

interface Options {
  /** Called when the screen was not touched for the given time. */
  readonly onIdle: () => void;
  /**
   * Called at most once a minute while there is activity, so that the daemon does not end the
   * session of a person who only reads or types.
   */
  readonly onActive: () => void;
}

const reportEveryMs = 60_000;
const signsOfPeople = ['pointerdown', 'keydown', 'wheel'] as const;

/** Detects activity at this screen. Requests that a page sends by itself do not count. */
export class Idle implements ReactiveController {
  readonly #options: Options;
  #afterMs: number | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #toldAtMs = 0;

  readonly #onSign = (): void => {
    if (this.#afterMs === null) return;
    this.watch(this.#afterMs);
    if (performance.now() - this.#toldAtMs < reportEveryMs) return;
    this.#toldAtMs = performance.now();
    this.#options.onActive();
  };

  constructor(host: ReactiveControllerHost, options: Options) {
    this.#options = options;
    host.addController(this);
  }

  hostConnected(): void {
    for (const sign of signsOfPeople)
      window.addEventListener(sign, this.#onSign, { capture: true, passive: true });
  }

  hostDisconnected(): void {
    for (const sign of signsOfPeople)
      window.removeEventListener(sign, this.#onSign, { capture: true });
    this.stop();
  }

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
