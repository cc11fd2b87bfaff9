import { type Claimant, claimantOf, type Payment, type Sale } from '../settlement/payment.ts';
import type { OrderDetails } from '../domain/sale.ts';
import type { Currency, Money } from '../domain/money.ts';
import { maxOrderTextLength, serviceText } from '../domain/service-text.ts';
import type { PaymentAnswer } from './till-port.ts';

/** What a cashier asks for on the screen when the till cannot. */
export interface PaymentByHand {
  /**
   * A uuid that the screen chooses before it sends the request: however often that arrives, it is
   * one payment. Its `saleId` is derived from it.
   */
  readonly actionId: string;
  readonly amountMinor: number;
  /** The beginning of the order id; null for the lane's id, as with a till. */
  readonly orderText: string | null;
  /** Whether the payment is reserved, and captured or cancelled later by a manager. */
  readonly reserve?: boolean;
  /** Set for a test payment of setup. No cashier can ask for one. */
  readonly isTest?: true;
}

export type PaymentByHandAnswer =
  | PaymentAnswer
  | {
      readonly accepted: false;
      readonly reason: /** Too long, or with characters that the service does not take. */
        | 'orderText'
        /** The same id was used for something else before. */
        | 'actionUsed';
    };

export const isOrderText = (text: string): boolean =>
  text.length <= maxOrderTextLength && serviceText.test(text);

/** How a payment that exists already answers the same action again. */
export function repeated(
  { sale }: Payment,
  { amountMinor, reserve, isTest }: PaymentByHand,
  lane: LaneMoney,
): PaymentByHandAnswer {
  const isSame = isSameOrder(
    sale,
    { saleId: sale.saleId, by: 'cashier', amountMinor, currency: lane.currency, reserve, isTest },
    lane,
  );
  return isSame ? { accepted: true, sale } : { accepted: false, reason: 'actionUsed' };
}

interface LaneMoney {
  readonly laneId: string;
  readonly currency: Currency;
}

/** Whether an existing payment is the one that is requested again under its id. */
export function isSameOrder(
  sale: Sale,
  asked: Money &
    OrderDetails & {
      readonly saleId: string;
      readonly by: Claimant;
      readonly reserve?: boolean | undefined;
      readonly isTest?: boolean | undefined;
      readonly amountFollows?: boolean | undefined;
    },
  { laneId }: Pick<LaneMoney, 'laneId'>,
): boolean {
  return (
    sale.saleId === asked.saleId &&
    claimantOf(sale) === asked.by &&
    sale.laneId === laneId &&
    (sale.typedMinor ?? sale.amountMinor) === asked.amountMinor &&
    sale.currency === asked.currency &&
    (sale.plannedCaptureDelay !== undefined) === (asked.reserve === true) &&
    (sale.isTest === true) === (asked.isTest === true) &&
    (sale.amountFollows === true) === (asked.amountFollows === true) &&
    sale.minimumAge === asked.minimumAge &&
    JSON.stringify(sale.lines) === JSON.stringify(asked.lines)
  );
}
