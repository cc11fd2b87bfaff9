import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatAmount, type Language, languages } from '../../../../renderer/locales/i18n.ts';
import { parseMoney } from '../../../../renderer/locales/parse-money.ts';

const each = languages;
const minor = (language: Language, text: string): number | null =>
  parseMoney(language, text).amountMinor;

describe.each(each)('an amount typed in %s', (language) => {
  test('may have comma or point before its decimals, and need have none', () => {
    expect(
      ['12', '12,5', '12.5', '12,50', '12.50', ' 12,50 ', '0,05', '0', '007'].map((text) =>
        minor(language, text),
      ),
    ).toEqual([1200, 1250, 1250, 1250, 1250, 1250, 5, 0, 700]);
  });

  test('may be grouped in threes, by a mark or by any space', () => {
    expect(
      [
        '1.234,50',
        '1,234.50',
        '1 234,50',
        '1\u00a0234.50',
        '1\u202f234\u202f567,89',
        '1.234.567',
        '1,234,567',
        '12 345',
      ].map((text) => minor(language, text)),
    ).toEqual([
      123_450, 123_450, 123_450, 123_450, 123_456_789, 123_456_700, 123_456_700, 1_234_500,
    ]);
  });

  test('says what is wrong with it', () => {
    const problems = (texts: readonly string[]): (string | null)[] =>
      texts.map((text) => parseMoney(language, text).problem);
    expect(problems(['', '   '])).toEqual(['empty', 'empty']);
    expect(problems(['-5', '12,', ',5', '12 kr', '1e3', '0x10', 'ten', '∞', '١٢'])).toEqual(
      Array(9).fill('notANumber'),
    );
    expect(problems(['12.34.56', '1.23,45', '1.234,567,8', '1 23', '1.234 567', '1,2 3'])).toEqual(
      Array(6).fill('grouping'),
    );
    expect(problems(['0,125', '0.125', '1234,567', '1.2345', '12,3456'])).toEqual(
      Array(5).fill('decimals'),
    );
    expect(problems(['10000000000', '99999999999999999999', '9 999 999 999,99'])).toEqual([
      'tooLarge',
      'tooLarge',
      null,
    ]);
  });

  test('is read back from whatever we write', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999_999 }), (amountMinor) => {
        expect(parseMoney(language, formatAmount(language, amountMinor))).toEqual({
          amountMinor,
          problem: null,
        });
      }),
      { numRuns: 300 },
    );
  });
});

test('three digits after one mark are thousands only where that mark groups', () => {
  const thousands = (language: Language) => [minor(language, '1.234'), minor(language, '1,234')];
  expect(thousands('da')).toEqual([123_400, null]);
  expect(thousands('fi')).toEqual([null, null]);
  expect(thousands('sv')).toEqual([null, null]);
  expect(thousands('en')).toEqual([null, 123_400]);
});
