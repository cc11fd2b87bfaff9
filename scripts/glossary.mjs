// Writes docs/glossary.md from docs/glossary.json, and says where a text of the catalogues breaks
// what the glossary says.
import './node-version.mjs';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './build.mjs';
import { catalogueNames, languageOf, localesIn, messagesIn } from './locales.mjs';

export const glossary = JSON.parse(readFileSync(join(root, 'docs/glossary.json'), 'utf8'));

/** Every text of every catalogue: `manager:day.title` → its text in each language. */
export function textsIn(place = root) {
  const texts = new Map();
  for (const catalogue of catalogueNames) {
    for (const locale of localesIn(place)) {
      for (const [key, text] of messagesIn(place, locale, catalogue)) {
        const name = `${catalogue}:${key}`;
        texts.set(name, { ...texts.get(name), [languageOf(locale)]: text });
      }
    }
  }
  return texts;
}

const isUnder = (key, places) =>
  places.some(
    (place) => key === place || key.startsWith(`${place}.`) || key.startsWith(`${place}:`),
  );
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const anyOf = (words, before) => new RegExp(`${before}(?:${words.map(escaped).join('|')})`, 'iu');
const atStart = (words) => anyOf(words, '(?<!\\p{L})');

/**
 * The languages that the glossary has a term in, and whether a text of one of them has it. An
 * English word begins there ("till" is not in "until"); the others are in compounds too. What an
 * argument is called is not shown.
 */
function finder({ term, say, found, unless }) {
  const words = found ?? {
    en: [term],
    ...Object.fromEntries(Object.entries(say).map(([language, word]) => [language, [word]])),
  };
  const languages = Object.keys(words);
  const patterns = {
    ...Object.fromEntries(languages.map((language) => [language, anyOf(words[language], '')])),
    en: atStart(words.en),
  };
  const others = unless && new RegExp(unless.map(escaped).join('|'), 'gi');
  const has = (language, message) => {
    const text = ` ${message.replace(/\{\w+\}/g, '…')} `;
    return patterns[language].test(language === 'en' && others ? text.replace(others, '…') : text);
  };
  return { languages, has };
}

/** @returns a line for each text that the glossary does not allow */
export function glossaryFaults({ terms, words } = glossary, texts = textsIn()) {
  const faults = [];
  for (const { not = {}, otherwise = [] } of [...terms, words]) {
    const patterns = Object.fromEntries(
      Object.entries(not).map(([language, avoided]) => [language, atStart(avoided)]),
    );
    for (const [key, text] of texts) {
      if (isUnder(key, otherwise)) continue;
      for (const language of Object.keys(patterns)) {
        const word = patterns[language].exec(` ${text[language]} `)?.[0].trim().toLowerCase();
        if (word !== undefined)
          faults.push(`${key} says “${word}” in ${language}: ${text[language]}`);
      }
    }
  }
  for (const term of terms) {
    const { languages, has } = finder(term);
    for (const place of term.used) {
      const inPlace = [...texts].filter(([key]) => isUnder(key, [place]));
      const missing = languages.filter(
        (language) => !inPlace.some(([, text]) => has(language, text[language])),
      );
      if (missing.length > 0)
        faults.push(`${place} has no “${term.term}” in ${missing.join(', ')}`);
    }
    for (const [key, text] of texts) {
      if (isUnder(key, term.notIn ?? [])) {
        for (const language of languages)
          if (has(language, text[language]))
            faults.push(`${key} speaks of “${term.term}” in ${language}: ${text[language]}`);
      }
      if (!has('en', text.en) || isUnder(key, term.otherwise ?? [])) continue;
      for (const language of languages) {
        if (!has(language, text[language]))
          faults.push(
            `${key} translates “${term.term}” otherwise in ${language}: ${text[language]}`,
          );
      }
    }
  }
  return faults;
}

const quoted = (not) =>
  Object.entries(not ?? {})
    .map(([language, avoided]) => `${language}: ${avoided.join(', ')}`)
    .join('; ');

const nameOf = new Intl.DisplayNames('en', { type: 'language' });

/** docs/glossary.md as the data has it. */
export function glossaryPage({ terms, words } = glossary) {
  const others = localesIn(root)
    .map(languageOf)
    .filter((language) => language !== 'en');
  const rows = terms.map(({ term, means, say, used, not, notIn }) => {
    const avoided = [quoted(not), notIn && `nowhere in ${notIn.join(', ')}`]
      .filter(Boolean)
      .join('; ');
    return `| ${[term, ...others.map((language) => say[language] ?? '')].join(' | ')} | ${means} | ${used.map((place) => `\`${place}\``).join(', ')} | ${avoided} |`;
  });
  return `# Glossary

Made by \`node scripts/glossary.mjs\` from [glossary.json](glossary.json); a test holds the catalogues in \`assets/locales\` to it. One word for one thing, in every language: whoever writes a text takes the word from here, and whoever needs a new word adds it to \`glossary.json\` first.

Texts are for a cashier with a queue, a customer, a manager at the end of the day, an installer. Short and ordinary; first what is so, then what to do. “Paid” and “refunded” are said only where that is known: \`test/unit/glossary.test.ts\` lists the texts.

| ${['en', ...others].map((language) => nameOf.of(language)).join(' | ')} | what it is | where it is used | not |
|${'---|'.repeat(others.length + 4)}
${rows.join('\n')}

Nowhere: ${quoted(words.not)}.
`;
}

if (process.argv[1]?.endsWith('glossary.mjs'))
  writeFileSync(join(root, 'docs/glossary.md'), glossaryPage());
