import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { described, isBroken, type Labelled, problemLine } from './field.ts';

interface Choice<Value> {
  readonly value: Value;
  readonly title: string;
  readonly note?: string;
  readonly picture?: TemplateResult;
  readonly disabled?: boolean;
}

interface Choices<Value> extends Omit<Labelled, 'label'> {
  readonly legend: string;
  readonly options: readonly Choice<Value>[];
}

/**
 * A choice of one among a few, as cards with a picture. Arrow keys move, as in any group of radio
 * buttons.
 */
export function choice<Value extends string>(
  options: Choices<Value> & {
    readonly value: Value | null;
    readonly onChange: (value: Value) => void;
  },
): TemplateResult {
  return cards(options, 'radio', (value) => value === options.value, options.onChange);
}

/** A choice of any number among a few, as cards with a picture. */
export function choices<Value extends string>(
  options: Choices<Value> & {
    readonly values: readonly Value[];
    readonly onChange: (values: Value[]) => void;
  },
): TemplateResult {
  const { values, onChange } = options;
  return cards(
    options,
    'checkbox',
    (value) => values.includes(value),
    // In the order of the options, not of the clicks.
    (touched) =>
      onChange(
        options.options
          .map(({ value }) => value)
          .filter((value) => values.includes(value) !== (value === touched)),
      ),
  );
}

function cards<Value extends string>(
  options: Choices<Value>,
  type: 'radio' | 'checkbox',
  isChosen: (value: Value) => boolean,
  onTouch: (value: Value) => void,
): TemplateResult {
  const { id, legend, hint, problem } = options;
  return html`<fieldset
    class="field choice"
    id=${id}
    data-testid=${id}
    aria-describedby=${described({ ...options, label: legend })}
    ?data-broken=${isBroken(problem)}
    ?disabled=${options.disabled}
  >
    <legend>${legend}</legend>
    ${hint === undefined ? nothing : html`<p class="field-hint" id="${id}-hint">${hint}</p>`}
    <div class="choice-cards">
      ${options.options.map(
        ({ value, title, note, picture, disabled = false }) =>
          html`<label class="choice-card">
            <input type=${type} name=${id} value=${value} data-testid="${id}-${value}" ?disabled=${disabled} .checked=${live(isChosen(value))} @change=${() => onTouch(value)} />
            ${picture === undefined ? nothing : html`<span class="choice-picture">${picture}</span>`}
            <span class="choice-words"><strong>${title}</strong>${note === undefined ? nothing : html`<span class="soft">${note}</span>`}</span>
          </label>`,
      )}
    </div>
    ${problemLine(id, problem)}
  </fieldset>`;
}
