import type { DesignTexts } from './en.ts';

export const fi: DesignTexts = {
  close: 'Sulje',
  cancel: 'Peru',
  ok: 'OK',
  clear: 'Tyhjennä',
  deleteDigit: 'Poista viimeinen numero',
  digits: (count) => (count === 1 ? '1 numero' : `${count} numeroa`),
  showSecret: 'Näytä',
  hideSecret: 'Piilota',
  money: {
    empty: 'Kirjoita summa.',
    notANumber: 'Käytä vain numeroita, esimerkiksi 12,50.',
    grouping: 'Tarkista pilkut ja välit: summa kirjoitetaan muodossa 1 234,50.',
    decimals: 'Käytä enintään kahta desimaalia, esimerkiksi 12,50.',
    tooLarge: 'Kirjoita pienempi summa: kassa ei voi ottaa näin suurta maksua vastaan.',
  },
  asTable: 'Taulukkona',
  rowsFailed: 'Rivejä ei voitu hakea.',
  tryAgain: 'Yritä uudelleen',
  working: 'Odota hetki',
  notice: { info: 'Tiedoksi', success: 'Valmis', warning: 'Varoitus', error: 'Virhe' },
};
