/** Who requested a payment or a refund, in words. */
import type { FoundSale, RefundOfSale, SaleStory, StoryLine } from '../../../preload/procedures/refunds.ts';
import { formatMoney, type Language } from '../../locales/i18n.ts';
import { refundsTexts } from '../../locales/refunds/index.ts';

/** How much was refunded, and how much of it at a till. */
export function refundedWords(language: Language, { refundedMinor, refundedAtTillMinor, currency }: FoundSale): string {
  const { partlyRefunded, refundedAtTill, partlyRefundedAtTill } = refundsTexts[language];
  const money = (amountMinor: number): string => formatMoney(language, { amountMinor, currency });
  if (refundedAtTillMinor === 0) return partlyRefunded(money(refundedMinor));
  if (refundedAtTillMinor === refundedMinor) return refundedAtTill(money(refundedMinor));
  return partlyRefundedAtTill(money(refundedMinor), money(refundedAtTillMinor));
}

export function byWhom(language: Language, { by, from }: RefundOfSale): string {
  const { byManager, byTill } = refundsTexts[language];
  return by === null ? byTill(from) : byManager(by);
}

/** Who requested what this line is about; null: the line's own words say it. */
export function whoAsked(language: Language, { from, refunds }: SaleStory, { event, refundOrderId }: StoryLine): string | null {
  if (event === 'saleRequested') return from;
  const refund = event === 'refundRequested' ? refunds.find((one) => one.refundOrderId === refundOrderId) : undefined;
  if (refund === undefined) return null;
  return refund.by ?? refundsTexts[language].byTill(refund.from);
}
