import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { type ControlEvent, described, isBroken, type Labelled, labelled } from './field.ts';
import { icon } from './icons.ts';

export interface SelectOptions<Value extends string> extends Labelled {
  readonly value: Value;
  readonly options: readonly {
    readonly value: Value;
    readonly label: string;
    readonly disabled?: boolean;
  }[];
  readonly onChange: (value: Value) => void;
}

/** A choice of one among several, as the browser's own drop-down list. */
export function select<Value extends string>(options: SelectOptions<Value>): TemplateResult {
  const { id } = options;
  const onChange = ({ currentTarget }: ControlEvent<HTMLSelectElement>): void => {
    const chosen = options.options.find(({ value }) => value === currentTarget.value);
    if (chosen !== undefined) options.onChange(chosen.value);
  };
  return labelled(
    options,
    html`<div class="field-box">
      <select
        id=${id}
        data-testid=${id}
        aria-describedby=${described(options)}
        aria-invalid=${isBroken(options.problem)}
        ?disabled=${options.disabled}
        @change=${onChange}
      >
        ${options.options.map(({ value, label, disabled = false }) => html`<option value=${value} ?disabled=${disabled} .selected=${live(value === options.value)}>${label}</option>`)}
      </select>
      ${icon('down')}
    </div>`,
  );
}
