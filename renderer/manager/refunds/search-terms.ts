import type { InputOf } from '../../../preload/procedures.ts';
import type { Language } from '../../locales/i18n.ts';
import { parseMoney } from '../../locales/parse-money.ts';
import { maxReceiptNumber } from '../../../main/core/domain/receipt-number.ts';

/** One property by which payments can be found. */
export type SearchTerm = Pick<
  InputOf<'findSales'>,
  | 'amountMinor'
  | 'receiptNumber'
  | 'orderIdBeginning'
  | 'orderIdEnding'
  | 'refundOrderIdEnding'
  | 'saleId'
  | 'paymentIdEnding'
>;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/**
 * An order id as `newSale` composes it: the lane or the cashier's reference, the trace number, the
 * beginning of the sale's id.
 */
const orderId = /^.{1,20}-\d{6}-[0-9a-f]{8}$/i;
const orderIdBeginning = /^(.{1,20}-\d{6})(-[0-9a-f]{0,7})?$/i;
/** The beginning of what a cashier called a payment: something with a letter in it. */
const orderName = /^(?=.*\p{L}).{3,20}$/u;
/** The ending of an order id. Its lengths exclude the ending of a UUID. */
const orderIdEnding = /^(?:(?:.{1,27}-)?[0-9a-f]{8}|[0-9a-f]{4,7})$/i;
/** The ending of a UUID, whose last group has twelve digits. */
const ending = /^(?:[0-9a-f]{4,12}|[0-9a-f-]{0,23}-[0-9a-f]{12})$/i;
/**
 * Payment id of a service whose payment ids are the merchant's references. Shorter texts are looked
 * up as order ids.
 */
const reference = /^[a-zA-Z0-9-]{37,64}$/;
const currency = /^(?:kr\.?|dkk|eur|€)\s*|\s*(?:kr\.?|dkk|eur|€)$/gi;

/**
 * Everything that a typed or scanned text may mean: "250" is both a receipt number and an amount.
 * @returns `[{}]`, which matches every payment, for an empty text; null when no payment can be
 * found by such a text
 */
export function searchTermsIn(language: Language, text: string): SearchTerm[] | null {
  // Ids are often shortened to "…5a1e".
  const typed = text.trim().replace(/^(?:…|\.{3})\s*/, '');
  if (typed === '') return [{}];
  // The service's payment ids are UUIDs too, and so are the order ids of managers' refunds.
  if (uuid.test(typed))
    return [
      { saleId: typed.toLowerCase() },
      { paymentIdEnding: typed.toLowerCase() },
      { refundOrderIdEnding: typed.toLowerCase() },
    ];
  if (orderId.test(typed)) return [{ orderIdEnding: typed }];
  const [, beginning, more = ''] = orderIdBeginning.exec(typed) ?? [];
  if (beginning !== undefined) return [{ orderIdBeginning: beginning + more.toLowerCase() }];
  const amounts = amount(language, typed);
  const clues = [
    ...receipt(typed),
    ...amounts,
    ...(orderIdEnding.test(typed) ? [{ orderIdEnding: typed.toLowerCase() }] : []),
    // A till's refund ends as an order id does, a manager's as a UUID.
    ...(orderIdEnding.test(typed) || ending.test(typed)
      ? [{ refundOrderIdEnding: typed.toLowerCase() }]
      : []),
    ...(ending.test(typed) ? [{ paymentIdEnding: typed.toLowerCase() }] : []),
    ...(amounts.length === 0 ? orderNameTerms(typed) : []),
  ];
  return clues.length === 0 ? null : clues;
}

/**
 * The id to ask the service for. The service finds whole ids only: null when the text is not one.
 */
export function serviceQuery(
  text: string,
): { readonly orderId: string } | { readonly paymentId: string } | null {
  const typed = text.trim();
  if (uuid.test(typed)) return { paymentId: typed.toLowerCase() };
  if (typed !== '' && typed.length <= 36) return { orderId: typed };
  return reference.test(typed) ? { paymentId: typed } : null;
}

/**
 * What the cashier called a payment, with which its order id begins. The journal compares letters
 * exactly.
 */
function orderNameTerms(typed: string): SearchTerm[] {
  if (!orderName.test(typed)) return [];
  return [...new Set([typed, typed.toUpperCase(), typed.toLowerCase()])].map((text) => ({
    orderIdBeginning: text,
  }));
}

function receipt(typed: string): SearchTerm[] {
  const receiptNumber = /^\d{1,4}$/.test(typed) ? Number(typed) : 0;
  return receiptNumber >= 1 && receiptNumber <= maxReceiptNumber ? [{ receiptNumber }] : [];
}

function amount(language: Language, typed: string): SearchTerm[] {
  // Receipt numbers are printed with leading zeros, amounts are not.
  if (/^0\d/.test(typed)) return [];
  const { amountMinor } = parseMoney(language, typed.replace(currency, ''));
  return amountMinor === null || amountMinor === 0 ? [] : [{ amountMinor }];
}

/**
 * The period from the first to the last day, both included, in this computer's time zone. Null when
 * the first day is after the last.
 */
export function periodOf(
  fromDay: string,
  toDay: string,
): Pick<InputOf<'findSales'>, 'fromMs' | 'toMs'> | null {
  if (fromDay !== '' && toDay !== '' && fromDay > toDay) return null;
  return {
    ...(fromDay === '' ? {} : { fromMs: startOf(fromDay, 0) }),
    ...(toDay === '' ? {} : { toMs: startOf(toDay, 1) }),
  };
}

function startOf(isoDay: string, daysLater: number): number {
  const [year = 0, month = 1, date = 1] = isoDay.split('-').map(Number);
  return new Date(year, month - 1, date + daysLater).getTime();
}
