import type { CurrencyCode as Currency } from '../../wallets/v10/point-of-sale/currency.ts';

/**
 * A scope of a merchant's API key, as the merchant's consent names it (document 4, sections 3.5, 4
 * and 5).
 */
export type Scope =
  | 'subscriptions'
  | 'invoice'
  | 'transactionreporting'
  | 'merchantpayments'
  | 'webhooks';

/** A merchant, who is the same at all interfaces. */
export interface Merchant {
  readonly merchantId: string;
  readonly vat: string;
  readonly name: string;
  readonly country: 'DK' | 'FI';
  readonly currency: Currency;
  /** The bearer token of every interface but point of sale, which takes the integrator's token. */
  readonly apiKey: string;
  readonly scopes: ReadonlySet<Scope>;
}
