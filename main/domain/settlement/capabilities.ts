/** What a wallet service can do, as far as it decides about the money. Declared by the service's client, used as data by the machine. */
export interface Capabilities {
  /** twoStep: a refund is reserved, then captured or cancelled. oneStep: the create request moves the money, for good. */
  readonly refunds: 'twoStep' | 'oneStep';
  /** From the start of the payment; the service refunds no longer. */
  readonly refundWindowMs: number;
  /** The pause after the first change that was not confirmed. Services limit how many changes a payment takes in a minute. */
  readonly firstRetryMs: number;
}
