// Writes what the compiler knows of the catalogues in assets/locales: the list of languages, also
// in README.md, and a module for each catalogue with the arguments of its messages. With --check
// nothing is written: it fails where a language is not complete, or where a file is not what the
// catalogues say.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  isArgumentElement,
  isNumberElement,
  isPluralElement,
  isSelectElement,
  parse,
} from '@formatjs/icu-messageformat-parser';
import { root } from './build.mjs';
import { readCommand } from './command.mjs';
import { npmTool } from './npm-tool.mjs';

const folder = 'assets/locales';
const source = 'en-GB';
const header = `// Made by \`npm run locales\` from ${folder}.\n`;
const catalogues = [
  {
    name: 'screens',
    texts: 'screenTexts',
    type: 'ScreenTexts',
    module: 'renderer/locales/screens.ts',
  },
  { name: 'demo', texts: 'demoTexts', type: 'DemoTexts', module: 'renderer/locales/demo.ts' },
  { name: 'frame', texts: 'frameTexts', type: 'FrameTexts', module: 'renderer/locales/frame.ts' },
  {
    name: 'keyboard',
    texts: 'keyboardTexts',
    type: 'KeyboardTexts',
    module: 'renderer/locales/keyboard.ts',
  },
  { name: 'tokens', texts: 'tokenTexts', type: 'TokenTexts', module: 'renderer/locales/tokens.ts' },
  {
    name: 'manager',
    texts: 'managerTexts',
    type: 'ManagerTexts',
    module: 'renderer/locales/manager.ts',
  },
  { name: 'setup', texts: 'setupTexts', type: 'SetupTexts', module: 'renderer/locales/setup.ts' },
  {
    name: 'restore',
    texts: 'restoreTexts',
    type: 'RestoreTexts',
    module: 'renderer/locales/restore.ts',
  },
  { name: 'ways', texts: 'waysTexts', type: 'WaysTexts', module: 'renderer/locales/ways.ts' },
  {
    name: 'desktop',
    texts: 'desktopTexts',
    type: 'DesktopTexts',
    module: 'main/host/desktop/texts.ts',
  },
  { name: 'till', texts: 'tillTexts', type: 'TillTexts', module: 'main/tills/zvt/texts.ts' },
  // Read when a package is made (scripts/package-formats.mjs).
  { name: 'installer' },
];

/** Whether the catalogue belongs to a page, which loads it in one language at a time. */
const isOfPages = ({ module }) => module.startsWith('renderer/');

/**
 * What a language is called elsewhere. `installer`: its file in NSIS, the maker of the installer.
 * `zvtNumber`: its number in ZVT's command 08 30 (PA00P015); missing when it has none.
 */
export const languageFactsOf = (place, locale) =>
  JSON.parse(readFileSync(join(place, folder, locale, 'language.json'), 'utf8'));

export const catalogueNames = catalogues.map(({ name }) => name);

export const languageOf = (locale) => new Intl.Locale(locale).language;

/** The locales, the source language last, which is the order in which a screen offers them. */
export function localesIn(place) {
  const found = readdirSync(join(place, folder), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  return [
    ...found
      .map(({ name }) => name)
      .filter((name) => name !== source)
      .sort(),
    source,
  ];
}

/**
 * Every message of a catalogue by its path, such as `report.title`; null when there is no such
 * catalogue.
 */
export function messagesIn(place, locale, name) {
  const file = join(place, folder, locale, `${name}.json`);
  if (!existsSync(file)) return null;
  const messages = new Map();
  const walk = (value, path) => {
    if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) walk(inner, [...path, key]);
    else messages.set(path.join('.'), value);
  };
  walk(JSON.parse(readFileSync(file, 'utf8')), []);
  return messages;
}

/**
 * The arguments of a message: name → type. `number` is what it is counted or formatted by; a type
 * in quotation marks lists the choices of a `select`.
 * @throws on a syntax error, and on what the screens cannot show
 */
