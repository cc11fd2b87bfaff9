import type { CustomerTexts } from './en.ts';

export const fi: CustomerTexts = {
  payment: 'Maksusi',
  idle: 'Kerro, kun haluat maksaa – skannaa sitten tässä näkyvä koodi.',
  scan: { what: 'Skannaa ja kirjaudu', next: 'Sen jälkeen summa tulee puhelimeesi.' },
  checkedIn: { what: 'Olet kirjautunut', next: 'Summa tulee pian puhelimeesi.' },
  hint: {
    contactingService: 'Maksuasi valmistellaan.',
    waitingForCustomer: 'Osoita puhelimen kameralla tai maksusovelluksella koodia.',
    customerFound: 'Summa on matkalla puhelimeesi.',
    approveInApp: 'Tarkista summa puhelimesta ja hyväksy se.',
    confirming: 'Odota hetki, kassalle ilmoitetaan.',
    cancelling: 'Maksu keskeytetään.',
    paid: 'Maksusi on suoritettu.',
    notPaid: 'Kysy kassalta.',
  },
};
