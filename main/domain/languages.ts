/** What screens, tills and settings can speak, as ISO 639-1 codes. Everything that depends on the language is derived from this list. */
export const languages = ['da', 'fi', 'sv', 'en'] as const;
export type Language = (typeof languages)[number];
