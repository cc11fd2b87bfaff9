import { html, LitElement, type PropertyValues, type TemplateResult, unsafeCSS } from 'lit';
import { property, state } from 'lit/decorators.js';
import { formatTypedDay, type Language } from '../locales/i18n.ts';
import { parseDay } from '../locales/parse-day.ts';
import { screenTexts } from '../locales/screens.ts';
import { type ControlEvent, field } from './field.ts';
import { icon } from './icons.ts';
import { buttonStyles, fieldStyles, sharedStyles } from './styles.ts';
import styles from './date-field.css?inline';

export interface DateFieldOptions {
  readonly language: Language;
  /** Must be unique within the screen. */
  readonly id: string;
  readonly label: string;
  /** An ISO 8601 date like `2026-01-31`, or empty. */
  readonly value: string;
  readonly problem?: string | null;
  /**
   * Called with an ISO 8601 date, or with an empty text when the field is emptied. Not called while
   * the text is no day, which the field shows.
   */
  readonly onDay: (day: string) => void;
  readonly onEnter?: () => void;
}

/**
 * A field for a day in the format of this screen's language. The browser's own field would follow
 * the browser's language.
 */
export function dateField({ id, ...options }: DateFieldOptions): TemplateResult {
  return html`<tb-date-field
    .name=${id}
    .language=${options.language}
    .label=${options.label}
    .value=${options.value}
    .problem=${options.problem ?? null}
    .onDay=${options.onDay}
    .onEnter=${options.onEnter}
  ></tb-date-field>`;
}

class DateField extends LitElement {
  static override shadowRootOptions: ShadowRootInit = {
    ...LitElement.shadowRootOptions,
    delegatesFocus: true,
  };
  static override styles = [sharedStyles, buttonStyles, fieldStyles, unsafeCSS(styles)];

  @property({ attribute: false }) name!: string;
  @property({ attribute: false }) language!: Language;
  @property({ attribute: false }) label!: string;
  @property({ attribute: false }) value!: string;
  @property({ attribute: false }) problem: string | null = null;
  @property({ attribute: false }) onDay!: (day: string) => void;
  @property({ attribute: false }) onEnter: (() => void) | undefined;
  /** The text as typed while it is no day; null otherwise. */
  @state() typed: string | null = null;
  /** Whether the field was left with a text that is no day. */
  @state() isWrong = false;

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('value')) this.#is(null);
  }

  protected override render(): TemplateResult {
    const { pattern, rule, choose } = screenTexts[this.language].design.day;
    const example = formatTypedDay(this.language, '2026-01-31');
    const shownText = this.value === '' ? '' : formatTypedDay(this.language, this.value);
    return html`<div class="with-calendar" @change=${() => (this.isWrong = this.typed !== null)}>
      ${field({
        id: this.name,
        label: this.label,
        value: this.typed ?? shownText,
        placeholder: pattern,
        problem: this.isWrong ? rule({ example }) : this.problem,
        onInput: (text) => this.#type(text),
        onEnter: () => this.#enter(),
      })}
      <span class="calendar">
        ${icon('calendar')}
        <input
          type="date"
          tabindex="-1"
          aria-label=${choose}
          title=${choose}
          .value=${this.value}
          @input=${(event: ControlEvent<HTMLInputElement>) => this.#pick(event.currentTarget.value)}
          @click=${(event: ControlEvent<HTMLInputElement>) => event.currentTarget.showPicker()}
        />
      </span>
    </div>`;
  }

  #type(text: string): void {
    const day = text.trim() === '' ? '' : parseDay(this.language, text);
    this.#is(day === null ? text : null);
    if (day !== null && day !== this.value) this.onDay(day);
  }

  #enter(): void {
    this.isWrong = this.typed !== null;
    if (!this.isWrong) this.onEnter?.();
  }

  #pick(day: string): void {
    this.#is(null);
    this.onDay(day);
  }

  #is(typed: string | null): void {
    this.typed = typed;
    this.isWrong = false;
  }
}
customElements.define('tb-date-field', DateField);
