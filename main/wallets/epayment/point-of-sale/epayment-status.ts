import type { SeenStatus } from '../../../core/lane/wallet-port.ts';
import type { Epayment } from '../payments/payments-operations.ts';

const statuses: Readonly<Record<string, SeenStatus>> = {
  CREATED: 'initiated',
  ABORTED: 'cancelledByUser',
  /** Not `expired`, which for us is a reservation that ran out. */
  EXPIRED: 'cancelledByService',
  TERMINATED: 'cancelledByClient',
};

/**
 * Translates the interface's states (document 5, section 2.8). For an authorized payment the
 * aggregate tells the rest. Captured money counts in every state: an answer that contradicts itself
 * must not end a payment as "not paid".
 */
export function epaymentStatus({
  state,
  aggregate: { authorizedAmount, capturedAmount, cancelledAmount },
}: Pick<Epayment, 'state' | 'aggregate'>): SeenStatus {
  if (capturedAmount.value > 0) return 'captured';
  if (state !== 'AUTHORIZED') return statuses[state] ?? 'unknown';
  if (cancelledAmount.value === 0) return 'reserved';
  return cancelledAmount.value === authorizedAmount.value ? 'expired' : 'unknown';
}

const over: ReadonlySet<SeenStatus> = new Set([
  'cancelledByUser',
  'cancelledByService',
  'cancelledByClient',
  'expired',
]);

/** Whether no money moved, and none can any more. */
export const isOver = (payment: Pick<Epayment, 'state' | 'aggregate'>): boolean =>
  over.has(epaymentStatus(payment));
