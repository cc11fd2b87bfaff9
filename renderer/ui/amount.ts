import { html, type TemplateResult } from 'lit';
import type { LaneState } from '../../preload/contract.ts';
import { formatMoney, type Language } from '../locales/i18n.ts';

type Money = Pick<Extract<LaneState, { amountMinor: number }>, 'amountMinor' | 'currency'>;

/** An amount on one line. The style sheet reduces its size with its length, so that a long amount is never cut. */
export function amount(language: Language, money: Money): TemplateResult {
  const text = formatMoney(language, money);
  // The property, not the attribute: the content security policy forbids inline styles in markup.
  return html`<div class="amount" data-testid="amount" .style=${`--characters: ${text.length}`}>${text}</div>`;
}
