import { type Language, zvtLanguages } from '../../core/domain/languages.ts';
import type { Registration } from './registration.ts';

/**
 * The language of 08 30. It has no number for Finnish, which a till names at registration (tag 15).
 * @param otherwise for a language that we do not speak: the till's key must not fail for that
 */
export const languageChosen = (
  parts: ReadonlyMap<string, Uint8Array>,
  otherwise: Language,
): Language => zvtLanguages[parts.get('language')?.[0] ?? 0] ?? otherwise;

/** @param language null when none was chosen */
export const inLanguage = (registration: Registration, language: Language | null): Registration =>
  language === null ? registration : { ...registration, language };
