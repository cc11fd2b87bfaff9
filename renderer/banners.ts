import { css, html, nothing, type TemplateResult } from 'lit';
import type { LaneView } from '../preload/contract.ts';
import { icon, type IconName } from './ui/icons.ts';
import { formatMoney, type Language } from './locales/i18n.ts';
import { screenTexts } from './locales/screens.ts';
import { unsettledWords } from './unsettled-words.ts';

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
    aria-label=${scrolls ? screenTexts[language].unsettledMoney : nothing}
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
  const { journalDamage } = screenTexts[language];
  const what = !repaired ? journalDamage.open : lostSales === 0 ? journalDamage.whole : journalDamage.lost({ sales: lostSales });
  return html`<div class="banner person" role="status" data-testid="journal-damage">${icon('warning')}<span>${what}</span></div>`;
}

export function refundStrip(language: Language, refund: NonNullable<LaneView['refund']>): TemplateResult {
  const texts = screenTexts[language];
  const { what, next: then } = refund.kind === 'notRefunded' ? texts.notRefunded[refund.reason] : texts.refund[refund.kind];
  const isOpen = refund.kind === 'refunding' || refund.isConfirmed;
  const next = isOpen ? then : texts.notConfirmed[refund.kind === 'refunded' ? 'refunded' : 'cancelled'];
  const says = refund.kind === 'notRefunded' ? `${texts.refund.notRefunded}: ${what}` : what;
  return html`<div class="banner refund" role="status" data-testid="refund">
    ${icon(refundIcons[refund.kind])}<span>${formatMoney(language, refund)} ${says}. ${next}</span>
  </div>`;
}

export const bannerStyles = css`
  .banners {
    /* However many there are: what is above stays in sight. */
    max-height: 30vh;
    overflow-y: auto;
  }
  .banners:focus-visible {
    outline-offset: -3px;
  }
  .banner {
    display: flex;
    align-items: center;
    gap: 12px;
    margin: 0 clamp(16px, 2.5vw, 40px) 8px;
    padding: 10px 20px;
    border-radius: var(--radius-small);
    background: var(--warn-soft);
    color: var(--warn);
    font-size: 1.1rem;
    font-weight: 600;
  }
  .banner.refund {
    background: var(--neutral-soft);
    color: var(--neutral);
  }
  .banner.person {
    background: var(--bad-soft);
    color: var(--bad);
  }
  .banner .icon {
    font-size: 1.6rem;
  }
`;
