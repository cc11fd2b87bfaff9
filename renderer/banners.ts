import { html, nothing, type TemplateResult, unsafeCSS } from 'lit';
import type { LaneView } from '../preload/contract.ts';
import { icon, type IconName } from './ui/icons.ts';
import { healthTexts } from './locales/health/index.ts';
import { formatMoney, type Language, languages } from './locales/i18n.ts';
import { unsettledWords } from './unsettled-words.ts';
import styles from './banners.css?inline';

/** What stays on a screen, whatever else it shows, until it is settled. */

const refundIcons: Readonly<Record<NonNullable<LaneView['refund']>['kind'], IconName>> = { refunding: 'busy', refunded: 'check', notRefunded: 'cross' };

/** All of them. Where they are many their list scrolls, and the keyboard comes to it. */
export function bannerList(language: Language, banners: readonly TemplateResult[]): TemplateResult {
  // One element however many there are: it may have the focus while they change.
  const scrolls = banners.length > 1;
  return html`<div
    class="banners"
    role=${scrolls ? 'region' : nothing}
    tabindex=${scrolls ? '0' : nothing}
    aria-label=${scrolls ? healthTexts[language].parts.unsettled : nothing}
  >
    ${banners}
  </div>`;
}

/** Money whose end is decided and not confirmed. @param where before the sentence, where it is not the lane in sight */
export function unsettledStrip(language: Language, money: LaneView['unsettled'][number], where = ''): TemplateResult {
  return html`<div class="banner ${money.needsPerson ? 'person' : ''}" role="status" data-testid="unsettled">
    ${icon('warning')}<span>${where} ${formatMoney(language, money)} ${unsettledWords(language, money, Date.now())}</span>
  </div>`;
}

export function damageStrip(language: Language, { repaired, lostSales }: NonNullable<LaneView['journalDamage']>): TemplateResult {
  const { journalDamage } = languages[language];
  const what = !repaired ? journalDamage.open : lostSales === 0 ? journalDamage.whole : journalDamage.lost(lostSales);
  return html`<div class="banner person" role="status" data-testid="journal-damage">${icon('warning')}<span>${what}</span></div>`;
}

export function refundStrip(language: Language, refund: NonNullable<LaneView['refund']>): TemplateResult {
  const texts = languages[language];
  const { what, next: then } = refund.kind === 'notRefunded' ? texts.notRefunded[refund.reason] : texts.refund[refund.kind];
  const isOpen = refund.kind === 'refunding' || refund.isConfirmed;
  const next = isOpen ? then : texts.notConfirmed[refund.kind === 'refunded' ? 'refunded' : 'cancelled'];
  const says = refund.kind === 'notRefunded' ? `${texts.refund.notRefunded}: ${what}` : what;
  return html`<div class="banner refund" role="status" data-testid="refund">
    ${icon(refundIcons[refund.kind])}<span>${formatMoney(language, refund)} ${says}. ${next}</span>
  </div>`;
}

export const bannerStyles = unsafeCSS(styles);
