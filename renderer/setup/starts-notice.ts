import { html, nothing, type TemplateResult } from 'lit';
import type { Language } from '../locales/i18n.ts';
import { setupTexts } from '../locales/setup.ts';
import { notice } from '../ui/notice.ts';
import type { SetupState } from './step-order.ts';

/** Says how to make Tillbeacon start with the computer, while it does not. */
export function startsNotice(language: Language, starts: SetupState['starts']): TemplateResult | typeof nothing {
  if (starts.with !== 'nothing') return nothing;
  const { notStarted } = setupTexts[language].done;
  return html`<div data-testid="not-started">${notice({ kind: 'warning', title: notStarted.title, body: notStarted[starts.system] })}</div>`;
}
