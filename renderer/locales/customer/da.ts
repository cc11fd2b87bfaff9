import type { CustomerTexts } from './en.ts';

export const da: CustomerTexts = {
  payment: 'Din betaling',
  idle: 'Sig til, når du vil betale – så scanner du koden her.',
  scan: { what: 'Scan og tjek ind', next: 'Så vises beløbet på din telefon.' },
  checkedIn: { what: 'Du er tjekket ind', next: 'Beløbet vises snart på din telefon.' },
  hint: {
    contactingService: 'Din betaling gøres klar.',
    waitingForCustomer: 'Ret telefonens kamera eller din betalingsapp mod koden.',
    customerFound: 'Beløbet er på vej til din telefon.',
    approveInApp: 'Kontrollér beløbet på telefonen, og godkend det.',
    confirming: 'Et øjeblik, kassen får besked.',
    cancelling: 'Betalingen bliver stoppet.',
    paid: 'Din betaling er gået igennem.',
    notPaid: 'Henvend dig ved kassen.',
  },
};
