import { toMajorUnits } from '../domain/money.ts';
import type { RefundTicket } from '../domain/sale.ts';

/** What a manager reads whose action was for something else before: for what, and what to do. */
export function actionUsedWords({ amountMinor, currency, originalReceiptNumber }: RefundTicket): { readonly en: string; readonly da: string } {
  const amount = toMajorUnits(amountMinor).toFixed(2);
  return {
    en: `This refund was already asked for: ${amount} ${currency} of receipt ${originalReceiptNumber}. Nothing more was refunded. For another one, begin anew.`,
    da: `Denne refundering er allerede bestilt: ${amount.replace('.', ',')} ${currency} af bon ${originalReceiptNumber}. Der er ikke refunderet mere. Begynd forfra for en anden.`,
  };
}
