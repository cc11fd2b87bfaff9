/** The period in four figures. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Summary } from '../../../preload/procedures/reconciliation.ts';
import { icon } from '../../ui/icons.ts';
import { notice } from '../../ui/notice.ts';
import { formatMoney, formatNumber, type Language } from '../../locales/i18n.ts';
import type { ManagerTexts } from '../../locales/manager.ts';

/**
 * Whether something of this counter was in a transfer. Only then can the figures agree or differ.
 */
export const isCompared = (summary: Summary): boolean =>
  summary.counts.matched > 0 || lookAtCount(summary) > 0;

export const lookAtCount = ({ counts }: Summary): number =>
  counts.missing + counts.bankOnly + counts.differs;

/**
 * The text instead of "everything adds up" while payments are not in a transfer yet; null when
 * there are none.
 */
export function nothingCompared(
  language: Language,
  words: ManagerTexts['reconciliation'],
  { counts, currencies }: Summary,
): { title: string; body: string } | null {
  if (counts.waiting === 0) return null;
  const amounts = currencies.flatMap(({ currency, categories: { waiting } }) =>
    waiting.count === 0 ? [] : formatMoney(language, { currency, amountMinor: waiting.oursMinor }),
  );
  const { title, body } = words.empty.nothingYet;
  return { title, body: body({ count: counts.waiting, amount: amounts.join(' + ') }) };
}

export interface CardsOptions {
  readonly language: Language;
  readonly words: ManagerTexts['reconciliation'];
  readonly summary: Summary;
  readonly onLookAt: () => void;
}

export function summaryCards({ language, words, summary, onLookAt }: CardsOptions): TemplateResult {
  const { cards } = words;
  const { currencies, counts } = summary;
  const money = (currency: string, amountMinor: number): string =>
    formatMoney(language, { currency, amountMinor });
  const figure = (lines: readonly string[]): TemplateResult =>
    html`<strong class="figure number" .style=${`--characters: ${Math.max(...lines.map(({ length }) => length))}`}>${lines.map((line) => html`<span>${line}</span>`)}</strong>`;
  const perCurrency = (minorOf: (of: Summary['currencies'][number]) => number): TemplateResult =>
    figure(
      currencies.length === 0
        ? [formatNumber(language, 0)]
        : currencies.map((of) => money(of.currency, minorOf(of))),
    );
  const number = (count: number): TemplateResult => figure([formatNumber(language, count)]);
  const transfers = currencies.reduce((sum, of) => sum + of.transfers, 0);
  const toMatch = counts.matched + counts.waiting + lookAtCount(summary);
  const lookAt = lookAtCount(summary);
  return html`<section class="cards" aria-label=${cards.label}>
      <div class="card figure-card" data-testid="card-received">
        <span class="soft">${icon('bank')} ${cards.received}</span>${perCurrency((of) => of.transferredMinor)}
        <span class="small soft">${cards.transfers({ count: transfers })}</span>
      </div>
      <div class="card figure-card" data-testid="card-fees">
        <span class="soft">${icon('coins')} ${cards.fees}</span>${perCurrency((of) => of.fees.minor)}
        <span class="small soft">${currencies.length === 0 ? nothing : cards.feesOf({ payments: currencies.map((of) => money(of.currency, of.payments.minor)).join(' + ') })}</span>
      </div>
      <div class="card figure-card" data-testid="card-matched">
        <span class="soft">${icon('check')} ${cards.matched}</span>${number(counts.matched)}
        <span class="small soft">${cards.matchedOf({ all: formatNumber(language, toMatch) })}</span>
      </div>
      ${
        !isCompared(summary)
          ? html`<div class="card figure-card" data-testid="card-look-at">
              <span class="soft">${icon('calendar')} ${cards.lookAt}</span>${number(0)}<span class="small">${nothingCompared(language, words, summary)?.title ?? cards.nothingInPeriod}</span>
            </div>`
          : lookAt === 0
            ? html`<div class="card figure-card well" data-testid="card-look-at">
              <span>${icon('check')} ${cards.lookAt}</span>${number(0)}<span class="small">${cards.allWell}</span>
            </div>`
            : html`<button class="card figure-card look" data-testid="card-look-at" @click=${onLookAt}>
              <span>${icon('warning')} ${cards.lookAt}</span>${number(lookAt)}<span class="small">${cards.lookAtHint}</span>
            </button>`
      }
    </section>
    ${currencies
      .filter(({ unexplainedMinor }) => unexplainedMinor !== 0)
      .map(({ currency, unexplainedMinor }) =>
        notice({
          kind: 'warning',
          title: cards.unexplained({ amount: money(currency, unexplainedMinor) }),
          body: cards.unexplainedBody,
        }),
      )}`;
}
