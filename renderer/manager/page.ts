import { LitElement } from 'lit';
import { property } from 'lit/decorators.js';
import type { Bridge, View } from '../../preload/contract.ts';
import type { Language } from '../locales/i18n.ts';
import { screenTexts, type ScreenTexts } from '../locales/screens.ts';

/**
 * A page of the manager's screen. The frame creates it when it is first opened, keeps it while a
 * manager is signed in, and sets its properties. When the PIN is needed again the page is covered
 * and kept, and `opened` is called again after the sign-in.
 */
export abstract class ManagerPage extends LitElement {
  /** Used by {@link ask}, and for `saveFile(this.bridge, offer)`. */
  @property({ attribute: false }) bridge!: Pick<Bridge, 'ask'>;
  @property({ attribute: false }) language!: Language;
  /** `view.lanes` are all lanes of this counter; null while the daemon is not connected. */
  @property({ attribute: false }) view!: View | null;
  /**
   * Whether a manager is signed in and this page is shown. The page's dialogs need it too, because
   * an open one would cover another page.
   */
  @property({ attribute: false }) visible!: boolean;

  #repetition: ReturnType<typeof setInterval> | undefined;

  /**
   * Calls a procedure. The frame handles a refusal `pinNeeded` by covering the page with the
   * sign-in, and the page ignores it.
   */
  protected readonly ask: Bridge['ask'] = (name, asked) => this.bridge.ask(name, asked);

  /**
   * Called by the frame when the page becomes visible, or its address changes. Loads or reloads;
   * typed texts stay.
   */
  opened(): void {}

  /**
   * Called by the frame when another page is shown or nobody is signed in. Ends repeated requests.
   */
  left(): void {
    clearInterval(this.#repetition);
    this.#repetition = undefined;
  }

  /** Whether scans are kept from the page's fields. They are always kept from buttons. */
  readonly guardsFields: boolean = false;

  /** Called by the frame with each scan, wherever it was typed, except in a dialog. */
  scanned(_text: string): void {}

  /**
   * Called by the frame when nobody is signed in or the daemon is not connected. Removes amounts
   * that may become outdated; typed texts stay.
   */
  covered(): void {}

  override disconnectedCallback(): void {
    this.left();
    super.disconnectedCallback();
  }

  /** Loads now and at each interval until the page is left. */
  protected loadEvery(intervalMs: number, load: () => void): void {
    load();
    this.#repetition ??= setInterval(load, intervalMs);
  }

  /** The texts of all screens. */
  protected get texts(): ScreenTexts {
    return screenTexts[this.language];
  }
}
