import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { described, isBroken, type Labelled, labelled } from './field.ts';
import { icon } from './icons.ts';

export interface SelectOptions extends Labelled {
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string; readonly disabled?: boolean }[];
  readonly onChange: (value: string) => void;
}

/** One of a few, as a list that opens: the browser's own, which every keyboard and every finger knows. */
export function select(options: SelectOptions): TemplateResult {
  const { id } = options;
  return labelled(
    options,
    html`<div class="field-box">
      <select
        id=${id}
        data-testid=${id}
        aria-describedby=${described(options)}
        aria-invalid=${isBroken(options.problem)}
        ?disabled=${options.disabled}
        @change=${(event: Event) => options.onChange((event.target as HTMLSelectElement).value)}
      >
        ${options.options.map(({ value, label, disabled = false }) => html`<option value=${value} ?disabled=${disabled} .selected=${live(value === options.value)}>${label}</option>`)}
      </select>
      ${icon('down')}
    </div>`,
  );
}
