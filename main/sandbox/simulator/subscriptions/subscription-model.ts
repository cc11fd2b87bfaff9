/**
 * The service's state of providers, agreements, payments and refunds (interface document 1,
 * "Resources and their fields").
 */
import type { Cancel } from '../../../core/domain/clock.ts';
import type { CurrencyCode as Currency } from '../../../wallets/v10/point-of-sale/currency.ts';
import type { OperationBody } from '../../../wallets/http/operation.ts';
import type { AgreementState } from '../../../wallets/v10/subscriptions/agreements.ts';
import type { putAttachment } from '../../../wallets/v10/subscriptions/subscription-payment-operations.ts';
import type { Merchant } from '../merchant.ts';

export type CallbackAuthentication =
  | {
      readonly scheme: 'OAuth2';
      readonly clientId: string;
      readonly clientSecret: string;
      readonly tokenUrl: string;
      readonly scope: string | null;
    }
  | { readonly scheme: 'ApiKey'; readonly apiKey: string }
  | { readonly scheme: 'Basic'; readonly userName: string; readonly password: string };

export interface Provider {
  readonly providerId: string;
  readonly merchant: Merchant;
  readonly name: string;
  paymentCallbackUrl: string | null;
  authentication: CallbackAuthentication | null;
  /** Requests of a provider that is not enabled are refused (412). */
  enabled: boolean;
  /**
   * Whether the provider is paid at once instead of once a day. Such payments cannot be refunded
   * (60007).
   */
  instantTransfers: boolean;
  /** For refunds, in minor units. Unlimited unless a test says otherwise. */
  balanceMinor: number;
  /** Oldest first. */
  readonly agreements: SimulatedAgreement[];
}

export interface SimulatedAgreement {
  readonly agreementId: string;
  readonly provider: Provider;
  readonly countryCode: 'DK' | 'FI';
  readonly currency: Currency;
  readonly expirationTimeoutMinutes: number;
  readonly retentionPeriodHours: number;
  /** The user whom the merchant named; null when anybody may accept. */
  readonly mobilePhoneNumber: string | null;
  /** Whether the user's app pushes what it has to tell about the agreement. */
  notificationsOn: boolean;
  /** false where the user cannot switch them, and is not shown the choice. */
  readonly notificationsManaged: boolean;
  amountMinor: number | null;
  plan: string;
  description: string | null;
  nextPaymentDate: string | null;
  frequency: number;
  externalId: string | null;
  readonly links: Map<string, string>;
  status: AgreementState;
  /**
   * ISO 8601, of the wall clock. The retention period counts by the monotonic clock
   * (`acceptedAtMs`).
   */
  readonly createdAt: string;
  acceptedAt: string | null;
  acceptedAtMs: number;
  canceledAt: string | null;
  /** The user who accepted it; null before. */
  phoneNumber: string | null;
  expiry: Cancel;
  /** Where the user was sent after a decision; null before. */
  userSentTo: string | null;
  /** The one-off payment that was requested with the agreement. */
  oneOff: SimulatedOneOff | null;
  /** Oldest first. */
  readonly payments: SimulatedSubscriptionPayment[];
  readonly oneOffs: SimulatedOneOff[];
}

/** What subscription payments and one-off payments have in common. */
interface Payable {
  readonly paymentId: string;
  readonly provider: Provider;
  /** As requested; such an agreement may not exist (50010). */
  readonly agreementId: string;
  readonly currency: Currency;
  readonly externalId: string;
  readonly description: string | null;
  readonly transactionId: string;
  amountMinor: number;
  /** Monotonic; null when no money has moved. */
  paidAtMs: number | null;
  refundedMinor: number;
  readonly refunds: SimulatedSubscriptionRefund[];
  attachment: Attachment | null;
}

export interface SimulatedSubscriptionPayment extends Payable {
  readonly type: 'Regular';
  readonly agreement: SimulatedAgreement | null;
  /** YYYY-MM-DD */
  readonly dueDate: string;
  readonly gracePeriodDays: number;
  /**
   * `Suspended`: an attempt to take the payment failed, and others follow. There is no callback for
   * that.
   */
  status: 'Pending' | 'Suspended' | 'Executed' | 'Failed' | 'Rejected' | 'Declined';
}

export interface SimulatedOneOff extends Payable {
  readonly type: 'OneOff';
  readonly agreement: SimulatedAgreement;
  /** Its own, by their `rel`. Without a user-redirect that of the agreement holds. */
  readonly links: ReadonlyMap<string, string>;
  readonly expirationTimeoutMinutes: number;
  /** YYYY-MM-DD */
  readonly requestedOn: string;
  status: 'Requested' | 'Reserved' | 'Captured' | 'Rejected' | 'Expired' | 'Canceled';
  /** Where the user was sent after a decision; null before. */
  userSentTo: string | null;
  /** Stops the timer that ends the present status. */
  expiry: Cancel;
}

/** A message to a user: a payment could not be taken, and can be paid manually. */
export interface Notice {
  readonly payment: SimulatedSubscriptionPayment;
  readonly phoneNumber: string;
  /** ISO 8601 */
  readonly at: string;
  /** false where the app shows it, but does not push it. */
  readonly isPushed: boolean;
}

/** An SMS to the user of a failing payment. */
export type TextMessage = Omit<Notice, 'isPushed'>;

export type Attachment = OperationBody<typeof putAttachment>;

export interface SimulatedSubscriptionRefund {
  readonly refundId: string;
  readonly paymentId: string;
  readonly agreementId: string;
  readonly amountMinor: number;
  readonly currency: Currency;
  readonly status: 'Issued' | 'Declined';
  readonly externalId: string | null;
  readonly transactionId: string;
}
