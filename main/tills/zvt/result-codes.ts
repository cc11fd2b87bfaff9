import type {
  FinishedBooking,
  FinishedRefund,
  FinishedPayment,
  NotPaidReason,
  NotRefundedReason,
  RefundOutcome,
  PaymentOutcome,
  ServiceName,
} from '../../core/domain/sale.ts';
import type { Hindrance, PaymentAnswer } from '../../core/lane/till-port.ts';
import {
  type BookingRefused,
  bookingRefusedWords,
  notPaidWords,
  notRefundedWords,
  type Refused,
  type RefundRefusal,
  refundOpenWords,
  refundRefusedWords,
  saleRefusedWords,
  otherAmountWords,
  unclearWords,
  unconfirmedWords,
  wholeTakenWords,
  type Words,
} from './words.ts';

/** The result codes that are sent (ZVT PA00P015, section 10). */
export const RESULT = {
  ok: 0x00,
  declined: 0x05,
  wrongPassword: 0x37,
  notOnboarded: 0x6b,
  timeoutOrAbort: 0x6c,
  wrongCurrency: 0x6f,
  endOfDayNotPossible: 0x77,
  functionNotPossible: 0x83,
  parseError: 0x9a,
  pleaseWait: 0x9c,
  /** A till's answer: goods were handed out for the amount that it names alone. */
  handedOutInPart: 0x9d,
  noConnection: 0xa3,
  storageFull: 0xb1,
  alreadyReversed: 0xb4,
  reversalNotPossible: 0xb5,
  reservationAmount: 0xb7,
  reservationError: 0xb8,
  amountTooHigh: 0xc3,
  amountTooSmall: 0xc8,
  printerNotReady: 0xcc,
  noCashback: 0xcd,
  lineNotPossible: 0x7d,
  unknownBaudRate: 0xfd,
  systemError: 0xff,
} as const;

/** Codes of 05 01 (ZVT PA00P015, section 11), beside "please wait". */
export const TERMINAL_STATUS = { ready: 0x00, outOfOrder: 0xdf } as const;

/** Why a diagnosis fails. */
export const hindranceCodes: Readonly<Record<Hindrance, number>> = {
  serviceUnreachable: RESULT.noConnection,
  starting: RESULT.noConnection,
  needsPerson: RESULT.notOnboarded,
};

/** A result for the till: the code, and a text when something went wrong. */
export interface Result {
  readonly code: number;
  readonly words: Words | null;
}
export type ZvtRefusal = Result & { readonly words: Words };

const notPaidCodes: Readonly<Record<NotPaidReason, number>> = {
  declinedByCustomer: RESULT.declined,
  cancelledByCustomer: RESULT.timeoutOrAbort,
  cancelledByTill: RESULT.timeoutOrAbort,
  cancelledByCashier: RESULT.timeoutOrAbort,
  cancelledByManager: RESULT.timeoutOrAbort,
  leftByCashier: RESULT.timeoutOrAbort,
  cancelledByService: RESULT.declined,
  expired: RESULT.timeoutOrAbort,
  timedOut: RESULT.timeoutOrAbort,
  tillGone: RESULT.timeoutOrAbort,
  notDelivered: RESULT.timeoutOrAbort,
  interrupted: RESULT.timeoutOrAbort,
  refusedByService: RESULT.systemError,
  notOnboarded: RESULT.notOnboarded,
  credentialsRefused: RESULT.notOnboarded,
  serviceUnreachable: RESULT.noConnection,
  serviceBusy: RESULT.noConnection,
  codeNotShown: RESULT.noConnection,
  amountMismatch: RESULT.systemError,
  unclear: RESULT.systemError,
};

/** B5 where this payment cannot be refunded; with the other codes trying again may help. */
const notRefundedCodes: Readonly<Record<NotRefundedReason, number>> = {
  notCaptured: RESULT.reversalNotPossible,
  currencyDiffers: RESULT.reversalNotPossible,
  tooOld: RESULT.reversalNotPossible,
  amountTooHigh: RESULT.reversalNotPossible,
  balanceTooLow: RESULT.reversalNotPossible,
  refusedByService: RESULT.reversalNotPossible,
  cancelledByService: RESULT.reversalNotPossible,
  notOnboarded: RESULT.notOnboarded,
  credentialsRefused: RESULT.notOnboarded,
  serviceUnreachable: RESULT.noConnection,
  cancelledByTill: RESULT.timeoutOrAbort,
  cancelledByManager: RESULT.timeoutOrAbort,
  timedOut: RESULT.timeoutOrAbort,
  tillGone: RESULT.timeoutOrAbort,
  notDelivered: RESULT.timeoutOrAbort,
  interrupted: RESULT.timeoutOrAbort,
  unclear: RESULT.systemError,
};

const saleRefusedCodes: Readonly<Record<Refused<PaymentAnswer>, number>> = {
  notReady: RESULT.noConnection,
  serviceUnreachable: RESULT.noConnection,
  wrongCurrency: RESULT.wrongCurrency,
  amountTooSmall: RESULT.amountTooSmall,
  amountTooHigh: RESULT.amountTooHigh,
  storageFailed: RESULT.storageFull,
  noReservations: RESULT.functionNotPossible,
};

