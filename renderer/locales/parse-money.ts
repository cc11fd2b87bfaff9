import { type Language, locales } from '../../main/core/domain/languages.ts';

/**
 * Why a text is not an amount of money. `grouping`: separators in wrong places; `decimals`: more
 * than two; `tooLarge`: more than a till can ask for.
 */
export type MoneyProblem = 'empty' | 'notANumber' | 'grouping' | 'decimals' | 'tooLarge';
export type ParsedMoney =
  | { readonly amountMinor: number; readonly problem: null }
  | { readonly amountMinor: null; readonly problem: MoneyProblem };

/** Twelve digits, as in a till's packet. */
const highestMinor = 999_999_999_999;

/** The separator of thousands in a language. A space is accepted in all languages. */
function groupingMark(language: Language): string | undefined {
  return new Intl.NumberFormat(locales[language])
    .formatToParts(1_000_000)
    .find(({ type }) => type === 'group')?.value;
}

/**
 * An amount as people type or paste it, in minor units. Comma and point are both accepted before
 * the decimals; thousands may be grouped. A single mark with three digits after it groups only when
 * it is the language's separator: "1.234" is above a thousand in Danish, and has too many decimals
 * in English.
 */
export function parseMoney(language: Language, text: string): ParsedMoney {
  const typed = text.trim();
  if (typed === '') return wrong('empty');
  // \s includes the no-break spaces with which Intl groups.
  if (!/^\d[\d.,\s]*$/.test(typed) || !/\d$/.test(typed)) return wrong('notANumber');
  const marks = typed.match(/[.,]/g) ?? [];
  const decimalMark = decimalMarkOf(language, typed, marks);
  const [whole = '', decimals = '', ...more] =
    decimalMark === null ? [typed] : typed.split(decimalMark);
  if (more.length > 0 || !isGrouped(whole)) return wrong('grouping');
  if (!/^\d*$/.test(decimals)) return wrong('grouping');
  if (decimals.length > 2) return wrong('decimals');
  const amountMinor = Number(whole.replace(/\D/g, '')) * 100 + Number(decimals.padEnd(2, '0'));
  return amountMinor > highestMinor ? wrong('tooLarge') : { amountMinor, problem: null };
}

function wrong(problem: MoneyProblem): ParsedMoney {
  return { amountMinor: null, problem };
}

function decimalMarkOf(language: Language, typed: string, marks: readonly string[]): string | null {
  const last = marks.at(-1);
  if (last === undefined) return null;
  // The same mark twice can only group. With two different marks the last one is before the
  // decimals.
  if (marks.length > 1) return marks.every((mark) => mark === last) ? null : last;
  return last === groupingMark(language) && isGrouped(typed) ? null : last;
}

/**
 * Digits without marks, or in groups of three after the first one to three, with the same mark
 * between them.
 */
function isGrouped(whole: string): boolean {
  return /^\d+$/.test(whole) || /^[1-9]\d{0,2}([.,\s])\d{3}(\1\d{3})*$/.test(whole);
}
