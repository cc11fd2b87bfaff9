import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { focused } from './focus.ts';
import { isScannersGap, type Judging, KeyPace, type KeyPart, scannerGapMs } from './key-pace.ts';

export interface ScanOptions {
  /** Called with each scan, except one that was typed into a dialog. */
  scanned(text: string): void;
  /**
   * Called when a scan may be beginning. @returns a function that takes back what was typed since
   */
  remember?(): () => void;
  /** How scans are recognised in text fields. On buttons, no key of a scan counts in any mode. */
  judging?(path: readonly EventTarget[]): Judging;
}

/** In a dialog a person may type a few characters very fast, e.g. an amount, and then Enter. */
const minLengthInDialog = 8;
/**
 * Buttons that decide about money: Enter presses them only when no scanner's key follows, because a
 * code may begin with Enter.
 */
const decisions = '[data-decides]';
const notTyped = new Set([
  'button',
  'checkbox',
  'color',
  'file',
  'image',
  'radio',
  'range',
  'reset',
  'submit',
]);

/**
 * Keeps a scanner's keys from the focused element, where digits would become an amount and Enter
 * would press a button.
 */
export class ScanGuard implements ReactiveController {
  readonly #options: ScanOptions;
  readonly #pace = new KeyPace();
  /**
   * The fields as they were at the last pause (`#beforeAll`), and before the quick keys
   * (`#beforeQuick`).
   */
  #beforeAll = new Before();
  #beforeQuick = new Before();
  #silence: ReturnType<typeof setTimeout> | undefined;
  /** The field of the last key; null when there was none, or Tab has led on since. */
  #field: EventTarget | null = null;
  /** Will press the button on which Enter or Space was pressed. */
  #held: ReturnType<typeof setTimeout> | null = null;
  /**
   * When the last key came that was a scanner's, or followed one as a control character of a code
   * does.
   */
  #scannersMs = Number.NEGATIVE_INFINITY;
  /** The key of which nothing was passed on; its repetitions are not either. */
  #swallowed: string | null = null;

  constructor(host: ReactiveControllerHost, options: ScanOptions) {
    this.#options = options;
    host.addController(this);
  }

  hostConnected(): void {
    window.addEventListener('keydown', this.#onKey, { capture: true });
    window.addEventListener('keyup', this.#onRelease, { capture: true });
  }

  hostDisconnected(): void {
    window.removeEventListener('keydown', this.#onKey, { capture: true });
    window.removeEventListener('keyup', this.#onRelease, { capture: true });
    clearTimeout(this.#silence);
    this.#drop();
  }

  readonly #onRelease = ({ code }: KeyboardEvent): void => {
    this.#pace.release(code);
    if (code === this.#swallowed) this.#swallowed = null;
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.repeat) return event.code === this.#swallowed ? stop(event) : undefined;
    if (this.#isSwallowed(event)) {
      this.#swallowed = event.code;
      stop(event);
    } else this.#swallowed = null;
  };

  #isSwallowed(event: KeyboardEvent): boolean {
    const { key, code, timeStamp } = event;
    // Some scanners type a code's control characters with Control.
    if ((event.ctrlKey || event.metaKey) && !event.getModifierState('AltGraph')) {
      this.#pace.press({ key: 'Control', timeStamp });
      return this.#pace.isScan;
    }
    const path = event.composedPath();
    const [target] = path;
    // A person has gone to another field by touch.
    if (isTyped(target) && this.#field !== null && this.#field !== target) this.#pace.pause();
    this.#field = isTyped(target) && key !== 'Tab' ? target : null;
    const isInDialog = path.some((at) => at instanceof HTMLDialogElement);
    const { mode = 'quick', minScanLength } = this.#options.judging?.(path) ?? {};
    const part = this.#pace.press(
      { key, code, timeStamp },
      { mode, minScanLength: isInDialog ? minLengthInDialog : minScanLength },
    );
    if (part === 'modifier') return false;
    const isScannersKey = part !== 'begun' && part !== 'quick' && part !== 'ofItsOwn';
    const follows = key.length > 1 && isScannersGap(timeStamp - this.#scannersMs);
    this.#scannersMs =
      this.#drop() || isScannersKey || follows ? timeStamp : Number.NEGATIVE_INFINITY;
    this.#remember(part, target);
    clearTimeout(this.#silence);
    if (part === 'ended' || part === 'judged') this.#end(isInDialog);
    else if (this.#pace.isScan)
      this.#silence = setTimeout(() => this.#end(isInDialog), scannerGapMs);
    if (isScannersKey) return true;
    if (isTyped(target) || (key !== 'Enter' && key !== ' ')) return false;
    if (this.#pace.isAfterCharacter) return true;
    const isDecision = target instanceof HTMLElement && target.matches(decisions);
    if (timeStamp === this.#scannersMs) return isDecision || mode === 'quick';
    if (isDecision) this.#hold(target);
    return isDecision;
  }

  #remember(part: KeyPart, target: EventTarget | undefined): void {
    if (this.#pace.isFirst) this.#beforeAll = new Before(this.#options.remember?.());
    if (part === 'begun')
      this.#beforeQuick = this.#pace.isFirst
        ? this.#beforeAll
        : new Before(this.#options.remember?.());
    if (part === 'recognised') this.#beforeQuick.takeBack();
    else if (part === 'judged') this.#beforeAll.takeBack();
    else if (isTyped(target))
      for (const before of [this.#beforeAll, this.#beforeQuick]) before.note(target);
  }

  /** Presses the button once no other key has followed. */
  #hold(target: HTMLElement): void {
    this.#held = setTimeout(() => {
      this.#held = null;
      if (target.isConnected && focused() === target) target.click();
    }, scannerGapMs);
  }

  /** @returns whether a press was held */
  #drop(): boolean {
    if (this.#held === null) return false;
    clearTimeout(this.#held);
    this.#held = null;
    return true;
  }

  #end(isInDialog: boolean): void {
    const text = this.#pace.take();
    if (text !== null && !isInDialog) this.#options.scanned(text);
  }
}

function stop(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

type Field = HTMLInputElement | HTMLTextAreaElement;
const isTyped = (target: EventTarget | undefined): target is Field =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && !notTyped.has(target.type));

/** The focus and the fields before a scan has typed into them. */
class Before {
  readonly #focused = focused();
  readonly #values = new Map<Field, string>();
  readonly #takeBack: (() => void) | undefined;

  constructor(takeBack?: () => void) {
    this.#takeBack = takeBack;
  }

  note(field: Field): void {
    if (!this.#values.has(field)) this.#values.set(field, field.value);
  }

  takeBack(): void {
    for (const [field, value] of this.#values) {
      if (field.value === value) continue;
      field.value = value;
      field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
    }
    this.#values.clear();
    this.#takeBack?.();
    if (this.#focused instanceof HTMLElement && this.#focused !== focused()) this.#focused.focus();
  }
}
