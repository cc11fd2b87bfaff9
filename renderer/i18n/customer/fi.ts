import type { CustomerTexts } from './en.ts';

export const fi: CustomerTexts = {
  payment: 'Maksusi',
  idle: 'Kerro, kun haluat maksaa – skannaa sitten tässä näkyvä koodi.',
  scan: { what: 'Skannaa ja kirjaudu', next: 'Summa tulee sen jälkeen itsestään puhelimeesi.' },
  checkedIn: { what: 'Olet kirjautunut', next: 'Summa tulee puhelimeesi.' },
  hint: {
    contactingService: 'Maksuasi valmistellaan.',
    waitingForCustomer: 'Osoita puhelimen kameralla tai maksusovelluksella koodia.',
    customerFound: 'Summa on matkalla puhelimeesi.',
    approveInApp: 'Tarkista summa puhelimesta ja hyväksy se.',
    confirming: 'Hetki, kassalle ilmoitetaan.',
    cancelling: 'Maksu keskeytetään.',
    paid: 'Maksusi on suoritettu.',
    notPaid: 'Kysy kassalta.',
  },
};
