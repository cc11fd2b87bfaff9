import type { Language } from '../../core/domain/languages.ts';
import type { Registration } from './registration.ts';

/**
 * Numbers of 08 30 (ZVT PA00P015) for the languages that we speak. It has none for Finnish: a till
 * names that at registration (tag 15).
 */
const byNumber: Readonly<Record<number, Language>> = { 1: 'en', 8: 'sv', 12: 'da' };

/** @param otherwise for a language that we do not speak: the till's key must not fail for that */
export const languageChosen = (
  parts: ReadonlyMap<string, Uint8Array>,
  otherwise: Language,
): Language => byNumber[parts.get('language')?.[0] ?? 0] ?? otherwise;

/** @param language null when none was chosen */
export const inLanguage = (registration: Registration, language: Language | null): Registration =>
  language === null ? registration : { ...registration, language };
