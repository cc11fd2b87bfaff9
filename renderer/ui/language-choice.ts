import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { type Language, languages } from '../locales/i18n.ts';
import { screenTexts } from '../locales/screens.ts';
import { icon } from './icons.ts';
import { sharedStyles } from './shared-styles.ts';

/**
 * A menu of the languages, each by its own name. Arrows, Home, End, Enter, Escape; a click elsewhere closes it.
 * @fires choose with the language in `detail`
 */
class LanguageChoice extends LitElement {
  static override properties = { language: { type: String }, open: { state: true } };
  static override styles = [
    sharedStyles,
    css`
      :host {
        position: relative;
        display: inline-block;
        height: auto;
      }
      button {
        display: flex;
        align-items: center;
        gap: 10px;
        min-height: var(--touch-small);
        padding: 0 14px;
        font-size: 0.95rem;
        white-space: nowrap;
      }
      .icon {
        font-size: 1.3em;
      }
      [role='menu'] {
        position: absolute;
        z-index: 20;
        inset: calc(100% + 8px) 0 auto auto;
        min-width: 100%;
        padding: 6px;
        border: 2px solid var(--line);
        border-radius: var(--radius-small);
        background: var(--card);
        box-shadow: var(--shadow);
      }
      [role='menu'] button {
        width: 100%;
        border-color: transparent;
        background: none;
      }
      [role='menu'] button:hover {
        background: var(--neutral-soft);
      }
      [role='menu'] .icon {
        visibility: hidden;
      }
      [aria-checked='true'] .icon {
        visibility: visible;
      }
    `,
  ];

  declare language: Language;
  declare open: boolean;

  readonly #elsewhere = (event: Event): void => {
    if (!event.composedPath().includes(this)) this.open = false;
  };

  constructor() {
    super();
    this.language = 'en';
    this.open = false;
  }

  override disconnectedCallback(): void {
    window.removeEventListener('pointerdown', this.#elsewhere);
    super.disconnectedCallback();
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has('open')) return;
    if (!this.open) return window.removeEventListener('pointerdown', this.#elsewhere);
    window.addEventListener('pointerdown', this.#elsewhere);
    this.#items[languages.indexOf(this.language)]?.focus();
  }

  protected override render(): TemplateResult {
    const { chooseLanguage, languageName } = screenTexts[this.language];
    return html`<button
        data-testid="language"
        aria-haspopup="menu"
        aria-expanded=${this.open}
        aria-label="${chooseLanguage}: ${languageName}"
        @click=${() => (this.open = !this.open)}
        @keydown=${this.#onButtonKey}
      >
        ${icon('globe')}<span>${languageName}</span>${icon('down')}
      </button>
      ${this.open ? this.#menu(chooseLanguage) : nothing}`;
  }

  #menu(label: string): TemplateResult {
    return html`<div role="menu" aria-label=${label} @keydown=${this.#onMenuKey} @focusout=${this.#onFocusOut}>
      ${languages.map(
        (name) =>
          html`<button role="menuitemradio" tabindex="-1" lang=${name} aria-checked=${name === this.language} @click=${() => this.#choose(name)}>
            ${icon('tick')}<span>${screenTexts[name].languageName}</span>
          </button>`,
      )}
    </div>`;
  }

  get #items(): HTMLElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLElement>('[role="menuitemradio"]')];
  }

  readonly #onButtonKey = (event: KeyboardEvent): void => {
    if (this.open || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
    event.preventDefault();
    this.open = true;
  };

  readonly #onMenuKey = (event: KeyboardEvent): void => {
    const items = this.#items;
    const at = items.indexOf(event.target as HTMLElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
    if (next !== undefined) items.at(next % items.length)?.focus();
    else if (event.key === 'Escape') this.#close();
    else return;
    event.preventDefault();
    // An Escape in this menu cancels no payment.
    event.stopPropagation();
  };

  readonly #onFocusOut = (event: FocusEvent): void => {
    if (event.relatedTarget !== null && !this.renderRoot.contains(event.relatedTarget as Node)) this.open = false;
  };

  #choose(language: Language): void {
    this.#close();
    this.dispatchEvent(new CustomEvent<Language>('choose', { detail: language }));
  }

  #close(): void {
    this.open = false;
    this.renderRoot.querySelector<HTMLElement>('[aria-haspopup]')?.focus();
  }
}
customElements.define('tb-language', LanguageChoice);
