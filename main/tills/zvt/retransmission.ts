import type { ClosingTold } from '../../core/domain/day.ts';
import type { FinishedRefund } from '../../core/domain/sale.ts';
import type { RefundRequest } from '../../core/lane/till-port.ts';
import type { ZvtTerminal } from './terminal.ts';

/** Within this time the same request is a retry; later it is another refund. */
const maxUnacknowledgedMs = 600_000;

/**
 * Recognises a refund that a till requests again because it never received the result: the line
 * broke, or one side was restarted, after the decision. The result is repeated, not the refund.
 * Only for parts of a sale: a second full reversal is refused anyway.
 *
 * Payments have no such rule: two customers in a row do pay the same amount.
 */
export function unacknowledgedRefund(
  {
    receiptNumber,
    amountMinor,
    currency,
  }: Pick<RefundRequest, 'receiptNumber' | 'amountMinor' | 'currency'>,
  { commands, clock, heardRefund }: ZvtTerminal,
): FinishedRefund | null {
  if (amountMinor === null || commands.readiness() === 'busy') return null;
  const last = commands.lastFinished();
  if (
    last === null ||
    !('refund' in last) ||
    !last.outcome.refunded ||
    last.refund.refundOrderId === heardRefund
  )
    return null;
  // The service contradicts the refund by now, so it must not be reported as done.
  if (last.certainty === 'contested') return null;
  const { refund } = last;
  const isTheSame =
    refund.originalReceiptNumber === receiptNumber &&
    refund.amountMinor === amountMinor &&
    refund.currency === currency;
  return isTheSame && Math.abs(clock.wallMs() - refund.startedAtMs) < maxUnacknowledgedMs
    ? last
    : null;
}

/**
 * Recognises an end of day that a till requests again because it did not hear that the day is
 * closed: as long as there is nothing that another closing would have, it is told the same one.
 * After a restart it is not known whether it heard; then it is a retry for a while.
 */
export function unacknowledgedClosing({
  commands,
  clock,
  toldClosing,
}: ZvtTerminal): ClosingTold | null {
  const last = commands.lastClosing();
  if (last === null || last.till === null) return null;
  const isUnheard =
    toldClosing?.number === last.number
      ? !toldClosing.isHeard
      : Math.abs(clock.wallMs() - last.atMs) < maxUnacknowledgedMs;
  const isNothingNew = commands
    .dayTotals()
    ?.figures.every(({ payments, refunds }) => payments.count + refunds.count === 0);
  return isUnheard && isNothingNew ? last : null;
}
