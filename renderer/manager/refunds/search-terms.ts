import type { InputOf } from '../../../preload/procedures.ts';
import type { Language } from '../../locales/i18n.ts';
import { parseMoney } from '../../locales/parse-money.ts';

/** One property by which payments can be found. */
export type SearchTerm = Pick<
  InputOf<'findSales'>,
  'amountMinor' | 'receiptNumber' | 'orderIdBeginning' | 'orderIdEnding' | 'refundOrderIdEnding' | 'saleId' | 'paymentIdEnding'
>;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Lane or the cashier's reference, trace number, beginning of the sale's id: as `newSale` composes it. */
const orderId = /^.{1,20}-\d{6}-[0-9a-f]{8}$/i;
const orderIdBeginning = /^(.{1,20}-\d{6})(-[0-9a-f]{0,7})?$/i;
/** Not the ending of a UUID, which has another length. */
const orderIdEnding = /^(?:(?:.{1,27}-)?[0-9a-f]{8}|[0-9a-f]{4,7})$/i;
/** The ending of a UUID, whose last group has twelve digits. */
const ending = /^(?:[0-9a-f]{4,12}|[0-9a-f-]{0,23}-[0-9a-f]{12})$/i;
/** Reference of a payment at a service that has no ids of its own; shorter ones are looked up as order ids. */
const reference = /^[a-zA-Z0-9-]{37,64}$/;
const highestReceiptNumber = 9_999;
const currency = /^(?:kr\.?|dkk|eur|€)\s*|\s*(?:kr\.?|dkk|eur|€)$/gi;

/**
 * Everything that a typed or scanned text may mean: "250" is both a receipt number and an amount.
 * @returns [{}] for an empty text: every payment; null: payments cannot be found by such a text
 */
export function searchTermsIn(language: Language, text: string): SearchTerm[] | null {
  // Ids are often shortened to "…5a1e".
  const typed = text.trim().replace(/^(?:…|\.{3})\s*/, '');
  if (typed === '') return [{}];
  // The service's payment ids are UUIDs too, and so are the order ids of managers' refunds.
  if (uuid.test(typed)) return [{ saleId: typed.toLowerCase() }, { paymentIdEnding: typed.toLowerCase() }, { refundOrderIdEnding: typed.toLowerCase() }];
  if (orderId.test(typed)) return [{ orderIdEnding: typed }];
  const [, beginning, more = ''] = orderIdBeginning.exec(typed) ?? [];
  if (beginning !== undefined) return [{ orderIdBeginning: beginning + more.toLowerCase() }];
  const clues = [
    ...receipt(typed),
    ...amount(language, typed),
    ...(orderIdEnding.test(typed) ? [{ orderIdEnding: typed.toLowerCase() }] : []),
    // A till's refund ends as an order id does, a manager's as a UUID.
    ...(orderIdEnding.test(typed) || ending.test(typed) ? [{ refundOrderIdEnding: typed.toLowerCase() }] : []),
    ...(ending.test(typed) ? [{ paymentIdEnding: typed.toLowerCase() }] : []),
  ];
  return clues.length === 0 ? null : clues;
}

/** What is asked of the service, which knows whole ids alone; null when it is none. */
export function paymentAtServiceAsked(text: string): { readonly orderId: string } | { readonly paymentId: string } | null {
  const typed = text.trim();
  if (uuid.test(typed)) return { paymentId: typed.toLowerCase() };
  if (typed !== '' && typed.length <= 36) return { orderId: typed };
  return reference.test(typed) ? { paymentId: typed } : null;
}

function receipt(typed: string): SearchTerm[] {
  const receiptNumber = /^\d{1,4}$/.test(typed) ? Number(typed) : 0;
  return receiptNumber >= 1 && receiptNumber <= highestReceiptNumber ? [{ receiptNumber }] : [];
}

function amount(language: Language, typed: string): SearchTerm[] {
  // Receipts print their numbers with leading zeros; nobody writes an amount like this.
  if (/^0\d/.test(typed)) return [];
  const { amountMinor } = parseMoney(language, typed.replace(currency, ''));
  return amountMinor === null || amountMinor === 0 ? [] : [{ amountMinor }];
}

/** The period with both days, in this computer's time zone; null when the first is after the last. */
export function periodOf(fromDay: string, toDay: string): Pick<InputOf<'findSales'>, 'fromMs' | 'toMs'> | null {
  if (fromDay !== '' && toDay !== '' && fromDay > toDay) return null;
  return { ...(fromDay === '' ? {} : { fromMs: startOf(fromDay, 0) }), ...(toDay === '' ? {} : { toMs: startOf(toDay, 1) }) };
}

function startOf(isoDay: string, daysLater: number): number {
  const [year = 0, month = 1, date = 1] = isoDay.split('-').map(Number);
  return new Date(year, month - 1, date + daysLater).getTime();
}
