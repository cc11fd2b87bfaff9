import {
  html,
  LitElement,
  nothing,
  type PropertyValues,
  type TemplateResult,
  unsafeCSS,
} from 'lit';
import { property, state } from 'lit/decorators.js';
import { type Language, languageNames, languages } from '../locales/i18n.ts';
import { screenTexts } from '../locales/screens.ts';
import { icon } from './icons.ts';
import styles from './language-choice.css?inline';
import { sharedStyles } from './styles.ts';

/**
 * A menu of the languages, each by its own name. It takes the arrow keys, Home, End, Enter and
 * Escape, and a click elsewhere closes it.
 * @fires choose with the language in `detail`
 */
class LanguageChoice extends LitElement {
  static override styles = [sharedStyles, unsafeCSS(styles)];

  @property() language: Language = 'en';
  @state() open = false;

  readonly #elsewhere = (event: Event): void => {
    if (!event.composedPath().includes(this)) this.open = false;
  };

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
    const { chooseLanguage } = screenTexts[this.language];
    const languageName = languageNames[this.language];
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
            ${icon('tick')}<span>${languageNames[name]}</span>
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
    const at = items.findIndex((item) => item === event.target);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
    if (next !== undefined) items.at(next % items.length)?.focus();
    else if (event.key === 'Escape') this.#close();
    else return;
    event.preventDefault();
    // Escape closes the menu only: it must not cancel a payment.
    event.stopPropagation();
  };

  readonly #onFocusOut = (event: FocusEvent): void => {
    if (event.relatedTarget instanceof Node && !this.renderRoot.contains(event.relatedTarget))
      this.open = false;
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
