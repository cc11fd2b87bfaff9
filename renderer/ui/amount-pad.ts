import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { formatMoney, type Language } from '../locales/i18n.ts';
import { screenTexts } from '../locales/screens.ts';
import type { MoneyProblem } from '../locales/parse-money.ts';
import { buttonStyles } from './button-styles.ts';
import { fieldStyles, isBroken, problemLine } from './field.ts';
import { icon } from './icons.ts';
import { padStyles } from './pad-styles.ts';
import { sharedStyles } from './shared-styles.ts';
import { pasteAmount, type Typed, typedAmount, typeKey } from './typed-amount.ts';

export interface AmountPadOptions {
  readonly language: Language;
  readonly label: string;
  readonly currency: string;
  readonly amountMinor: number;
  readonly onAmount: (amountMinor: number) => void;
  /** With it and `enterLabel`, a key below the digits. */
  readonly onEnter?: () => void;
  readonly enterLabel?: string;
  /** A digit that would lead beyond it is not taken. */
  readonly max?: number;
  readonly disabled?: boolean;
}

/** Nine digits: what fits on a customer's display. */
const usualMax = 999_999_999;

/**
 * An amount as on a till: digits push in from the right, "1", "2", "3" is 1.23; or with a comma or point, as it is written. By touch, by keyboard
 * while it has the focus, or pasted. What cannot be taken is refused with its rule.
 */
export function amountPad({ onEnter, enterLabel, max = usualMax, disabled = false, ...options }: AmountPadOptions): TemplateResult {
  return html`<tb-amount-pad
    .language=${options.language}
    .label=${options.label}
    .currency=${options.currency}
    .amountMinor=${options.amountMinor}
    .onAmount=${options.onAmount}
    .onEnter=${onEnter}
    .enterLabel=${enterLabel}
    .max=${max}
    .disabled=${disabled}
  ></tb-amount-pad>`;
}

const keys = ['7', '8', '9', '4', '5', '6', '1', '2', '3', '00', '0'] as const;

export class AmountPad extends LitElement {
  static override shadowRootOptions: ShadowRootInit = { ...LitElement.shadowRootOptions, delegatesFocus: true };
  static override properties = {
    language: { attribute: false },
    label: { attribute: false },
    currency: { attribute: false },
    amountMinor: { attribute: false },
    onAmount: { attribute: false },
    onEnter: { attribute: false },
    enterLabel: { attribute: false },
    max: { attribute: false },
    disabled: { attribute: false },
    problem: { state: true },
  };
  static override styles = [
    sharedStyles,
    buttonStyles,
    padStyles,
    fieldStyles,
    css`
      .display {
        font-size: 2rem;
        text-align: end;
      }
    `,
  ];

  declare language: Language;
  declare label: string;
  declare currency: string;
  declare amountMinor: number;
  declare onAmount: (amountMinor: number) => void;
  declare onEnter: (() => void) | undefined;
  declare enterLabel: string | undefined;
  declare max: number;
  declare disabled: boolean;
  /** Why the last key, or what was pasted, was not taken. */
  declare problem: MoneyProblem | null;
  /** What `amountMinor` was typed as, as long as it is that. */
  #typed = typedAmount(0);

  constructor() {
    super();
    this.problem = null;
  }

  /** The focus, with all of it chosen: what is typed takes its place. */
  select(): void {
    void this.updateComplete.then(() => {
      const input = this.renderRoot.querySelector('input');
      input?.focus();
      input?.select();
    });
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('amountMinor') && this.#typed.amountMinor !== this.amountMinor) {
      this.#typed = typedAmount(this.amountMinor);
      this.problem = null;
    }
  }

  protected override render(): TemplateResult {
    const { deleteDigit, money } = screenTexts[this.language].design;
    const problem = this.problem === null ? null : money[this.problem];
    return html`<div class="pad">
      <label for="display">${this.label}</label>
      <input
        id="display"
        class="display"
        data-testid="amount-typed"
        inputmode="none"
        autocomplete="off"
        aria-invalid=${isBroken(problem)}
        aria-describedby="display-problem"
        ?disabled=${this.disabled}
        .value=${live(formatMoney(this.language, this))}
        @beforeinput=${(event: InputEvent) => event.preventDefault()}
        @keydown=${this.#onKey}
        @paste=${this.#onPaste}
      />
      ${problemLine('display', problem)}
      <div class="keys">
        ${keys.map((key) => html`<button tabindex="-1" data-key=${key} ?disabled=${this.disabled} @click=${() => this.#touch(key)}>${key}</button>`)}
        <button tabindex="-1" data-key="backspace" aria-label=${deleteDigit} ?disabled=${this.disabled} @click=${() => this.#touch('Backspace')}>${icon('backspace')}</button>
      </div>
      ${this.onEnter === undefined || this.enterLabel === undefined ? nothing : html`<button class="primary enter" data-testid="amount-enter" ?disabled=${this.disabled || this.amountMinor === 0} @click=${this.onEnter}>${this.enterLabel}</button>`}
    </div>`;
  }

  #touch(key: string): void {
    this.renderRoot.querySelector('input')?.focus();
    this.#press(key);
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter' && this.onEnter !== undefined) {
      event.preventDefault();
      if (this.amountMinor > 0) this.onEnter();
    } else if (/^[\d.,]$|^Backspace$|^Delete$/.test(event.key)) {
      event.preventDefault();
      this.#press(event.key);
    }
  };

  readonly #onPaste = (event: ClipboardEvent): void => {
    event.preventDefault();
    if (!this.disabled) this.#take(pasteAmount(this.language, event.clipboardData?.getData('text') ?? '', this.max));
  };

  #press(key: string): void {
    this.#take(typeKey(this.language, this.#isChosen ? typedAmount(0) : this.#typed, key, this.max));
  }

  #take({ typed, problem }: Typed): void {
    this.problem = problem;
    if (typed === null) return;
    this.#typed = typed;
    const input = this.renderRoot.querySelector('input');
    input?.setSelectionRange(input.value.length, input.value.length);
    this.onAmount(typed.amountMinor);
  }

  /** All of it: as after Tab. */
  get #isChosen(): boolean {
    const input = this.renderRoot.querySelector('input');
    return input !== null && input.selectionStart === 0 && input.selectionEnd === input.value.length;
  }
}
customElements.define('tb-amount-pad', AmountPad);
