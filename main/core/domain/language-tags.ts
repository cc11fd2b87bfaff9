import { isLanguage, type Language } from './languages.ts';

/** ISO 639 has three codes for Norwegian: `no` of either written form, `nb` and `nn`. */
const sameLanguage: Readonly<Record<string, Language>> = { no: 'nb', nn: 'nb' };

/**
 * The language of a tag as systems, browsers and tills write it, e.g. `nb-NO`, `no` or `EN_gb`.
 *
 * @returns null for a language that we do not speak
 */
export function languageOfTag(tag: string): Language | null {
  const code = tag.split(/[-_.]/, 1)[0]?.toLowerCase() ?? '';
  const language = Object.hasOwn(sameLanguage, code) ? sameLanguage[code] : code;
  return isLanguage(language) ? language : null;
}
