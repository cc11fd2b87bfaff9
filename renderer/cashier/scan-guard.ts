import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Between two characters. Scanners need up to some 20 ms, fingers do not keep this up for four keys. */
const longestGapMs = 35;
const shortestScan = 4;
/** Not every scanner ends with Enter. */
const silenceMs = 120;

const modifiers: ReadonlySet<string> = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'CapsLock']);

/** What a key is part of: begun, perhaps a scan; for sure one (`recognised`, then `scanning`); its end; or nothing of the kind. */
export type KeyPart = 'begun' | 'typed' | 'recognised' | 'scanning' | 'ended' | 'ofItsOwn';

/** Tells what a keyboard-wedge scanner types from what fingers type: by its pace alone. */
export class KeyPace {
  #text = '';
  #lastMs = Number.NEGATIVE_INFINITY;

  get isScan(): boolean {
    return this.#text.length >= shortestScan;
  }

  /** What was scanned, once; null: too little for a scan. */
  take(): string | null {
    const text = this.isScan ? this.#text : null;
    this.#text = '';
    return text;
  }

  /** @param key as `KeyboardEvent.key` */
  press(key: string, atMs: number): KeyPart {
    if (modifiers.has(key)) return 'ofItsOwn';
    const isQuick = atMs - this.#lastMs <= longestGapMs;
    this.#lastMs = atMs;
    if (/^.$/u.test(key)) {
      this.#text = isQuick ? this.#text + key : key;
      if (!isQuick) return 'begun';
      if (this.#text.length === shortestScan) return 'recognised';
      return this.isScan ? 'scanning' : 'typed';
    }
    // No finger is at Enter so soon after a letter.
    if (isQuick && (key === 'Enter' || key === 'Tab') && this.#text !== '') return 'ended';
    this.#text = '';
    return 'ofItsOwn';
  }
}

export interface ScanListener {
  /** What is on the screen now is what it was before a scan, should this become one. */
  begun(): void;
  /** The first characters have gone where the focus is: take them back. */
  recognised(): void;
  scanned(text: string): void;
}

/** Keeps a scanner's keys from pressing what happens to have the focus: an Enter that starts a payment, digits that become an amount. */
export class ScanGuard implements ReactiveController {
  readonly #listener: ScanListener;
  readonly #pace = new KeyPace();
  #silence: ReturnType<typeof setTimeout> | undefined;

  constructor(host: ReactiveControllerHost, listener: ScanListener) {
    this.#listener = listener;
    host.addController(this);
  }

  hostConnected(): void {
    window.addEventListener('keydown', this.#onKey, { capture: true });
  }

  hostDisconnected(): void {
    window.removeEventListener('keydown', this.#onKey, { capture: true });
    clearTimeout(this.#silence);
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.repeat || event.ctrlKey || event.metaKey) return;
    const part = this.#pace.press(event.key, event.timeStamp);
    if (part === 'begun') this.#listener.begun();
    if (part === 'recognised' || part === 'scanning' || part === 'ended' || (part === 'typed' && event.key === ' ')) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
    if (part === 'recognised') this.#listener.recognised();
    clearTimeout(this.#silence);
    if (part === 'ended') this.#end();
    else if (this.#pace.isScan) this.#silence = setTimeout(() => this.#end(), silenceMs);
  };

  #end(): void {
    const text = this.#pace.take();
    if (text !== null) this.#listener.scanned(text);
  }
}
