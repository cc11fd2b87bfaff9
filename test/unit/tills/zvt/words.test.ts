import { describe, expect, test } from 'vitest';
import { languages } from '../../../../main/core/domain/languages.ts';
import { unnamedShop } from '../../../../main/core/domain/shop.ts';
import { BMP } from '../../../../main/tills/zvt/bitmaps.ts';
import type { PaperLine } from '../../../../main/tills/zvt/paper.ts';
import { receiptLines } from '../../../../main/tills/zvt/receipt.ts';
import { readRegistration } from '../../../../main/tills/zvt/registration.ts';
import { CHARSET, decodeText, encodeText } from '../../../../main/tills/zvt/text.ts';
import { tillTexts } from '../../../../main/tills/zvt/texts.ts';
import { bytesOf, ticket } from './support.ts';

const textOf = (line: PaperLine): string => (typeof line === 'string' ? line : line.title);
const textsIn = (value: unknown): string[] => {
  if (typeof value === 'function')
    return [value({ minutes: 2, days: 365, time: '2026-11-28 09:05', receipts: '0123' })];
  return typeof value === 'string' ? [value] : Object.values(value as object).flatMap(textsIn);
};

describe.each(languages)('in %s', (language) => {
  test('a till gets every letter of what it shows; ø alone is written as o', () => {
    const texts = textsIn(tillTexts[language]);
    expect(texts.length).toBeGreaterThan(50);
    for (const text of texts)
      expect(decodeText(encodeText(text))).toBe(text.replaceAll('ø', 'o').replaceAll('Ø', 'O'));
  });
});

test.each([
  ['66 69', 'fi', 'MAKSETTU', '12,34'],
  ['73 76', 'sv', 'BETALT', '12,34'],
  ['64 61', 'da', 'BETALT', '12,34'],
  ['64 65', 'en', 'PAID', '12.34'],
] as const)(
  'a till that names %s gets its receipt in %s, with the amount as it is written there',
  (code, language, paid, amount) => {
    const agreed = readRegistration(
      0x82,
      undefined,
      new Map([[BMP.tlv, bytesOf(`28 04 15 02 ${code}`)]]),
    );
    expect(agreed?.language).toBe(language);
    const lines = receiptLines(ticket, {
      laneName: 'Lane 1',
      shop: unnamedShop,
      language,
      columns: 40,
      charset: CHARSET.codePage437,
    });
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.stringMatching(new RegExp(` DKK ${amount}$`)),
        expect.stringMatching(new RegExp(` ${paid}$`)),
      ]),
    );
  },
);

test.each([16, 24, 40, 48])(
  'a receipt begins with the shop, its address and its VAT number, within %s characters',
  (columns) => {
    const shop = {
      name: 'Rantakadun Elintarvike- ja Taloustavarakauppa',
      address: 'Rantakatu 12 B, 33100 Tampere',
      vat: 'FI12345678',
    };
    const lines = receiptLines(ticket, {
      laneName: 'Lane 1',
      shop,
      language: 'fi',
      columns,
      charset: CHARSET.codePage437,
    }).map(textOf);
    expect(Math.max(...lines.map((line) => line.length))).toBe(columns);
    // Nothing is cut off at any width.
    expect(lines.join('').replaceAll(' ', '')).toContain(
      `${shop.name}${shop.address}ALV-nro${shop.vat}Lane1`.replaceAll(' ', ''),
    );
    expect(lines.every((line) => line.trim() !== '')).toBe(true);
  },
);

test('a receipt of a shop without a name begins with the lane, as before', () => {
  expect(
    receiptLines(ticket, {
      laneName: 'Lane 1',
      shop: unnamedShop,
      language: 'en',
      columns: 24,
      charset: CHARSET.codePage437,
    })
      .map(textOf)
      .slice(0, 3),
  ).toEqual(['Lane 1', expect.stringMatching(/^\d{4}-/), '-'.repeat(24)]);
});
