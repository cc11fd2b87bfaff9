import { LitElement } from 'lit';
import { property } from 'lit/decorators.js';
import type { Bridge, View } from '../../preload/contract.ts';
import type { Language } from '../locales/i18n.ts';
import { screenTexts, type ScreenTexts } from '../locales/screens.ts';

/**
 * One page of the manager's screen. The frame creates it when it is first opened, keeps it while somebody is signed in, and sets its properties.
 * A page that needs the PIN again is covered, not lost: `opened` is called again after the sign-in.
 */
export abstract class ManagerPage extends LitElement {
  /** Used by {@link ask}, and for `saveFile(this.bridge, offer)`. */
  @property({ attribute: false }) bridge!: Pick<Bridge, 'ask'>;
  @property({ attribute: false }) language!: Language;
  /** `view.lanes` are all lanes of this counter; null while the daemon is not connected. */
  @property({ attribute: false }) view!: View | null;
  /** Somebody is signed in and this page is shown. Its dialogs get it too: an open one would cover another page. */
  @property({ attribute: false }) visible!: boolean;

  #repetition: ReturnType<typeof setInterval> | undefined;

  /** The frame handles a refusal `pinNeeded`: it covers the page with the sign-in. The page itself does nothing about it. */
  protected readonly ask: Bridge['ask'] = (name, asked) => this.bridge.ask(name, asked);

  /** Called by the frame when the page becomes visible, or the address leads to it again. Loads or reloads; what was typed stays. */
  opened(): void {}

  /** Called by the frame when another page is shown or nobody is signed in. Ends whatever repeats by itself. */
  left(): void {
    clearInterval(this.#repetition);
    this.#repetition = undefined;
  }

  /** Called by the frame when nobody is signed in or the daemon is not connected. Removes amounts that may be outdated afterwards; what was typed stays. */
  covered(): void {}

  override disconnectedCallback(): void {
    this.left();
    super.disconnectedCallback();
  }

  /** Loads now, and again and again until the page is left. */
  protected loadEvery(intervalMs: number, load: () => void): void {
    load();
    this.#repetition ??= setInterval(load, intervalMs);
  }

  /** The texts of all screens. */
  protected get texts(): ScreenTexts {
    return screenTexts[this.language];
  }
}
