import { html, nothing, type TemplateResult } from 'lit';
import type { OutputOf } from '../../../preload/procedures.ts';
import type { LaneTotals, OpenMoney } from '../../../preload/procedures/day.ts';
import { barChart } from '../../ui/bar-chart.ts';
import { icon } from '../../ui/icons.ts';
import {
  formatAmount,
  formatDateTime,
  formatHour,
  formatMoney,
  formatNumber,
  type Language,
} from '../../locales/i18n.ts';
import { managerTexts } from '../../locales/manager.ts';
import { type CurrencyFigures, hoursOf, netMinor } from './day-figures.ts';
import { openMoneyText } from '../open-money-text.ts';

/** How many test payments of setup are in the figures, and how much. Empty when there are none. */
export function testsTexts(language: Language, { currency, tests }: CurrencyFigures): string[] {
  const words = managerTexts[language].day.tests;
  const sentence = (
    text: (about: { count: number; amount: string }) => string,
    { count, sumMinor }: LaneTotals['payments'],
  ): string[] =>
    count === 0
      ? []
      : [text({ count, amount: formatMoney(language, { amountMinor: sumMinor, currency }) })];
  return [...sentence(words.paid, tests.payments), ...sentence(words.refunded, tests.refunds)];
}

/** Payments, refunds and their difference. @param byLane whether to show a row for each lane */
export function currencyTotals(
  language: Language,
  figures: CurrencyFigures,
  byLane: boolean,
): TemplateResult {
  const words = managerTexts[language].day;
  const { currency, lanes, payments, refunds } = figures;
  const money = (amountMinor: number): string => formatMoney(language, { amountMinor, currency });
  // The table needs no currency, because the tiles above have it.
  const figure = (amountMinor: number): string => formatAmount(language, amountMinor);
  // The size of the digits is that which fits the longest amount.
  const characters = Math.max(
    ...[payments.sumMinor, refunds.sumMinor, netMinor(figures)].map((minor) => money(minor).length),
  );
  const tile = (
    id: string,
    title: string,
    amountMinor: number,
    count: number | null,
  ): TemplateResult =>
    html`<div class="tile" data-testid="${id}-${currency}">
      <span class="soft">${title}${count === null ? nothing : html` · <span class="number">${formatNumber(language, count)}</span>`}</span>
      <strong class="number" .style=${`--characters: ${characters}`}>${money(amountMinor)}</strong>
    </div>`;
  const row = (name: string, one: Pick<LaneTotals, 'payments' | 'refunds'>): TemplateResult =>
    html`<tr>
      <th scope="row">${name}</th>
      <td>${formatNumber(language, one.payments.count)}</td>
      <td>${figure(one.payments.sumMinor)}</td>
      <td>${formatNumber(language, one.refunds.count)}</td>
      <td>${figure(one.refunds.sumMinor)}</td>
      <td><strong>${figure(netMinor(one))}</strong></td>
    </tr>`;
  const laneTable = (): TemplateResult => html`<table class="lanes" data-testid="lane-totals">
      <thead>
        <tr>
          <th scope="col">${words.lane}</th>
          <th scope="colgroup" colspan="2">${words.payments}</th>
          <th scope="colgroup" colspan="2">${words.refunds}</th>
          <th scope="col">${words.net}</th>
        </tr>
      </thead>
      <tbody>
        ${lanes.map((one) => row(one.name, one))}
      </tbody>
      ${lanes.length > 1 ? html`<tfoot>${row(words.total, figures)}</tfoot>` : nothing}
    </table>`;
  return html`<section class="card stack" aria-label="${words.totals}, ${currency}">
    <div class="tiles">
      ${tile('payments', words.payments, payments.sumMinor, payments.count)} ${tile('refunds', words.refunds, refunds.sumMinor, refunds.count)}
      ${tile('net', words.net, netMinor(figures), null)}
    </div>
    ${testsTexts(language, figures).map((said) => html`<p class="soft" data-testid="tests-${currency}">${said}</p>`)}
    ${byLane ? laneTable() : nothing}
  </section>`;
}

export function hourChart(
  language: Language,
  currency: LaneTotals['currency'],
  day: OutputOf<'day'>,
): TemplateResult {
  const words = managerTexts[language].day;
  return html`<section class="card" data-testid="hours-${currency}">
    ${barChart({
      language,
      label: words.byHour({ currency }),
      bars: hoursOf(currency, day.hours, day).map(({ hourMs, payments: { count, sumMinor } }) => ({
        label: formatHour(language, hourMs),
        value: sumMinor,
        text: `${formatMoney(language, { amountMinor: sumMinor, currency })} · ${formatNumber(language, count)}`,
      })),
      categoryTitle: words.hour,
      valueTitle: `${words.sum} · ${words.payments}`,
      axis: (minor) => formatNumber(language, minor / 100, minor % 100 === 0 ? 0 : 2),
    })}
  </section>`;
}

/** Money that is not settled, and what to do about it. */
export function openList(language: Language, open: readonly OpenMoney[]): TemplateResult {
  const words = managerTexts[language].day.open;
  return html`<section class="card stack" aria-labelledby="open-title" data-testid="open-money">
    <h2 class="heading" id="open-title">${words.title}</h2>
    ${
      open.length === 0
        ? html`<p class="settled">${icon('check')} <span>${words.none}</span></p>`
        : html`<ul class="open">
            ${open.map(
              (money) =>
                html`<li data-person=${money.needsPerson}>
                  ${icon(money.needsPerson ? 'warning' : 'busy')}
                  <div class="words">
                    <p>${openMoneyText(language, money)}</p>
                    <p class="soft small"><span class="number">${formatDateTime(language, money.atMs)}</span> · <span class="mono">${money.orderId}</span></p>
                  </div>
                  <a class="button" href="#refunds/${money.saleId}">${words.show}</a>
                </li>`,
            )}
          </ul>`
    }
  </section>`;
}
