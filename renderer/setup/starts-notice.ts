import { html, nothing, type TemplateResult } from 'lit';
import { commandsToStart } from '../ui/commands.ts';
import type { Language } from '../locales/i18n.ts';
import { frameTexts } from '../locales/frame.ts';
import { commandFields } from '../ui/command-fields.ts';
import { notice } from '../ui/notice.ts';
import type { SetupState } from './step-order.ts';

/** Says how to make Tillbeacon start with the computer, while it does not. */
export function startsNotice(
  language: Language,
  starts: SetupState['starts'],
): TemplateResult | typeof nothing {
  if (starts.with !== 'nothing') return nothing;
  const frame = frameTexts[language];
  const { nothing: words } = frame.starts;
  const body = html`<p>${words[starts.system]}</p>
    ${commandFields(language, commandsToStart(starts.system, frame))}`;
  return html`<div data-testid="not-started">${notice({ kind: 'warning', title: words.title, body })}</div>`;
}
