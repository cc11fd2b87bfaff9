import {
  html,
  LitElement,
  nothing,
  type PropertyValues,
  type TemplateResult,
  unsafeCSS,
} from 'lit';
import { property, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import { formatMoney, type Language } from '../locales/i18n.ts';
import { screenTexts } from '../locales/screens.ts';
import type { MoneyProblem } from '../locales/parse-money.ts';
import { padRule } from './amount.ts';
import { isBroken, problemLine } from './field.ts';
import { icon } from './icons.ts';
import { pasteAmount, type Typed, typedAmount, typeKey } from './typed-amount.ts';
import styles from './amount-pad.css?inline';
import { buttonStyles, fieldStyles, padStyles, sharedStyles } from './styles.ts';

export interface AmountPadOptions {
  readonly language: Language;
  readonly label: string;
  readonly currency: string;
  readonly amountMinor: number;
  readonly onAmount: (amountMinor: number) => void;
  /**
   * Called with Enter, also while no amount is typed. Together with `enterLabel`, adds a key below
   * the digits.
   */
  readonly onEnter?: () => void;
  readonly enterLabel?: string;
  /** Highest amount in minor units: a digit that would exceed it is refused. */
  readonly max?: number;
  readonly disabled?: boolean;
}

/** In minor units: nine digits fit on a customer's display. */
const defaultMax = 999_999_999;

/**
 * A pad to enter an amount as on a till: digits push in from the right, so "1", "2", "3" is 1.23.
 * With a comma or point the amount is read as written. It takes touch, the keyboard while it has
 * the focus, and pasted text. Invalid input is refused with the rule that it breaks.
 */
export function amountPad({
  onEnter,
  enterLabel,
  max = defaultMax,
  disabled = false,
  ...options
}: AmountPadOptions): TemplateResult {
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
  static override shadowRootOptions: ShadowRootInit = {
    ...LitElement.shadowRootOptions,
    delegatesFocus: true,
  };
  static override styles = [sharedStyles, buttonStyles, padStyles, fieldStyles, unsafeCSS(styles)];

  @property({ attribute: false }) language!: Language;
  @property({ attribute: false }) label!: string;
  @property({ attribute: false }) currency!: string;
  @property({ attribute: false }) amountMinor!: number;
  @property({ attribute: false }) onAmount!: (amountMinor: number) => void;
  @property({ attribute: false }) onEnter: (() => void) | undefined;
  @property({ attribute: false }) enterLabel: string | undefined;
  @property({ attribute: false }) max!: number;
  @property({ attribute: false }) disabled!: boolean;
  /** Why the last key or paste was refused. */
  @state() problem: MoneyProblem | null = null;
  /** The text as which `amountMinor` was typed. */
  #typed = typedAmount(0);

  /** Focuses the display and selects all of it, so that the next digit begins a new amount. */
  select(): void {
    void this.updateComplete.then(() => {
      const input = this.renderRoot.querySelector('input');
      input?.focus();
      input?.select();
    });
  }

  /** Selects all of the display without focusing it, so that the next digit begins a new amount. */
  choose(): void {
    void this.updateComplete.then(() => {
      const input = this.renderRoot.querySelector('input');
      input?.setSelectionRange(0, input.value.length);
    });
  }

  /** Types `key`, wherever the focus is. */
  type(key: string): void {
    this.#touch(key);
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
      <div class="named">
        <label for="display">${this.label}</label>
        <span class="rule" id="display-rule" data-testid="amount-rule">${padRule(this.language)}</span>
      </div>
      <input
        id="display"
        class="display"
        data-testid="amount-typed"
        inputmode="none"
        autocomplete="off"
        aria-invalid=${isBroken(problem)}
        aria-describedby="display-rule display-problem"
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
      ${
        this.onEnter === undefined || this.enterLabel === undefined
          ? nothing
          : html`<button
                class="primary enter"
                data-testid="amount-enter"
                ?disabled=${this.disabled || this.amountMinor === 0}
                @click=${this.onEnter}
              >${this.enterLabel}</button>`
      }
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
      this.onEnter();
    } else if (/^[\d.,]$|^Backspace$|^Delete$/.test(event.key)) {
      event.preventDefault();
      this.#press(event.key);
    }
  };

  readonly #onPaste = (event: ClipboardEvent): void => {
    event.preventDefault();
    if (!this.disabled)
      this.#take(pasteAmount(this.language, event.clipboardData?.getData('text') ?? '', this.max));
  };

  #press(key: string): void {
    this.#take(
      typeKey(this.language, this.#isChosen ? typedAmount(0) : this.#typed, key, this.max),
    );
  }

  #take({ typed, problem }: Typed): void {
    this.problem = problem;
    if (typed === null) return;
    this.#typed = typed;
    const input = this.renderRoot.querySelector('input');
    input?.setSelectionRange(input.value.length, input.value.length);
    this.onAmount(typed.amountMinor);
  }

  /** Whether all of the display is selected, e.g. after Tab. */
  get #isChosen(): boolean {
    const input = this.renderRoot.querySelector('input');
    return (
      input !== null && input.selectionStart === 0 && input.selectionEnd === input.value.length
    );
  }
}
customElements.define('tb-amount-pad', AmountPad);
