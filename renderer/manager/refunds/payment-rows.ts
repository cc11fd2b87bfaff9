import { css, html, nothing, type TemplateResult } from 'lit';
import type { FoundSale, RefundState, SaleState } from '../../../preload/procedures/refunds.ts';
import { icon, type IconName } from '../../ui/icons.ts';
import { formatDateTime, formatMoney, type Language } from '../../locales/i18n.ts';
import { managerTexts } from '../../locales/manager.ts';
import { refundedWords } from './asked-by.ts';

type Tone = 'good' | 'neutral' | 'busy' | 'bad';

/** Each state by icon, word and tone. What is decided and not confirmed yet is still busy; the payment's own page says what is missing. */
const shown: Readonly<Record<SaleState | RefundState, { readonly icon: IconName; readonly tone: Tone }>> = {
  open: { icon: 'busy', tone: 'busy' },
  capturing: { icon: 'busy', tone: 'good' },
  cancelling: { icon: 'busy', tone: 'neutral' },
  paid: { icon: 'check', tone: 'good' },
  notPaid: { icon: 'cross', tone: 'neutral' },
  refunded: { icon: 'check', tone: 'good' },
  notRefunded: { icon: 'cross', tone: 'neutral' },
  needsPerson: { icon: 'warning', tone: 'bad' },
};

export function saleChip(language: Language, state: SaleState): TemplateResult {
  return chip(state, managerTexts[language].refunds.state[state]);
}

export function refundChip(language: Language, state: RefundState): TemplateResult {
  return chip(state, managerTexts[language].refunds.refundState[state]);
}

function chip(state: SaleState | RefundState, words: string): TemplateResult {
  const { icon: name, tone } = shown[state];
  return html`<span class="chip" data-tone=${tone} data-state=${state}>${icon(name)} ${words}</span>`;
}

/** Nothing about it goes on by itself. */
export function isFinalState(state: SaleState | RefundState): boolean {
  return state !== 'open' && state !== 'capturing' && state !== 'cancelling';
}

export interface PaymentRowOptions {
  readonly language: Language;
  readonly sale: FoundSale;
  readonly laneName: string;
  readonly isChosen: boolean;
  /** In the list, the one that Tab comes to. */
  readonly isStop: boolean;
  readonly onChoose: (sale: FoundSale) => void;
}

export function paymentRow({ language, sale, laneName, isChosen, isStop, onChoose }: PaymentRowOptions): TemplateResult {
  const { facts } = managerTexts[language].refunds;
  const { atMs, amountMinor, currency, receiptNumber, refundedMinor, saleId, state } = sale;
  return html`<li>
    <button
      class="payment"
      data-testid="payment"
      data-sale=${saleId}
      tabindex=${isStop ? 0 : -1}
      aria-current=${isChosen ? 'true' : nothing}
      @click=${() => onChoose(sale)}
    >
      <span class="much number">${formatMoney(language, { amountMinor, currency })}</span>
      <span class="state">${saleChip(language, state)}</span>
      <span class="about soft number">${formatDateTime(language, atMs)} · ${facts.receipt} ${receiptNumber} · ${laneName}</span>
      ${refundedMinor === 0 ? nothing : html`<span class="back">${icon('refund')} ${refundedWords(language, sale)}</span>`}
    </button>
  </li>`;
}

export const chipStyles = css`
  .chip {
    display: inline-flex;
    align-items: center;
    gap: 0.4em;
    padding: 0.2em 0.8em 0.2em 0.5em;
    border-radius: 2em;
    background: var(--neutral-soft);
    color: var(--neutral);
    font-size: var(--text-small);
    font-weight: 650;
    line-height: 1.3;
    white-space: nowrap;
  }
  .chip > .icon {
    font-size: 1.2em;
  }
  .chip[data-tone='good'] {
    background: var(--good-soft);
    color: var(--good);
  }
  .chip[data-tone='busy'] {
    background: var(--busy-soft);
    color: var(--busy);
  }
  .chip[data-tone='bad'] {
    background: var(--bad-soft);
    color: var(--bad);
  }
`;

export const paymentRowStyles = css`
  .payments {
    display: grid;
    gap: var(--space-2);
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .payment {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    gap: var(--space-1) var(--space-3);
    width: 100%;
    padding: var(--space-3) var(--space-4);
    border-color: transparent;
    box-shadow: 0 1px 2px rgb(18 32 58 / 10%);
    font-weight: 400;
    text-align: start;
  }
  .payment > * {
    justify-self: start;
  }
  .payment .state,
  .payment .back {
    justify-self: end;
  }
  .payment .much {
    font-size: var(--text-lead);
    font-weight: 700;
  }
  .payment .about,
  .payment .back {
    font-size: var(--text-small);
    line-height: 1.4;
  }
  .payment .back {
    display: inline-flex;
    align-items: center;
    gap: 0.4em;
    max-width: 15rem;
    font-weight: 600;
    text-align: end;
  }
  .payment .back > .icon {
    flex: none;
  }
  .payment[aria-current] {
    border-color: var(--busy);
    box-shadow: inset 6px 0 0 var(--busy);
  }
`;
