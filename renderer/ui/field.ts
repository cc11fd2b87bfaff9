import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Language } from '../locales/i18n.ts';
import { screenTexts } from '../locales/screens.ts';
import { focusWhenShown } from './focus.ts';
import { icon, type IconName } from './icons.ts';

/** An event at the element that has the listener. */
export type ControlEvent<Control extends Element> = Event & { readonly currentTarget: Control };

/** The options of any control with a label. */
export interface Labelled {
  /** Unique within the screen. */
  readonly id: string;
  readonly label: string;
  /** What to enter; screen readers read it with the label. */
  readonly hint?: string | undefined;
  /** The broken rule, and what to do; null when there is none. */
  readonly problem?: string | null | undefined;
  readonly disabled?: boolean;
}

export interface FieldOptions extends Labelled {
  /** The value as typed, valid or not. */
  readonly value: string;
  readonly onInput: (text: string) => void;
  readonly type?: 'text' | 'password' | 'time' | 'search';
  readonly inputMode?: 'text' | 'numeric' | 'decimal' | 'url';
  readonly autocomplete?: AutoFill;
  readonly maxLength?: number;
  readonly placeholder?: string;
  /** After the text, e.g. the currency. */
  readonly suffix?: string;
  readonly lead?: IconName;
  readonly required?: boolean;
  /** More than one: a text area of so many lines. */
  readonly rows?: number;
  readonly onEnter?: () => void;
  readonly focused?: boolean;
  /** Set for a password: the language of the button that shows it. */
  readonly language?: Language;
}

/**
 * A text field with its label, its hint, and the broken rule below. Needs `fieldStyles` in the
 * caller's shadow root.
 */
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

/**
 * Any control with label, hint and problem. The control gets its `aria-describedby` from
 * {@link described}.
 */
export function labelled(
  { id, label, hint, problem }: Labelled,
  control: TemplateResult,
): TemplateResult {
  return html`<div class="field" ?data-broken=${isBroken(problem)}>
    <label for=${id}>${label}</label>
    ${hint === undefined ? nothing : html`<p class="field-hint" id="${id}-hint">${hint}</p>`} ${control} ${problemLine(id, problem)}
  </div>`;
}

/** Always rendered, so that screen readers announce a problem that appears in it. */
export function problemLine(id: string, problem: Labelled['problem']): TemplateResult {
  return html`<p class="field-problem" id="${id}-problem" aria-live="polite">${isBroken(problem) ? html`${icon('warning')}<span>${problem}</span>` : nothing}</p>`;
}

export function isBroken(problem: Labelled['problem']): problem is string {
  return problem != null && problem !== '';
}

/** The ids of a control's hint and problem, for `aria-describedby`. */
export function described(
  { id, hint, problem }: Labelled,
  ...more: string[]
): string | typeof nothing {
  return (
    [
      ...(isBroken(problem) ? [`${id}-problem`] : []),
      ...(hint === undefined ? [] : [`${id}-hint`]),
      ...more,
    ].join(' ') || nothing
  );
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
    @input=${({ currentTarget }: ControlEvent<HTMLInputElement>) => options.onInput(currentTarget.value)}
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
    @input=${({ currentTarget }: ControlEvent<HTMLTextAreaElement>) => options.onInput(currentTarget.value)}
    ${focusWhenShown(options.focused ?? false)}
  ></textarea>`;
}

function entered(event: KeyboardEvent, onEnter: (() => void) | undefined): void {
  if (event.key !== 'Enter' || onEnter === undefined || event.isComposing) return;
  event.preventDefault();
  onEnter();
}

function revealButton(language: Language): TemplateResult {
  const { showSecret } = screenTexts[language].design;
  return html`<button type="button" class="icon-only field-reveal" aria-label=${showSecret} aria-pressed="false" @click=${reveal}>${icon('eye')}${icon('eye-off')}</button>`;
}

function reveal({ currentTarget: button }: ControlEvent<HTMLButtonElement>): void {
  const input = button.parentElement?.querySelector('input');
  if (input == null) return;
  const shown = input.type === 'text';
  input.type = shown ? 'password' : 'text';
  button.setAttribute('aria-pressed', String(!shown));
}
