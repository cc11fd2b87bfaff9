import { localMinute } from '../../core/domain/local-time.ts';
import type { ClosingTold, DayFigures, DayTold } from '../../core/domain/day.ts';
import type { Currency } from '../../core/domain/money.ts';
import { receiptDigits } from '../../core/domain/receipt-number.ts';
import { type PaperLine, paperPackets } from './paper.ts';
import { headLines, layout, type PaperOptions } from './receipt.ts';
import { moneyIn } from './receipt-content.ts';
import type { Registration } from './registration.ts';
import type { ZvtTerminal } from './terminal.ts';
import { tillTexts } from './texts.ts';

/** More reservations than a shop has open. */
const maxReservations = 50;

/** A closing report or totals, for tills that let the terminal write them. */
export function reportPackets(
  day: DayTold | ClosingTold,
  { laneName, shop, currency }: Pick<ZvtTerminal, 'laneName' | 'shop' | 'currency'>,
  registration: Registration,
): Uint8Array[] {
  return paperPackets(
    reportLines(day, currency, { laneName, shop, ...registration }),
    { holder: 'administration', ended: 'done' },
    registration,
  );
}

/** @param laneCurrency the currency of a day without payments */
function reportLines(
  day: DayTold | ClosingTold,
  laneCurrency: Currency,
  options: PaperOptions,
): PaperLine[] {
  const { day: texts } = tillTexts[options.language];
  const { row, title, rule } = layout(options);
  const money = moneyIn(options.language);
  const { fromMs, toMs, receipts, reservations, unsettledCount } = day;
  const figures =
    day.figures.length > 0
      ? day.figures
      : [{ currency: laneCurrency, payments: nothing, refunds: nothing }];
  return [
    ...headLines(options),
    localMinute('atMs' in day ? day.atMs : toMs),
    rule,
    ...('number' in day ? row(texts.closing, String(day.number)) : title(texts.totals)),
    ...row(texts.from, fromMs === 0 ? texts.beginning : localMinute(fromMs)),
    ...row(texts.to, localMinute(toMs)),
    ...(receipts === null
      ? []
      : row(texts.receipts, `${receiptDigits(receipts.first)} - ${receiptDigits(receipts.last)}`)),
    ...figures.flatMap(({ currency, payments, refunds, tests }: DayFigures) => [
      rule,
      ...row(
        `${texts.payments} ${payments.count}`,
        money({ amountMinor: payments.sumMinor, currency }),
      ),
      ...row(
        `${texts.refunds} ${refunds.count}`,
        money({ amountMinor: refunds.sumMinor, currency }),
      ),
      ...row(texts.net, money({ amountMinor: payments.sumMinor - refunds.sumMinor, currency })),
      ...[
        { label: texts.tests, of: tests?.payments ?? nothing },
        { label: texts.testRefunds, of: tests?.refunds ?? nothing },
      ].flatMap(({ label, of: { count, sumMinor } }) =>
        count === 0 ? [] : row(`${label} ${count}`, money({ amountMinor: sumMinor, currency })),
      ),
    ]),
    ...(reservations.length + unsettledCount > 0 ? [rule] : []),
    ...(reservations.length > 0 ? row(texts.reservations, String(reservations.length)) : []),
    ...reservations
      .slice(0, maxReservations)
      .flatMap((one) =>
        row(
          one.receiptNumber === null ? one.orderId : receiptDigits(one.receiptNumber),
          money(one),
        ),
      ),
    ...(unsettledCount > 0 ? row(texts.unconfirmed, String(unsettledCount)) : []),
  ];
}

const nothing = { count: 0, sumMinor: 0 } as const;
