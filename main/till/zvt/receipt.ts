import type { BookingTicket } from '../../domain/sale.ts';
import { type Language, locales } from '../../domain/languages.ts';
import type { Money } from '../../domain/money.ts';
import type { ShopOnPaper } from '../../domain/shop.ts';
import { tillTexts } from './texts.ts';
import { isBooking, isRefund, type Ticket } from './ticket.ts';

const usualWidth = 40;
const narrowestWidth = 16;

export interface ReceiptOptions {
  readonly laneName: string;
  readonly shop: ShopOnPaper;
  readonly language: Language;
  /** Characters per line; null when the till did not tell. */
  readonly printerWidth: number | null;
  /** It says so of itself. */
  readonly isCopy?: boolean;
}

/** The receipt of a paid sale, a done refund or a decided reservation, for tills that let the terminal write it. Without the customer's data. */
export function receiptLines(ticket: Ticket | BookingTicket, options: ReceiptOptions): string[] {
  const { language, isCopy = false } = options;
  const { receipt: texts } = tillTexts[language];
  const { columns, row, money, head } = paperOf(options);
  const result = isRefund(ticket) ? texts.refunded : isBooking(ticket) && ticket.kind === 'release' ? texts.released : texts.paid;
  return [
    ...head,
    ...(isCopy ? [texts.copy] : []),
    localTime(ticket.startedAtMs),
    '-'.repeat(columns),
    ...(isRefund(ticket) ? [texts.refund] : []),
    ...row(texts.wallet, money(ticket)),
    ...row(texts.result, result),
    ...(isBooking(ticket) ? row(texts.reserved, money({ amountMinor: ticket.reservedMinor, currency: ticket.currency })) : []),
    ...(isRefund(ticket) || isBooking(ticket) ? row(texts.originalReceipt, receiptDigits(ticket.originalReceiptNumber)) : []),
    '-'.repeat(columns),
    ...row(texts.receipt, receiptDigits(ticket.receiptNumber)),
    ...row(texts.trace, String(ticket.traceNumber).padStart(6, '0')),
    ...row(texts.order, isRefund(ticket) ? ticket.refundOrderId : ticket.orderId),
  ].map((line) => line.slice(0, columns));
}

/** How a till's printer is written on. */
export function paperOf({ laneName, shop, language, printerWidth }: ReceiptOptions) {
  const columns = Math.max(narrowestWidth, printerWidth ?? usualWidth);
  const { vat } = tillTexts[language].receipt;
  const format = new Intl.NumberFormat(locales[language], { minimumFractionDigits: 2, useGrouping: false });
  return {
    columns,
    money: ({ amountMinor, currency }: Money): string => `${currency} ${format.format(amountMinor / 100)}`,
    row: (left: string, right: string): string[] => {
      const gap = columns - left.length - right.length;
      return gap > 0 ? [left + ' '.repeat(gap) + right] : [left, right.padStart(columns)];
    },
    head: [shop.name, shop.address, shop.vat && `${vat} ${shop.vat}`, laneName].flatMap((text) => (text === null ? [] : wrapped(text, columns))),
  };
}

/** In lines of so many characters, broken between words where that is possible. */
function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/u)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length <= columns) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    for (; line.length > columns; line = line.slice(columns)) lines.push(line.slice(0, columns));
  }
  return line === '' ? lines : [...lines, line];
}

export const receiptDigits = (receiptNumber: number): string => String(receiptNumber).padStart(4, '0');

export function localTime(atMs: number): string {
  const at = new Date(atMs);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}
