import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { Bridge } from '../../preload/contract.ts';
import type { OutputOf, InputOf } from '../../preload/procedures.ts';
import { icon, type IconName } from '../ui/icons.ts';
import { notice } from '../ui/notice.ts';
import type { Language } from '../locales/i18n.ts';
import type { SetupTexts } from '../locales/setup/texts.ts';
import { setupTexts } from '../locales/setup/index.ts';
import { managerTexts } from '../locales/manager/index.ts';
import type { Draft, StepId } from './path.ts';
import { refusalWords } from './refusal.ts';
import { forgetTyped, keepTyped, typed } from './typed.ts';

interface Foot {
  readonly next: string;
  readonly onNext: () => void;
  /** Before the button that leads on. */
  readonly beside?: TemplateResult | typeof nothing;
  readonly isReady?: boolean;
  /** Left out: it leads on. */
  readonly glyph?: IconName;
}

/** What a step tells the path around it. */
export interface StepEvents {
  /** It is kept. */
  readonly done: Draft;
  readonly back: undefined;
}

/**
 * One step of the guided path: its form keeps what was typed, its problems stand at their fields, and it is left by `done` or `back`.
 * @typeParam Form what is typed, as plain data without secrets
 * @fires done with the draft, @fires back
 */
export abstract class StepPage<Form extends object> extends LitElement {
  static override properties = {
    bridge: { attribute: false },
    language: { attribute: false },
    draft: { attribute: false },
    isFirst: { attribute: false },
    form: { state: true },
    problems: { state: true },
    refused: { state: true },
    busy: { state: true },
  };

  declare bridge: Pick<Bridge, 'ask'>;
  declare language: Language;
  /** null: nothing is kept yet. */
  declare draft: Draft | null;
  declare isFirst: boolean;
  declare form: Form;
  /** By the id of the field: its rule that is broken. */
  declare problems: Readonly<Record<string, string>>;
  /** What is wrong with the whole, in words. */
  declare refused: string | null;
  declare busy: boolean;

  protected abstract readonly step: StepId | 'customers';

  constructor() {
    super();
    this.draft = null;
    this.isFirst = false;
    this.problems = {};
    this.refused = null;
    this.busy = false;
    this.addEventListener('keydown', (event) => this.#onKey(event));
  }

  /** As the draft has it, or as it is to begin with. */
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
    if (changed.has('refused') && this.refused !== null) this.renderRoot.querySelector('[data-testid="refused"]')?.scrollIntoView({ block: 'nearest' });
  }

  /** Where the hands go first. */
  protected override firstUpdated(): void {
    const first = this.renderRoot.querySelector<HTMLInputElement | HTMLSelectElement>('input, select');
    const chosen = first?.type === 'radio' ? this.renderRoot.querySelector<HTMLInputElement>(`input[name="${first.name}"]:checked`) : null;
    (chosen ?? first ?? this.renderRoot.querySelector<HTMLElement>('h1'))?.focus();
  }

  protected override render(): TemplateResult {
    const { title, lead } = this.words.step[this.step];
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
        ${this.isFirst ? html`<span></span>` : html`<button class="quiet" data-testid="back" @click=${() => this.leave('back', undefined)}>${icon('back')} ${managerTexts[this.language].newManager.back}</button>`}
        <span class="row">
          ${foot.beside ?? nothing}
          <button class="primary" data-testid="next" aria-busy=${this.busy} ?disabled=${foot.isReady === false} @click=${foot.onNext}>${foot.next} ${icon(foot.glyph ?? 'forward')}</button>
        </span>
      </footer>
    </section>`;
  }

  /** What is typed: kept here until the daemon keeps it. */
  protected set(change: Partial<Form>, ...mended: string[]): void {
    this.form = { ...this.form, ...change };
    keepTyped(this.step, this.form);
    this.refused = null;
    if (mended.length > 0) this.problems = Object.fromEntries(Object.entries(this.problems).filter(([id]) => !mended.includes(id)));
  }

  /** Shows what is broken and goes to the first of it. @returns whether nothing is */
  protected check(problems: Readonly<Record<string, string | null>>): boolean {
    this.problems = Object.fromEntries(Object.entries(problems).filter((entry): entry is [string, string] => entry[1] !== null));
    const [first] = Object.keys(this.problems);
    if (first === undefined) return true;
    void this.updateComplete.then(() => {
      // Opened once, and not closed again under somebody's hands.
      for (const id of Object.keys(this.problems)) this.renderRoot.querySelector(`#${id}`)?.closest('details')?.setAttribute('open', '');
      const at = this.renderRoot.querySelector<HTMLElement>(`#${first}`);
      (at?.matches('fieldset') ? at.querySelector<HTMLElement>('input') : at)?.focus();
      // With what is told below it.
      at?.closest('.field')?.scrollIntoView({ block: 'nearest' });
    });
    return false;
  }

  /** Keeps this step in the draft, and leaves it. */
  protected async save(asked: InputOf<'saveDraft'>, fields: Readonly<Record<string, string>> = {}): Promise<void> {
    this.busy = true;
    const answer = await this.bridge.ask('saveDraft', asked);
    this.busy = false;
    if (answer.ok) {
      forgetTyped(this.step);
      return this.leave('done', answer.value);
    }
    const id = fields[answer.field?.replace('value.', '') ?? ''];
    const words = refusalWords(this.language, answer);
    if (id === undefined) this.refused = words;
    else this.check({ [id]: words });
  }

  /** Asks, busy meanwhile; a refusal stands below the form. @returns null: refused */
  protected async asking<Name extends 'findStores' | 'findPointsOfSale' | 'consequences' | 'startTestPayment'>(
    name: Name,
    asked: InputOf<Name>,
  ): Promise<OutputOf<Name> | null> {
    this.busy = true;
    this.refused = null;
    const answer = await this.bridge.ask(name, asked);
    this.busy = false;
    if (answer.ok) return answer.value;
    this.refused = refusalWords(this.language, answer);
    return null;
  }

  /** Fields take Enter themselves; on a choice it leads on as well. */
  #onKey(event: KeyboardEvent): void {
    const at = event.composedPath()[0];
    if (event.key !== 'Enter' || event.defaultPrevented || !(at instanceof HTMLInputElement) || (at.type !== 'radio' && at.type !== 'checkbox')) return;
    event.preventDefault();
    const foot = this.foot();
    if (foot.isReady !== false) foot.onNext();
  }

  protected leave<Name extends keyof StepEvents>(name: Name, detail: StepEvents[Name]): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
