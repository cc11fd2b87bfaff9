import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { languages } from '../../main/core/domain/languages.ts';
import { textsOf } from '../../main/core/domain/texts.ts';
import { tillTexts } from '../../main/tills/zvt/texts.ts';
import { frameTexts } from '../../renderer/locales/frame.ts';
import { managerTexts } from '../../renderer/locales/manager.ts';
import { screenTexts } from '../../renderer/locales/screens.ts';
import { setupTexts } from '../../renderer/locales/setup.ts';
import { tokenTexts } from '../../renderer/locales/tokens.ts';
// @ts-expect-error: a script, without types
import { catalogueFaults, modulesOf } from '../../scripts/locales.mjs';
// @ts-expect-error: a script, without types
import { installerLanguages } from '../../scripts/package-formats.mjs';
// @ts-expect-error: a script, without types
import { glossary, glossaryFaults, textsIn } from '../../scripts/glossary.mjs';

const root = join(import.meta.dirname, '../..');
const nsi = readFileSync(join(root, 'assets/package/tillbeacon.nsi'), 'utf8');

describe('a message', () => {
  interface Arguments {
    'cards.found': { readonly count: number };
    'cards.read': { readonly count: number };
  }
  const danish = {
    title: 'Søg – 50 %, #1',
    cards: {
      found: '{count, plural, one {ét fund} other {{count} fund}}',
      read: '{count, number} linjer',
    },
  };
  const texts = textsOf<typeof danish, Arguments>('da-DK', danish);

  test('without arguments is a text, and one with arguments takes them by name', () => {
    expect(texts.title).toBe('Søg – 50 %, #1');
    expect([1, 2, 1234].map((count) => texts.cards.found({ count }))).toEqual([
      'ét fund',
      '2 fund',
      '1234 fund',
    ]);
    expect(texts.cards.read({ count: 1234 })).toBe('1.234 linjer');
  });

  test('that is not there, or is given other arguments, does not compile', () => {
    // @ts-expect-error: no such message
    expect(screenTexts.en.nothing).toBeUndefined();
    // @ts-expect-error: no such argument, and one is missing
    expect(() => texts.cards.found({ number: 1 })).toThrow('count');
    // @ts-expect-error: a number is counted by
    texts.cards.found({ count: 'one' });
  });
});

/** Stands for every possible argument. */
const values = new Proxy({}, { has: () => true, get: () => 3 });
const shown = (value: unknown): string[] => {
  if (typeof value === 'function') return [value(values)];
  return typeof value === 'string' ? [value] : Object.values(value as object).flatMap(shown);
};

test.each(languages)('every message in %s is shown without a brace', (language) => {
  const texts = [screenTexts, frameTexts, managerTexts, setupTexts, tokenTexts, tillTexts].flatMap(
    (catalogue) => shown(catalogue[language]),
  );
  expect(texts.length).toBeGreaterThan(1_000);
  expect(texts.filter((text) => /[{}]/.test(text))).toEqual([]);
});

test('the catalogues are complete, and what is made of them is what they say', () => {
  expect(catalogueFaults(root)).toEqual([]);
  for (const [path, text] of modulesOf(root))
    expect(readFileSync(join(root, path), 'utf8'), path).toBe(text);
});

test('the installer has every word in every language, English first', () => {
  const text: string = installerLanguages();
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  expect(text.startsWith('LoadLanguageFile "${NSISDIR}/Contrib/Language files/English.nlf"')).toBe(
    true,
  );
  expect(count(/^LoadLanguageFile /gm)).toBe(languages.length);
  for (const name of new Set(Array.from(nsi.matchAll(/\$\((\w+)\)/g), ([, word]) => word)))
    expect(count(new RegExp(`^LangString ${name} `, 'gm')), name).toBe(languages.length);
  expect(text).toContain('"$APPDATA\\Tillbeacon is still in use');
});

