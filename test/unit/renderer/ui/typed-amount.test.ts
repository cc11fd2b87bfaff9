import { describe, expect, test } from 'vitest';
import { languages } from '../../../../main/core/domain/languages.ts';
import { parseMoney } from '../../../../renderer/locales/parse-money.ts';
import { fieldRule, padRule } from '../../../../renderer/ui/amount.ts';
import { pasteAmount, typedAmount, typeKey } from '../../../../renderer/ui/typed-amount.ts';
import type { Language } from '../../../../renderer/locales/i18n.ts';

const max = 999_999_999;

/** Types the keys one by one. A key that is refused changes nothing. */
function type(language: Language, ...said: string[]): number {
  let typed = typedAmount(0);
  const keys = said.flatMap((one) => (/^(Backspace|Delete|00)$/.test(one) ? one : one.split('')));
  for (const key of keys) typed = typeKey(language, typed, key, max).typed ?? typed;
  return typed.amountMinor;
}

describe('an amount is typed', () => {
  test.each([
    ['1250', 12_50],
    ['12,50', 12_50],
    ['12.50', 12_50],
    ['12,5', 12_50],
    ['12,', 12_00],
    ['0,50', 50],
    [',5', 50],
    ['12,,5', 12_50],
    ['9999999999', 9_999_999_99],
    ['007', 7],
  ])('%s', (keys, amountMinor) => {
    for (const language of languages) expect(type(language, keys), language).toBe(amountMinor);
  });

  test('with the thousands as its language groups them', () => {
    expect(type('da', '1.250,00')).toBe(1_250_00);
    expect(type('en', '1,250.00')).toBe(1_250_00);
    expect(type('da', '1.25')).toBe(1_25);
    expect(type('fi', '1.250')).toBe(1_25);
    expect(type('sv', '12,505')).toBe(12_50);
  });

  test('and taken back key by key, the comma too', () => {
    expect(type('da', '12,5', 'Backspace')).toBe(12_00);
    expect(type('da', '12,5', 'Backspace', 'Backspace', '5')).toBe(1_25);
    expect(type('da', '12,5', 'Delete', '7')).toBe(7);
    expect(type('da', 'Backspace', '00', '5')).toBe(5);
  });

  test('why a key is refused', () => {
    expect(typeKey('da', { text: '12,50', amountMinor: 12_50 }, '5', max).problem).toBe('decimals');
    expect(typeKey('da', { text: '12,', amountMinor: 12_00 }, ',', max).problem).toBe('notANumber');
    expect(typeKey('da', typedAmount(max), '1', max).problem).toBe('tooLarge');
    expect(typeKey('da', { text: '99999999', amountMinor: 999_999_99 }, ',', max).problem).toBe(
      'tooLarge',
    );
  });
});

test.each([
  ['12,50', 12_50, null],
  ['12.50', 12_50, null],
  ['1 250,00', 1_250_00, null],
  ['1\u00a0250,00', 1_250_00, null],
  ['12,505', null, 'decimals'],
  ['twelve', null, 'notANumber'],
  ['99 999 999,99', null, 'tooLarge'],
] as const)('%s is pasted', (text, amountMinor, problem) => {
  const pasted = pasteAmount('fi', text, max);
  expect([pasted.typed?.amountMinor ?? null, pasted.problem]).toEqual([amountMinor, problem]);
});

describe('the rule beside an amount', () => {
  test.each(languages)('is what its field does, in the notation of %s', (language) => {
    const [keys = '', typed = ''] = padRule(language).split(' = ');
    expect(type(language, keys)).toBe(parseMoney(language, typed).amountMinor);
    const [written = '', read = ''] = fieldRule(language).split(' = ');
    expect(parseMoney(language, written)).toEqual(parseMoney(language, read));
    expect([typed, read]).toEqual(language === 'en' ? ['12.50', '12.00'] : ['12,50', '12,00']);
  });
});
