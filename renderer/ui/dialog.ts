import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { Language } from '../locales/i18n.ts';
import { screenTexts } from '../locales/screens.ts';
import { buttonStyles } from './button-styles.ts';
import { focused } from './focus.ts';
import { icon } from './icons.ts';
import { sharedStyles } from './shared-styles.ts';

export interface DialogOptions {
  readonly language: Language;
  readonly title: string;
  /** Asked for by Escape or the cross; the caller then renders it no more. */
  readonly onClose: () => void;
  readonly body: unknown;
  /** Buttons; Enter in a field presses the one that is `primary` or `danger`. */
  readonly actions?: unknown;
  readonly size?: 'small' | 'medium' | 'large';
  /** false: it ends only by one of its actions. */
  readonly closable?: boolean;
  /** false: the page that it is of cannot be seen; it stands in front of no other one, and comes again with that page, as it was. */
  readonly inSight?: boolean;
}

/** A question in front of the screen, open as long as it is rendered. What has `autofocus` has the focus first; afterwards it goes back to where it was. */
export function dialog({ language, title, onClose, body, actions, size = 'small', closable = true, inSight = true }: DialogOptions): TemplateResult {
  return html`<tb-dialog .language=${language} .heading=${title} .onClose=${onClose} .size=${size} .closable=${closable} .inSight=${inSight}>
    ${body} ${actions === undefined ? nothing : html`<div class="row" slot="actions">${actions}</div>`}
  </tb-dialog>`;
}

const focusable = 'input:not(:disabled), select:not(:disabled), textarea:not(:disabled), button:not(:disabled), a[href], tb-amount-pad, tb-pin-pad, tb-table';

class DialogElement extends LitElement {
  static override properties = {
    language: { attribute: false },
    heading: { attribute: false },
    onClose: { attribute: false },
    size: { attribute: false },
    closable: { attribute: false },
    inSight: { attribute: false },
  };
  static override styles = [
    sharedStyles,
    buttonStyles,
    css`
      :host {
        display: contents;
      }
      dialog {
        width: min(calc(100vw - 2 * var(--gap)), var(--width));
        max-width: none;
        max-height: calc(100vh - 2 * var(--gap));
        padding: 0;
        border: 0;
        border-radius: var(--radius);
        background: var(--card);
        color: var(--ink);
        box-shadow: var(--shadow);
        overflow: hidden;
      }
      dialog[open] {
        display: grid;
        grid-template-rows: auto minmax(0, 1fr) auto;
      }
      .small {
        --width: 34rem;
      }
      .medium {
        --width: 52rem;
      }
      .large {
        --width: 80rem;
      }
      dialog::backdrop {
        background: rgb(8 14 28 / 60%);
      }
      header {
        display: flex;
        align-items: center;
        gap: var(--space-4);
        padding: var(--space-5) var(--space-5) var(--space-3);
      }
      h2 {
        flex: 1;
        margin: 0;
        font-size: var(--text-heading);
        line-height: 1.25;
        outline: 0;
        text-wrap: balance;
      }
      .body {
        display: flex;
        flex-direction: column;
        gap: var(--space-4);
        padding: var(--space-2) var(--space-5) var(--space-5);
        line-height: 1.5;
        overflow-y: auto;
      }
      ::slotted(div[slot='actions']) {
        display: flex;
        flex-wrap: wrap;
        justify-content: flex-end;
        gap: var(--space-3);
        padding: var(--space-4) var(--space-5) var(--space-5);
        border-top: 1px solid var(--line);
      }
    `,
  ];

  declare language: Language;
  declare heading: string;
  declare onClose: () => void;
  declare size: NonNullable<DialogOptions['size']>;
  declare closable: boolean;
  declare inSight: boolean;
  #before: Element | null = null;
  /** Had the focus last, of what is in it. */
  #within: HTMLElement | null = null;

  override connectedCallback(): void {
    if (!this.hasUpdated) this.#before = focused();
    super.connectedCallback();
    // Put back where it was taken out, together with its page: it is open, and no longer modal.
    if (this.hasUpdated && this.inSight) this.#show();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener('keydown', this.#onKeyNowhere, true);
    if (this.#before instanceof HTMLElement) this.#before.focus();
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has('inSight')) return;
    if (this.inSight) this.#show();
    else this.#hide();
  }

  #hide(): void {
    window.removeEventListener('keydown', this.#onKeyNowhere, true);
    this.renderRoot.querySelector('dialog')?.close();
  }

  #show(): void {
    // Before anything behind it hears of the key.
    window.addEventListener('keydown', this.#onKeyNowhere, true);
    const element = this.renderRoot.querySelector('dialog');
    // Opening it moves the focus.
    const last = this.#last;
    element?.close();
    element?.showModal();
    this.#focus(last);
  }

  get #last(): HTMLElement | null {
    return this.#within?.isConnected ? this.#within : null;
  }

  #focus(last: HTMLElement | null): void {
    const within = last ?? this.querySelector<HTMLElement>('[autofocus]') ?? this.querySelector<HTMLElement>(focusable);
    (within ?? this.renderRoot.querySelector('h2'))?.focus();
  }

  protected override render(): TemplateResult {
    return html`<dialog class=${this.size} aria-labelledby="heading" @cancel=${this.#onCancel} @keydown=${this.#onKey} @focusin=${this.#onFocus}>
      <header>
        <h2 id="heading" tabindex="-1">${this.heading}</h2>
        ${this.closable ? html`<button class="icon-only" data-testid="close" aria-label=${screenTexts[this.language].design.close} @click=${() => this.onClose()}>${icon('close')}</button>` : nothing}
      </header>
      <div class="body"><slot></slot></div>
      <slot name="actions"></slot>
    </dialog>`;
  }

  /** The browser would close it; it is the caller's to say. */
  readonly #onCancel = (event: Event): void => {
    if (event.target !== event.currentTarget) return;
    event.preventDefault();
  };

  /** The focus goes to the page's body when somebody presses beside everything, or when what had it goes: Escape is then as where the focus was last. */
  readonly #onKeyNowhere = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.target !== document.body) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const last = this.#last;
    this.#focus(last);
    (last ?? this.renderRoot.querySelector('dialog'))?.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, composed: true, cancelable: true }),
    );
  };

  readonly #onFocus = (event: FocusEvent): void => {
    this.#within = event.composedPath()[0] as HTMLElement;
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      // An Escape here closes the dialog and nothing behind it. What is prevented reaches no `cancel`, whose second one no page can prevent.
      event.preventDefault();
      event.stopPropagation();
      if (this.closable) this.onClose();
    } else if (event.key === 'Enter' && !event.defaultPrevented && isLine(event.composedPath()[0])) {
      const action = this.querySelector<HTMLButtonElement>('[slot="actions"] :is(.primary, .danger)');
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
