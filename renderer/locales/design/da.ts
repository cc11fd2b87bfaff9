import type { DesignTexts } from './en.ts';

export const da: DesignTexts = {
  close: 'Luk',
  cancel: 'Annullér',
  ok: 'OK',
  clear: 'Ryd',
  deleteDigit: 'Slet det sidste ciffer',
  digits: (count) => (count === 1 ? '1 ciffer' : `${count} cifre`),
  showSecret: 'Vis',
  hideSecret: 'Skjul',
  money: {
    empty: 'Skriv et beløb.',
    notANumber: 'Skriv kun cifre, for eksempel 12,50.',
    grouping: 'Kontrollér komma og punktum: et beløb skrives som 1.234,50.',
    decimals: 'Skriv højst to cifre efter kommaet, for eksempel 12,50.',
    tooLarge: 'Skriv et lavere beløb: så meget kan ingen kasse tage imod.',
  },
  asTable: 'Som tabel',
  rowsFailed: 'Linjerne kunne ikke hentes.',
  tryAgain: 'Prøv igen',
  working: 'Et øjeblik',
  notice: { info: 'Information', success: 'Udført', warning: 'Advarsel', error: 'Fejl' },
};
