import { css, html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { described, isBroken, type Labelled, problemLine } from './field.ts';

export interface CheckboxOptions extends Labelled {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** Yes or no, for what takes effect later, with the rest of the form. */
export function checkbox(options: CheckboxOptions): TemplateResult {
  return box(options, 'check-box');
}

/** On or off, for what takes effect at once. */
export function toggle(options: CheckboxOptions): TemplateResult {
  return box(options, 'check-switch');
}

function box(options: CheckboxOptions, kind: 'check-box' | 'check-switch'): TemplateResult {
  const { id, label, hint, problem } = options;
  return html`<div class="field">
    <label class="check">
      <input
        id=${id}
        data-testid=${id}
        class=${kind}
        type="checkbox"
        role=${kind === 'check-switch' ? 'switch' : nothing}
        aria-describedby=${described(options)}
        aria-invalid=${isBroken(problem)}
        ?disabled=${options.disabled}
        .checked=${live(options.checked)}
        @change=${(event: Event) => options.onChange((event.target as HTMLInputElement).checked)}
      />
      <span>${label}</span>
    </label>
    ${hint === undefined ? nothing : html`<p class="field-hint check-hint" id="${id}-hint">${hint}</p>`} ${problemLine(id, problem)}
  </div>`;
}

export const checkboxStyles = css`
  .field > label.check {
    display: flex;
    align-items: center;
    gap: var(--space-3);
    min-height: var(--touch-small);
    cursor: pointer;
  }
  .check input {
    flex: none;
    height: 1.75rem;
    margin: 0;
    border: 2px solid var(--field-line);
    background: var(--card);
    appearance: none;
    cursor: inherit;
    transition: background var(--quick);
  }
  .check-box {
    width: 1.75rem;
    border-radius: 6px;
  }
  .check-switch {
    width: 3.25rem;
    border-radius: 1rem;
  }
  .check input::before {
    content: '';
    display: block;
  }
  .check-box::before {
    width: 0.5rem;
    height: 0.95rem;
    margin: 0.1rem auto;
    border: solid transparent;
    border-width: 0 3px 3px 0;
    transform: rotate(45deg);
  }
  .check-switch::before {
    width: 1.05rem;
    height: 1.05rem;
    margin: calc((1.75rem - 4px - 1.05rem) / 2);
    border-radius: 50%;
    background: var(--field-line);
    transition: transform var(--quick);
  }
  .check input:checked {
    border-color: var(--busy);
    background: var(--busy);
  }
  .check-box:checked::before {
    border-color: var(--on-strong);
  }
  .check-switch:checked::before {
    background: var(--on-strong);
    transform: translateX(1.5rem);
  }
  .check input:disabled,
  .check input:disabled + span {
    opacity: 0.5;
    cursor: default;
  }
  .check-hint {
    margin-left: calc(1.75rem + var(--space-3));
  }
`;
