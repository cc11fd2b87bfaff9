import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { type ControlEvent, described, isBroken, type Labelled, problemLine } from './field.ts';

export interface CheckboxOptions extends Labelled {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** A yes or no that takes effect together with the rest of the form. */
export function checkbox(options: CheckboxOptions): TemplateResult {
  const { id, label, hint, problem } = options;
  return html`<div class="field">
    <label class="check">
      <input
        id=${id}
        data-testid=${id}
        class="check-box"
        type="checkbox"
        aria-describedby=${described(options)}
        aria-invalid=${isBroken(problem)}
        ?disabled=${options.disabled}
        .checked=${live(options.checked)}
        @change=${({ currentTarget }: ControlEvent<HTMLInputElement>) => options.onChange(currentTarget.checked)}
      />
      <span>${label}</span>
    </label>
    ${hint === undefined ? nothing : html`<p class="field-hint check-hint" id="${id}-hint">${hint}</p>`} ${problemLine(id, problem)}
  </div>`;
}
