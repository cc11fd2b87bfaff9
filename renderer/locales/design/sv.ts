import type { DesignTexts } from './en.ts';

export const sv: DesignTexts = {
  close: 'Stäng',
  cancel: 'Avbryt',
  ok: 'OK',
  clear: 'Rensa',
  deleteDigit: 'Radera den sista siffran',
  digits: (count) => (count === 1 ? '1 siffra' : `${count} siffror`),
  showSecret: 'Visa',
  hideSecret: 'Dölj',
  money: {
    empty: 'Skriv ett belopp.',
    notANumber: 'Skriv bara siffror, till exempel 12,50.',
    grouping: 'Kontrollera komma och mellanslag: ett belopp skrivs som 1 234,50.',
    decimals: 'Skriv högst två siffror efter kommat, till exempel 12,50.',
    tooLarge: 'Skriv ett lägre belopp: så mycket kan ingen kassa ta emot.',
  },
  asTable: 'Som tabell',
  rowsFailed: 'Raderna kunde inte hämtas.',
  tryAgain: 'Försök igen',
  working: 'Ett ögonblick',
  notice: { info: 'Information', success: 'Klart', warning: 'Varning', error: 'Fel' },
};
