import { expect, test } from 'vitest';
import { languages } from '../../../../../main/core/domain/languages.ts';
import { loadEveryText } from '../../../../../renderer/locales/catalogue.ts';
import { keyboardTexts } from '../../../../../renderer/locales/keyboard.ts';
import { besideSpace, layerFor, rowsOf } from '../../../../../renderer/ui/keyboard/layouts.ts';

await loadEveryText();
const layers = ['letters', 'digits', 'signs'] as const;

test.each(languages)(
  'in %s every character of a password can be typed, and the letters of each language, with a finger',
  (language) => {
    const keys =
      layers.flatMap((layer) => rowsOf(layer, keyboardTexts[language]).join('')).join('') +
      besideSpace('text').join('');
    const visible = Array.from({ length: 0x7e - 0x21 + 1 }, (_, index) =>
      String.fromCodePoint(0x21 + index),
    ).filter((one) => !/[A-Z]/.test(one));
    expect([...visible, 'å', 'æ', 'ø', 'ä', 'ö'].filter((one) => !keys.includes(one))).toEqual([]);
    // Eleven are each 76 px wide at 1024.
    for (const layer of layers)
      for (const row of rowsOf(layer, keyboardTexts[language]))
        expect(row.length, row).toBeLessThanOrEqual(11);
  },
);

test('a field begins with the keys that it takes, and an address has its signs beside the space', () => {
  expect(['numeric', 'decimal', 'tel', 'text', 'url', 'password'].map(layerFor)).toEqual([
    'digits',
    'digits',
    'digits',
    'letters',
    'letters',
    'letters',
  ]);
  for (const mode of ['url', 'email'])
    expect(Array.from(besideSpace(mode).join('')).toSorted().join('')).toBe('-./:@');
});
