import { type Language, locales } from '../../domain/languages.ts';
import { tillTexts } from './texts.ts';
import { isRefund, type Ticket } from './ticket.ts';

const usualWidth = 40;
const narrowestWidth = 16;

export interface ReceiptOptions {
  readonly laneName: string;
  readonly language: Language;
  /** Characters per line; null when the till did not tell. */
  readonly printerWidth: number | null;
}

/** The receipt of a paid sale or a done refund, for tills that let the terminal write it. Without the customer's data. */
export function receiptLines(ticket: Ticket, { laneName, language, printerWidth }: ReceiptOptions): string[] {
  const columns = Math.max(narrowestWidth, printerWidth ?? usualWidth);
  const { receipt: texts } = tillTexts[language];
  const amount = new Intl.NumberFormat(locales[language], { minimumFractionDigits: 2, useGrouping: false }).format(ticket.amountMinor / 100);
  const row = (left: string, right: string): string[] => {
    const gap = columns - left.length - right.length;
    return gap > 0 ? [left + ' '.repeat(gap) + right] : [left, right.padStart(columns)];
  };
  return [
    laneName,
    localTime(ticket.startedAtMs),
    '-'.repeat(columns),
    ...(isRefund(ticket) ? [texts.refund] : []),
    ...row(texts.wallet, `${ticket.currency} ${amount}`),
    ...row(texts.result, isRefund(ticket) ? texts.refunded : texts.paid),
    ...(isRefund(ticket) ? row(texts.originalReceipt, receiptDigits(ticket.originalReceiptNumber)) : []),
    '-'.repeat(columns),
    ...row(texts.receipt, receiptDigits(ticket.receiptNumber)),
    ...row(texts.trace, String(ticket.traceNumber).padStart(6, '0')),
    ...row(texts.order, isRefund(ticket) ? ticket.refundOrderId : ticket.orderId),
  ].map((line) => line.slice(0, columns));
}

const receiptDigits = (receiptNumber: number): string => String(receiptNumber).padStart(4, '0');

function localTime(atMs: number): string {
  const at = new Date(atMs);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}
