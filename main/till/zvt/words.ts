import type { NotPaidReason, NotRefundedReason } from '../../primitives/sale.ts';
import type { RefundAnswer, SaleAnswer, SaleProgress } from '../port.ts';

/** What a till shows and prints, in the language that it named at registration; English to one that named none. */
export type Language = 'en' | 'da';
export type Words = Readonly<Record<Language, string>>;

export const isLanguage = (code: string): code is Language => code === 'en' || code === 'da';

/** Why a lane does not begin: busy is none of them, the till just asks again. */
export type Refused<Answer> = Answer extends { accepted: false; reason: infer Reason } ? Exclude<Reason, 'busy'> : never;

export const progressWords: Readonly<Record<SaleProgress, Words>> = {
  contactingService: { en: 'Please wait', da: 'Vent venligst' },
  waitingForCustomer: { en: 'Scan the QR code', da: 'Scan QR-koden' },
  customerFound: { en: 'Customer found', da: 'Kunden er fundet' },
  approveInApp: { en: 'Approve in the app', da: 'Godkend i appen' },
  cancelling: { en: 'Cancelling', da: 'Annullerer' },
};

export const notPaidWords: Readonly<Record<NotPaidReason, Words>> = {
  declinedByCustomer: { en: 'Declined by customer', da: 'Afvist af kunden' },
  cancelledByCustomer: { en: 'Customer cancelled', da: 'Kunden annullerede' },
  cancelledByTill: { en: 'Cancelled at the till', da: 'Annulleret på kassen' },
  cancelledByCashier: { en: 'Cancelled by the cashier', da: 'Annulleret af ekspedienten' },
  leftByCashier: { en: 'Cancelled, not confirmed yet', da: 'Annulleret, ikke bekræftet' },
  cancelledByService: { en: 'Timed out or card refused', da: 'Tid udløbet eller kort afvist' },
  expired: { en: 'Reservation expired', da: 'Reservationen udløb' },
  timedOut: { en: 'Customer took too long', da: 'Kunden var for længe om det' },
  tillGone: { en: 'Connection lost', da: 'Forbindelsen blev afbrudt' },
  notDelivered: { en: 'Result not delivered, not paid', da: 'Ikke leveret, ikke betalt' },
  interrupted: { en: 'Terminal was restarted', da: 'Terminalen blev genstartet' },
  refusedByService: { en: 'Refused by the wallet service', da: 'Betalingstjenesten afviste' },
  notOnboarded: { en: 'Not activated for payments', da: 'Butikken er ikke aktiveret' },
  serviceUnreachable: { en: 'No connection to the service', da: 'Ingen forbindelse til tjenesten' },
  amountMismatch: { en: 'Amount differs at the service', da: 'Andet beløb hos tjenesten' },
};

export const notRefundedWords: Readonly<Record<NotRefundedReason, Words>> = {
  notCaptured: { en: 'Payment not yet completed', da: 'Betaling endnu ikke gennemført' },
  currencyDiffers: { en: 'Paid in another currency', da: 'Betalt i en anden valuta' },
  tooOld: { en: 'Payment older than 90 days', da: 'Betaling ældre end 90 dage' },
  amountTooHigh: { en: 'More than is left to refund', da: 'Mere end der er tilbage' },
  balanceTooLow: { en: "Store's balance is too low", da: 'Butikkens saldo er for lav' },
  refusedByService: { en: 'Refused by the wallet service', da: 'Betalingstjenesten afviste' },
  notOnboarded: { en: 'Not activated for refunds', da: 'Ikke aktiveret til refundering' },
  serviceUnreachable: { en: 'No connection to the service', da: 'Ingen forbindelse til tjenesten' },
  cancelledByTill: { en: 'Cancelled at the till', da: 'Annulleret på kassen' },
  cancelledByManager: { en: 'Cancelled by the manager', da: 'Annulleret af bestyreren' },
  cancelledByService: { en: 'Cancelled by the service', da: 'Annulleret af tjenesten' },
  timedOut: { en: 'The service took too long', da: 'Tjenesten svarede ikke i tide' },
  tillGone: { en: 'Connection lost', da: 'Forbindelsen blev afbrudt' },
  notDelivered: { en: 'Result not delivered, no refund', da: 'Ikke leveret, ikke refunderet' },
  interrupted: { en: 'Terminal was restarted', da: 'Terminalen blev genstartet' },
};

export const saleRefusedWords: Readonly<Record<Refused<SaleAnswer>, Words>> = {
  notReady: { en: 'Not ready', da: 'Ikke klar' },
  wrongCurrency: { en: 'Wrong currency', da: 'Forkert valuta' },
  amountTooSmall: { en: 'Amount too small', da: 'Beløbet er for lille' },
  amountTooHigh: { en: 'Amount too high', da: 'Beløbet er for stort' },
  storageFailed: { en: 'The terminal cannot store payments', da: 'Betalinger kan ikke gemmes' },
};

export const refundRefusedWords: Readonly<Record<Refused<RefundAnswer> | 'receiptNumberMissing', Words>> = {
  notReady: saleRefusedWords.notReady,
  wrongCurrency: saleRefusedWords.wrongCurrency,
  amountTooSmall: saleRefusedWords.amountTooSmall,
  storageFailed: { en: 'The terminal cannot store refunds', da: 'Refunderinger kan ikke gemmes' },
  unknownReceipt: { en: 'No paid sale with this receipt', da: 'Intet betalt salg med denne bon' },
  alreadyRefunded: { en: 'Already refunded', da: 'Allerede refunderet' },
  amountTooHigh: notRefundedWords.amountTooHigh,
  /** 06 31 as the standard has it names no payment, and one is never guessed. */
  receiptNumberMissing: { en: 'Receipt number needed: use reversal 06 30, or the device', da: 'Bonnummer mangler: brug reversal 06 30 eller enheden' },
};

export const customerWords = {
  loyalty: { en: 'Loyalty', da: 'Kundeklub' },
} as const satisfies Readonly<Record<string, Words>>;

export const receiptWords = {
  wallet: { en: 'Mobile wallet', da: 'Mobilbetaling' },
  result: { en: 'Result', da: 'Resultat' },
  paid: { en: 'PAID', da: 'BETALT' },
  refund: { en: 'REFUND', da: 'REFUNDERING' },
  refunded: { en: 'REFUNDED', da: 'REFUNDERET' },
  receipt: { en: 'Receipt', da: 'Bon' },
  originalReceipt: { en: 'Original receipt', da: 'Oprindelig bon' },
  trace: { en: 'Trace', da: 'Trace' },
  order: { en: 'Order', da: 'Ordre' },
} as const satisfies Readonly<Record<string, Words>>;
