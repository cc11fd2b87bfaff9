import type { CashierTexts } from './en.ts';

export const fi: CashierTexts = {
  recent: {
    title: 'Viimeisimmät maksut',
    none: 'Ei vielä maksuja.',
    paid: 'Maksettu',
    person: 'Soita tukeen',
    byHand: 'käsin',
    refunded: (amount) => `${amount} hyvitetty`,
    receipt: (number) => `Kuitti ${number}`,
  },
  byHand: {
    title: 'Maksu käsin',
    lead: 'Kun kassa ei voi aloittaa maksua. Kassa ei saa tietoa tästä maksusta: kirjaa se itse kassaan.',
    amount: 'Summa',
    order: 'Tilaus- tai kuittinumero (valinnainen)',
    orderHint: 'Kirjoita tai skannaa, enintään 20 merkkiä. Sen avulla maksu löytyy helpommin.',
    take: (amount) => `Veloita ${amount}`,
    back: 'Takaisin',
    confirming: { what: 'Hyväksytty – odota hetki', next: 'Älä luovuta tuotteita, ennen kuin tällä näytöllä lukee ”Maksettu”.' },
    paid: 'Luovuta tuotteet. Kassa ei tiedä maksusta: kirjaa se kassaan.',
    again: 'Maksua ei veloitettu. Aloita uudelleen tästä tai käytä toista maksutapaa.',
    unanswered: 'Vastausta ei tullut. Paina uudelleen: maksua ei veloiteta kahdesti.',
  },
  leave: {
    soon: (seconds) => `Ei vielä vastausta. ${seconds} s kuluttua voit poistua maksusta.`,
    open: 'Poistu maksusta',
    title: 'Poistutaanko, vaikka tulosta ei tiedetä?',
    says: [
      'Vielä ei tiedetä, hyväksyikö asiakas maksun. Älä luovuta tuotteita.',
      'Tillbeacon peruu maksun heti, kun palvelu vastaa. Siihen asti maksu näkyy näytön alareunassa.',
      'Voit ottaa seuraavan maksun vastaan heti.',
    ],
    stay: 'Odota vielä',
    leave: 'Poistu',
  },
  sound: { mute: 'Poista ääni käytöstä', unmute: 'Ota ääni käyttöön' },
};
