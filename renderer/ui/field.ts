import { css, html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Language } from '../locales/i18n.ts';
import { screenTexts } from '../locales/screens.ts';
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
  const { showSecret } = screenTexts[language].design;
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

export const fieldStyles = css`
  .field {
    display: flex;
    flex-direction: column;
    gap: var(--space-2);
    min-width: 0;
  }
  .field > label,
  .field > legend {
    padding: 0;
    font-weight: 600;
  }
  .field-hint {
    margin: 0;
    color: var(--ink-soft);
    font-size: var(--text-small);
    line-height: 1.4;
  }
  .field-box {
    display: flex;
    align-items: center;
    gap: var(--space-3);
    min-height: var(--touch);
    padding: 0 var(--space-4);
    border: 2px solid var(--field-line);
    border-radius: var(--radius-small);
    background: var(--card);
    color: var(--ink-soft);
  }
  .field-box:focus-within {
    border-color: var(--busy);
    outline: 3px solid var(--busy);
    outline-offset: 1px;
  }
  .field-box > .icon {
    font-size: 1.3rem;
  }
  .field-box input,
  .field-box textarea,
  .field-box select {
    flex: 1;
    align-self: stretch;
    width: 100%;
    min-width: 0;
    padding: var(--space-3) 0;
    border: 0;
    outline: 0;
    background: none;
    color: var(--ink);
    font: inherit;
    font-size: var(--text-lead);
  }
  /* Our own arrow lies over its end, and lets fingers through. */
  .field-box select {
    appearance: none;
    margin-inline-end: calc(-1.3rem - var(--space-3));
    padding-inline-end: calc(1.3rem + var(--space-3));
    cursor: pointer;
  }
  .field-box select + .icon {
    pointer-events: none;
  }
  .field-box textarea {
    resize: none;
    line-height: 1.4;
  }
  .field-box ::placeholder {
    color: var(--ink-soft);
    opacity: 1;
  }
  .field-box:has(:disabled) {
    border-style: dashed;
    background: var(--neutral-soft);
  }
  .field[data-broken] .field-box {
    border-color: var(--bad);
  }
  .field-problem {
    display: flex;
    gap: 0.5em;
    margin: 0;
    color: var(--bad);
    font-weight: 600;
    line-height: 1.4;
  }
  .field-problem:empty {
    display: none;
  }
  .field-problem .icon {
    margin-top: 0.2em;
  }
  .field-reveal .icon:last-child,
  .field-reveal[aria-pressed='true'] .icon:first-child {
    display: none;
  }
  .field-reveal[aria-pressed='true'] .icon:last-child {
    display: block;
  }
`;
