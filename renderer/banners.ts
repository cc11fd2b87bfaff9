import { html, nothing, type TemplateResult, unsafeCSS } from 'lit';
import type { LaneView } from '../preload/contract.ts';
import { icon, type IconName } from './ui/icons.ts';
import { formatDateTime, formatMinutes, formatMoney, type Language } from './locales/i18n.ts';
import { notRefundedWords } from './locales/refund-words.ts';
import { screenTexts } from './locales/screens.ts';
import { unsettledShort, unsettledText } from './unsettled-text.ts';
import styles from './banners.css?inline';

const refundIcons: Readonly<Record<NonNullable<LaneView['refund']>['kind'], IconName>> = {
  refunding: 'busy',
  refunded: 'check',
  notRefunded: 'cross',
};

/**
 * The banners of a screen, which stay until their cause is settled. Several are a list that scrolls
 * and that the keyboard can reach.
 */
export function bannerList(language: Language, banners: readonly TemplateResult[]): TemplateResult {
  // Always the same element, because it may have the focus while the banners change.
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

/** Money that is decided but not confirmed by the service, for the cashier. */
export function unsettledBanner(
  language: Language,
  money: LaneView['unsettled'][number],
): TemplateResult {
  return banner(money, unsettledShort(language, money, Date.now()));
}

/**
 * The same for a manager, with what is known about the money. @param where a text before the
 * sentence, e.g. the name of another lane
 */
export function unsettledDetails(
  language: Language,
  money: LaneView['unsettled'][number],
  where = '',
): TemplateResult {
  return banner(
    money,
    `${where} ${formatMoney(language, money)} ${unsettledText(language, money, Date.now())}`,
  );
}

function banner({ needsPerson }: LaneView['unsettled'][number], says: string): TemplateResult {
  return html`<div class="banner ${needsPerson ? 'person' : ''}" role="status" data-testid="unsettled">${icon('warning')}<span>${says}</span></div>`;
}

/** Reservations that expire within a day. */
export function reservationsBanner(
  language: Language,
  { count, firstMs }: NonNullable<LaneView['reservationsEnding']>,
): TemplateResult {
  const says = screenTexts[language].reservationsEnding({
    count,
    at: formatDateTime(language, firstMs),
  });
  return html`<div class="banner" role="status" data-testid="reservations-ending">${icon('calendar')}<span>${says}</span></div>`;
}

/** A payment that the till asked for while another was under way. */
export function triedBanner(
  language: Language,
  tried: NonNullable<LaneView['tried']>,
): TemplateResult {
  const says = screenTexts[language].cashier.tried({ amount: formatMoney(language, tried) });
  return html`<div class="banner" role="status" data-testid="tried">${icon('till')}<span>${says}</span></div>`;
}

export function damageBanner(
  language: Language,
  { repaired, lostSales }: NonNullable<LaneView['journalDamage']>,
): TemplateResult {
  const { journalDamage } = screenTexts[language];
  const what = !repaired
    ? journalDamage.open
    : lostSales === 0
      ? journalDamage.whole
      : journalDamage.lost({ sales: lostSales });
  return html`<div class="banner person" role="status" data-testid="journal-damage">${icon('warning')}<span>${what}</span></div>`;
}

/** Problems of this computer that should be fixed before they prevent payments. */
export function computerBanners(
  language: Language,
  { clockOffSeconds: seconds, disk }: NonNullable<LaneView['computer']>,
): TemplateResult[] {
  const { computer } = screenTexts[language];
  const by = formatMinutes(language, Math.abs(seconds ?? 0));
  const clock =
    seconds === null
      ? []
      : [seconds > 0 ? computer.clockAhead({ by }) : computer.clockBehind({ by })];
  const says = [...clock, ...(disk === null ? [] : [computer.disk[disk]])];
  return says.map(
    (one) =>
      html`<div class="banner" role="status" data-testid="computer">${icon('warning')}<span>${one}</span></div>`,
  );
}

export function refundBanner(
  language: Language,
  refund: NonNullable<LaneView['refund']>,
): TemplateResult {
  const texts = screenTexts[language];
  const { what, next: then } =
    refund.kind === 'notRefunded' ? notRefundedWords(texts, refund) : texts.refund[refund.kind];
  const isOpen = refund.kind === 'refunding' || refund.isConfirmed;
  const next = isOpen
    ? then
    : texts.notConfirmed[refund.kind === 'refunded' ? 'refunded' : 'cancelled'];
  const says = refund.kind === 'notRefunded' ? `${texts.refund.notRefunded}: ${what}` : what;
  return html`<div class="banner refund" role="status" data-testid="refund">
    ${icon(refundIcons[refund.kind])}<span>${formatMoney(language, refund)} ${says}. ${next}</span>
  </div>`;
}

export const bannerStyles = unsafeCSS(styles);
