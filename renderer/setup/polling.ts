import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Repeats a request while the host is connected, each time a pause after the previous answer. */
export class Polling implements ReactiveController {
  readonly #everyMs: number;
  readonly #ask: () => Promise<void>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #runs = false;

  constructor(host: ReactiveControllerHost, everyMs: number, ask: () => Promise<void>) {
    this.#everyMs = everyMs;
    this.#ask = ask;
    host.addController(this);
  }

  hostDisconnected(): void {
    this.stop();
  }

  start(): void {
    if (this.#runs) return;
    this.#runs = true;
    void this.#round();
  }

  stop(): void {
    this.#runs = false;
    clearTimeout(this.#timer);
  }

  async #round(): Promise<void> {
    await this.#ask();
    clearTimeout(this.#timer);
    if (this.#runs) this.#timer = setTimeout(() => void this.#round(), this.#everyMs);
  }
}
