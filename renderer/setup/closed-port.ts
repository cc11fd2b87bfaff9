import { html, nothing, type TemplateResult } from 'lit';
import type { Heard, ListenRefusal } from '../../preload/procedures/setup-till.ts';
import { commandOfClaimer } from '../ui/commands.ts';
import { commandFields } from '../ui/command-fields.ts';
import { notice } from '../ui/notice.ts';
import type { Language } from '../locales/i18n.ts';
import { screenTexts } from '../locales/screens.ts';
import { refusalWords } from './refusal.ts';
import { setupTexts } from '../locales/setup.ts';

interface Closed {
  readonly language: Language;
  readonly problem: Heard['problem'];
  readonly claimer: Heard['claimer'];
  readonly detail: string;
  readonly isSerial: boolean;
  /** Why a network address cannot be listened on; missing when it is unknown. */
  readonly listening?: Heard['listening'];
}

/** Why a port is not open, and what to do. */
export function closedPort({
  language,
  problem,
  claimer,
  detail,
  isSerial,
  listening,
}: Closed): TemplateResult {
  const { title, next } = whyClosed();
  const command =
    claimer === undefined ? nothing : commandFields(language, [commandOfClaimer(claimer)]);
  return notice({
    kind: 'warning',
    title,
    body: html`${next} ${command} <span class="mono small">${screenTexts[language].support}: <span lang="en">${detail}</span></span>`,
  });

  function whyClosed(): { title: string; next: string } {
    const { heard: texts } = setupTexts[language];
    if (claimer !== undefined) {
      const { what, next } = screenTexts[language].portClaimed[claimer];
      return { title: what, next };
    }
    if (listening !== undefined)
      return {
        title: texts.cannotOpen,
        next: `${whyNotListening(listening)} ${texts.cannotOpenNext}`,
      };
    if (!isSerial) return { title: texts.cannotOpen, next: texts.cannotOpenTcpNext };
    if (problem === 'absent') return { title: texts.noPort, next: texts.noPortNext };
    if (problem === 'busy') return { title: texts.portBusy, next: texts.portBusyNext };
    return { title: texts.cannotOpen, next: texts.cannotOpenNext };
  }

  function whyNotListening({ code, facts }: ListenRefusal): string {
    if (code === 'hostNotHere')
      return setupTexts[language].heard.hostNotHere({ host: String(facts['host']) });
    return refusalWords(language, { ok: false, code, facts, field: null, message: detail });
  }
}
