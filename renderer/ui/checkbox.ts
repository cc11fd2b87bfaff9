import { html, nothing, type TemplateResult } from 'lit';
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
