import {
  html,
  LitElement,
  nothing,
  type PropertyValues,
  type TemplateResult,
  unsafeCSS,
} from 'lit';
import { property, state } from 'lit/decorators.js';
import type { Bridge } from '../../preload/contract.ts';
import type { InputOf, OutputOf } from '../../preload/procedures.ts';
import { icon, type IconName } from '../ui/icons.ts';
import { notice } from '../ui/notice.ts';
import type { Language } from '../locales/i18n.ts';
import { frameTexts } from '../locales/frame.ts';
import { setupTexts, type SetupTexts } from '../locales/setup.ts';
import type { Draft, StepId } from './step-order.ts';
import { refusalBody, refusalWords } from './refusal.ts';
import type { StepOptions } from './step-element.ts';
import { forgetInput, keepInput, typed } from './unsaved-input.ts';
import styles from './step-page.css?inline';

export const stepStyles = unsafeCSS(styles);

interface Foot {
  readonly next: string;
  readonly onNext: () => void;
  /** Called for Enter on a radio button or checkbox; by default `onNext` is. */
  readonly onEnter?: () => void;
  /** Shown before the button that leads to the next step. */
  readonly beside?: TemplateResult | typeof nothing;
  readonly isReady?: boolean;
  /** Whether a request is under way. The button then keeps the focus and does nothing. */
  readonly isBusy?: boolean;
  /** The button's icon, by default `forward`. */
  readonly glyph?: IconName;
}

/** Scrolls details that a person opens into view, which would open below the edge of the page. */
function showOpened(event: Event): void {
  const summary = event
    .composedPath()
    .find((at) => at instanceof HTMLElement && at.localName === 'summary');
  const details = summary instanceof HTMLElement ? summary.closest('details') : null;
  if (details === null || details.open) return;
  details.addEventListener('toggle', () => details.scrollIntoView({ block: 'nearest' }), {
    once: true,
  });
}

/** The events of a step. */
export interface StepEvents {
  /** The step is saved in the draft. */
  readonly done: Draft;
  readonly back: undefined;
}

/** For a group of radio buttons, the checked one: Tab reaches only that one. */
const inputOf = (at: HTMLElement): HTMLElement | null =>
  at.matches('fieldset')
    ? (at.querySelector<HTMLElement>('input[type="radio"]:checked:enabled') ??
      at.querySelector<HTMLElement>('input:enabled'))
    : at;

/**
 * One step of the setup: a form that keeps what was typed and shows problems at their fields. It
 * ends with `done` or `back`.
 * @typeParam Form what is typed, as plain data without secrets
 * @fires done with the draft, @fires back
 */
export abstract class StepPage<Form extends object> extends LitElement {
  @property({ attribute: false }) bridge!: Pick<Bridge, 'ask'>;
  @property({ attribute: false }) language!: Language;
  /** null when nothing is saved yet. */
  @property({ attribute: false }) draft: Draft | null = null;
  /** The lanes in use. */
  @property({ attribute: false }) lanes: StepOptions['lanes'] = [];
  @property({ attribute: false }) isFirst = false;
  @state() form!: Form;
  /** The rules that are broken, in words, by the field's id. */
  @state() problems: Readonly<Record<string, string>> = {};
  /** Why the whole form was refused, in words. */
  @state() refused: string | TemplateResult | null = null;
  @state() busy = false;

  protected abstract readonly step: StepId | 'customers' | 'ways';

  constructor() {
    super();
    this.addEventListener('keydown', (event) => this.#onKey(event));
    this.addEventListener('click', (event) => showOpened(event));
  }

  /** The form as in the draft, or its initial values. */
  protected abstract filledIn(): Form;
  protected abstract body(): TemplateResult;
  protected abstract foot(): Foot;

  protected get words(): SetupTexts {
    return setupTexts[this.language];
  }

  override willUpdate(): void {
    if (!this.hasUpdated) this.form = { ...this.filledIn(), ...typed(this.step) };
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has('refused') && this.refused !== null)
      this.renderRoot
        .querySelector('[data-testid="refused"]')
        ?.scrollIntoView({ block: 'nearest' });
  }

  /** Focuses the first control. */
  protected override firstUpdated(): void {
    const first = this.renderRoot.querySelector<HTMLInputElement | HTMLSelectElement>(
      'input, select',
    );
    const chosen =
      first?.type === 'radio'
        ? this.renderRoot.querySelector<HTMLInputElement>(`input[name="${first.name}"]:checked`)
        : null;
    (chosen ?? first ?? this.renderRoot.querySelector<HTMLElement>('h1'))?.focus();
  }

  /**
   * Moves the focus to a field that is still to be filled in, without showing a problem. @returns
   * whether the focus was moved
   */
  protected focusOn(id: string | null): boolean {
    const at = id === null ? null : this.renderRoot.querySelector<HTMLElement>(`#${id}`);
    if (at === null || at.matches(':focus-within')) return false;
    inputOf(at)?.focus();
    return true;
  }

