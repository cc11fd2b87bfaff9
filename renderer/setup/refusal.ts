import { html, nothing, type TemplateResult } from 'lit';
import type { CommonRefusal } from '../../preload/procedures/procedure.ts';
import type { setupProcedures } from '../../preload/procedures/setup.ts';
import type { AnswerTo, ProcedureName } from '../../preload/procedures.ts';
import type { Language } from '../locales/i18n.ts';
import { frameTexts } from '../locales/frame.ts';
import { setupTexts } from '../locales/setup.ts';

type Refused = Extract<AnswerTo<ProcedureName>, { ok: false }>;
type SetupRefusal = Exclude<
  (typeof setupProcedures)[keyof typeof setupProcedures]['refusals'][number],
  CommonRefusal
>;
type SetupRefused = Omit<Refused, 'code'> & { readonly code: SetupRefusal | CommonRefusal };

/** Placeholder for the message of the system or the service, which is in English. */
const placeholder = '\ufffc';

/** As `refusalWords`, with the English message set apart. */
export function refusalBody(language: Language, refused: SetupRefused): TemplateResult {
  const [before, after] = refusalWords(language, { ...refused, message: placeholder }).split(
    placeholder,
  );
  return html`${before}${after === undefined ? nothing : html`<span class="mono small" lang="en">${refused.message}</span>${after}`}`;
}

/** A refusal in words: the reason, and what to do. */
export function refusalWords(language: Language, { code, facts, message }: SetupRefused): string {
  const { refusal } = setupTexts[language];
  const common = frameTexts[language].refusal;
  if (!isOfSetup(code)) return code === 'invalid' ? `${common.invalid} (${message})` : common[code];
  const fact = (name: string): string => String(facts[name] ?? '');
  const text = refusal[code === 'refused' && fact('code') !== '' ? 'refusedWithCode' : code];
  if (typeof text === 'string') return text;
  const aheadBySeconds = Number(facts['seconds'] ?? 0);
  return text({
    host: fact('host'),
    status: fact('status'),
    code: fact('code'),
    detail: fact('detail'),
    direction: aheadBySeconds === 0 ? 'other' : aheadBySeconds > 0 ? 'ahead' : 'behind',
    minutes: Math.abs(Math.round(aheadBySeconds / 60)),
    lane: fact('lane') || fact('laneId'),
    count: Number(facts['count'] ?? 0),
    path: fact('path'),
    message,
  });

  function isOfSetup(one: SetupRefusal | CommonRefusal): one is SetupRefusal {
    return Object.hasOwn(refusal, one);
  }
}
