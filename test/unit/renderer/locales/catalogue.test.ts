import { beforeEach, expect, test, vi } from 'vitest';
import { type Language, languages, locales } from '../../../../main/core/domain/languages.ts';
import type { CatalogueFiles } from '../../../../renderer/locales/catalogue.ts';

let catalogues: typeof import('../../../../renderer/locales/catalogue.ts');
/** Starts without the catalogues of pages, and with nothing loaded. */
beforeEach(async () => {
  vi.resetModules();
  catalogues = await import('../../../../renderer/locales/catalogue.ts');
});

const file = (text: string) => () =>
  Promise.resolve({
    default: { text, counted: `{count, plural, one {# ${text}} other {# ${text}s}}` },
  });
interface Texts {
  readonly text: string;
  readonly counted: (values: { count: number }) => string;
}
const pathOf = (language: Language): string =>
  `../../assets/locales/${locales[language]}/page.json`;
const files: CatalogueFiles = Object.fromEntries(
  languages.map((language) => [pathOf(language), file(language)]),
);

test('a language is there once it was loaded, and no other', async () => {
  const texts = await catalogues.catalogue<Texts>(files);
  expect(catalogues.hasTexts('fi')).toBe(false);
  await catalogues.loadTexts('fi');
  expect([catalogues.hasTexts('fi'), catalogues.hasTexts('da')]).toEqual([true, false]);
  expect([texts.fi.text, texts.fi.counted({ count: 2 }), Object.keys(texts)]).toEqual([
    'fi',
    '2 fis',
    ['fi'],
  ]);
});

test('a catalogue that comes later is there with the languages that the page speaks already', async () => {
  await catalogues.catalogue<Texts>(files);
  await catalogues.loadTexts('sv');
  expect((await catalogues.catalogue<Texts>(files)).sv.text).toBe('sv');
  // Also while one is still being loaded.
  const loading = catalogues.loadTexts('da');
  const last = await catalogues.catalogue<Texts>(files);
  await loading;
  expect(last.da.text).toBe('da');
});

test('a language that could not be loaded is not there, troubles no other, and is loaded when it is asked for again', async () => {
  let isThere = false;
  const texts = await catalogues.catalogue<Texts>({
    ...files,
    [pathOf('da')]: () => (isThere ? file('da')() : Promise.reject(new Error('gone'))),
  });
  await expect(catalogues.loadTexts('da')).rejects.toThrow('gone');
  expect(catalogues.hasTexts('da')).toBe(false);
  await catalogues.loadTexts('en');
  const later = await catalogues.catalogue<Texts>({
    ...files,
    [pathOf('da')]: () => Promise.reject(new Error('is not asked for')),
  });
  expect(later.en.text).toBe('en');
  isThere = true;
  await expect(catalogues.loadTexts('da')).rejects.toThrow('is not asked for');
  expect(texts.da.text).toBe('da');
});

test('what is there is not replaced when it is asked for again', async () => {
  const texts = await catalogues.catalogue<Texts>(files);
  await catalogues.loadEveryText();
  const { fi } = texts;
  await catalogues.loadTexts('fi');
  expect(texts.fi).toBe(fi);
});
