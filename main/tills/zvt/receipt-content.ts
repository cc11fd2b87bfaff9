/**
 * The content of a receipt: ZVT tills get it in lines (`receipt.ts`), tills that
 * speak Nexo in names and values (`main/tills/nexo/receipts.ts`).
 */
import { localMinute } from '../../core/domain/local-time.ts';
import { type Language, locales } from '../../core/domain/languages.ts';
import type { Money } from '../../core/domain/money.ts';
import type { BookingTicket } from '../../core/domain/sale.ts';
import type { ShopOnPaper } from '../../core/domain/shop.ts';
import { receiptDigits } from '../../core/domain/receipt-number.ts';
import type { Copy } from './registration.ts';
import { tillTexts } from './texts.ts';
import { isBooking, isOfTest, isRefund, type Ticket } from './ticket.ts';
import type { Words } from './words.ts';

/** Whose paper it is, and its language. */
export interface PaperHead {
  readonly laneName: string;
  readonly shop: ShopOnPaper;
  readonly language: Language;
}

export interface ContentOptions extends PaperHead {
  readonly terminalId: string;
  /** Whose copy it is; missing when it is the only one. */
  readonly holder?: Copy;
  /** Whether it is a copy of what was printed before. */
  readonly isReprint?: boolean;
  /** Why nothing was paid, or refunded; null when only that is known. Missing when it was done. */
  readonly failed?: Words | null;
}

/** A part of a receipt. A title stands alone, a row has a label. */
export type ReceiptPart =
  | {
      readonly is: 'test' | 'head' | 'holder' | 'reprint' | 'refund' | 'reason';
      readonly title: string;
    }
  | {
      readonly is:
        | 'amount'
        | 'result'
        | 'reserved'
        | 'originalReceipt'
        | 'originalTrace'
        | 'terminal'
        | 'receipt'
        | 'trace'
        | 'order';
      readonly label: string;
      readonly value: string;
    }
  | { readonly is: 'time'; readonly text: string }
  | { readonly is: 'rule' };

/** The receipt of a sale, a refund or a decided reservation. Without the customer's data. */
export function receiptContent(
  ticket: Ticket | BookingTicket,
  { shop, ...others }: ContentOptions,
): ReceiptPart[] {
  const options = { ...others, shop: isOfTest(ticket) ? { ...shop, isTest: true as const } : shop };
  const { terminalId, language, holder, isReprint, failed } = options;
  const { receipt: texts } = tillTexts[language];
  const money = moneyIn(language);
  return [
    ...headOf(options),
    { is: 'time', text: localMinute(ticket.startedAtMs) },
    ...titles(
      'holder',
      holder === undefined ? null : holder === 'merchant' ? texts.merchantCopy : texts.customerCopy,
    ),
    ...titles('reprint', isReprint === true ? texts.copy : null),
    { is: 'rule' },
    ...titles('refund', isRefund(ticket) ? texts.refund : null),
    { is: 'amount', label: texts.wallet, value: money(ticket) },
    {
      is: 'result',
      label: texts.result,
      value:
        failed === undefined
          ? doneWords(ticket, texts)
          : isRefund(ticket)
            ? texts.notRefunded
            : texts.notPaid,
    },
    ...titles('reason', failed == null ? null : failed(tillTexts[language])),
    ...(isBooking(ticket)
      ? [
          {
            is: 'reserved',
            label: texts.reserved,
            value: money({ ...ticket, amountMinor: ticket.reservedMinor }),
          } as const,
        ]
      : []),
    ...(isRefund(ticket) || isBooking(ticket)
      ? ([
          {
            is: 'originalReceipt',
            label: texts.originalReceipt,
            value: receiptDigits(ticket.originalReceiptNumber),
          },
          {
            is: 'originalTrace',
            label: texts.originalTrace,
            value: traceDigits(ticket.originalTraceNumber),
          },
        ] as const)
      : []),
    { is: 'rule' },
    { is: 'terminal', label: texts.terminal, value: terminalId },
    { is: 'receipt', label: texts.receipt, value: receiptDigits(ticket.receiptNumber) },
    { is: 'trace', label: texts.trace, value: traceDigits(ticket.traceNumber) },
    {
      is: 'order',
      label: texts.order,
      value: isRefund(ticket) ? ticket.refundOrderId : ticket.orderId,
    },
    ...testMark(options),
  ];
}

type Titled = Extract<ReceiptPart, { readonly title: string }>;
const titles = (is: Titled['is'], title: string | null): Titled[] =>
  title === null ? [] : [{ is, title }];

const doneWords = (
  ticket: Ticket | BookingTicket,
  { refunded, released, paid }: { refunded: string; released: string; paid: string },
): string =>
  isRefund(ticket) ? refunded : isBooking(ticket) && ticket.kind === 'release' ? released : paid;

/** The first and last line of a paper where no real money moves. */
const testMark = ({ shop, language }: Pick<PaperHead, 'shop' | 'language'>): Titled[] =>
  titles('test', shop.isTest ? tillTexts[language].receipt.test : null);

/** The head of the paper: the shop and the lane. */
export function headOf({ laneName, shop, language }: PaperHead): Titled[] {
  const { vat } = tillTexts[language].receipt;
  return [
    ...testMark({ shop, language }),
    ...[shop.name, shop.address, shop.vat && `${vat} ${shop.vat}`, laneName].flatMap((text) =>
      titles('head', text),
    ),
  ];
}

/** An amount as paper has it. */
export function moneyIn(language: Language): (money: Money) => string {
  const format = new Intl.NumberFormat(locales[language], {
    minimumFractionDigits: 2,
    useGrouping: false,
  });
  return ({ amountMinor, currency }) => `${currency} ${format.format(amountMinor / 100)}`;
}

const traceDigits = (traceNumber: number): string => String(traceNumber).padStart(6, '0');
