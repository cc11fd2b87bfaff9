import type { CashierTexts } from './en.ts';

export const da: CashierTexts = {
  recent: {
    title: 'Seneste betalinger',
    none: 'Ingen betalinger endnu.',
    paid: 'Betalt',
    person: 'Ring til support',
    byHand: 'manuelt',
    refunded: (amount) => `${amount} refunderet`,
    receipt: (number) => `Bon ${number}`,
  },
  byHand: {
    title: 'Manuel betaling',
    lead: 'Til når kassen ikke kan starte betalingen. Kassen får ikke besked om den: slå den selv ind på kassen.',
    amount: 'Beløb',
    order: 'Ordre- eller bonnummer (kan udelades)',
    orderHint: 'Tastet eller scannet, højst 20 tegn. Det gør betalingen lettere at finde igen.',
    take: (amount) => `Tag imod ${amount}`,
    back: 'Tilbage',
    confirming: { what: 'Godkendt – et øjeblik', next: 'Behold varerne, indtil denne skærm viser »Betalt«.' },
    paid: 'Udlever varerne. Kassen kender ikke betalingen: slå den ind på kassen.',
    again: 'Der er ikke trukket penge. Start igen her, eller brug et andet betalingsmiddel.',
    unanswered: 'Der kom intet svar. Tryk igen: beløbet bliver ikke trukket to gange.',
  },
  leave: {
    soon: (seconds) => `Intet svar endnu. Om ${seconds} sek. kan du forlade betalingen.`,
    open: 'Forlad betalingen',
    title: 'Forlad betalingen uden at kende resultatet?',
    says: [
      'Ingen ved endnu, om kunden har godkendt. Udlever ikke varerne.',
      'Tillbeacon annullerer betalingen, så snart tjenesten svarer. Indtil da står den nederst på skærmen.',
      'Du kan tage imod den næste betaling med det samme.',
    ],
    stay: 'Vent videre',
    leave: 'Forlad',
  },
  sound: { mute: 'Slå lyden fra', unmute: 'Slå lyden til' },
};
