import { type Language, languages } from '../../domain/languages.ts';
import type { NotPaidReason, NotRefundedReason } from '../../domain/sale.ts';
import type { RefundAnswer, SaleAnswer, SaleProgress } from '../port.ts';
import type { RefundBar } from './permissions.ts';

/** What a till shows and prints, in the language that it named at registration; English to one that named none. */
export type Words = Readonly<Record<Language, string>>;

export type { Language } from '../../domain/languages.ts';

export const isLanguage = (code: string): code is Language => languages.some((one) => one === code);

/** Why a lane does not begin: busy is none of them, the till just asks again. */
export type Refused<Answer> = Answer extends { accepted: false; reason: infer Reason } ? Exclude<Reason, 'busy'> : never;

export const progressWords: Readonly<Record<SaleProgress, Words>> = {
  contactingService: { en: 'Please wait', da: 'Vent venligst', fi: 'Odota hetki', sv: 'Vänta' },
  waitingForCustomer: { en: 'Scan the QR code', da: 'Scan QR-koden', fi: 'Skannaa QR-koodi', sv: 'Skanna QR-koden' },
  customerFound: { en: 'Customer found', da: 'Kunden er fundet', fi: 'Asiakas löytyi', sv: 'Kunden hittad' },
  approveInApp: { en: 'Approve in the app', da: 'Godkend i appen', fi: 'Hyväksy sovelluksessa', sv: 'Godkänn i appen' },
  cancelling: { en: 'Cancelling', da: 'Annullerer', fi: 'Perutaan', sv: 'Avbryter' },
};

/** The service contradicts what was decided here. */
export const unclearWords: Words = {
  en: 'Unclear: ask the manager',
  da: 'Uafklaret: spørg lederen',
  fi: 'Epäselvä: kysy esihenkilöltä',
  sv: 'Oklart: fråga ansvarig',
};

/** Decided against, and repeated until the service confirms it. */
export const unconfirmedWords: Words = {
  en: 'Cancelled, not confirmed yet',
  da: 'Annulleret, ikke bekræftet endnu',
  fi: 'Peruttu, ei vielä vahvistettu',
  sv: 'Annullerat, inte bekräftat än',
};

export const notPaidWords: Readonly<Record<NotPaidReason, Words>> = {
  declinedByCustomer: { en: 'Declined by customer', da: 'Afvist af kunden', fi: 'Asiakas hylkäsi maksun', sv: 'Kunden nekade' },
  cancelledByCustomer: { en: 'Customer cancelled', da: 'Kunden annullerede', fi: 'Asiakas perui maksun', sv: 'Kunden avbröt' },
  cancelledByTill: { en: 'Cancelled at the till', da: 'Annulleret på kassen', fi: 'Peruttu kassalta', sv: 'Avbrutet i kassan' },
  cancelledByCashier: { en: 'Cancelled by the cashier', da: 'Annulleret af kassemedarbejder', fi: 'Kassanhoitaja perui', sv: 'Avbrutet av kassapersonalen' },
  leftByCashier: unconfirmedWords,
  cancelledByService: {
    en: 'Timed out or card refused',
    da: 'Tid udløbet eller kort afvist',
    fi: 'Aika loppui tai kortti hylätty',
    sv: 'Tiden ute eller kort nekat',
  },
  expired: { en: 'Reservation expired', da: 'Reservationen udløb', fi: 'Katevaraus raukesi', sv: 'Reservationen gick ut' },
  timedOut: { en: 'Customer took too long', da: 'Kunden var for længe om det', fi: 'Asiakas ei ehtinyt ajoissa', sv: 'Det tog för lång tid för kunden' },
  tillGone: { en: 'Connection lost', da: 'Forbindelsen blev afbrudt', fi: 'Yhteys katkesi', sv: 'Förbindelsen bröts' },
  notDelivered: { en: 'Result not delivered, not paid', da: 'Ikke leveret, ikke betalt', fi: 'Tulos ei perillä, ei maksettu', sv: 'Ej levererat, inte betalt' },
  interrupted: { en: 'Terminal was restarted', da: 'Terminalen blev genstartet', fi: 'Maksupääte käynnistyi uudelleen', sv: 'Terminalen startades om' },
  refusedByService: { en: 'Refused by the wallet service', da: 'Afvist af betalingstjenesten', fi: 'Maksupalvelu hylkäsi', sv: 'Betaltjänsten nekade' },
  notOnboarded: { en: 'Not activated for payments', da: 'Butikken er ikke aktiveret', fi: 'Myymälää ei ole aktivoitu', sv: 'Butiken är inte aktiverad' },
  serviceUnreachable: {
    en: 'No connection to the service',
    da: 'Ingen forbindelse til tjenesten',
    fi: 'Palveluun ei ole yhteyttä',
    sv: 'Ingen förbindelse med tjänsten',
  },
  amountMismatch: { en: 'Amount differs at the service', da: 'Andet beløb hos tjenesten', fi: 'Palvelussa eri summa', sv: 'Annat belopp hos tjänsten' },
  unclear: unclearWords,
};

