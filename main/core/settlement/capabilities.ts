import type { ServiceName } from '../domain/sale.ts';

/**
 * For how many days each provider refunds a payment, from its start (document 4, section 1.10;
 * document 5, 2.9).
 */
export const refundDays: Readonly<Record<ServiceName, number>> = { v10: 90, epayment: 365 };

/** @param service missing in records of earlier versions, which knew v10 alone */
export const refundDaysOf = ({ service = 'v10' }: { readonly service?: ServiceName }): number =>
  refundDays[service];

/**
 * What a wallet service can do, as far as it matters for decisions about money. The service's
 * client declares it, and `decide` uses it as data.
 */
export interface Capabilities {
  /**
   * twoStep: a refund is reserved, then captured or cancelled. oneStep: the create request moves
   * the money, for good.
   */
  readonly refunds: 'twoStep' | 'oneStep';
  /** For how many days the service refunds a payment, from its start. */
  readonly refundDays: number;
  /**
   * The pause after the first change that was not confirmed. Services limit how many changes a
   * payment takes in a minute.
   */
  readonly firstRetryMs: number;
  /**
   * A cancel is possible only while the customer has not approved, and its answer tells who was
   * first. Otherwise a poll has to tell.
   */
  readonly cancelTellsWhoWasFirst: boolean;
  /**
   * A refusal sticks to the key of its request, so that the next attempt after one needs another
   * key.
   */
  readonly keepsRefusals: boolean;
  /**
   * Open payments of a point of sale can be listed. Otherwise each one is looked up by its own
   * reference.
   */
  readonly listsOpenPayments: boolean;
  /**
   * Each payment has its code for the customer to scan; without the code, no customer can approve
   * the payment. The prepare flow has no code: nothing is at the service before the customer is
   * named at the counter.
   */
  readonly codePerPayment: boolean;
}
