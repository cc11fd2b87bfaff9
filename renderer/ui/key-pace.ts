/**
 * The longest time between two keys of a scanner that types. Those with Bluetooth take up to 150
 * ms.
 */
export const scannerGapMs = 180;
/** Nobody types four keys at this pace. */
const quickGapMs = 35;
/** Nobody types a text and its Enter at this pace, as an average. */
const quickMeanMs = 50;
const minQuickLength = 4;
/** A text of this length that is typed slowly, but evenly and with its Enter, is a scan. */
const minLength = 8;
/** The gaps of a person differ by more. */
const maxSpreadMs = 75;
/** A code has some hundred characters. The rest of a longer one is dropped. */
const maxLength = 1_000;

/**
 * Whether a scanner may have sent both keys. A key from before the last one is another device's.
 */
export const isScannersGap = (sinceMs: number): boolean => sinceMs >= 0 && sinceMs <= scannerGapMs;

const modifiers: ReadonlySet<string> = new Set([
  'Shift',
  'Control',
  'Alt',
  'AltGraph',
  'Meta',
  'CapsLock',
]);

/**
 * What a key is:
 * - `begun`: a character that may begin a quick scan; `quick`: one that may continue it
 * - `recognised`: with it, the quick characters are a scan; `scanning`: another key of a scan
 * - `ended`: it ends a scan, or comes too soon to be a person's
 * - `judged`: it ends what was typed, which as a whole is a scan
 * - `modifier`: Shift and the like, which belong to the next key; `ofItsOwn`: none of these
 */
export type KeyPart =
  | 'begun'
  | 'quick'
  | 'recognised'
  | 'scanning'
  | 'ended'
  | 'judged'
  | 'modifier'
  | 'ofItsOwn';

export interface Judging {
  /**
   * `quick`: quick keys are recognised before their Enter. `whole`: only at their Enter. `none`:
   * never.
   */
  readonly mode?: 'quick' | 'whole' | 'none';
  /** Length of the shortest scan. */
  readonly minScanLength?: number | undefined;
}

type Press = Pick<KeyboardEvent, 'key' | 'timeStamp'> & { readonly code?: string };

/** Distinguishes a keyboard-wedge scanner from a person by the pace of the keys. */
export class KeyPace {
  /** Characters since the last pause. */
  #text = '';
  /** The quick characters at the end of that text. */
  #quick = '';
  #lastMs = Number.NEGATIVE_INFINITY;
  /** The longest step since the last key, because some scanners take one for Shift. */
  #stepMs = 0;
  #count = 0;
  #sumMs = 0;
  #minMs = Number.POSITIVE_INFINITY;
  #maxMs = 0;
  #state: 'unknown' | 'scan' | 'over' = 'unknown';
  #wasCharacter = false;
  #isAfterCharacter = false;
  /** The character's key that is down; null for none. */
  #down: string | null = null;
  /**
   * Whether a key was pressed before the last one was released: fingers overlap, scanners do not.
   */
  #overlaps = false;

  get isScan(): boolean {
    return this.#state === 'scan';
  }

  /** Whether the last key is the first one after a pause. */
  get isFirst(): boolean {
    return this.#count === 1;
  }

  /** Whether the last key follows a character, no later than a scanner's does. */
  get isAfterCharacter(): boolean {
    return this.#isAfterCharacter;
  }

  /** The scanned text, returned once; null when it is too short for a scan. */
  take(): string | null {
    const text = this.#state === 'scan' && this.#text.length >= minQuickLength ? this.#text : null;
    this.#text = '';
    this.#quick = '';
    if (this.#state === 'scan') this.#state = 'over';
    return text;
  }

  press(
    { key, code = key, timeStamp }: Press,
    { mode = 'quick', minScanLength = minQuickLength }: Judging = {},
  ): KeyPart {
    const sinceMs = timeStamp - this.#lastMs;
    if (!isScannersGap(sinceMs)) this.pause();
    this.#lastMs = timeStamp;
    if (modifiers.has(key)) {
      if (this.#count > 0) this.#stepMs = Math.max(this.#stepMs, sinceMs);
      return 'modifier';
    }
    const gapMs = Math.max(sinceMs, this.#stepMs);
    this.#stepMs = 0;
    this.#count += 1;
    if (this.#count > 1) {
      this.#sumMs += gapMs;
      this.#minMs = Math.min(this.#minMs, gapMs);
      this.#maxMs = Math.max(this.#maxMs, gapMs);
    }
    this.#isAfterCharacter = this.#wasCharacter;
    this.#wasCharacter = /^.$/u.test(key);
    if (!this.#wasCharacter) return this.#command(key, gapMs, mode, minScanLength);
    this.#overlaps ||= this.#down !== null;
    this.#down = code;
    return this.#character(key, gapMs, mode);
  }

  release(code: string): void {
    if (code === this.#down) this.#down = null;
  }

  /** A person has done something else: the next key is the first one. */
  pause(): void {
    this.#text = '';
    this.#quick = '';
    this.#stepMs = 0;
    this.#count = 0;
    this.#sumMs = 0;
    this.#minMs = Number.POSITIVE_INFINITY;
    this.#maxMs = 0;
    this.#state = 'unknown';
    this.#wasCharacter = false;
    this.#down = null;
    this.#overlaps = false;
  }

  #character(key: string, gapMs: number, mode: Judging['mode']): KeyPart {
    if (this.#text.length < maxLength) this.#text += key;
    if (this.#state !== 'unknown') {
      this.#state = 'scan';
      return 'scanning';
    }
    const isQuick = this.#isAfterCharacter && gapMs <= quickGapMs;
    this.#quick = isQuick ? this.#quick + key : key;
    if (!isQuick || mode !== 'quick') return 'begun';
    if (this.#quick.length < minQuickLength) return 'quick';
    this.#state = 'scan';
    this.#text = this.#quick;
    return 'recognised';
  }

  #command(key: string, gapMs: number, mode: Judging['mode'], minScanLength: number): KeyPart {
    const isEnd = key === 'Enter' || key === 'Tab';
    if (this.#state === 'scan') return isEnd ? 'ended' : 'scanning';
    if (this.#state === 'over') {
      // A code may have more than one Enter.
      if (key === 'Enter' && gapMs <= Math.max(quickGapMs, 2 * this.#meanMs)) return 'scanning';
      this.pause();
      return 'ofItsOwn';
    }
    if (key === 'Enter') {
      const follows = mode === 'quick' || (mode === 'whole' && this.#isAfterCharacter);
      if (follows && this.#isWholeScan(minScanLength)) {
        this.#state = 'scan';
        return 'judged';
      }
      // A person's next Enter is not judged with this text.
      this.#text = '';
    }
    // Nobody presses Enter so soon after a character.
    if (mode === 'quick' && isEnd && this.#isAfterCharacter && gapMs <= quickGapMs) return 'ended';
    // A control character of a code may be Escape or a function key.
    const isAction = key === 'Escape' || /^F\d/.test(key);
    return mode === 'quick' && isAction && this.#text.length >= minQuickLength
      ? 'scanning'
      : 'ofItsOwn';
  }

  get #meanMs(): number {
    return this.#sumMs / (this.#count - 1);
  }

  #isWholeScan(minScanLength: number): boolean {
    if (this.#meanMs <= quickMeanMs) return this.#text.length >= minScanLength;
    return (
      this.#text.length >= Math.max(minLength, minScanLength) &&
      this.#maxMs - this.#minMs <= maxSpreadMs &&
      !this.#overlaps
    );
  }
}
