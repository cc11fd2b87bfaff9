import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Between two characters; scanners need 1 to 30 ms, people 80 and more. */
const longestGapMs = 60;
const shortestScan = 4;

/** Tells what a keyboard-wedge scanner types from what a person types: fast, and ended by Enter. */
export class ScannedKeys {
  #text = '';
  #lastMs = Number.NEGATIVE_INFINITY;

  /** What was scanned, with the key that ends it. @param key as `KeyboardEvent.key` */
  press(key: string, atMs: number): string | null {
    const isQuick = atMs - this.#lastMs <= longestGapMs;
    // Scanners press Shift for capitals.
    if (key === 'Shift') return null;
    const before = isQuick ? this.#text : '';
    this.#lastMs = atMs;
    this.#text = key.length === 1 ? before + key : '';
    return key === 'Enter' && before.length >= shortestScan ? before : null;
  }
}

/** A scanner types wherever the focus is, also into a field: what it says is caught, unless a dialog stands there. */
export class Scanner implements ReactiveController {
  readonly #keys = new ScannedKeys();
  readonly #onScan: (text: string) => void;
  #listens = false;

  constructor(host: ReactiveControllerHost, onScan: (text: string) => void) {
    this.#onScan = onScan;
    host.addController(this);
  }

  hostDisconnected(): void {
    this.stop();
  }

  listen(): void {
    if (this.#listens) return;
    this.#listens = true;
    window.addEventListener('keydown', this.#onKey, { capture: true });
  }

  stop(): void {
    this.#listens = false;
    window.removeEventListener('keydown', this.#onKey, { capture: true });
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.composedPath().some((at) => at instanceof HTMLDialogElement)) return;
    const scanned = this.#keys.press(event.key, event.timeStamp);
    if (scanned === null) return;
    // Enter would press the button that has the focus.
    event.preventDefault();
    event.stopPropagation();
    this.#onScan(scanned);
  };
}
