import { type Language, locales } from '../../main/domain/languages.ts';

/**
 * Why a text is no amount of money. `grouping`: separators that stand in odd places; `decimals`: more than two;
 * `tooLarge`: more than a till can ask for.
 */
export type MoneyProblem = 'empty' | 'notANumber' | 'grouping' | 'decimals' | 'tooLarge';
export type ParsedMoney = { readonly amountMinor: number; readonly problem: null } | { readonly amountMinor: null; readonly problem: MoneyProblem };

/** Twelve digits, as many as a till's packet holds. */
const highestMinor = 999_999_999_999;

/** What a language writes between thousands; a space is taken in all of them. */
function groupingMark(language: Language): string | undefined {
  return new Intl.NumberFormat(locales[language]).formatToParts(1_000_000).find(({ type }) => type === 'group')?.value;
}

/**
 * An amount as a person types or pastes it, in minor units. Comma and point both part the decimals; thousands may be grouped.
 * Of one mark with three digits after it, only the language's own grouping mark groups: "1.234" is a thousand in Danish and too exact in English.
 */
export function parseMoney(language: Language, text: string): ParsedMoney {
  const typed = text.trim();
  if (typed === '') return wrong('empty');
  // \s has the no-break spaces that Intl groups with.
  if (!/^\d[\d.,\s]*$/.test(typed) || !/\d$/.test(typed)) return wrong('notANumber');
  const marks = typed.match(/[.,]/g) ?? [];
  const decimalMark = decimalMarkOf(language, typed, marks);
  const [whole = '', decimals = '', ...more] = decimalMark === null ? [typed] : typed.split(decimalMark);
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
  // The same one twice can only group; two kinds: the last one parts the decimals.
  if (marks.length > 1) return marks.every((mark) => mark === last) ? null : last;
  return last === groupingMark(language) && isGrouped(typed) ? null : last;
}

/** Digits alone, or in threes after one to three, by one and the same mark. */
function isGrouped(whole: string): boolean {
  return /^\d+$/.test(whole) || /^[1-9]\d{0,2}([.,\s])\d{3}(\1\d{3})*$/.test(whole);
}
