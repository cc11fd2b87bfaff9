import { html, nothing, type TemplateResult } from 'lit';
import type { OutputOf } from '../../preload/procedures.ts';
import { notice } from '../ui/notice.ts';
import { formatTime, type Language } from '../locales/i18n.ts';
import { frameTexts } from '../locales/frame.ts';
import type { SetupState } from './step-order.ts';

/** Shows that the settings file in the data folder was refused or is waiting, with its mistakes. */
export function fileNotice(
  language: Language,
  { path, state, mistakes, atMs, lockedKeyStore }: SetupState['file'],
): TemplateResult | typeof nothing {
  const { file } = frameTexts[language].setup;
  if (state !== 'refused' && state !== 'waiting') return nothing;
  const at = atMs === null ? '' : formatTime(language, atMs);
  return html`<div class="told" data-testid="file-${state}">
    ${notice({
      kind: state === 'refused' ? 'error' : 'warning',
      title: state === 'refused' ? file.refused({ at }) : file.waiting,
      body: html`<span class="mono small">${path}</span>
        <ul>
          ${mistakes.map((mistake) => html`<li class="mono small" lang="en">${mistake}</li>`)}
        </ul>
        ${lockedKeyStore !== undefined ? file.lockedKeyStore({ name: lockedKeyStore }) : state === 'refused' ? file.refusedNext : file.waitingNext}`,
    })}
  </div>`;
}

/** What an imported file does not contain. */
export function missingNotice(
  language: Language,
  missing: OutputOf<'importLane'>['missing'],
  onDismiss: () => unknown,
): TemplateResult | typeof nothing {
  const { imported } = frameTexts[language].setup;
  if (missing.length === 0) return nothing;
  return html`<div class="told" data-testid="missing">
    ${notice({ kind: 'info', title: imported.title, body: missing.map((what) => html`<div>${imported.missing[what]}</div>`), onDismiss, dismissLabel: imported.dismiss })}
  </div>`;
}
