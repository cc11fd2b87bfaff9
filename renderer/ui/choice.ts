import { css, html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { described, isBroken, type Labelled, problemLine } from './field.ts';

interface Choice {
  readonly value: string;
  readonly title: string;
  readonly note?: string;
  /** An icon, or a drawing. */
  readonly picture?: TemplateResult;
  readonly disabled?: boolean;
}

interface Choices extends Omit<Labelled, 'label'> {
  readonly legend: string;
  readonly options: readonly Choice[];
}

/** One of a few, as cards with a picture: arrows move, as in any group of radio buttons. */
export function choice(options: Choices & { readonly value: string | null; readonly onChange: (value: string) => void }): TemplateResult {
  return cards(options, 'radio', (value) => value === options.value, options.onChange);
}

/** Some of a few, as cards with a picture. */
export function choices(options: Choices & { readonly values: readonly string[]; readonly onChange: (values: string[]) => void }): TemplateResult {
  const { values, onChange } = options;
  return cards(
    options,
    'checkbox',
    (value) => values.includes(value),
    // In the order of the options, whatever was touched first.
    (touched) => onChange(options.options.map(({ value }) => value).filter((value) => values.includes(value) !== (value === touched))),
  );
}

function cards(options: Choices, type: 'radio' | 'checkbox', isChosen: (value: string) => boolean, onTouch: (value: string) => void): TemplateResult {
  const { id, legend, hint, problem } = options;
  return html`<fieldset class="field choice" id=${id} data-testid=${id} aria-describedby=${described({ ...options, label: legend })} ?data-broken=${isBroken(problem)} ?disabled=${options.disabled}>
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

export const choiceStyles = css`
  .choice {
    margin: 0;
    padding: 0;
    border: 0;
  }
  .choice > legend {
    margin-bottom: var(--space-2);
  }
  .choice-cards {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 13rem), 1fr));
    gap: var(--space-3);
  }
  .choice-card {
    display: flex;
    align-items: center;
    gap: var(--space-4);
    min-height: var(--touch);
    padding: var(--space-4);
    border: 2px solid var(--line);
    border-radius: var(--radius-small);
    background: var(--card);
    cursor: pointer;
    transition: border-color var(--quick);
  }
  .choice-card:hover:not(:has(:disabled)) {
    border-color: var(--ink-soft);
  }
  .choice-card:has(:checked) {
    border-color: var(--busy);
    background: var(--busy-soft);
  }
  .choice-card:has(:focus-visible) {
    outline: 3px solid var(--busy);
    outline-offset: 3px;
  }
  .choice-card:has(:disabled) {
    opacity: 0.5;
    cursor: default;
  }
  .choice-card input {
    flex: none;
    width: 1.5rem;
    height: 1.5rem;
    margin: 0;
    outline: 0;
    accent-color: var(--busy);
  }
  .choice-picture {
    display: grid;
    font-size: 2.4rem;
    color: var(--busy);
  }
  .choice-words {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    overflow-wrap: anywhere;
    hyphens: auto;
    gap: var(--space-1);
    min-width: 0;
    line-height: 1.35;
  }
  .choice-words .soft {
    color: var(--ink-soft);
    font-size: var(--text-small);
  }
  .choice-card:has(:checked) .soft {
    color: var(--ink);
  }
`;
