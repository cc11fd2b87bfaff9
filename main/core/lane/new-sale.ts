import type { OrderDetails, PlannedCaptureDelay } from '../domain/sale.ts';
import type { Journal } from '../journal/journal.ts';
import type { Claimant, Flow, Sale } from '../settlement/payment.ts';
import type { Clock } from '../domain/clock.ts';
import type { Ids } from '../domain/ids.ts';
import type { Money } from '../domain/money.ts';
import type { PointOfSaleClient } from './wallet-port.ts';

/** The request for a payment, and who made it. */
export interface PaymentOrder extends Money, OrderDetails {
  readonly saleId: string;
  readonly by: Claimant;
  /** See `Sale`. */
  readonly isTest?: true;
  /** The beginning of its order id, at most 20 characters. */
  readonly orderPrefix: string;
  /** The point of sale's id at the service. */
  readonly posId: string;
  /** The till's address. */
  readonly from?: string;
  /** See `Sale`. */
  readonly namedBy?: string;
  /** See `Sale`. */
  readonly amountFollows?: true;
  readonly typedMinor?: number;
  /** Set when a reservation is made. */
  readonly plannedCaptureDelay?: PlannedCaptureDelay;
}

interface Counter {
  readonly laneId: string;
  readonly flow: Flow;
  readonly deadlineMs: number;
  readonly wallet: Pick<PointOfSaleClient, 'service'>;
  readonly journal: Journal;
  readonly ids: Ids;
  readonly clock: Clock;
}

/** The sale, with all that its first entry in the journal has. */
export function newSale(
  { orderPrefix, saleId, ...order }: PaymentOrder,
  { laneId, flow, deadlineMs, wallet: { service }, journal, ids, clock }: Counter,
): Sale {
  const numbers = journal.nextNumbers(laneId);
  return {
    saleId,
    // Unique for every attempt (document 4, section 1.1), and short enough to be read out over the
    // telephone.
    orderId: `${orderPrefix}-${String(numbers.traceNumber).padStart(6, '0')}-${saleId.slice(0, 8)}`,
    laneId,
    ...(service !== 'v10' && { service }),
    flow,
    idempotencyKey: ids.uuid(),
    deadlineMs,
    startedAtMs: clock.wallMs(),
    ...order,
    ...numbers,
  };
}
