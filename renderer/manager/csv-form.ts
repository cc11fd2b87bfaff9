import type { Language } from '../locales/i18n.ts';

/** The CSV of spreadsheet programs: with a decimal comma they separate fields by semicolons. */
export const csvForm = (language: Language) =>
  language === 'en'
    ? ({ separator: ',', decimal: '.' } as const)
    : ({ separator: ';', decimal: ',' } as const);