export const notRefundedWords: Readonly<Record<NotRefundedReason, Words>> = {
  notCaptured: { en: 'Payment not yet completed', da: 'Betaling endnu ikke gennemført', fi: 'Maksu ei ole vielä valmis', sv: 'Betalningen är inte klar än' },
  currencyDiffers: { en: 'Paid in another currency', da: 'Betalt i en anden valuta', fi: 'Maksettu toisessa valuutassa', sv: 'Betalt i en annan valuta' },
  tooOld: { en: 'Payment older than 90 days', da: 'Betaling ældre end 90 dage', fi: 'Maksusta on yli 90 päivää', sv: 'Betalning äldre än 90 dagar' },
  amountTooHigh: { en: 'More than is left to refund', da: 'Mere end der er tilbage', fi: 'Enemmän kuin on hyvitettävissä', sv: 'Mer än vad som är kvar' },
  balanceTooLow: { en: "Store's balance is too low", da: 'Butikkens saldo er for lav', fi: 'Myymälän saldo ei riitä', sv: 'Butikens saldo räcker inte' },
  refusedByService: { en: 'Refused by the wallet service', da: 'Afvist af betalingstjenesten', fi: 'Maksupalvelu hylkäsi', sv: 'Betaltjänsten nekade' },
  notOnboarded: { en: 'Not activated for refunds', da: 'Ikke aktiveret til refundering', fi: 'Hyvityksiä ei ole aktivoitu', sv: 'Återbetalning ej aktiverad' },
  serviceUnreachable: {
    en: 'No connection to the service',
    da: 'Ingen forbindelse til tjenesten',
    fi: 'Palveluun ei ole yhteyttä',
    sv: 'Ingen förbindelse med tjänsten',
  },
  cancelledByTill: { en: 'Cancelled at the till', da: 'Annulleret på kassen', fi: 'Peruttu kassalta', sv: 'Avbrutet i kassan' },
  cancelledByManager: { en: 'Cancelled by the manager', da: 'Annulleret af lederen', fi: 'Esihenkilö perui', sv: 'Avbrutet av ansvarig' },
  cancelledByService: { en: 'Cancelled by the service', da: 'Annulleret af tjenesten', fi: 'Palvelu keskeytti', sv: 'Avbrutet av tjänsten' },
  timedOut: { en: 'The service took too long', da: 'Tjenesten svarede ikke i tide', fi: 'Palvelu ei vastannut ajoissa', sv: 'Tjänsten svarade inte i tid' },
  tillGone: { en: 'Connection lost', da: 'Forbindelsen blev afbrudt', fi: 'Yhteys katkesi', sv: 'Förbindelsen bröts' },
  notDelivered: {
    en: 'Result not delivered, no refund',
    da: 'Ikke leveret, ikke refunderet',
    fi: 'Tulos ei perillä, ei hyvitetty',
    sv: 'Ej levererat, ej återbetalt',
  },
  interrupted: { en: 'Terminal was restarted', da: 'Terminalen blev genstartet', fi: 'Maksupääte käynnistyi uudelleen', sv: 'Terminalen startades om' },
  unclear: unclearWords,
};

export const saleRefusedWords: Readonly<Record<Refused<SaleAnswer>, Words>> = {
  notReady: { en: 'Not ready', da: 'Ikke klar', fi: 'Ei valmiina', sv: 'Inte redo' },
  wrongCurrency: { en: 'Wrong currency', da: 'Forkert valuta', fi: 'Väärä valuutta', sv: 'Fel valuta' },
  amountTooSmall: { en: 'Amount too small', da: 'Beløbet er for lille', fi: 'Summa on liian pieni', sv: 'Beloppet är för litet' },
  amountTooHigh: { en: 'Amount too high', da: 'Beløbet er for stort', fi: 'Summa on liian suuri', sv: 'Beloppet är för stort' },
  storageFailed: {
    en: 'The terminal cannot store payments',
    da: 'Betalinger kan ikke gemmes',
    fi: 'Maksuja ei voi tallentaa',
    sv: 'Betalningar kan inte sparas',
  },
};

