import { expect, test } from 'vitest';
import { languageOfTag } from '../../../../main/core/domain/language-tags.ts';
import { languages, locales } from '../../../../main/core/domain/languages.ts';

test.each(languages)('%s is known by its code and by its locale', (language) => {
  expect([languageOfTag(language), languageOfTag(locales[language])]).toEqual([language, language]);
});

test.each(['no', 'NO', 'no-NO', 'nb', 'nb_NO.UTF-8', 'nn', 'nn-NO'])('%s is Norwegian', (tag) => {
  expect(languageOfTag(tag)).toBe('nb');
});

test.each([
  ['fil', 'Filipino is not Finnish'],
  ['de-DE', 'a language that is not spoken'],
  ['', 'nothing'],
  ['constructor', 'a name that every object has'],
])('%j is none: %s', (tag) => {
  expect(languageOfTag(tag)).toBeNull();
});
