import { type Language, locales } from '../../main/core/domain/languages.ts';

/** The order in which a language writes day, month and year. */
function orderOf(language: Language): readonly string[] {
  const parts = new Intl.DateTimeFormat(locales[language], {
    day: 'numeric',
    month: 'numeric',
    year: 'numeric',
  }).formatToParts(0);
  return parts
    .map(({ type }) => type)
    .filter((type) => type === 'day' || type === 'month' || type === 'year');
}

/**
 * A day as people type it, in the language's order or as `2026-01-31`, with four digits of the
 * year. @returns such as `2026-01-31`; null for another text
 */
export function parseDay(language: Language, text: string): string | null {
  const numbers = text.trim().split(/\s*[\s./-]\s*/u);
  if (numbers.length !== 3 || !numbers.every((number) => /^\d{1,4}$/.test(number))) return null;
  const order = numbers[0]?.length === 4 ? ['year', 'month', 'day'] : orderOf(language);
  const of = (what: string): string => numbers[order.indexOf(what)] ?? '';
  if (of('year').length !== 4) return null;
  const iso = `${of('year')}-${of('month').padStart(2, '0')}-${of('day').padStart(2, '0')}`;
  const atMs = Date.parse(`${iso}T00:00:00Z`);
  // Date would turn 31 February into a day in March.
  return Number.isNaN(atMs) || !new Date(atMs).toISOString().startsWith(iso) ? null : iso;
}
