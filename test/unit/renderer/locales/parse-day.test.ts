import { describe, expect, test } from 'vitest';
import { formatTypedDay, type Language, languages } from '../../../../renderer/locales/i18n.ts';
import { parseDay } from '../../../../renderer/locales/parse-day.ts';

/** The fifth of March 2026, as it is typed. */
const examples: Readonly<Partial<Record<Language, string>>> = {
  en: '05/03/2026',
  da: '05.03.2026',
  sv: '2026-03-05',
  fi: '5.3.2026',
};

describe.each(languages)('a day typed in %s', (language) => {
  test('is read as it is written, whatever the browser’s language', () => {
    for (const day of ['2026-01-31', '2024-02-29', '2026-12-01'])
      expect(parseDay(language, formatTypedDay(language, day))).toBe(day);
    const written = examples[language] ?? formatTypedDay(language, '2026-03-05');
    expect(formatTypedDay(language, '2026-03-05').replaceAll(/\b0(?=\d\b)/g, '')).toBe(
      written.replaceAll(/\b0(?=\d\b)/g, ''),
    );
    expect(parseDay(language, ` ${written} `)).toBe('2026-03-05');
    expect(parseDay(language, '2026-3-5')).toBe('2026-03-05');
  });

  test('is none while it is half typed, or in no calendar', () => {
    for (const text of [
      '',
      '5',
      '5.3',
      '5.3.',
      '5.3.26',
      '5.3.202',
      '31.02.2026',
      '2026-02-30',
      '2026-13-01',
      'x',
      '5.3.2026.1',
      '32/01/2026',
      '0/1/2026',
    ])
      expect(parseDay(language, text), text).toBeNull();
  });
});
