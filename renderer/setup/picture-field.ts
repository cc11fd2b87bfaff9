import { html, nothing, type TemplateResult, unsafeCSS } from 'lit';
import { isBroken, type Labelled, problemLine } from '../ui/field.ts';
import { icon } from '../ui/icons.ts';
import { progress } from '../ui/progress.ts';
import type { Language } from '../locales/i18n.ts';
import styles from './picture-field.css?inline';
import { setupTexts } from '../locales/setup.ts';

interface PictureFieldOptions extends Labelled {
  readonly language: Language;
  /** Address of the picture; null when there is none. */
  readonly shown: string | null;
  /** Progress of the upload from 0 to 1; null when none is under way. */
  readonly fraction: number | null;
  readonly onPick: () => void;
  readonly onRemove: () => void;
  /** Called when the picture cannot be loaded. */
  readonly onBroken: () => void;
}

/** A field to pick a picture from a file, with a preview. */
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

export const pictureFieldStyles = unsafeCSS(styles);
