/** What a till may do, in the till's step of setup. */
export interface SetupSecurityTexts {
  readonly title: string;
  /** Why this is shown without being asked for. */
  readonly why: string;
  readonly password: string;
  readonly passwordHint: string;
  readonly passwordKept: string;
  readonly passwordRule: string;
  readonly withoutPassword: string;
  readonly refunds: string;
  readonly refundsHint: string;
  /** Other machines reach the till's port, and no password keeps them from refunds. */
  readonly refundsOpen: string;
  /** The same, and the choice is `withPassword`. */
  readonly refundsShut: string;
  readonly choices: Readonly<Record<'withPassword' | 'yes' | 'no' | 'upTo', string>>;
  readonly limit: string;
  readonly limitHint: string;
  readonly from: string;
  readonly fromHint: string;
  readonly fromRule: (wrong: string) => string;
  readonly fromTooMany: (most: number) => string;
  readonly turnedAway: (address: string) => string;
  readonly turnedAwayNext: string;
  /** At a glance, before it is put in use. */
  readonly summary: { readonly noRefunds: string; readonly refundsUpTo: (amount: string) => string; readonly withPassword: string };
}
