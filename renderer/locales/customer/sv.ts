import type { CustomerTexts } from './en.ts';

export const sv: CustomerTexts = {
  payment: 'Din betalning',
  idle: 'Säg till när du vill betala, så skannar du koden här.',
  scan: { what: 'Skanna och checka in', next: 'Sedan visas beloppet i din telefon.' },
  checkedIn: { what: 'Du är incheckad', next: 'Beloppet visas snart i din telefon.' },
  hint: {
    contactingService: 'Din betalning förbereds.',
    waitingForCustomer: 'Rikta telefonens kamera eller din betalapp mot koden.',
    customerFound: 'Beloppet är på väg till din telefon.',
    approveInApp: 'Kontrollera beloppet i telefonen och godkänn det.',
    confirming: 'Ett ögonblick, kassan får besked.',
    cancelling: 'Betalningen stoppas.',
    paid: 'Din betalning har gått igenom.',
    notPaid: 'Fråga i kassan.',
  },
};