describe('a catalogue', () => {
  let place: string;
  const folder = (locale: string): string => join(place, 'assets/locales', locale);
  function edit(locale: string, name: string, change: (text: string) => string): void {
    const file = join(folder(locale), `${name}.json`);
    const before = readFileSync(file, 'utf8');
    const after = change(before);
    expect(after).not.toBe(before);
    writeFileSync(file, after);
  }

  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), 'locales-'));
    cpSync(join(root, 'assets/locales'), join(place, 'assets/locales'), { recursive: true });
  });
  afterEach(() => rmSync(place, { recursive: true }));

  test.each([
    ['lacks a message', '"cancelKey": "Esc",', '', 'cancelKey is missing'],
    [
      'has one more',
      '"cancelKey": "Esc",',
      '"cancelKey": "Esc", "escape": "Esc",',
      'escape is not in English',
    ],
    ['is empty', '"cancelKey": "Esc"', '"cancelKey": " "', 'cancelKey is empty'],
    [
      'lacks an argument',
      'Bon\u00a0{number}',
      'Bon',
      'cashier.recent.receipt has not the arguments of English: {number}',
    ],
    [
      'has another one',
      'Bon\u00a0{number}',
      'Bon\u00a0{nummer}',
      'cashier.recent.receipt has not the arguments of English: {nummer}, {number}',
    ],
    [
      'is no ICU message',
      'Bon\u00a0{number}',
      'Bon\u00a0{number',
      'cashier.recent.receipt is not understood: EXPECT_ARGUMENT_CLOSING_BRACE',
    ],
    [
      'hides a brace',
      '"Esc"',
      '"Esc \'\'"',
      "cancelKey is not understood: an apostrophe here is '",
    ],
    [
      'counts what is a text in English',
      'Bon\u00a0{number}',
      'Bon\u00a0{number, number}',
      'cashier.recent.receipt has {number} as number, which is Text in English',
    ],
    [
      'shows a date',
      'Bon\u00a0{number}',
      'Bon\u00a0{number, date}',
      'cashier.recent.receipt is not understood: {number} comes formatted: dates and times are no arguments',
    ],
    [
      'lacks a category',
      'one {1 ciffer} ',
      '',
      'design.digits is not understood: {count} lacks the plural one',
    ],
  ])('that %s is told', (_what, found, replacement, fault) => {
    edit('da-DK', 'screens', (text) => text.replace(found, replacement));
    expect(catalogueFaults(place)).toEqual(
      fault === null ? [] : [`assets/locales/da-DK/screens.json: ${fault}`],
    );
  });

  test('of another language is one folder and nothing else, with the plurals of that language', () => {
    cpSync(folder('da-DK'), folder('et-EE'), { recursive: true });
    expect(catalogueFaults(place)).toEqual([]);
    const modules: ReadonlyMap<string, string> = modulesOf(place);
    expect(modules.get('main/core/domain/languages.ts')).toContain(
      "['da', 'et', 'fi', 'nb', 'sv', 'en']",
    );
    expect(modules.get('main/tills/zvt/texts.ts')).toContain('assets/locales/et-EE/till.json');
    const texts: ReadonlyMap<string, object> = textsIn(place);
    expect([...texts].filter(([, text]) => !('et' in text)).map(([key]) => key)).toEqual([]);
    expect(glossaryFaults(glossary, texts)).toEqual([]);

    cpSync(folder('da-DK'), folder('pl-PL'), { recursive: true });
    expect(catalogueFaults(place)).toContain(
      'assets/locales/pl-PL/screens.json: design.digits is not understood: {count} lacks the plural few, many',
    );
    rmSync(join(folder('et-EE'), 'language.json'));
    expect(catalogueFaults(place)).toContain('assets/locales/et-EE/language.json is missing');
    rmSync(join(folder('et-EE'), 'till.json'));
    expect(catalogueFaults(place)).toContain('assets/locales/et-EE/till.json: unclear is missing');
  });
});
