import type { CashierTexts } from './en.ts';

export const sv: CashierTexts = {
  recent: {
    title: 'Senaste betalningar',
    none: 'Inga betalningar än.',
    paid: 'Betalt',
    person: 'Ring supporten',
    byHand: 'manuellt',
    refunded: (amount) => `${amount} återbetalt`,
    receipt: (number) => `Kvitto ${number}`,
  },
  byHand: {
    title: 'Manuell betalning',
    lead: 'För när kassan inte kan starta betalningen. Kassan får inte veta något om den: slå in den själv i kassan.',
    amount: 'Belopp',
    order: 'Order- eller kvittonummer (valfritt)',
    orderHint: 'Skriv eller skanna, högst 20 tecken. Det gör betalningen lättare att hitta igen.',
    take: (amount) => `Ta betalt ${amount}`,
    back: 'Tillbaka',
    confirming: { what: 'Godkänt – ett ögonblick', next: 'Behåll varorna tills den här skärmen visar ”Betalt”.' },
    paid: 'Lämna ut varorna. Kassan känner inte till betalningen: slå in den i kassan.',
    again: 'Inga pengar har dragits. Börja om här eller ta betalt på ett annat sätt.',
    unanswered: 'Det kom inget svar. Tryck igen: beloppet dras inte två gånger.',
  },
  leave: {
    soon: (seconds) => `Inget svar än. Om ${seconds} s kan du lämna betalningen.`,
    open: 'Lämna betalningen',
    title: 'Lämna betalningen utan att veta resultatet?',
    says: [
      'Ingen vet än om kunden har godkänt. Lämna inte ut varorna.',
      'Tillbeacon annullerar betalningen så snart tjänsten svarar. Tills dess syns den längst ner på skärmen.',
      'Du kan ta emot nästa betalning direkt.',
    ],
    stay: 'Fortsätt vänta',
    leave: 'Lämna',
  },
  sound: { mute: 'Stäng av ljudet', unmute: 'Sätt på ljudet' },
};
