/** The rules about money. A broken one is reported with its number. */
export const rules = {
  1: 'at most one capture per payment, never above what was reserved, never after a cancel was decided',
  2: 'the till was told "paid", or the cashier was shown it, exactly when the journal says so and the money is captured; what cannot be captured is shown',
  3: 'a reservation that no till claims is cancelled, by intent on disk; nothing is settled "because it was reserved"',
  4: 'one till request or action by hand, one payment',
  5: 'refunds never exceed the captured amount; one action, one refund; what was not decided is not paid out',
  6: 'every payment and refund reaches an end that a person can read, with its whole story',
  7: 'what was on disk is never contradicted later: the journal only grows',
  8: 'nothing happens that nobody expected: no uncaught exception, no misuse of the interface',
  9: "no till, screen, receipt, list or export says paid, not paid, refunded or not refunded against the service's books, beyond what it says is not sure",
} as const;

export type Rule = keyof typeof rules;

export interface Broken {
  readonly rule: Rule;
  readonly what: string;
}
