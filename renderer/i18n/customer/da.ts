import type { CustomerTexts } from './en.ts';

export const da: CustomerTexts = {
  payment: 'Din betaling',
  idle: 'Sig til, når du vil betale – så scanner du koden her.',
  scan: { what: 'Scan og check ind', next: 'Så kommer beløbet selv på din telefon.' },
  checkedIn: { what: 'Du er checket ind', next: 'Beløbet kommer på din telefon.' },
  hint: {
    contactingService: 'Din betaling gøres klar.',
    waitingForCustomer: 'Ret telefonens kamera eller din betalingsapp mod koden.',
    customerFound: 'Beløbet er på vej til din telefon.',
    approveInApp: 'Se beløbet på telefonen, og godkend det.',
    confirming: 'Et øjeblik, kassen får besked.',
    cancelling: 'Betalingen bliver stoppet.',
    paid: 'Din betaling er gået igennem.',
    notPaid: 'Spørg ved kassen.',
  },
};
