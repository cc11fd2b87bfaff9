import { formatNumber, type Language } from '../locales/i18n.ts';

/** The CSV of spreadsheet programs: with a decimal comma they separate fields by semicolons. */
export const csvForm = (language: Language) =>
  formatNumber(language, 0.5, 1).includes(',')
    ? ({ separator: ';', decimal: ',' } as const)
    : ({ separator: ',', decimal: '.' } as const);
