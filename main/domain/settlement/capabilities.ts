/** What a wallet service can do, as far as it decides about the money. Declared by the service's client, used as data by the machine. */
export interface Capabilities {
  /** twoStep: a refund is reserved, then captured or cancelled. oneStep: the create request moves the money, for good. */
  readonly refunds: 'twoStep' | 'oneStep';
  /** From the start of the payment; the service refunds no longer. */
  readonly refundWindowMs: number;
  /** The pause after the first change that was not confirmed. Services limit how many changes a payment takes in a minute. */
  readonly firstRetryMs: number;
  /** A cancel can be asked for only while the customer has not approved, and its answer tells who was first. Otherwise a poll has to. */
  readonly cancelTellsWhoWasFirst: boolean;
  /** A refusal sticks to the key of its request: what is tried again after one is a request of its own. */
  readonly keepsRefusals: boolean;
  /** What is open at a point of sale can be listed. Otherwise each payment is asked for by its own reference. */
  readonly listsOpenPayments: boolean;
  /**
   * Each payment has a code of its own for the customer to scan; one whose code is not known can be approved by nobody. Only in the prepare flow it has
   * none: nothing is at the service before the customer is named at the counter.
   */
  readonly codePerPayment: boolean;
}
