import { localMinute } from '../../domain/local-time.ts';
import type { BookingTicket } from '../../domain/sale.ts';
import { type Language, locales } from '../../domain/languages.ts';
import type { Money } from '../../domain/money.ts';
import type { ShopOnPaper } from '../../domain/shop.ts';
import { type PaperLine, paperPackets } from './paper.ts';
import type { Copy, Registration } from './registration.ts';
import { defaultTerminalId, type ZvtTerminal } from './terminal.ts';
import { type Charset, writable } from './text.ts';
import { tillTexts } from './texts.ts';
import { isBooking, isRefund, type Ticket } from './ticket.ts';
import type { Words } from './words.ts';

/** Whose paper it is, and how it is written. */
export interface PaperOptions {
  readonly laneName: string;
  readonly terminalId?: string;
  readonly shop: ShopOnPaper;
  readonly language: Language;
  readonly columns: number;
  readonly charset: Charset;
}

export interface ReceiptOptions extends PaperOptions {
  /** Whose copy it is; missing when it is the only one. */
  readonly holder?: Copy;
  /** Whether it is a copy of what was printed before. */
  readonly isReprint?: boolean;
  /** Why nothing was paid, or refunded. */
  readonly failed?: Words | null;
}

/** What a receipt of a till is about, beside its payment or refund. */
export interface ReceiptAbout extends Pick<ReceiptOptions, 'isReprint' | 'failed'> {
  /** Only this copy is printed. */
  readonly only?: Copy;
}

/** The receipts that a till prints for us, in order; none where it prints none, or prints them from the status information. */
export function receiptPackets(
  ticket: Ticket | BookingTicket,
  { laneName, terminalId, shop }: Pick<ZvtTerminal, 'laneName' | 'terminalId' | 'shop'>,
  registration: Registration,
  { only, ...about }: ReceiptAbout = {},
): Uint8Array[] {
  if (!registration.wantsPrintLines) return [];
  const ended = about.failed === undefined ? 'done' : 'failed';
  const { copies } = registration;
  if (copies === null && only === undefined) {
    // The till leaves the copies to us: one receipt of what was done, for the customer.
    return ended === 'failed'
      ? []
      : paperPackets(receiptLines(ticket, { laneName, terminalId, shop, ...registration, ...about }), { holder: 'customer', ended }, registration);
  }
  const holders = only === undefined ? (copies?.[ended] ?? []) : [only];
  return holders.flatMap((holder) =>
    paperPackets(receiptLines(ticket, { laneName, terminalId, shop, ...registration, ...about, holder }), { holder, ended }, registration),
  );
}

/** The receipt of a sale, a refund or a decided reservation, for tills that let the terminal write it. Without the customer's data. */
export function receiptLines(
  ticket: Ticket | BookingTicket,
  { laneName, terminalId = defaultTerminalId, shop, language, columns, charset, holder, isReprint, failed }: ReceiptOptions,
): PaperLine[] {
  const { receipt: texts } = tillTexts[language];
  const { row, title, rule } = layout({ columns, charset });
  const money = moneyIn(language);
  return [
    ...headOf({ laneName, shop, language, columns, charset }),
    localMinute(ticket.startedAtMs),
    ...(holder === undefined ? [] : title(holder === 'merchant' ? texts.merchantCopy : texts.customerCopy)),
    ...(isReprint === true ? title(texts.copy) : []),
    rule,
    ...(isRefund(ticket) ? title(texts.refund) : []),
    ...row(texts.wallet, money(ticket)),
    ...row(texts.result, failed === undefined ? doneWords(ticket, texts) : isRefund(ticket) ? texts.notRefunded : texts.notPaid),
    ...(failed == null ? [] : title(failed(tillTexts[language]))),
    ...(isBooking(ticket) ? row(texts.reserved, money({ amountMinor: ticket.reservedMinor, currency: ticket.currency })) : []),
    ...(isRefund(ticket) || isBooking(ticket)
      ? [...row(texts.originalReceipt, receiptDigits(ticket.originalReceiptNumber)), ...row(texts.originalTrace, traceDigits(ticket.originalTraceNumber))]
      : []),
    rule,
    ...row(texts.terminal, terminalId),
    ...row(texts.receipt, receiptDigits(ticket.receiptNumber)),
    ...row(texts.trace, traceDigits(ticket.traceNumber)),
    ...row(texts.order, isRefund(ticket) ? ticket.refundOrderId : ticket.orderId),
  ];
}

const doneWords = (ticket: Ticket | BookingTicket, { refunded, released, paid }: { refunded: string; released: string; paid: string }): string =>
  isRefund(ticket) ? refunded : isBooking(ticket) && ticket.kind === 'release' ? released : paid;

/** The head of the paper: the shop and the lane. */
export function headOf({ laneName, shop, language, ...paper }: PaperOptions): PaperLine[] {
  const { title } = layout(paper);
  const { vat } = tillTexts[language].receipt;
  return [shop.name, shop.address, shop.vat && `${vat} ${shop.vat}`, laneName].flatMap((text) => (text === null ? [] : title(text)));
}

/** An amount as paper has it. */
export function moneyIn(language: Language): (money: Money) => string {
  const format = new Intl.NumberFormat(locales[language], { minimumFractionDigits: 2, useGrouping: false });
  return ({ amountMinor, currency }) => `${currency} ${format.format(amountMinor / 100)}`;
}

/** Lines of so many characters, as the till's character set can write them. */
export function layout({ columns, charset }: { readonly columns: number; readonly charset: Charset }): {
  /** A row in two lines where one is too short. */
  readonly row: (left: string, right: string) => PaperLine[];
  /** A title in the middle, broken where it is too long. */
  readonly title: (text: string) => PaperLine[];
  readonly rule: PaperLine;
} {
  return {
    row(label, value) {
      const left = writable(label, charset);
      const right = writable(value, charset);
      const gap = columns - left.length - right.length;
      const lines = gap > 0 ? [left + ' '.repeat(gap) + right] : [left, right.padStart(columns)];
      return lines.map((line) => line.slice(0, columns));
    },
    title: (text) => wrapped(writable(text, charset), columns).map((title) => ({ title })),
    rule: '-'.repeat(columns),
  };
}

/** The text in lines of so many characters, broken between words where possible. */
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
const traceDigits = (traceNumber: number): string => String(traceNumber).padStart(6, '0');