function argumentsOf(message, locale) {
  const found = new Map();
  if (!/['{}]/.test(message)) return found;
  const add = (name, type) => {
    const known = found.get(name) ?? 'Text';
    if (known !== 'Text' && type !== 'Text' && known !== type)
      throw new Error(`{${name}} is used as ${known} and as ${type}`);
    found.set(name, known === 'Text' ? type : known);
  };
  const visit = (elements) => {
    for (const element of elements) {
      if (isArgumentElement(element)) add(element.value, 'Text');
      else if (isNumberElement(element)) add(element.value, 'number');
      else if (isPluralElement(element)) {
        add(element.value, 'number');
        const type = element.pluralType ?? 'cardinal';
        const missing = new Intl.PluralRules(locale, { type })
          .resolvedOptions()
          .pluralCategories.filter((category) => !(category in element.options));
        if (missing.length > 0)
          throw new Error(`{${element.value}} lacks the plural ${missing.join(', ')}`);
      } else if (isSelectElement(element))
        add(element.value, unionOf(Object.keys(element.options)));
      else if ('style' in element)
        throw new Error(`{${element.value}} comes formatted: dates and times are no arguments`);
      if ('options' in element)
        for (const { value } of Object.values(element.options)) visit(value);
    }
  };
  const elements = parse(message, { ignoreTag: true, requiresOtherClause: true });
  // A message without arguments is shown unchanged.
  if (!message.includes('{') && elements.some((element) => element.value !== message))
    throw new Error("an apostrophe here is '");
  visit(elements);
  return found;
}
const unionOf = (choices) =>
  choices
    .sort()
    .map((choice) => `'${choice}'`)
    .join(' | ');

function faultOf(message, english, locale) {
  if (english === undefined) return 'is not in English';
  if (typeof message !== 'string') return 'is missing';
  if ((message.trim() === '') !== (english.trim() === ''))
    return message.trim() === '' ? 'is empty' : 'is empty in English';
  try {
    const [own, expected] = [argumentsOf(message, locale), argumentsOf(english, source)];
    const others = [...new Set([...own.keys(), ...expected.keys()])].filter(
      (name) => own.has(name) !== expected.has(name),
    );
    if (others.length > 0)
      return `has not the arguments of English: ${others.map((name) => `{${name}}`).join(', ')}`;
    // A message that takes a count in English may be a plain text in another language.
    const differs = [...own].find(
      ([name, type]) =>
        type !== expected.get(name) && !(type === 'Text' && expected.get(name) === 'number'),
    );
    return differs === undefined
      ? undefined
      : `has {${differs[0]}} as ${differs[1]}, which is ${expected.get(differs[0])} in English`;
  } catch (cause) {
    return `is not understood: ${cause.message}`;
  }
}

/** Mistakes in the catalogues, one line each. */
export function catalogueFaults(place) {
  return localesIn(place).flatMap((locale) => [
    ...(existsSync(join(place, folder, locale, 'language.json'))
      ? []
      : [`${folder}/${locale}/language.json is missing`]),
    ...catalogues.flatMap(({ name }) => {
      const english = messagesIn(place, source, name);
      const own = messagesIn(place, locale, name) ?? new Map();
      return [...new Set([...english.keys(), ...own.keys()])].flatMap((path) => {
        const fault = faultOf(own.get(path), english.get(path), locale);
        return fault === undefined ? [] : [`${folder}/${locale}/${name}.json: ${path} ${fault}`];
      });
    }),
  ]);
}

function languagesModule(place) {
  const locales = localesIn(place);
  return `${header}
export const languages = [${locales.map((locale) => `'${languageOf(locale)}'`).join(', ')}] as const;
export type Language = (typeof languages)[number];

/** How each writes numbers, money and dates. */
export const locales: Readonly<Record<Language, string>> = { ${locales.map((locale) => `${languageOf(locale)}: '${locale}'`).join(', ')} };

/** Each in its own language. */
export const languageNames: Readonly<Record<Language, string>> = { ${locales.map((locale) => `${languageOf(locale)}: '${messagesIn(place, locale, 'screens').get('languageName')}'`).join(', ')} };

/** The numbers of ZVT's command 08 30 (PA00P015). */
export const zvtLanguages: Readonly<Record<number, Language>> = { ${locales
    .map((locale) => [languageFactsOf(place, locale).zvtNumber, languageOf(locale)])
    .filter(([number]) => number !== undefined)
    .map(([number, language]) => `${number}: '${language}'`)
    .join(', ')} };

export const isLanguage = (value: unknown): value is Language => languages.some((language) => language === value);
`;
}

function catalogueModule(place, catalogue) {
  const { name, texts, type, module } = catalogue;
  const locales = localesIn(place);
  const up = '../'.repeat(module.split('/').length - 1);
  const domain = module.startsWith('main/')
    ? '../'.repeat(module.split('/').length - 2)
    : `${up}main/`;
  const withArguments = [...messagesIn(place, source, name)]
    .map(([path, message]) => [path, [...argumentsOf(message, source)]])
    .filter(([, found]) => found.length > 0)
    .map(
      ([path, found]) =>
        `  ${/^\w+$/.test(path) ? path : `'${path}'`}: { ${found.map(([argument, is]) => `readonly ${argument}: ${is}`).join('; ')} };`,
    );
  const hasArguments = withArguments.length > 0;
  if (isOfPages(catalogue))
    return `${header}
import type { ${hasArguments ? 'Text, ' : ''}Texts } from '${domain}core/domain/texts.ts';
import type en from '${up}${folder}/${source}/${name}.json';
import { catalogue } from './catalogue.ts';
${hasArguments ? `\ninterface Arguments {\n${withArguments.join('\n')}\n}\n` : ''}
export type ${type} = Texts<typeof en, ${hasArguments ? 'Arguments' : 'object'}>;
export const ${texts} = await catalogue<${type}>(import.meta.glob('${up}${folder}/*/${name}.json'));
`;
  return `${header}
import type { Language } from '${domain}core/domain/languages.ts';
import { type Text, type Texts, textsOf } from '${domain}core/domain/texts.ts';
${locales.map((locale) => `import ${languageOf(locale)} from '${up}${folder}/${locale}/${name}.json' with { type: 'json' };`).join('\n')}

interface Arguments {
${withArguments.join('\n')}
}

export type ${type} = Texts<typeof ${languageOf(source)}, Arguments>;
export const ${texts}: Readonly<Record<Language, ${type}>> = {
${locales.map((locale) => `  ${languageOf(locale)}: textsOf<typeof ${languageOf(source)}, Arguments>('${locale}', ${languageOf(locale)}),`).join('\n')}
};
`;
}

/** As the formatter writes it. */
function formatted(path, text) {
  const biome = npmTool('biome', '@biomejs/biome');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [biome, 'format', `--stdin-file-path=${path}`],
    { cwd: root, input: text, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`${path} cannot be formatted: ${stderr}`);
  return stdout;
}

const nameOf = new Intl.DisplayNames('en', { type: 'language' });

/** README.md with the list of languages that there are. */
function readmeOf(place) {
  const names = localesIn(place).map((locale) => nameOf.of(languageOf(locale)));
  const list = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  return readFileSync(join(root, 'README.md'), 'utf8').replace(
    /(<!-- languages -->).*?(<!-- end -->)/,
    (_found, begin, end) => begin + list + end,
  );
}

/** Path → text of every file that is made of the catalogues. */
export function modulesOf(place) {
  const modules = [
    ['main/core/domain/languages.ts', languagesModule(place)],
    ...catalogues
      .filter(({ module }) => module !== undefined)
      .map((one) => [one.module, catalogueModule(place, one)]),
  ];
  return new Map([
    ...modules.map(([path, text]) => [path, formatted(path, text)]),
    ['README.md', readmeOf(place)],
  ]);
}

if (process.argv[1]?.endsWith('locales.mjs')) {
  const { values } = readCommand({
    call: 'npm run locales --',
    does: 'Generates text modules from the catalogues in assets/locales. Exit code 1: a language is incomplete.',
    options: {
      check: { type: 'boolean', does: 'writes nothing; exit code 1: a module is out of date' },
    },
  });
  const faults = catalogueFaults(root);
  const modules = faults.length > 0 ? [] : [...modulesOf(root)];
  const differs = (path, text) =>
    !existsSync(join(root, path)) || readFileSync(join(root, path), 'utf8') !== text;
  for (const [path, text] of modules.filter(([path, text]) => differs(path, text))) {
    if (values.check) faults.push(`${path} is not what the catalogues say: npm run locales`);
    else writeFileSync(join(root, path), text);
  }
  for (const fault of faults) process.stdout.write(`${fault}\n`);
  process.exit(faults.length > 0 ? 1 : 0);
}
