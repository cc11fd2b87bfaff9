import type { Language } from '../locales/i18n.ts';
import { type MoneyProblem, parseMoney } from '../locales/parse-money.ts';

/** What was typed so far: digits, with a comma or points when some were typed. */
export interface TypedAmount {
  readonly text: string;
  readonly amountMinor: number;
}
export type Typed =
  | { readonly typed: TypedAmount; readonly problem: null }
  | { readonly typed: null; readonly problem: MoneyProblem };

/** The amount as if it was typed without a comma or point. */
export function typedAmount(amountMinor: number): TypedAmount {
  return { text: String(amountMinor), amountMinor };
}

/**
 * Adds one key. Without a comma or point, digits push in from the right as on a till: "1250" is
 * 12.50. With one, the text is read as written: "12,5" is 12.50.
 * @param key digits, a comma, a point, `Backspace` or `Delete`
 */
export function typeKey(
  language: Language,
  { text }: TypedAmount,
  key: string,
  max: number,
): Typed {
  const next = key === 'Delete' ? '' : key === 'Backspace' ? text.slice(0, -1) : text + key;
  const { amountMinor, problem } = amountOf(language, next);
  if (problem !== null) return { typed: null, problem };
  return amountMinor > max
    ? { typed: null, problem: 'tooLarge' }
    : {
        typed: /[.,]/.test(next) ? { text: next, amountMinor } : typedAmount(amountMinor),
        problem: null,
      };
}

/** Reads pasted text, which replaces what was typed. */
export function pasteAmount(language: Language, text: string, max: number): Typed {
  const { amountMinor, problem } = parseMoney(language, text);
  if (problem !== null) return { typed: null, problem };
  return amountMinor > max
    ? { typed: null, problem: 'tooLarge' }
    : { typed: typedAmount(amountMinor), problem: null };
}

function amountOf(language: Language, text: string): ReturnType<typeof parseMoney> {
  if (/^\d*$/.test(text)) return { amountMinor: Number(text), problem: null };
  // A text that ends with a comma or point is not complete yet, but valid.
  return parseMoney(language, /\d[.,]$/.test(text) ? text.slice(0, -1) : text);
}
