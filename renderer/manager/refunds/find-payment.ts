import type { InputOf } from '../../../preload/procedures.ts';
import type { Language } from '../../locales/i18n.ts';
import { parseMoney } from '../../locales/parse-money.ts';

/** One thing that is known of a payment. */
export type Clue = Pick<InputOf<'findSales'>, 'amountMinor' | 'receiptNumber' | 'orderIdBeginning' | 'orderIdEnding' | 'saleId' | 'paymentIdEnding'>;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Lane or what the cashier wrote, trace number, beginning of the sale's id: as `newSale` writes it. */
const orderId = /^.{1,20}-\d{6}-[0-9a-f]{8}$/i;
const orderIdBeginning = /^(.{1,20}-\d{6})(-[0-9a-f]{0,7})?$/i;
/** That of a uuid has another length. */
const orderIdEnding = /^(?:.{1,27}-)?[0-9a-f]{8}$/i;
/** Of a uuid, whose last group has twelve. */
const ending = /^(?:[0-9a-f]{4,12}|[0-9a-f-]{0,23}-[0-9a-f]{12})$/i;
const highestReceiptNumber = 9_999;
const currency = /^(?:kr\.?|dkk|eur|€)\s*|\s*(?:kr\.?|dkk|eur|€)$/gi;

/**
 * What a person may mean by what was typed or scanned: any of these, so "250" is a receipt and an amount.
 * [{}]: nothing was typed, every payment; null: it is none of the things that payments are found by.
 */
export function cluesIn(language: Language, text: string): Clue[] | null {
  // As ids are often shortened: "…5a1e".
  const typed = text.trim().replace(/^(?:…|\.{3})\s*/, '');
  if (typed === '') return [{}];
  // The service's ids are of the same kind as ours.
  if (uuid.test(typed)) return [{ saleId: typed.toLowerCase() }, { paymentIdEnding: typed.toLowerCase() }];
  if (orderId.test(typed)) return [{ orderIdEnding: typed }];
  const [, beginning, more = ''] = orderIdBeginning.exec(typed) ?? [];
  if (beginning !== undefined) return [{ orderIdBeginning: beginning + more.toLowerCase() }];
  const clues = [
    ...receipt(typed),
    ...amount(language, typed),
    ...(orderIdEnding.test(typed) ? [{ orderIdEnding: typed.toLowerCase() }] : []),
    ...(ending.test(typed) ? [{ paymentIdEnding: typed.toLowerCase() }] : []),
  ];
  return clues.length === 0 ? null : clues;
}

function receipt(typed: string): Clue[] {
  const receiptNumber = /^\d{1,4}$/.test(typed) ? Number(typed) : 0;
  return receiptNumber >= 1 && receiptNumber <= highestReceiptNumber ? [{ receiptNumber }] : [];
}

function amount(language: Language, typed: string): Clue[] {
  // As receipts print their numbers; no one writes money like this.
  if (/^0\d/.test(typed)) return [];
  const { amountMinor } = parseMoney(language, typed.replace(currency, ''));
  return amountMinor === null || amountMinor === 0 ? [] : [{ amountMinor }];
}

/** Both days included, in this computer's time; null: the first is after the last. */
export function periodOf(fromDay: string, toDay: string): Pick<InputOf<'findSales'>, 'fromMs' | 'toMs'> | null {
  if (fromDay !== '' && toDay !== '' && fromDay > toDay) return null;
  return { ...(fromDay === '' ? {} : { fromMs: startOf(fromDay, 0) }), ...(toDay === '' ? {} : { toMs: startOf(toDay, 1) }) };
}

function startOf(isoDay: string, daysLater: number): number {
  const [year = 0, month = 1, date = 1] = isoDay.split('-').map(Number);
  return new Date(year, month - 1, date + daysLater).getTime();
}
