import { describe, expect, test } from 'vitest';
import { languages } from '../../../main/domain/languages.ts';
import { BMP } from '../../../main/till/zvt/bitmaps.ts';
import { receiptLines } from '../../../main/till/zvt/receipt.ts';
import { readRegistration } from '../../../main/till/zvt/registration.ts';
import { decodeText, encodeText } from '../../../main/till/zvt/text.ts';
import { tillTexts } from '../../../main/till/zvt/texts.ts';
import { bytesOf, ticket } from './support.ts';

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'function') return [value({ minutes: 2 })];
  return typeof value === 'string' ? [value] : Object.values(value as object).flatMap(textsIn);
};

describe.each(languages)('in %s', (language) => {
  test('a till gets every letter of what it shows; ø alone is written as o', () => {
    const texts = textsIn(tillTexts[language]);
    expect(texts.length).toBeGreaterThan(50);
    for (const text of texts) expect(decodeText(encodeText(text))).toBe(text.replaceAll('ø', 'o').replaceAll('Ø', 'O'));
  });
});

test.each([
  ['66 69', 'fi', 'MAKSETTU', '12,34'],
  ['73 76', 'sv', 'BETALT', '12,34'],
  ['64 61', 'da', 'BETALT', '12,34'],
  ['64 65', 'en', 'PAID', '12.34'],
] as const)('a till that names %s gets its receipt in %s, with the amount as it is written there', (code, language, paid, amount) => {
  const agreed = readRegistration(0x82, undefined, new Map([[BMP.tlv, bytesOf(`28 04 15 02 ${code}`)]]));
  expect(agreed?.language).toBe(language);
  const lines = receiptLines(ticket, { laneName: 'Lane 1', language, printerWidth: null });
  expect(lines).toEqual(expect.arrayContaining([expect.stringMatching(new RegExp(` DKK ${amount}$`)), expect.stringMatching(new RegExp(` ${paid}$`))]));
});
