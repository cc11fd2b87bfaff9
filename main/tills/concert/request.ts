import type { Currency } from '../../core/domain/money.ts';
import type { PaymentTicket } from '../../core/domain/sale.ts';

/**
 * Why an operation was not carried out: tag AF, "complementary information". The codes are those of
 * its public descriptions; no other code is sent.
 */
export const WHY = {
  refused: '04',
  forbidden: '05',
  abandoned: '06',
  notCompleted: '07',
  timedOut: '08',
  badFormat: '09',
  badSelection: '10',
  abandonedByOperator: '11',
  unknownAction: '12',
  currencyNotSupported: '13',
} as const;
export type Why = (typeof WHY)[keyof typeof WHY];

export type ConcertOutcome =
  /** `paid` is null when nothing was to be paid, as with an identification. */
  | {
      readonly done: true;
      readonly paid: { readonly amountMinor: number; readonly receiptNumber: number } | null;
    }
  | { readonly done: false; readonly why: Why };

/** A till's request, whichever format it came in. */
export interface Request {
  readonly command:
    | { readonly what: 'payment'; readonly amountMinor: number; readonly currency: Currency }
    | { readonly what: 'duplicate' | 'identification' }
    | { readonly what: 'impossible'; readonly why: Why };
  /** The till's own reference of this transaction (tag CH); null without one. */
  readonly reference: string | null;
  /** The answer's bytes, in the request's format. */
  answer(result: ConcertOutcome): Uint8Array;
}

const currencyByNumber: Readonly<Record<string, Currency>> = {
  '208': 'DKK',
  '578': 'NOK',
  '978': 'EUR',
};

/** The currency of an ISO 4217 number; null for one that wallet services do not take. */
export const currencyOf = (digits: string): Currency | null => currencyByNumber[digits] ?? null;

/** @returns minor units; null when the digits are not an amount above 0 */
export function amountOf(digits: string): number | null {
  return /^\d{1,12}$/.test(digits) && Number(digits) > 0 ? Number(digits) : null;
}

export const refused = (why: Why): ConcertOutcome => ({ done: false, why });
export const paidOutcome = ({ amountMinor, receiptNumber }: PaymentTicket): ConcertOutcome => ({
  done: true,
  paid: { amountMinor, receiptNumber },
});
