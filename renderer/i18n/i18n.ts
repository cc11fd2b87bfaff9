import { da } from './da.ts';
import { en, type Texts } from './en.ts';

export const languages = { da, en } as const satisfies Record<string, Texts>;
export type Language = keyof typeof languages;

const storageKey = 'tillbeacon.language';
const isLanguage = (value: string | null | undefined): value is Language => value != null && value in languages;

/** `?lang=`, then what was chosen on this screen, then what the system speaks. */
export function initialLanguage(): Language {
  const asked = new URLSearchParams(location.search).get('lang');
  if (isLanguage(asked)) return asked;
  const chosen = localStorage.getItem(storageKey);
  if (isLanguage(chosen)) return chosen;
  const spoken = navigator.language.slice(0, 2);
  return isLanguage(spoken) ? spoken : 'en';
}

export function rememberLanguage(language: Language): void {
  localStorage.setItem(storageKey, language);
}

const locales: Readonly<Record<Language, string>> = { da: 'da-DK', en: 'en-GB' };

/** Both currencies have two minor digits. */
export function formatMoney(language: Language, { amountMinor, currency }: { amountMinor: number; currency: string }): string {
  return new Intl.NumberFormat(locales[language], { style: 'currency', currency }).format(amountMinor / 100);
}

export function formatTime(language: Language, atMs: number): string {
  return new Intl.DateTimeFormat(locales[language], { hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(atMs);
}
