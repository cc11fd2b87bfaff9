import type { InputOf } from '../../../preload/procedures.ts';
import { type Language } from '../../locales/i18n.ts';
import { managerTexts } from '../../locales/manager.ts';
import { screenTexts, type ScreenTexts } from '../../locales/screens.ts';
import { parseMoney } from '../../locales/parse-money.ts';

/** The form as chosen and typed, valid or not. */
export interface RefundForm {
  readonly howMuch: 'all' | 'part';
  readonly amount: string;
  /**
   * The index of one of the language's reasons; 'other' for a typed one; null before the choice.
   */
  readonly why: number | 'other' | null;
  readonly note: string;
}

/** The rule that each field breaks. */
export interface RefundProblems {
  readonly amount?: string;
  readonly why?: string;
  readonly note?: string;
}

/** The daemon's limit. */
const maxNoteLength = 200;

export type CheckedRefund =
  | { readonly problems: null; readonly refund: Pick<InputOf<'refund'>, 'amountMinor' | 'note'> }
  | { readonly problems: RefundProblems };

/** @param leftMinor what is not refunded yet */
export function checkRefund(
  language: Language,
  form: RefundForm,
  leftMinor: number,
): CheckedRefund {
  const amount = amountOf(language, form, leftMinor);
  const why = reasonOf(language, form);
  if ('minor' in amount && 'note' in why)
    return { problems: null, refund: { amountMinor: amount.minor, note: why.note } };
  return {
    problems: {
      ...('minor' in amount ? {} : { amount: amount.problem }),
      ...('note' in why ? {} : why.problems),
    },
  };
}

/** The amount in minor units; null while it is not valid. */
export function amountInForm(
  language: Language,
  { howMuch, amount }: RefundForm,
  leftMinor: number,
): number | null {
  return howMuch === 'all' ? leftMinor : parseMoney(language, amount).amountMinor;
}

/** The sentence is the same whether the screen, the daemon or the service refuses the amount. */
export function tooHighWords({ notRefunded }: ScreenTexts): string {
  return `${notRefunded.amountTooHigh.what}. ${notRefunded.amountTooHigh.next}`;
}

function amountOf(
  language: Language,
  { howMuch, amount }: RefundForm,
  leftMinor: number,
): { minor: number } | { problem: string } {
  if (howMuch === 'all') return { minor: leftMinor };
  const { amountMinor, problem } = parseMoney(language, amount);
  if (problem !== null)
    return {
      problem:
        problem === 'tooLarge'
          ? tooHighWords(screenTexts[language])
          : screenTexts[language].design.money[problem],
    };
  if (amountMinor === 0) return { problem: screenTexts[language].design.money.nothing };
  return amountMinor > leftMinor
    ? { problem: tooHighWords(screenTexts[language]) }
    : { minor: amountMinor };
}

function reasonOf(
  language: Language,
  { why, note }: RefundForm,
): { note: string } | { problems: RefundProblems } {
  const { reasons, noteNeeded, noteTooLong, chooseReason } = managerTexts[language].refunds.dialog;
  if (why === null) return { problems: { why: chooseReason } };
  const words = why === 'other' ? note.trim() : (Object.values(reasons)[why] ?? '');
  if (words === '') return { problems: { note: noteNeeded } };
  return words.length > maxNoteLength ? { problems: { note: noteTooLong } } : { note: words };
}
