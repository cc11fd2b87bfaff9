import type { NotPaidReason, NotRefundedReason, RefundTicket } from '../../core/domain/sale.ts';
import { refundDaysOf } from '../../core/settlement/capabilities.ts';
import type { BookingRefusal, RefundAnswer, PaymentAnswer } from '../../core/lane/till-port.ts';
import type { RefundBar } from './permissions.ts';
import type { TillTexts } from './texts.ts';

/**
 * A text for a till, in whichever language it named at registration; English for one that named
 * none.
 */
export type Words = (texts: TillTexts) => string;

/** Why a lane refuses a command; a busy lane does not refuse, the till asks again. */
export type Refused<Answer> = Answer extends { accepted: false; reason: infer Reason }
  ? Exclude<Reason, 'busy'>
  : never;
/**
 * Why a refund does not begin, beside one that is open. 06 31 as the standard has it names no
 * payment, and none is guessed.
 */
export type RefundRefusal =
  | Exclude<Refused<RefundAnswer>, 'refundOpen'>
  | 'receiptNumberMissing'
  | RefundBar;

/** The service contradicts what was decided here. */
export const unclearWords: Words = ({ unclear }) => unclear;
/** Somebody captured another amount in the service's portal. */
export const otherAmountWords: Words = ({ otherAmount }) => otherAmount;
/** Decided against, and repeated until the service confirms it. */
export const unconfirmedWords: Words = ({ unconfirmed }) => unconfirmed;

/** Goods were handed out for less than is captured. */
export const wholeTakenWords: Words = ({ wholeTaken }) => wholeTaken;

export function notPaidWords(reason: NotPaidReason): Words {
  if (reason === 'unclear') return unclearWords;
  if (reason === 'leftByCashier') return unconfirmedWords;
  return ({ notPaid }) => notPaid[reason];
}

/** @param refund names the provider, which says how old a payment may be */
export function notRefundedWords(
  reason: NotRefundedReason,
  refund: Pick<RefundTicket, 'service'>,
): Words {
  if (reason === 'unclear') return unclearWords;
  if (reason === 'tooOld')
    return ({ notRefunded }) => notRefunded.tooOld({ days: refundDaysOf(refund) });
  return ({ notRefunded }) => notRefunded[reason];
}

export function saleRefusedWords(reason: Refused<PaymentAnswer>): Words {
  if (reason === 'serviceUnreachable') return notPaidWords(reason);
  return ({ saleRefused }) => saleRefused[reason];
}

export type BookingRefused = Exclude<BookingRefusal, 'busy'> | 'notHeld' | 'notRegistered';

export function bookingRefusedWords(reason: BookingRefused): Words {
  switch (reason) {
    case 'notReady':
    case 'wrongCurrency':
    case 'storageFailed':
      return saleRefusedWords(reason);
    case 'notRegistered':
      return refundRefusedWords(reason);
    case 'unclear':
      return unclearWords;
    case 'reservationExpired':
      return notPaidWords('expired');
    case 'reservationReleased':
      return notPaidWords('cancelledByManager');
    default:
      return ({ bookingRefused }) => bookingRefused[reason];
  }
}

export function refundRefusedWords(reason: RefundRefusal): Words {
  switch (reason) {
    case 'notReady':
    case 'wrongCurrency':
    case 'amountTooSmall':
      return saleRefusedWords(reason);
    case 'amountTooHigh':
    case 'serviceUnreachable':
      return ({ notRefunded }) => notRefunded[reason];
    default:
      return ({ refundRefused }) => refundRefused[reason];
  }
}

/**
 * For a refund that may have been made. @param minutes until it should be known; null when a person
 * has to settle it first
 */
export function refundOpenWords(minutes: number | null): Words {
  return minutes === null
    ? unclearWords
    : ({ refundRefused }) => refundRefused.refundOpen({ minutes });
}
