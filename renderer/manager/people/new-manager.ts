import { html, LitElement, nothing, type TemplateResult, unsafeCSS } from 'lit';
import { property, state } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import { pinWeakness } from '../../../preload/procedures/pin.ts';
import { field } from '../../ui/field.ts';
import { icon } from '../../ui/icons.ts';
import { pinPad } from '../../ui/pin-pad.ts';
import { designStyles } from '../../ui/styles.ts';
import type { Language } from '../../locales/i18n.ts';
import styles from './new-manager.css?inline';
import { frameTexts } from '../../locales/frame.ts';

/** `name` is null when it was not asked for. */
export interface NewManager {
  readonly name: string | null;
  readonly pin: string;
}

/** Why it was refused, and the field to show again. */
export interface NewManagerProblem {
  readonly field: 'name' | 'pin';
  readonly words: string;
}

const maxNameLength = 40;

/**
 * Asks for a name and a PIN in steps: the name, the PIN, the PIN again. Escape and the button go a
 * step back.
 * @fires chosen with a NewManager in `detail`
 */
export class NewManagerSteps extends LitElement {
  static override styles = [designStyles, unsafeCSS(styles)];

  @property({ attribute: false }) language!: Language;
  @property({ attribute: false }) asksName = true;
  /** Names that are taken. */
  @property({ attribute: false }) others: readonly string[] = [];
  @property({ attribute: false }) saveLabel!: string;
  @property({ attribute: false }) busy = false;
  @property({ attribute: false }) problem: NewManagerProblem | null = null;
  /** Whether the parent has a button for going back, which calls `stepBack`. */
  @property({ attribute: false }) hasBackOutside = false;
  @state() step: 'name' | 'pin' | 'repeat' | null = null;
  @state() name = '';
  @state() pin = '';
  @state() repeated = '';
  /** The rule that the input breaks. */
  @state() broken: string | null = null;

  override willUpdate(changed: Map<PropertyKey, unknown>): void {
    this.step ??= this.#first;
    if (!changed.has('problem') || this.problem === null) return;
    this.broken = this.problem.words;
    this.#go(this.problem.field);
  }

  get #first(): 'name' | 'pin' {
    return this.asksName ? 'name' : 'pin';
  }

  protected override render(): TemplateResult {
    const { newManager } = frameTexts[this.language];
    const body = this.step === 'name' ? this.#askName() : this.#askPin(this.step === 'repeat');
    return html`<div @keydown=${this.#onKey}>
      ${body}
      ${
        this.step === this.#first || this.hasBackOutside
          ? nothing
          : html`<button
                class="quiet steps-back"
                data-testid="step-back"
                ?disabled=${this.busy}
                @click=${() => this.#back()}
              >${icon('back')} ${newManager.back}</button>`
      }
    </div>`;
  }

  #askName(): TemplateResult {
    const { newManager } = frameTexts[this.language];
    return html`<div class="stack">
      ${field({
        id: 'manager-name',
        label: newManager.name,
        hint: newManager.nameHint,
        value: this.name,
        problem: this.broken,
        autocomplete: 'off',
        required: true,
        focused: true,
        onInput: (text) => this.#typed(() => (this.name = text)),
        onEnter: () => this.#takeName(),
      })}
      <div class="row"><button class="primary" data-testid="name-next" @click=${() => this.#takeName()}>${newManager.next} ${icon('forward')}</button></div>
    </div>`;
  }

  #askPin(again: boolean): TemplateResult {
    const { newManager } = frameTexts[this.language];
    return html`<div class="pin">
      ${keyed(
        this.step,
        pinPad({
          language: this.language,
          label: again ? newManager.repeatPin : newManager.choosePin,
          pin: again ? this.repeated : this.pin,
          problem: this.broken,
          disabled: this.busy,
          focused: true,
          enterLabel: again ? this.saveLabel : newManager.next,
          onPin: (pin) => this.#typed(() => (again ? (this.repeated = pin) : (this.pin = pin))),
          onEnter: () => (again ? this.#finish() : this.#takePin()),
        }),
      )}
    </div>`;
  }

  #typed(take: () => void): void {
    this.broken = null;
    take();
  }

  #takeName(): void {
    const { newManager } = frameTexts[this.language];
    const name = this.name.trim();
    const isTaken = this.others.some(
      (other) => other.toLocaleLowerCase() === name.toLocaleLowerCase(),
    );
    this.broken =
      name === ''
        ? newManager.nameEmpty
        : name.length > maxNameLength
          ? newManager.nameTooLong
          : /\p{C}/u.test(name)
            ? newManager.nameNotAllowed
            : isTaken
              ? newManager.nameTaken
              : null;
    if (this.broken === null) this.#go('pin');
  }

  #takePin(): void {
    const weakness = pinWeakness(this.pin);
    if (weakness === null) return this.#go('repeat');
    this.broken = frameTexts[this.language].newManager.weakPin[weakness];
    this.#go('pin');
  }

  #finish(): void {
    if (this.repeated === this.pin) {
      this.dispatchEvent(
        new CustomEvent<NewManager>('chosen', {
          detail: { name: this.asksName ? this.name.trim() : null, pin: this.pin },
        }),
      );
      return;
    }
    this.broken = frameTexts[this.language].newManager.differ;
    this.#go('pin');
  }

  #go(step: 'name' | 'pin' | 'repeat'): void {
    if (step === 'pin') this.pin = '';
    this.repeated = '';
    this.step = step;
  }

  #back(): void {
    this.broken = null;
    this.#go(this.step === 'repeat' ? 'pin' : 'name');
  }

  /** @returns false when this is the first step */
  stepBack(): boolean {
    if (this.step === this.#first || this.busy) return this.busy;
    this.#back();
    return true;
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || this.step === this.#first || this.busy) return;
    // The event must not close a dialog around this as well.
    event.stopPropagation();
    event.preventDefault();
    this.#back();
  };
}
customElements.define('tb-new-manager', NewManagerSteps);
