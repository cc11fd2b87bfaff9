import type { InputOf } from '../../../preload/procedures.ts';
import { designTexts } from '../../locales/design/index.ts';
import type { Texts } from '../../locales/en.ts';
import { type Language, languages } from '../../locales/i18n.ts';
import { parseMoney } from '../../locales/parse-money.ts';
import { refundsTexts } from '../../locales/refunds/index.ts';

/** As it was chosen and typed, right or wrong. */
export interface RefundForm {
  readonly howMuch: 'all' | 'part';
  readonly amount: string;
  /** One of the language's reasons by its place; 'other': in own words; null: none yet. */
  readonly why: number | 'other' | null;
  readonly note: string;
}

/** The rule that is broken, at its field. */
export interface RefundProblems {
  readonly amount?: string;
  readonly why?: string;
  readonly note?: string;
}

/** As the daemon takes it. */
const longestNote = 200;

export type CheckedRefund =
  | { readonly problems: null; readonly refund: Pick<InputOf<'refund'>, 'amountMinor' | 'note'> }
  | { readonly problems: RefundProblems };

/** @param leftMinor of the payment, not refunded yet */
export function checkRefund(language: Language, form: RefundForm, leftMinor: number): CheckedRefund {
  const amount = amountOf(language, form, leftMinor);
  const why = reasonOf(language, form);
  if ('minor' in amount && 'note' in why) return { problems: null, refund: { amountMinor: amount.minor, note: why.note } };
  return { problems: { ...('minor' in amount ? {} : { amount: amount.problem }), ...('note' in why ? {} : why.problems) } };
}

/** null: it cannot be said yet. */
export function amountInForm(language: Language, { howMuch, amount }: RefundForm, leftMinor: number): number | null {
  return howMuch === 'all' ? leftMinor : parseMoney(language, amount).amountMinor;
}

/** One sentence wherever it is refused: on the screen, by the daemon, by the service. */
export function tooHighWords({ notRefunded }: Texts): string {
  return `${notRefunded.amountTooHigh.what}. ${notRefunded.amountTooHigh.next}`;
}

function amountOf(language: Language, { howMuch, amount }: RefundForm, leftMinor: number): { minor: number } | { problem: string } {
  if (howMuch === 'all') return { minor: leftMinor };
  const { amountMinor, problem } = parseMoney(language, amount);
  if (problem !== null) return { problem: problem === 'tooLarge' ? tooHighWords(languages[language]) : designTexts[language].money[problem] };
  if (amountMinor === 0) return { problem: refundsTexts[language].dialog.nothing };
  return amountMinor > leftMinor ? { problem: tooHighWords(languages[language]) } : { minor: amountMinor };
}

function reasonOf(language: Language, { why, note }: RefundForm): { note: string } | { problems: RefundProblems } {
  const { reasons, noteNeeded, noteTooLong, chooseReason } = refundsTexts[language].dialog;
  if (why === null) return { problems: { why: chooseReason } };
  const words = why === 'other' ? note.trim() : (reasons[why] ?? '');
  if (words === '') return { problems: { note: noteNeeded } };
  return words.length > longestNote ? { problems: { note: noteTooLong } } : { note: words };
}
