import { html, LitElement, nothing, type TemplateResult, unsafeCSS } from 'lit';
import { property } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import type { Language } from '../locales/i18n.ts';
import { type ControlEvent, isBroken, problemLine } from './field.ts';
import { screenTexts } from '../locales/screens.ts';
import { focusWhenShown } from './focus.ts';
import { icon } from './icons.ts';
import styles from './pin-pad.css?inline';
import { buttonStyles, fieldStyles, padStyles, sharedStyles } from './styles.ts';

export interface PinPadOptions {
  readonly language: Language;
  readonly label: string;
  readonly pin: string;
  readonly onPin: (pin: string) => void;
  /**
   * Called with enough digits on Enter, or on the key below the digits, which is shown when it has
   * a label.
   */
  readonly onEnter?: () => void;
  readonly enterLabel?: string;
  readonly problem?: string | null;
  readonly shortest?: number;
  readonly longest?: number;
  readonly disabled?: boolean;
  readonly focused?: boolean;
  /** Shows the digits instead of dots, for a number that is not secret. */
  readonly isShown?: boolean;
}

/** A pad to enter a PIN, or another number, by touch or keyboard. */
export function pinPad({
  shortest = 4,
  longest = 8,
  disabled = false,
  focused = false,
  isShown = false,
  problem = null,
  ...options
}: PinPadOptions): TemplateResult {
  return html`<tb-pin-pad
    .language=${options.language}
    .label=${options.label}
    .pin=${options.pin}
    .onPin=${options.onPin}
    .onEnter=${options.onEnter}
    .enterLabel=${options.enterLabel}
    .problem=${problem}
    .shortest=${shortest}
    .longest=${longest}
    .disabled=${disabled}
    .focused=${focused}
    .isShown=${isShown}
  ></tb-pin-pad>`;
}

const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const;

class PinPad extends LitElement {
  static override shadowRootOptions: ShadowRootInit = {
    ...LitElement.shadowRootOptions,
    delegatesFocus: true,
  };
  static override styles = [sharedStyles, buttonStyles, fieldStyles, padStyles, unsafeCSS(styles)];

  @property({ attribute: false }) language!: Language;
  @property({ attribute: false }) label!: string;
  @property({ attribute: false }) pin!: string;
  @property({ attribute: false }) onPin!: (pin: string) => void;
  @property({ attribute: false }) onEnter: (() => void) | undefined;
  @property({ attribute: false }) enterLabel: string | undefined;
  @property({ attribute: false }) problem!: string | null;
  @property({ attribute: false }) shortest!: number;
  @property({ attribute: false }) longest!: number;
  @property({ attribute: false }) disabled!: boolean;
  @property({ attribute: false }) focused!: boolean;
  @property({ attribute: false }) isShown!: boolean;

  protected override render(): TemplateResult {
    const { deleteDigit, clear } = screenTexts[this.language].design;
    return html`<div class="pad">
      <label for="pin">${this.label}</label>
      <input
        id="pin"
        class=${this.isShown ? 'display shown' : 'display'}
        data-testid="pin"
        type=${this.isShown ? 'text' : 'password'}
        inputmode="none"
        autocomplete="off"
        maxlength=${this.longest}
        aria-invalid=${isBroken(this.problem)}
        aria-describedby=${isBroken(this.problem) ? 'pin-problem' : nothing}
        ?disabled=${this.disabled}
        .value=${live(this.pin)}
        @input=${({ currentTarget }: ControlEvent<HTMLInputElement>) => this.#take(currentTarget.value)}
        @keydown=${this.#onKey}
        ${focusWhenShown(this.focused)}
      />
      ${problemLine('pin', this.problem)}
      <div class="keys">
        ${keys.map((key) => this.#key(key, html`${key}`, () => this.pin + key))} ${this.#key('clear', icon('close'), () => '', clear)} ${this.#key('0', html`0`, () => `${this.pin}0`)}
        ${this.#key('backspace', icon('backspace'), () => this.pin.slice(0, -1), deleteDigit)}
      </div>
      ${
        this.onEnter === undefined || this.enterLabel === undefined
          ? nothing
          : html`<button
                class="primary enter"
                data-testid="pin-enter"
                ?disabled=${this.disabled || !this.#isEnough}
                @click=${this.onEnter}
              >${this.enterLabel}</button>`
      }
    </div>`;
  }

  #key(name: string, face: TemplateResult, next: () => string, label?: string): TemplateResult {
    const touch = (): void => {
      this.renderRoot.querySelector('input')?.focus();
      this.#take(next());
    };
    return html`<button tabindex="-1" data-key=${name} aria-label=${label ?? nothing} ?disabled=${this.disabled} @click=${touch}>${face}</button>`;
  }

  get #isEnough(): boolean {
    return this.pin.length >= this.shortest;
  }

  /** Takes digits only, up to the longest length. The field then shows what was taken. */
  #take(typed: string): void {
    this.onPin(typed.replace(/\D/g, '').slice(0, this.longest));
    this.requestUpdate();
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || this.onEnter === undefined) return;
    event.preventDefault();
    if (this.#isEnough) this.onEnter();
  };
}
customElements.define('tb-pin-pad', PinPad);
