import type { CommonRefusal } from '../../preload/procedures/procedure.ts';
import type { AnswerTo, ProcedureName } from '../../preload/procedures.ts';
import type { Language } from '../locales/i18n.ts';
import { managerTexts } from '../locales/manager/index.ts';
import { setupTexts } from '../locales/setup/index.ts';
import type { SetupRefusal } from '../locales/setup/texts.ts';

type Refused = Extract<AnswerTo<ProcedureName>, { ok: false }>;
type SetupRefused = Omit<Refused, 'code'> & { readonly code: SetupRefusal | CommonRefusal };

/** Why setup could not do it, and what to do about it. */
export function refusalWords(language: Language, { code, facts, message }: SetupRefused): string {
  const { refusal } = setupTexts[language];
  const common = managerTexts[language].refusal;
  if (!isOfSetup(code)) return code === 'invalid' ? `${common.invalid} (${message})` : common[code];
  const fact = (name: string): string => String(facts[name] ?? '');
  return refusal[code]({
    host: fact('host'),
    status: fact('status'),
    code: fact('code'),
    detail: fact('detail'),
    seconds: Number(facts['seconds'] ?? 0),
    laneId: fact('laneId'),
    count: Number(facts['count'] ?? 0),
    path: fact('path'),
    step: fact('step'),
    message,
  });

  function isOfSetup(one: SetupRefusal | CommonRefusal): one is SetupRefusal {
    return Object.hasOwn(refusal, one);
  }
}
