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
    lead: 'För när kassan inte kan starta den. Kassan får inte veta något om betalningen: bokför den själv i kassan.',
    amount: 'Belopp',
    order: 'Order- eller kvittonummer (valfritt)',
    orderHint: 'Skriv eller skanna, högst 20 tecken. Det gör betalningen lättare att hitta igen.',
    take: (amount) => `Ta betalt ${amount}`,
    back: 'Tillbaka',
    confirming: { what: 'Godkänt – ett ögonblick', next: 'Behåll varorna tills den här skärmen visar betalt.' },
    paid: 'Lämna ut varorna. Kassan känner inte till betalningen: bokför den där.',
    again: 'Inga pengar har dragits. Starta om här eller ta ett annat betalsätt.',
    unanswered: 'Det kom inget svar. Tryck igen: det dras inte två gånger.',
  },
  leave: {
    soon: (seconds) => `Inget svar än. Om ${seconds} s kan du lämna betalningen.`,
    open: 'Lämna betalningen',
    title: 'Lämna utan att veta resultatet?',
    says: [
      'Ingen vet än om kunden har godkänt. Lämna inte ut varorna.',
      'Tillbeacon återkallar betalningen så snart tjänsten svarar. Tills dess syns den längst ner.',
      'Du kan ta nästa betalning direkt.',
    ],
    stay: 'Fortsätt vänta',
    leave: 'Lämna',
  },
  sound: { mute: 'Stäng av ljudet', unmute: 'Sätt på ljudet' },
};
