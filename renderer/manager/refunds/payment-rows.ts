import { html, nothing, type TemplateResult, unsafeCSS } from 'lit';
import type { SaleSummary, RefundState, SaleState } from '../../../preload/procedures/refunds.ts';
import { orderTextOf } from '../../../preload/procedures/plain.ts';
import { icon, type IconName } from '../../ui/icons.ts';
import { formatDateTime, formatMoney, type Language } from '../../locales/i18n.ts';
import { managerTexts } from '../../locales/manager.ts';
import { isRefundedWhole, refundedWords } from './requested-by.ts';
import chipSheet from './chip.css?inline';
import rowSheet from './payment-rows.css?inline';

type Tone = 'good' | 'neutral' | 'busy' | 'bad';

type ChipState = SaleState | RefundState | 'refundedWhole';

/**
 * Each state has an icon, a word and a tone. States that are decided and not confirmed have the
 * icon of busy ones; the payment's page says what is missing.
 */
const iconAndTone: Readonly<Record<ChipState, { readonly icon: IconName; readonly tone: Tone }>> = {
  open: { icon: 'busy', tone: 'busy' },
  held: { icon: 'calendar', tone: 'busy' },
  capturing: { icon: 'busy', tone: 'good' },
  cancelling: { icon: 'busy', tone: 'neutral' },
  paid: { icon: 'check', tone: 'good' },
  notPaid: { icon: 'cross', tone: 'neutral' },
  refunded: { icon: 'check', tone: 'good' },
  refundedWhole: { icon: 'refund', tone: 'neutral' },
  notRefunded: { icon: 'cross', tone: 'neutral' },
  needsPerson: { icon: 'warning', tone: 'bad' },
  elsewhere: { icon: 'check', tone: 'neutral' },
};

export function saleChip(language: Language, sale: SaleSummary): TemplateResult {
  const { state, refundState } = managerTexts[language].refunds;
  return isRefundedWhole(sale)
    ? chip('refundedWhole', refundState.refunded)
    : chip(sale.state, state[sale.state]);
}

export function refundChip(language: Language, state: RefundState): TemplateResult {
  return chip(state, managerTexts[language].refunds.refundState[state]);
}

function chip(state: ChipState, words: string): TemplateResult {
  const { icon: name, tone } = iconAndTone[state];
  return html`<span class="chip" data-tone=${tone} data-state=${state}>${icon(name)} ${words}</span>`;
}

/** Whether the state can change only by another request. */
export function isFinalState(state: SaleState | RefundState): boolean {
  return state !== 'open' && state !== 'held' && state !== 'capturing' && state !== 'cancelling';
}

export interface PaymentRowOptions {
  readonly language: Language;
  readonly sale: SaleSummary;
  readonly laneName: string;
  readonly isChosen: boolean;
  /** Whether this is the row of the list that Tab reaches. */
  readonly isStop: boolean;
  readonly onChoose: (sale: SaleSummary) => void;
}

export function paymentRow({
  language,
  sale,
  laneName,
  isChosen,
  isStop,
  onChoose,
}: PaymentRowOptions): TemplateResult {
  const { facts, partlyCaptured, test } = managerTexts[language].refunds;
  const {
    atMs,
    amountMinor,
    capturedMinor,
    currency,
    orderId,
    receiptNumber,
    refundedMinor,
    saleId,
    state,
    isTest,
  } = sale;
  const money = (minor: number): string => formatMoney(language, { amountMinor: minor, currency });
  const called = isTest ? null : orderTextOf(sale);
  return html`<li>
    <button
      class="payment"
      data-testid="payment"
      data-sale=${saleId}
      tabindex=${isStop ? 0 : -1}
      aria-current=${isChosen ? 'true' : nothing}
      @click=${() => onChoose(sale)}
    >
      <span class="much number">${money(amountMinor)}</span>
      <span class="state">${saleChip(language, sale)}</span>
      <span class="about soft number">${isTest ? html`<strong data-testid="test-payment">${test.name}</strong> · ` : nothing}${formatDateTime(language, atMs)} · ${state === 'elsewhere' ? orderId : html`${facts.receipt} ${receiptNumber} · ${laneName}${called === null ? nothing : ` · ${called}`}`}</span>
      ${
        capturedMinor === null || capturedMinor === amountMinor
          ? nothing
          : html`<span class="back">${icon('check')} ${partlyCaptured({ amount: money(capturedMinor) })}</span>`
      }
      ${refundedMinor === 0 ? nothing : html`<span class="back">${icon('refund')} ${refundedWords(language, sale)}</span>`}
    </button>
  </li>`;
}

export const chipStyles = unsafeCSS(chipSheet);

export const paymentRowStyles = unsafeCSS(rowSheet);