export const refundRefusedWords: Readonly<Record<Exclude<Refused<RefundAnswer>, 'refundOpen'> | 'receiptNumberMissing' | RefundBar, Words>> = {
  notReady: saleRefusedWords.notReady,
  wrongCurrency: saleRefusedWords.wrongCurrency,
  amountTooSmall: saleRefusedWords.amountTooSmall,
  storageFailed: {
    en: 'The terminal cannot store refunds',
    da: 'Refunderinger kan ikke gemmes',
    fi: 'Hyvityksiä ei voi tallentaa',
    sv: 'Återbetalningar kan ej sparas',
  },
  unknownReceipt: {
    en: 'No paid sale with this receipt',
    da: 'Intet betalt salg på denne bon',
    fi: 'Kuitilla ei ole maksettua myyntiä',
    sv: 'Inget betalt köp på kvittot',
  },
  alreadyRefunded: { en: 'Already refunded', da: 'Allerede refunderet', fi: 'Jo hyvitetty', sv: 'Redan återbetalt' },
  amountTooHigh: notRefundedWords.amountTooHigh,
  overTillLimit: {
    en: 'More than this till may refund: use the device',
    da: 'Mere end kassen må refundere: brug terminalen',
    fi: 'Enemmän kuin kassa saa hyvittää: käytä päätettä',
    sv: 'Mer än kassan får återbetala: använd terminalen',
  },
  refundsOff: {
    en: 'No refunds by this till: use the device, or allow them in its setup',
    da: 'Kassen må ikke refundere: brug terminalen, eller tillad det i opsætningen',
    fi: 'Kassa ei saa hyvittää: käytä päätettä tai salli se käyttöönotossa',
    sv: 'Kassan får inte återbetala: använd terminalen eller tillåt det i installationen',
  },
  notRegistered: {
    en: 'Till must register first, or set its password in setup',
    da: 'Kassen skal først registrere sig, eller angiv dens adgangskode i opsætningen',
    fi: 'Kassan on ensin rekisteröidyttävä, tai aseta sen salasana käyttöönotossa',
    sv: 'Kassan måste först registrera sig, eller ange dess lösenord i installationen',
  },
  /** 06 31 as the standard has it names no payment, and one is never guessed. */
  receiptNumberMissing: {
    en: 'Receipt number needed: use reversal 06 30, or the device',
    da: 'Bonnummer mangler: brug annullering 06 30 eller terminalen',
    fi: 'Kuittinumero puuttuu: käytä peruutusta 06 30 tai päätettä',
    sv: 'Kvittonummer saknas: använd makulering 06 30 eller terminalen',
  },
};

/** Whether it was refunded is not known. @param minutes until it should be; null: until a person has seen to it */
export function refundOpenWords(minutes: number | null): Words {
  if (minutes === null) return unclearWords;
  return {
    en: `Refund being cleared up, ask again in ${minutes} min`,
    da: `Refundering afklares, prøv igen om ${minutes} min`,
    fi: `Hyvitystä selvitetään, yritä ${minutes} min päästä`,
    sv: `Återbetalning utreds, försök igen om ${minutes} min`,
  };
}

export const customerWords = {
  loyalty: { en: 'Loyalty', da: 'Kundeklub', fi: 'Kanta-asiakas', sv: 'Kundklubb' },
} as const satisfies Readonly<Record<string, Words>>;

export const receiptWords = {
  wallet: { en: 'Mobile wallet', da: 'Mobilbetaling', fi: 'Mobiilimaksu', sv: 'Mobilbetalning' },
  result: { en: 'Result', da: 'Resultat', fi: 'Tulos', sv: 'Resultat' },
  paid: { en: 'PAID', da: 'BETALT', fi: 'MAKSETTU', sv: 'BETALT' },
  refund: { en: 'REFUND', da: 'REFUNDERING', fi: 'HYVITYS', sv: 'ÅTERBETALNING' },
  refunded: { en: 'REFUNDED', da: 'REFUNDERET', fi: 'HYVITETTY', sv: 'ÅTERBETALT' },
  receipt: { en: 'Receipt', da: 'Bon', fi: 'Kuitti', sv: 'Kvitto' },
  originalReceipt: { en: 'Original receipt', da: 'Oprindelig bon', fi: 'Alkuperäinen kuitti', sv: 'Ursprungligt kvitto' },
  trace: { en: 'Trace', da: 'Trace', fi: 'Tapahtuma', sv: 'Spårnr' },
  order: { en: 'Order', da: 'Ordre', fi: 'Tilaus', sv: 'Order' },
} as const satisfies Readonly<Record<string, Words>>;
