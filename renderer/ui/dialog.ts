import {
  html,
  LitElement,
  nothing,
  type PropertyValues,
  type TemplateResult,
  unsafeCSS,
} from 'lit';
import { property } from 'lit/decorators.js';
import type { Language } from '../locales/i18n.ts';
import { screenTexts } from '../locales/screens.ts';
import { focused } from './focus.ts';
import { icon } from './icons.ts';
import styles from './dialog.css?inline';
import { buttonStyles, sharedStyles } from './styles.ts';

export interface DialogOptions {
  readonly language: Language;
  readonly title: string;
  /** Called on Escape or the close button; the caller then stops rendering the dialog. */
  readonly onClose: () => void;
  readonly body: unknown;
  /** The buttons. Enter in a field presses the `primary` or `danger` one. */
  readonly actions?: unknown;
  readonly size?: 'small' | 'medium' | 'large';
  /**
   * When false, the dialog has no close button and Escape does nothing: only one of its actions
   * closes it.
   */
  readonly closable?: boolean;
  /**
   * False while the dialog's page is hidden. The dialog is then hidden too, and comes back
   * unchanged.
   */
  readonly visible?: boolean;
}

/**
 * A modal dialog, open as long as it is rendered. It focuses the element with `autofocus`, and
 * gives the focus back when it closes.
 */
export function dialog({
  language,
  title,
  onClose,
  body,
  actions,
  size = 'small',
  closable = true,
  visible = true,
}: DialogOptions): TemplateResult {
  return html`<tb-dialog .language=${language} .heading=${title} .onClose=${onClose} .size=${size} .closable=${closable} .visible=${visible}>
    ${body} ${actions === undefined ? nothing : html`<div class="row" slot="actions">${actions}</div>`}
  </tb-dialog>`;
}

const focusable =
  'input:not(:disabled), select:not(:disabled), textarea:not(:disabled), button:not(:disabled), a[href], tb-amount-pad, tb-pin-pad, tb-table';

class DialogElement extends LitElement {
  static override styles = [sharedStyles, buttonStyles, unsafeCSS(styles)];

  @property({ attribute: false }) language!: Language;
  @property({ attribute: false }) heading!: string;
  @property({ attribute: false }) onClose!: () => void;
  @property({ attribute: false }) size!: NonNullable<DialogOptions['size']>;
  @property({ attribute: false }) closable!: boolean;
  @property({ attribute: false }) visible!: boolean;
  #before: Element | null = null;
  /** The last focused element inside the dialog. */
  #within: HTMLElement | null = null;

  override connectedCallback(): void {
    if (!this.hasUpdated) this.#before = focused();
    super.connectedCallback();
    // After its page was removed and inserted again, the dialog is still open but no longer modal.
    if (this.hasUpdated && this.visible) this.#show();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener('keydown', this.#onKeyNowhere, true);
    if (this.#before instanceof HTMLElement) this.#before.focus();
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has('visible')) return;
    if (this.visible) this.#show();
    else this.#hide();
  }

  #hide(): void {
    window.removeEventListener('keydown', this.#onKeyNowhere, true);
    this.renderRoot.querySelector('dialog')?.close();
  }

  #show(): void {
    // In the capture phase, so that the page behind the dialog does not get the key first.
    window.addEventListener('keydown', this.#onKeyNowhere, true);
    const element = this.renderRoot.querySelector('dialog');
    // Read before opening, which moves the focus.
    const last = this.#last;
    element?.close();
    element?.showModal();
    this.#focus(last);
  }

  get #last(): HTMLElement | null {
    return this.#within?.isConnected ? this.#within : null;
  }

  #focus(last: HTMLElement | null): void {
    const within =
      last ??
      this.querySelector<HTMLElement>('[autofocus]') ??
      this.querySelector<HTMLElement>(focusable);
    (within ?? this.renderRoot.querySelector('h2'))?.focus();
  }

  protected override render(): TemplateResult {
    return html`<dialog class=${this.size} aria-labelledby="heading" @cancel=${this.#onCancel} @keydown=${this.#onKey} @focusin=${this.#onFocus}>
      <header>
        <h2 id="heading" tabindex="-1">${this.heading}</h2>
        ${
          this.closable
            ? html`<button
                  class="icon-only"
                  data-testid="close"
                  aria-label=${screenTexts[this.language].design.close}
                  @click=${() => this.onClose()}
                >${icon('close')}</button>`
            : nothing
        }
      </header>
      <div class="body"><slot></slot></div>
      <slot name="actions"></slot>
    </dialog>`;
  }

  /** Keeps the browser from closing the dialog, which is up to the caller. */
  readonly #onCancel = (event: Event): void => {
    if (event.target !== event.currentTarget) return;
    event.preventDefault();
  };

  /**
   * After a click on the background, or when the focused element was removed, the body has the
   * focus. Escape then acts as at the last focused element.
   */
  readonly #onKeyNowhere = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.target !== document.body) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const last = this.#last;
    this.#focus(last);
    (last ?? this.renderRoot.querySelector('dialog'))?.dispatchEvent(
      new KeyboardEvent('keydown', {
        key: 'Escape',
        bubbles: true,
        composed: true,
        cancelable: true,
      }),
    );
  };

  readonly #onFocus = (event: FocusEvent): void => {
    const [at] = event.composedPath();
    if (at instanceof HTMLElement) this.#within = at;
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      // Escape closes this dialog and nothing behind it. It is handled here because browsers let a
      // page prevent only the first `cancel` event.
      event.preventDefault();
      event.stopPropagation();
      if (this.closable) this.onClose();
    } else if (
      event.key === 'Enter' &&
      !event.defaultPrevented &&
      isLine(event.composedPath()[0])
    ) {
      const action = this.querySelector<HTMLButtonElement>(
        '[slot="actions"] :is(.primary, .danger)',
      );
      if (action === null) return;
      event.preventDefault();
      action.click();
    }
  };
}
customElements.define('tb-dialog', DialogElement);

function isLine(target: EventTarget | undefined): boolean {
  return target instanceof HTMLInputElement && target.type !== 'button';
}