const bookingRefusedCodes: Readonly<Record<BookingRefused, number>> = {
  notReady: RESULT.noConnection,
  wrongCurrency: RESULT.wrongCurrency,
  unknownReservation: RESULT.reservationError,
  alreadyBooked: RESULT.reservationError,
  reservationReleased: RESULT.reservationError,
  reservationExpired: RESULT.reservationError,
  notHeld: RESULT.reservationError,
  unclear: RESULT.reservationError,
  notRegistered: RESULT.reservationError,
  amountTooHigh: RESULT.reservationAmount,
  amountDiffers: RESULT.reservationAmount,
  wholeAmountOnly: RESULT.reservationAmount,
  storageFailed: RESULT.storageFull,
};

const refundRefusedCodes: Readonly<Record<RefundRefusal, number>> = {
  notReady: RESULT.noConnection,
  serviceUnreachable: RESULT.noConnection,
  wrongCurrency: RESULT.wrongCurrency,
  amountTooSmall: RESULT.amountTooSmall,
  storageFailed: RESULT.storageFull,
  unknownReceipt: RESULT.reversalNotPossible,
  alreadyRefunded: RESULT.alreadyReversed,
  amountTooHigh: RESULT.reversalNotPossible,
  amountDiffers: RESULT.reversalNotPossible,
  receiptNumberMissing: RESULT.reversalNotPossible,
  overTillLimit: RESULT.reversalNotPossible,
  refundsOff: RESULT.reversalNotPossible,
  notRegistered: RESULT.reversalNotPossible,
};

/**
 * The result of a finished command. A till knows only yes and no, so it gets the decision, which
 * the lane then repeats until the service confirms it.
 * @param ticket of the refund, whose provider says how old a payment may be
 */
export function resultOf(
  outcome: PaymentOutcome | RefundOutcome,
  ticket: { readonly service?: ServiceName } = {},
): Result {
  // Reserved is what was asked for.
  if ('paid' in outcome)
    return outcome.paid || outcome.reason === 'held'
      ? done
      : { code: notPaidCodes[outcome.reason], words: notPaidWords(outcome.reason) };
  return outcome.refunded
    ? done
    : { code: notRefundedCodes[outcome.reason], words: notRefundedWords(outcome.reason, ticket) };
}
const done: Result = { code: RESULT.ok, words: null };
/** After 84 9D, where the service captures all or nothing. */
export const wholeCaptured: Result = { code: RESULT.ok, words: wholeTakenWords };

/**
 * The result when it is repeated: the same code, with a text when the service has not confirmed it
 * or contradicts.
 */
export function resultToldAgain(
  last:
    | Pick<FinishedPayment, 'outcome' | 'certainty' | 'movedMinor'>
    | Pick<FinishedRefund, 'refund' | 'outcome' | 'certainty'>
    | FinishedBooking,
): Result {
  const { certainty } = last;
  const result =
    'booking' in last ? booked : resultOf(last.outcome, 'refund' in last ? last.refund : {});
  if (certainty === 'contested')
    return {
      ...result,
      words:
        'movedMinor' in last && 'outcome' in last && last.outcome.paid
          ? otherAmountWords
          : unclearWords,
    };
  return certainty === 'decided' && result.code !== RESULT.ok
    ? { ...result, words: unconfirmedWords }
    : result;
}

/** A reservation is captured, or given back. */
export const booked: Result = done;

/** Why nothing was done about a reservation, which is as it was. */
export const bookingRefusal = (reason: BookingRefused): ZvtRefusal => ({
  code: bookingRefusedCodes[reason],
  words: bookingRefusedWords(reason),
});

/** Why a day is not closed. */
export const closingRefusal = (
  reason: 'notReady' | 'notRegistered' | 'storageFailed',
): ZvtRefusal =>
  reason === 'notRegistered'
    ? { code: RESULT.endOfDayNotPossible, words: refundRefusedWords(reason) }
    : saleRefusal(reason);
/** Why a report is not told. */
export const reportRefusal: ZvtRefusal = {
  code: RESULT.functionNotPossible,
  words: refundRefusedWords('notRegistered'),
};

/** A wallet's payment is never handed out in cash. */
export const cashbackRefusal: ZvtRefusal = {
  code: RESULT.noCashback,
  words: ({ saleRefused }) => saleRefused.cashback,
};

/** Raising an earlier reservation: the service cannot. */
export const raiseRefusal: ZvtRefusal = {
  code: RESULT.functionNotPossible,
  words: ({ bookingRefused }) => bookingRefused.raise,
};

/**
 * Why a command was refused. (A busy lane is not a refusal: it answers 84 9C, and the till asks
 * again.)
 */
export function saleRefusal(reason: Refused<PaymentAnswer>): ZvtRefusal {
  return { code: saleRefusedCodes[reason], words: saleRefusedWords(reason) };
}
/** @param askAgainMinutes of `refundOpen` */
export function refundRefusal(
  reason: RefundRefusal | 'refundOpen',
  askAgainMinutes: number | null = null,
): ZvtRefusal {
  // "Please wait" with a text: it is not known that it was refunded (B4), nor that it cannot be
  // (B5).
  if (reason === 'refundOpen')
    return { code: RESULT.pleaseWait, words: refundOpenWords(askAgainMinutes) };
  return { code: refundRefusedCodes[reason], words: refundRefusedWords(reason) };
}
