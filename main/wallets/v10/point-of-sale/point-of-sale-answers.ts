import type { CustomerFacts } from '../../../core/domain/sale.ts';
import { messageOf } from '../../../core/domain/errors.ts';
import { InvalidRequestError, ServiceRefusedError } from '../../http/errors.ts';
import type { PollAnswer, SettleAnswer } from '../../../core/lane/wallet-port.ts';
import { timeMsOf } from '../../answer-values.ts';
import { unusualPollDelay } from '../../http/poll-pace.ts';
import type { Profile } from '../v10-profile.ts';
import { isCurrencyCode } from './currency.ts';
import type { PaymentRecord } from './point-of-sale-schemas.ts';
import { paymentStatus } from './point-of-sale-status.ts';

/** The payment is not in the state Prepared any more. */
const wrongStateForReady = '1303';

/**
 * Refusals that do not change when the request is repeated: the merchant, its store or this client
 * may not take payments.
 */
const notOnboardedCodes: ReadonlySet<string> = new Set(['1000', '1002', '1204', '1400', '1403']);

export function isNotOnboarded({ status, code }: ServiceRefusedError): boolean {
  return status === 403 || (code !== null && notOnboardedCodes.has(code));
}

/**
 * Sends a change, which may be repeated until a poll has confirmed it: the service answers 204,
 * which shows nothing.
 */
export async function settle(request: () => Promise<unknown>): Promise<SettleAnswer> {
  try {
    await request();
    return { kind: 'accepted' };
  } catch (error) {
    const detail = messageOf(error);
    if (error instanceof ServiceRefusedError) {
      if (error.status === 404) return { kind: 'notFound' };
      return {
        kind: 'refused',
        reason: error.code === wrongStateForReady ? 'wrongState' : 'other',
        code: error.code,
        detail,
      };
    }
    if (error instanceof InvalidRequestError)
      return { kind: 'refused', reason: 'other', code: null, detail };
    return { kind: 'unknown', detail };
  }
}

/** A payment as a poll sees it. */
export function paymentSeen(profile: Profile, payment: PaymentRecord): PollAnswer {
  const currency = isCurrencyCode(payment.currencyCode) ? payment.currencyCode : null;
  const status = paymentStatus(profile, payment.status);
  return {
    kind: 'seen',
    status,
    amountMinor: payment.amount ?? null,
    currency,
    ...unusualPollDelay(payment.pollDelayInMs),
    ...(status === 'reserved' && reservationOf(payment)),
    customer: customerOf(payment),
  };
}

/**
 * The documents do not say what `paymentExpiresAt` means before the payment is reserved (document
 * 4, section 8).
 */
function reservationOf({ paymentExpiresAt, partialCapturePossible }: PaymentRecord) {
  return {
    expiresAtMs: timeMsOf(paymentExpiresAt),
    partialCapturePossible: partialCapturePossible === true,
  };
}

/**
 * A missing field was not looked up yet; an empty one means that there is nothing (document 4,
 * section 1.2).
 */
export function customerOf({
  loyaltyIds,
  customerReceiptToken,
}: Pick<PaymentRecord, 'loyaltyIds' | 'customerReceiptToken'>): CustomerFacts {
  return { loyaltyIds: loyaltyIds ?? null, receiptToken: customerReceiptToken ?? null };
}
