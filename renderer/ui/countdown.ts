import type { ReactiveController, ReactiveControllerHost } from 'lit';

/**
 * Counts down from the remaining time that the daemon sent, or up when that time is negative
 * because it has passed. It uses the monotonic clock, so that a change of the wall clock has no
 * effect.
 */
export class Countdown implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  #endsAtMs: number | null = null;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  hostDisconnected(): void {
    this.stop();
  }

  start(remainingMs: number): void {
    this.#endsAtMs = performance.now() + remainingMs;
    this.#timer ??= setInterval(() => this.#host.requestUpdate(), 250);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#endsAtMs = null;
  }

  get isRunning(): boolean {
    return this.#endsAtMs !== null;
  }

  /** Seconds since the end; 0 before the end, or when it is not running. */
  get secondsPassed(): number {
    return this.#endsAtMs === null
      ? 0
      : Math.max(0, Math.floor((performance.now() - this.#endsAtMs) / 1000));
  }

  /** Seconds until the end, 0 after it; null when it is not running. */
  get secondsLeft(): number | null {
    return this.#endsAtMs === null
      ? null
      : Math.max(0, Math.ceil((this.#endsAtMs - performance.now()) / 1000));
  }
}
