/** Who requested a payment or a refund, in words. */
import type {
  SaleSummary,
  RefundOfSale,
  SaleStory,
  StoryLine,
} from '../../../preload/procedures/refunds.ts';
import { formatMoney, type Language } from '../../locales/i18n.ts';
import { managerTexts } from '../../locales/manager.ts';

/** Says how much was refunded, and how much of that a till requested. */
export function refundedWords(
  language: Language,
  { refundedMinor, refundedAtTillMinor, currency }: SaleSummary,
): string {
  const { partlyRefunded, refundedAtTill, partlyRefundedAtTill } = managerTexts[language].refunds;
  const money = (amountMinor: number): string => formatMoney(language, { amountMinor, currency });
  if (refundedAtTillMinor === 0) return partlyRefunded({ amount: money(refundedMinor) });
  if (refundedAtTillMinor === refundedMinor)
    return refundedAtTill({ amount: money(refundedMinor) });
  return partlyRefundedAtTill({ amount: money(refundedMinor), part: money(refundedAtTillMinor) });
}

/** Whether the shop keeps nothing of a payment. */
export const isRefundedWhole = ({
  state,
  amountMinor,
  capturedMinor,
  refundedMinor,
}: SaleSummary): boolean => state === 'paid' && refundedMinor >= (capturedMinor ?? amountMinor);

export function byWhom(language: Language, { by, from }: RefundOfSale): string {
  return by === null
    ? byTill(language, from)
    : managerTexts[language].refunds.byManager({ name: by });
}

/** @param from the till's address (a serial port or a host); null when it is not known */
function byTill(language: Language, from: string | null): string {
  const texts = managerTexts[language].refunds;
  return from === null ? texts.byTill : texts.byTillFrom({ from });
}

/**
 * Who requested the payment or the refund of this line; null when the text of the line says it
 * already.
 */
export function requesterIn(
  language: Language,
  { from, refunds }: SaleStory,
  { event, refundOrderId }: StoryLine,
): string | null {
  if (event === 'saleRequested') return from;
  const refund =
    event === 'refundRequested'
      ? refunds.find((one) => one.refundOrderId === refundOrderId)
      : undefined;
  if (refund === undefined) return null;
  return refund.by ?? byTill(language, refund.from);
}
