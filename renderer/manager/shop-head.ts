import { html, nothing, type TemplateResult } from 'lit';
import type { ShopOnPaper } from '../../preload/procedures/lane.ts';
import type { Language } from '../locales/i18n.ts';
import { screenTexts } from '../locales/screens.ts';

/** The first and last line of a paper where no real money moves. */
export const testMark = (language: Language, isTest: ShopOnPaper['isTest']): TemplateResult =>
  html`${isTest ? html`<p data-testid="test-paper"><strong>${screenTexts[language].testPaper}</strong></p>` : nothing}`;

/** The lines printed below the shop's name: its address and its VAT number. */
export function shopLines(language: Language, { address, vat }: ShopOnPaper): TemplateResult {
  return html`${address === null ? nothing : html`<p class="shop" data-testid="shop-address">${address}</p>`}
  ${vat === null ? nothing : html`<p class="shop" data-testid="shop-vat">${screenTexts[language].vatNumber({ vat })}</p>`}`;
}
