import type { FinishedRefund } from '../../domain/sale.ts';
import type { RefundRequest } from '../port.ts';
import type { Terminal } from './terminal.ts';

/** A till or its cashier tries again within this time; the same refund asked for later is meant as another one. */
const unheardMs = 600_000;

/**
 * The refund that a till asks for again because it never heard its end: the line broke, or one of us was restarted, after the money
 * had been decided. It is told once more, not repeated. A part of a sale only: a second reversal of all of it is refused by itself.
 *
 * Payments have no such rule: two customers in a row do pay the same amount.
 */
export function unheardRefund(
  { receiptNumber, amountMinor, currency }: Pick<RefundRequest, 'receiptNumber' | 'amountMinor' | 'currency'>,
  { desk, clock, heardRefund }: Terminal,
): FinishedRefund | null {
  if (amountMinor === null || desk.readiness() === 'busy') return null;
  const last = desk.lastFinished();
  if (last === null || 'sale' in last || !last.outcome.refunded || last.refund.refundOrderId === heardRefund) return null;
  // The service says otherwise since: that is not to be heard as done.
  if (last.certainty === 'contested') return null;
  const { refund } = last;
  const isTheSame = refund.originalReceiptNumber === receiptNumber && refund.amountMinor === amountMinor && refund.currency === currency;
  return isTheSame && Math.abs(clock.wallMs() - refund.startedAtMs) < unheardMs ? last : null;
}
