import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Longest time between two characters of a scan: scanners need 1 to 30 ms, people 80 ms and more. */
const longestGapMs = 60;
const shortestScan = 4;

/** Distinguishes a keyboard-wedge scanner from a person: a scanner types fast and ends with Enter. */
export class ScannedKeys {
  #text = '';
  #lastMs = Number.NEGATIVE_INFINITY;

  /** @param key as `KeyboardEvent.key` @returns the scanned text when this key ends a scan; null otherwise */
  press(key: string, atMs: number): string | null {
    const isQuick = atMs - this.#lastMs <= longestGapMs;
    // Scanners send Shift before capital letters; it is no part of the text.
    if (key === 'Shift') return null;
    const before = isQuick ? this.#text : '';
    this.#lastMs = atMs;
    this.#text = key.length === 1 ? before + key : '';
    return key === 'Enter' && before.length >= shortestScan ? before : null;
  }
}

/** Takes scans from anywhere on the page, because a scanner types into whatever has the focus. Keys pressed inside a dialog are ignored. */
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
    // Otherwise Enter would press the button that has the focus.
    event.preventDefault();
    event.stopPropagation();
    this.#onScan(scanned);
  };
}
