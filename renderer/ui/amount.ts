import { html, type TemplateResult } from 'lit';
import type { LaneState } from '../../preload/contract.ts';
import { formatAmount, formatMoney, type Language } from '../locales/i18n.ts';

type Money = Pick<Extract<LaneState, { amountMinor: number }>, 'amountMinor' | 'currency'>;

/**
 * An amount on one line. The style sheet reduces its size with its length, so that a long amount is
 * never cut.
 */
export function amount(language: Language, money: Money): TemplateResult {
  const text = formatMoney(language, money);
  // The property, not the attribute: the content security policy forbids inline styles in markup.
  return html`<div class="amount" data-testid="amount" .style=${`--characters: ${text.length}`}>${text}</div>`;
}

/** What digits mean on the amount pad, where the decimals are always typed: `1250 = 12.50`. */
export const padRule = (language: Language): string => `1250 = ${formatAmount(language, 1_250)}`;

/** What digits mean in a field that is read as written: `12 = 12.00`. */
export const fieldRule = (language: Language): string => `12 = ${formatAmount(language, 1_200)}`;
