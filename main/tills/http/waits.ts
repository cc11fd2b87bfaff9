import type { HttpApiOptions } from './options.ts';

/** Requests that wait for something to happen at a lane. */
export class Waits {
  readonly #options: Pick<HttpApiOptions, 'subscribe' | 'clock'>;
  readonly #open = new Set<() => void>();
  #ended = false;

  constructor(options: Pick<HttpApiOptions, 'subscribe' | 'clock'>) {
    this.#options = options;
  }

  until(isDone: () => boolean, ms: number, signal: AbortSignal): Promise<void> {
    if (this.#ended || ms <= 0 || signal.aborted || isDone()) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        stop();
        cancel();
        signal.removeEventListener('abort', end);
        this.#open.delete(end);
        resolve();
      };
      const stop = this.#options.subscribe(() => isDone() && end());
      const cancel = this.#options.clock.after(ms, end);
      signal.addEventListener('abort', end);
      this.#open.add(end);
    });
  }

  end(): void {
    this.#ended = true;
    for (const end of this.#open) end();
  }
}
