import { html, LitElement, nothing, type TemplateResult, unsafeCSS } from 'lit';
import { property } from 'lit/decorators.js';
import type { Closing, Overlap } from '../../../preload/procedures/day.ts';
import {
  formatDate,
  formatDateTime,
  formatMoney,
  formatNumber,
  formatTime,
  type Language,
} from '../../locales/i18n.ts';
import { managerTexts } from '../../locales/manager.ts';
import { busyHoursOf, byCurrency, type CurrencyFigures, netMinor } from './day-figures.ts';
import { testsTexts } from './day-totals.ts';
import { overlapText } from './overlap-text.ts';
import { openMoneyText } from '../open-money-text.ts';
import { shopLines, testMark } from '../shop-head.ts';
import styles from './closing-report.css?inline';

/** A closing report, which is the same on screen and on paper, and does not change. */
class ClosingReport extends LitElement {
  static override styles = unsafeCSS(styles);

  @property({ attribute: false }) language!: Language;
  @property({ attribute: false }) closing!: Closing;

  protected override render(): TemplateResult {
    const { language, closing } = this;
    const { report: words, open, allLanes, lane } = managerTexts[language].day;
    const at = (ms: number): string => formatDateTime(language, ms);
    const { shop } = closing;
    const shopName = shop.name === null ? nothing : html`<p><strong>${shop.name}</strong></p>`;
    return html`${testMark(language, shop.isTest)} ${[shop.name, shop.address, shop.vat].every((one) => one === null) ? nothing : html`<header>${shopName} ${shopLines(language, shop)}</header>`}
      <h2>${words.title({ number: closing.number })}</h2>
      <dl>
        <dt>${lane}</dt><dd>${closing.laneId === null ? allLanes : (closing.lanes.find(({ laneId }) => laneId === closing.laneId)?.name ?? closing.laneId)}</dd>
        <dt>${words.period}</dt><dd>${closing.fromMs === 0 ? words.fromBeginning : at(closing.fromMs)} – ${at(closing.toMs)}</dd>
        <dt>${words.closed}</dt><dd>${at(closing.atMs)}</dd>
        <dt>${words.by}</dt><dd>${closing.till === undefined ? closing.by : `${words.byTill} (${closing.till})`}</dd>
      </dl>
      ${closing.lanes.length === 0 ? html`<p>${managerTexts[language].day.nothing.title}</p>` : byCurrency(closing.lanes).map((figures) => this.#currency(figures))}
      <section>
        <h3>${open.title}</h3>
        ${
          closing.open.length === 0
            ? html`<p>${open.none}</p>`
            : html`<ul>
                ${closing.open.map((money) => html`<li>${openMoneyText(language, money)} <span class="soft">${at(money.atMs)} · ${money.orderId}</span></li>`)}
              </ul>`
        }
      </section>
      ${
        closing.overlaps.length === 0
          ? nothing
          : html`<section data-testid="report-overlaps">
              <h3>${words.overlaps}</h3>
              <ul>
                ${closing.overlaps.map((overlap) => html`<li>${overlapText(language, overlap, this.#laneName(overlap))}</li>`)}
              </ul>
            </section>`
      }
      <p class="signature">${words.signature}</p>
      ${testMark(language, shop.isTest)}`;
  }

  #laneName({ laneId, lanes }: Overlap): string {
    return lanes.find((lane) => lane.laneId === laneId)?.name ?? laneId ?? '';
  }

  #currency(figures: CurrencyFigures): TemplateResult {
    const { language, closing } = this;
    const { hour, payments, refunds, total, totals } = managerTexts[language].day;
    const { currency, lanes } = figures;
    const days = Map.groupBy(busyHoursOf(currency, closing.hours), ({ hourMs }) =>
      formatDate(language, hourMs),
    );
    return html`<section data-testid="report-currency" data-currency=${currency}>
      <h3>${totals}, ${currency}</h3>
      <table>
        ${lanes.map((one) => this.#moved(one.name, one, currency))} ${lanes.length > 1 ? this.#moved(total, figures, currency) : nothing}
      </table>
      ${testsTexts(language, figures).map((said) => html`<p data-testid="report-tests">${said}</p>`)}
      <table>
        <thead>
          <tr><th class="of" scope="col">${hour}</th><th class="of" scope="col">${payments}</th><th class="of" scope="col">${refunds}</th></tr>
        </thead>
        ${[...days].map(
          ([day, hours]) =>
            html`<tbody>
              <tr>
                <th class="soft" colspan="3" scope="rowgroup">${day}</th>
              </tr>
              ${hours.map(
                (one) =>
                  html`<tr>
                    <th scope="row">${formatTime(language, one.hourMs)}</th>
                    <td>${this.#money(one.payments.sumMinor, currency)}</td>
                    <td>${this.#money(one.refunds.sumMinor, currency)}</td>
                  </tr>`,
              )}
            </tbody>`,
        )}
      </table>
    </section>`;
  }

  #moved(
    name: string,
    figures: Pick<CurrencyFigures, 'payments' | 'refunds'>,
    currency: string,
  ): TemplateResult {
    const { payments, refunds, net } = managerTexts[this.language].day;
    const row = (what: string, { count, sumMinor }: CurrencyFigures['payments']): TemplateResult =>
      html`<tr><th scope="row">${what}</th><td>${formatNumber(this.language, count)}</td><td>${this.#money(sumMinor, currency)}</td></tr>`;
    return html`<tbody>
      <tr><th class="of" colspan="3" scope="rowgroup">${name}</th></tr>
      ${row(payments, figures.payments)} ${row(refunds, figures.refunds)}
      <tr class="net"><th scope="row">${net}</th><td></td><td>${this.#money(netMinor(figures), currency)}</td></tr>
    </tbody>`;
  }

  #money(amountMinor: number, currency: string): string {
    return formatMoney(this.language, { amountMinor, currency });
  }
}
customElements.define('tb-closing-report', ClosingReport);
