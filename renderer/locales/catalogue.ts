import { type Language, languages, locales } from '../../main/core/domain/languages.ts';
import { textsOf } from '../../main/core/domain/texts.ts';

/**
 * Path, such as `…/da-DK/screens.json` → how to load it, as Vite makes it of the folders that there
 * are. A file is loaded when it is needed, because a page shows one language at a time.
 */
export type CatalogueFiles = Readonly<Record<string, () => Promise<unknown>>>;

const load: ((language: Language) => Promise<void>)[] = [];
/** Languages that were asked for, and those that are loaded completely. */
const requested = new Set<Language>();
const loaded = new Set<Language>();

/**
 * The texts of a catalogue in the languages that {@link loadTexts} has loaded. A part that is
 * imported later waits here until its texts are loaded in the page's language.
 */
export async function catalogue<Texts>(
  files: CatalogueFiles,
): Promise<Readonly<Record<Language, Texts>>> {
  const texts: Partial<Record<Language, Texts>> = {};
  const one = async (language: Language): Promise<void> => {
    const locale = locales[language];
    const [, file] = Object.entries(files).find(([path]) => path.includes(`/${locale}/`)) ?? [];
    if (file === undefined) throw new Error(`there are no texts in ${language}`);
    const { default: messages } = (await file()) as { readonly default: object };
    texts[language] ??= textsOf(locale, messages) as Texts;
  };
  load.push(one);
  await Promise.all([...requested].map(one));
  return texts as Record<Language, Texts>;
}

export const hasTexts = (language: Language): boolean => loaded.has(language);

/** Loads a language of every catalogue that this page uses. */
export async function loadTexts(language: Language): Promise<void> {
  requested.add(language);
  try {
    await Promise.all(load.map((one) => one(language)));
    loaded.add(language);
  } catch (error) {
    requested.delete(language);
    throw error;
  }
}

export async function loadEveryText(): Promise<void> {
  await Promise.all(languages.map(loadTexts));
}
