import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { designTexts } from '../locales/design/index.ts';
import type { Language } from '../locales/i18n.ts';
import { focusWhenShown } from './focus.ts';
import { icon, type IconName } from './icons.ts';

/** What any control with a label has. */
export interface Labelled {
  /** Its own within the screen. */
  readonly id: string;
  readonly label: string;
  /** What to put there; read out with the label. */
  readonly hint?: string | undefined;
  /** The rule that is broken, and what to do. null: none is. */
  readonly problem?: string | null | undefined;
  readonly disabled?: boolean;
}

export interface FieldOptions extends Labelled {
  /** As it was typed, right or wrong. */
  readonly value: string;
  readonly onInput: (text: string) => void;
  readonly type?: 'text' | 'password' | 'date' | 'time' | 'search';
  readonly inputMode?: 'text' | 'numeric' | 'decimal' | 'url';
  readonly autocomplete?: AutoFill;
  readonly maxLength?: number;
  readonly placeholder?: string;
  /** After the text, e.g. the currency. */
  readonly suffix?: string;
  readonly lead?: IconName;
  readonly required?: boolean;
  /** More than one: room for that many lines. */
  readonly rows?: number;
  readonly onEnter?: () => void;
  readonly focused?: boolean;
  /** Of a password: with it, a button shows what was typed. */
  readonly language?: Language;
}

/** A field with its label, its hint, and below it the rule that is broken. Draws into the caller's root, which has `fieldStyles`. */
export function field(options: FieldOptions): TemplateResult {
  const { id, lead, suffix, language, type = 'text' } = options;
  return labelled(
    options,
    html`<div class="field-box">
      ${lead === undefined ? nothing : icon(lead)} ${(options.rows ?? 1) > 1 ? area(options) : line(options)}
      ${suffix === undefined ? nothing : html`<span class="field-suffix" id="${id}-suffix">${suffix}</span>`}
      ${type === 'password' && language !== undefined ? revealButton(language) : nothing}
    </div>`,
  );
}

/** The frame around any control: label, hint, control, problem. The control takes its `aria` from {@link described}. */
export function labelled({ id, label, hint, problem }: Labelled, control: TemplateResult): TemplateResult {
  return html`<div class="field" ?data-broken=${isBroken(problem)}>
    <label for=${id}>${label}</label>
    ${hint === undefined ? nothing : html`<p class="field-hint" id="${id}-hint">${hint}</p>`} ${control} ${problemLine(id, problem)}
  </div>`;
}

/** Always there, so that what appears in it is read out. */
export function problemLine(id: string, problem: Labelled['problem']): TemplateResult {
  return html`<p class="field-problem" id="${id}-problem" aria-live="polite">${isBroken(problem) ? html`${icon('warning')}<span>${problem}</span>` : nothing}</p>`;
}

export function isBroken(problem: Labelled['problem']): problem is string {
  return problem != null && problem !== '';
}

/** The ids of what describes a control. */
export function described({ id, hint, problem }: Labelled, ...more: string[]): string | typeof nothing {
  return [...(isBroken(problem) ? [`${id}-problem`] : []), ...(hint === undefined ? [] : [`${id}-hint`]), ...more].join(' ') || nothing;
}

function line(options: FieldOptions): TemplateResult {
  const { id, suffix } = options;
  return html`<input
    id=${id}
    data-testid=${id}
    type=${options.type ?? 'text'}
    inputmode=${options.inputMode ?? nothing}
    autocomplete=${options.autocomplete ?? 'off'}
    autocapitalize="off"
    spellcheck="false"
    maxlength=${options.maxLength ?? nothing}
    placeholder=${options.placeholder ?? nothing}
    aria-describedby=${described(options, ...(suffix === undefined ? [] : [`${id}-suffix`]))}
    aria-invalid=${isBroken(options.problem)}
    ?required=${options.required}
    ?disabled=${options.disabled}
    ?autofocus=${options.focused}
    .value=${live(options.value)}
    @input=${(event: InputEvent) => options.onInput((event.target as HTMLInputElement).value)}
    @keydown=${(event: KeyboardEvent) => entered(event, options.onEnter)}
    ${focusWhenShown(options.focused ?? false)}
  />`;
}

function area(options: FieldOptions): TemplateResult {
  const { id } = options;
  return html`<textarea
    id=${id}
    data-testid=${id}
    rows=${options.rows ?? nothing}
    maxlength=${options.maxLength ?? nothing}
    placeholder=${options.placeholder ?? nothing}
    aria-describedby=${described(options)}
    aria-invalid=${isBroken(options.problem)}
    ?required=${options.required}
    ?disabled=${options.disabled}
    ?autofocus=${options.focused}
    .value=${live(options.value)}
    @input=${(event: InputEvent) => options.onInput((event.target as HTMLTextAreaElement).value)}
    ${focusWhenShown(options.focused ?? false)}
  ></textarea>`;
}

function entered(event: KeyboardEvent, onEnter: (() => void) | undefined): void {
  if (event.key !== 'Enter' || onEnter === undefined || event.isComposing) return;
  event.preventDefault();
  onEnter();
}

function revealButton(language: Language): TemplateResult {
  const { showSecret } = designTexts[language];
  return html`<button type="button" class="icon-only field-reveal" aria-label=${showSecret} aria-pressed="false" @click=${reveal}>${icon('eye')}${icon('eye-off')}</button>`;
}

function reveal(event: Event): void {
  const button = event.currentTarget as HTMLButtonElement;
  const input = button.parentElement?.querySelector('input');
  if (input == null) return;
  const shown = input.type === 'text';
  input.type = shown ? 'password' : 'text';
  button.setAttribute('aria-pressed', String(!shown));
}
