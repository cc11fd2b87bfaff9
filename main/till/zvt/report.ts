import type { ClosingTold, DayTold } from '../../domain/day.ts';
import type { Currency } from '../../domain/money.ts';
import { localTime, paperOf, receiptDigits, type ReceiptOptions } from './receipt.ts';
import { tillTexts } from './texts.ts';

/** More than a shop has open. */
const mostReservations = 50;

/** A closing report or totals, for tills that let the terminal write them. @param laneCurrency of a day without payments */
export function reportLines(day: DayTold | ClosingTold, laneCurrency: Currency, options: ReceiptOptions): string[] {
  const { day: texts } = tillTexts[options.language];
  const { columns, row, money, head } = paperOf(options);
  const { fromMs, toMs, receipts, reservations, unsettledCount } = day;
  const rule = '-'.repeat(columns);
  const figures = day.figures.length > 0 ? day.figures : [{ currency: laneCurrency, payments: nothing, refunds: nothing }];
  const title = 'number' in day ? row(texts.closing, String(day.number)) : [texts.totals];
  return [
    ...head,
    localTime('atMs' in day ? day.atMs : toMs),
    rule,
    ...title,
    ...row(texts.from, fromMs === 0 ? texts.beginning : localTime(fromMs)),
    ...row(texts.to, localTime(toMs)),
    ...(receipts === null ? [] : row(texts.receipts, `${receiptDigits(receipts.first)} - ${receiptDigits(receipts.last)}`)),
    ...figures.flatMap(({ currency, payments, refunds }) => [
      rule,
      ...row(`${texts.payments} ${payments.count}`, money({ amountMinor: payments.sumMinor, currency })),
      ...row(`${texts.refunds} ${refunds.count}`, money({ amountMinor: refunds.sumMinor, currency })),
      ...row(texts.net, money({ amountMinor: payments.sumMinor - refunds.sumMinor, currency })),
    ]),
    ...(reservations.length + unsettledCount > 0 ? [rule] : []),
    ...(reservations.length > 0 ? row(texts.reservations, String(reservations.length)) : []),
    ...reservations.slice(0, mostReservations).flatMap((one) => row(one.receiptNumber === null ? one.orderId : receiptDigits(one.receiptNumber), money(one))),
    ...(unsettledCount > 0 ? row(texts.unconfirmed, String(unsettledCount)) : []),
  ].map((line) => line.slice(0, columns));
}

const nothing = { count: 0, sumMinor: 0 } as const;