  /** Focuses the button at the foot, once the change is drawn. */
  protected focusNext(): void {
    void this.updateComplete.then(() =>
      this.renderRoot.querySelector<HTMLElement>('[data-testid="next"]')?.focus(),
    );
  }

  protected override render(): TemplateResult {
    const { title, lead } = frameTexts[this.language].setup.step[this.step];
    const foot = this.foot();
    return html`<section aria-labelledby="step-title">
      <div class="scroll step-body">
        <div class="stack">
          <h1 class="title" id="step-title" tabindex="-1">${title}</h1>
          <p class="lead">${lead}</p>
        </div>
        ${this.body()} ${this.refused === null ? nothing : html`<div data-testid="refused">${notice({ kind: 'error', body: this.refused })}</div>`}
      </div>
      <footer class="spread step-foot">
        ${
          this.isFirst
            ? html`<span></span>`
            : html`<button
                  class="quiet"
                  data-testid="back"
                  @click=${() => this.leave('back', undefined)}
                >${icon('back')} ${frameTexts[this.language].newManager.back}</button>`
        }
        <span class="row">
          ${foot.beside ?? nothing}
          <button
            class="primary"
            data-testid="next"
            aria-busy=${this.busy || foot.isBusy === true}
            ?disabled=${foot.isReady === false}
            @click=${foot.onNext}
          >${foot.next} ${icon(foot.glyph ?? 'forward')}</button>
        </span>
      </footer>
    </section>`;
  }

  /** Changes the form, and keeps it in this window until the daemon has saved it. */
  protected set(change: Partial<Form>, ...mended: string[]): void {
    this.form = { ...this.form, ...change };
    keepInput(this.step, this.form);
    this.refused = null;
    if (mended.length > 0)
      this.problems = Object.fromEntries(
        Object.entries(this.problems).filter(([id]) => !mended.includes(id)),
      );
  }

  /**
   * As `set`, for a choice after which other fields are shown: nothing was tried with them yet, so
   * none has a problem.
   */
  protected choose(change: Partial<Form>): void {
    this.set(change, ...Object.keys(this.problems));
  }

  /** Shows the problems and focuses the first of their fields. @returns whether there are none */
  protected check(problems: Readonly<Record<string, string | null>>): boolean {
    this.problems = Object.fromEntries(
      Object.entries(problems).filter((entry): entry is [string, string] => entry[1] !== null),
    );
    const [first] = Object.keys(this.problems);
    if (first === undefined) return true;
    void this.updateComplete.then(() => {
      // The advanced settings are opened to show the problem, but never closed: somebody may be
      // using them.
      for (const id of Object.keys(this.problems))
        this.renderRoot.querySelector(`#${id}`)?.closest('details')?.setAttribute('open', '');
      const at = this.renderRoot.querySelector<HTMLElement>(`#${first}`);
      if (at !== null) inputOf(at)?.focus();
      // Scrolls the whole field, so that the message below the input is visible too.
      at?.closest('.field')?.scrollIntoView({ block: 'nearest' });
    });
    return false;
  }

  /** Saves this step in the draft, and ends it. */
  protected async save(
    asked: InputOf<'saveDraft'>,
    fields: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    this.busy = true;
    const answer = await this.bridge.ask('saveDraft', asked);
    this.busy = false;
    if (answer.ok) {
      forgetInput(this.step);
      return this.leave('done', answer.value);
    }
    const id = fields[answer.field?.replace('value.', '') ?? ''];
    const words = refusalWords(this.language, answer);
    if (id === undefined) this.refused = refusalBody(this.language, answer);
    else this.check({ [id]: words });
  }

  /**
   * Sends a request, busy meanwhile; a refusal is shown below the form. @returns null when it is
   * refused
   */
  protected async asking<
    Name extends 'findStores' | 'findPointsOfSale' | 'consequences' | 'startTestPayment',
  >(name: Name, asked: InputOf<Name>): Promise<OutputOf<Name> | null> {
    this.busy = true;
    this.refused = null;
    const answer = await this.bridge.ask(name, asked);
    this.busy = false;
    if (answer.ok) return answer.value;
    this.refused = refusalBody(this.language, answer);
    return null;
  }

  /**
   * Text fields handle Enter themselves; on a radio button or checkbox it leads to the next step
   * too.
   */
  #onKey(event: KeyboardEvent): void {
    const at = event.composedPath()[0];
    if (
      event.key !== 'Enter' ||
      event.defaultPrevented ||
      !(at instanceof HTMLInputElement) ||
      (at.type !== 'radio' && at.type !== 'checkbox')
    )
      return;
    event.preventDefault();
    const foot = this.foot();
    if (foot.isReady !== false) (foot.onEnter ?? foot.onNext)();
  }

  protected leave<Name extends keyof StepEvents>(name: Name, detail: StepEvents[Name]): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
