import { css, html, nothing, type TemplateResult } from 'lit';
import { isBroken, type Labelled, problemLine } from '../ui/field.ts';
import { icon } from '../ui/icons.ts';
import { progress } from '../ui/progress.ts';
import type { Language } from '../locales/i18n.ts';
import { setupTexts } from '../locales/setup.ts';

interface PictureFieldOptions extends Labelled {
  readonly language: Language;
  /** Its address; null: there is none. */
  readonly shown: string | null;
  /** How far it is read; null: nothing is being read. */
  readonly fraction: number | null;
  readonly onPick: () => void;
  readonly onRemove: () => void;
  /** It cannot be shown. */
  readonly onBroken: () => void;
}

/** A picture from a file of this device, seen before it is in use. */
export function pictureField(options: PictureFieldOptions): TemplateResult {
  const { id, label, hint, problem, language, shown, fraction } = options;
  const texts = setupTexts[language].customers;
  return html`<div class="field picture" role="group" aria-labelledby="${id}-label" aria-describedby="${id}-hint ${id}-problem" ?data-broken=${isBroken(problem)}>
    <strong id="${id}-label">${label}</strong>
    <p class="field-hint" id="${id}-hint">${hint}</p>
    <div class="picture-box">
      ${
        shown === null
          ? html`<span class="soft">${texts.none}</span>`
          : html`<img data-testid="${id}-preview" src=${shown} alt=${texts.preview({ which: label })} @error=${options.onBroken} />`
      }
    </div>
    ${fraction === null ? nothing : progress({ language, label: texts.reading, fraction })}
    <div class="row">
      <button id=${id} data-testid=${id} aria-label=${texts.forWhich({ button: texts.choose, which: label })} aria-busy=${fraction !== null} @click=${options.onPick}>
        ${icon('upload')} ${texts.choose}
      </button>
      ${
        shown === null
          ? nothing
          : html`<button class="quiet" data-testid="${id}-remove" aria-label=${texts.forWhich({ button: texts.remove, which: label })} ?disabled=${fraction !== null} @click=${options.onRemove}>
              ${icon('trash')} ${texts.remove}
            </button>`
      }
    </div>
    ${problemLine(id, problem)}
  </div>`;
}

export const pictureFieldStyles = css`
  /* Its parts stand in one line with those of its neighbour. */
  .two .picture {
    grid-row: span 5;
    align-content: start;
  }
  .two .picture :is(.field-hint, .picture-box, .field-problem) {
    grid-row: auto;
  }
  .picture-box {
    display: grid;
    place-items: center;
    height: 9rem;
    padding: var(--space-3);
    border: 2px dashed var(--line);
    border-radius: var(--radius-small);
    background: var(--ground);
  }
  .picture[data-broken] .picture-box {
    border-color: var(--bad);
  }
  .picture-box img {
    max-width: 100%;
    max-height: 7.5rem;
    object-fit: contain;
  }
`;
