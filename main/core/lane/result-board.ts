import type { Cancel, Clock } from '../domain/clock.ts';
import type { ResultOnScreen } from './snapshot.ts';

/** `known` changes while the result is on the screen, so it is added on reading. */
export type Result = Omit<ResultOnScreen, 'known'>;

/** How long an outcome stays on the screens unless the next sale comes first. */
const displayMs = 15_000;

/** How the last sale ended, while it is to be shown. */
export class ResultBoard {
  readonly #clock: Clock;
  readonly #changed: () => void;
  #shown: Result | null = null;
  #hide: Cancel | null = null;

  constructor({ clock, changed }: { readonly clock: Clock; readonly changed: () => void }) {
    this.#clock = clock;
    this.#changed = changed;
  }

  get shown(): Result | null {
    return this.#shown;
  }

  show(result: Result | null): void {
    this.close();
    this.#shown = result;
    if (result === null) return;
    this.#hide = this.#clock.after(displayMs, () => {
      this.#shown = null;
      this.#changed();
    });
  }

  /** Cancels the timer that hides the result. */
  close(): void {
    this.#hide?.();
    this.#hide = null;
  }
}
