// Made by `npm run locales` from assets/locales.

export const languages = ['da', 'fi', 'nb', 'sv', 'en'] as const;
export type Language = (typeof languages)[number];

/** How each writes numbers, money and dates. */
export const locales: Readonly<Record<Language, string>> = {
  da: 'da-DK',
  fi: 'fi-FI',
  nb: 'nb-NO',
  sv: 'sv-SE',
  en: 'en-GB',
};

/** Each in its own language. */
export const languageNames: Readonly<Record<Language, string>> = {
  da: 'Dansk',
  fi: 'Suomi',
  nb: 'Norsk',
  sv: 'Svenska',
  en: 'English',
};

/** The numbers of ZVT's command 08 30 (PA00P015). */
export const zvtLanguages: Readonly<Record<number, Language>> = { 12: 'da', 8: 'sv', 1: 'en' };

export const isLanguage = (value: unknown): value is Language =>
  languages.some((language) => language === value);
