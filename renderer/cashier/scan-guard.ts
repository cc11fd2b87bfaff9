import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** The longest time between two characters of a scan. Scanners need up to about 20 ms, and nobody types four keys that fast. */
const longestGapMs = 35;
const shortestScan = 4;
/** The pause that ends a scan, because not every scanner sends Enter. */
const silenceMs = 120;

const modifiers: ReadonlySet<string> = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'CapsLock']);

/** What a key is: `begun` may begin a scan, `typed` may continue it, `recognised` shows that it is one, `scanning` continues it, `ended` ends it; or none. */
export type KeyPart = 'begun' | 'typed' | 'recognised' | 'scanning' | 'ended' | 'ofItsOwn';

/** Distinguishes a keyboard-wedge scanner from a person by the speed of the keys. */
export class KeyPace {
  #text = '';
  #lastMs = Number.NEGATIVE_INFINITY;

  get isScan(): boolean {
    return this.#text.length >= shortestScan;
  }

  /** The scanned text, returned once; null when it is too short for a scan. */
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
    // Nobody presses Enter so soon after a character.
    if (isQuick && (key === 'Enter' || key === 'Tab') && this.#text !== '') return 'ended';
    this.#text = '';
    return 'ofItsOwn';
  }
}

export interface ScanListener {
  /** A scan may be beginning, so that the form has to be remembered. */
  begun(): void;
  /** It is a scan. Its first characters were typed into the focused field, and have to be undone. */
  recognised(): void;
  scanned(text: string): void;
}

/** Keeps a scanner's keys from the focused element, where Enter would start a payment and digits would become an amount. */
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
