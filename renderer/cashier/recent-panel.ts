import { html, type TemplateResult } from 'lit';
import type { LaneView, Recent } from '../../preload/contract.ts';
import { orderTextOf } from '../../preload/procedures/plain.ts';
import { icon, type IconName } from '../ui/icons.ts';
import { formatDateTime, formatMoney, formatTime, type Language } from '../locales/i18n.ts';
import { screenTexts } from '../locales/screens.ts';

/**
 * The last payments, newest first. @param nowMs the screen's clock, because payments of other days
 * are shown with their date
 */
export function recentPanel(
  language: Language,
  { laneId, recent }: Pick<LaneView, 'laneId' | 'recent'>,
  nowMs: number,
): TemplateResult {
  const texts = screenTexts[language].cashier.recent;
  return html`<section class="recent" aria-labelledby="recent-title">
    <h2 id="recent-title">${icon('history')} ${texts.title}</h2>
    ${
      recent.length === 0
        ? html`<p class="none">${texts.none}</p>`
        : html`<ol class="payments" tabindex="0" data-testid="recent" aria-labelledby="recent-title">${recent.map((sale) => row(language, sale, { nowMs, called: orderTextOf({ ...sale, laneId }) }))}</ol>`
    }
  </section>`;
}

/** @param called what the cashier called the payment */
function row(
  language: Language,
  sale: Recent,
  { nowMs, called }: { readonly nowMs: number; readonly called: string | null },
): TemplateResult {
  const texts = screenTexts[language].cashier.recent;
  const { tone, sign, says } = ending(language, sale);
  const isToday = new Date(sale.startedAtMs).toDateString() === new Date(nowMs).toDateString();
  const at = (isToday ? formatTime : formatDateTime)(language, sale.startedAtMs);
  const { currency, capturedMinor, refundedMinor, certainty } = sale;
  const money = (amountMinor: number): string => formatMoney(language, { amountMinor, currency });
  const notes = [
    ...(certainty === 'decided' ? [screenTexts[language].notConfirmed.short] : []),
    ...(sale.isTest === true ? [texts.test] : sale.by === 'cashier' ? [texts.byHand] : []),
    ...(capturedMinor !== undefined ? [texts.captured({ amount: money(capturedMinor) })] : []),
    ...(refundedMinor > 0 ? [texts.refunded({ amount: money(refundedMinor) })] : []),
    texts.receipt({ number: sale.receiptNumber }),
    ...(called === null ? [] : [called]),
  ];
  return html`<li data-tone=${tone} data-sale=${sale.saleId}>
    ${icon(sign)}
    <span class="money">${formatMoney(language, sale)}</span>
    <span class="at">${at}</span>
    <span class="ended">
      <strong>${says}</strong>${notes.map((note) => html` <span class="note">· ${note}</span>`)}
    </span>
  </li>`;
}

function ending(
  language: Language,
  { reason, certainty }: Recent,
): { readonly tone: string; readonly sign: IconName; readonly says: string } {
  const texts = screenTexts[language].cashier.recent;
  if (certainty === 'contested') return { tone: 'bad', sign: 'warning', says: texts.person };
  if (reason === 'held') return { tone: 'neutral', sign: 'calendar', says: texts.reserved };
  if (reason === null) return { tone: 'good', sign: 'check', says: texts.paid };
  const says = screenTexts[language].notPaid[reason].what;
  return reason === 'leftByCashier'
    ? { tone: 'warn', sign: 'warning', says }
    : { tone: 'bad', sign: 'cross', says };
}
