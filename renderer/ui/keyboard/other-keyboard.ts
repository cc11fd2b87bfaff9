import { scannerGapMs } from '../key-pace.ts';

const rememberedForMs = 60 * 60_000;
/** Common to all pages of the app: whoever types at one has a keyboard at all of them. */
const storageKey = 'tillbeacon.keyboardUsedAtMs';

/**
 * Keys that show that somebody types. Others, e.g. for the volume, are also on computers without a
 * keyboard.
 */
const typingKeys: ReadonlySet<string> = new Set([
  'Backspace',
  'Delete',
  'Enter',
  'Escape',
  'Tab',
  'ArrowLeft',
  'ArrowRight',
  'ArrowUp',
  'ArrowDown',
  'Process',
  'Dead',
]);

/**
 * Tells whether a person types on a keyboard of the computer. Scanners and number blocks do not
 * count.
 */
export class OtherKeyboard {
  readonly #onUse: () => void;
  #lastMs = Number.NEGATIVE_INFINITY;
  #alone: ReturnType<typeof setTimeout> | undefined;

  /** @param onUse called a moment after a key, when no other one has followed as a scanner's do */
  constructor(onUse: () => void) {
    this.#onUse = onUse;
  }

  /**
   * Within the last hour: a keyboard that was lent for the setup, say, is not waited for much
   * longer.
   */
  get isUsed(): boolean {
    const sinceMs =
      Date.now() - Number(localStorage.getItem(storageKey) ?? Number.NEGATIVE_INFINITY);
    return sinceMs >= 0 && sinceMs < rememberedForMs;
  }

  press({
    key,
    location,
    isTrusted,
    timeStamp,
  }: Pick<KeyboardEvent, 'key' | 'location' | 'isTrusted' | 'timeStamp'>): void {
    // The Enter of the keyboard on the screen is not trusted.
    if (!isTrusted || location === numberBlock || (key.length !== 1 && !typingKeys.has(key)))
      return;
    clearTimeout(this.#alone);
    const isScanners = timeStamp - this.#lastMs < scannerGapMs;
    this.#lastMs = timeStamp;
    if (!isScanners) this.#alone = setTimeout(() => this.#use(), scannerGapMs);
  }

  #use(): void {
    localStorage.setItem(storageKey, String(Date.now()));
    this.#onUse();
  }
}

/** `KeyboardEvent.DOM_KEY_LOCATION_NUMPAD` */
const numberBlock = 3;
