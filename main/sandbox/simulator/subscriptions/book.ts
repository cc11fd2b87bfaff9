/** What the service remembers of subscriptions (interface document 1, "Resources and their fields"). Days are days in UTC: the documents name no time zone. */
import type { Cancel } from '../../../domain/clock.ts';
import type { Currency } from '../../../domain/money.ts';
import type { OperationBody } from '../../../wallet/http/operation.ts';
import type { AgreementState } from '../../../wallet/v10/subscriptions/agreements.ts';
import type { putAttachment } from '../../../wallet/v10/subscriptions/payment-operations.ts';
import { type Merchant, ServiceError, type World } from '../world.ts';
import { type Callbacks, openCallbacks } from './callbacks.ts';

export type CallbackAuthentication =
  | { readonly scheme: 'OAuth2'; readonly clientId: string; readonly clientSecret: string; readonly tokenUrl: string; readonly scope: string | null }
  | { readonly scheme: 'ApiKey'; readonly apiKey: string }
  | { readonly scheme: 'Basic'; readonly userName: string; readonly password: string };

export interface Provider {
  readonly providerId: string;
  readonly merchant: Merchant;
  readonly name: string;
  paymentCallbackUrl: string | null;
  authentication: CallbackAuthentication | null;
  /** One that is not enabled requests nothing (412). */
  enabled: boolean;
  /** Is paid at once instead of once a day; such payments cannot be refunded (60007). */
  instantTransfers: boolean;
  /** For refunds, in minor units. Unlimited unless a test says otherwise. */
  balanceMinor: number;
  /** Oldest first. */
  readonly agreements: Agreement[];
}

export interface Agreement {
  readonly agreementId: string;
  readonly provider: Provider;
  readonly countryCode: 'DK' | 'FI';
  readonly currency: Currency;
  readonly expirationTimeoutMinutes: number;
  readonly retentionPeriodHours: number;
  /** Whom the merchant expects. */
  readonly mobilePhoneNumber: string | null;
  amountMinor: number | null;
  plan: string;
  description: string | null;
  nextPaymentDate: string | null;
  frequency: number;
  externalId: string | null;
  readonly links: Map<string, string>;
  status: AgreementState;
  /** By the wall clock, and the retention period by the monotonic one. */
  readonly createdAt: string;
  acceptedAt: string | null;
  acceptedAtMs: number;
  canceledAt: string | null;
  /** Whose it is since it was accepted. */
  phoneNumber: string | null;
  expiry: Cancel;
  /** The one that came with it. */
  oneOff: OneOff | null;
  /** Oldest first. */
  readonly payments: Payment[];
  readonly oneOffs: OneOff[];
}

/** What can be paid, refunded and have something attached. */
interface Payable {
  readonly paymentId: string;
  readonly provider: Provider;
  /** Also where there is no such agreement (50010). */
  readonly agreementId: string;
  readonly currency: Currency;
  readonly externalId: string;
  readonly description: string | null;
  readonly transactionId: string;
  amountMinor: number;
  /** Monotonic; null: no money has moved. */
  paidAtMs: number | null;
  refundedMinor: number;
  readonly refunds: Refund[];
  attachment: Attachment | null;
}

export interface Payment extends Payable {
  readonly type: 'Regular';
  readonly agreement: Agreement | null;
  /** YYYY-MM-DD */
  readonly dueDate: string;
  readonly gracePeriodDays: number;
  status: 'Pending' | 'Executed' | 'Failed' | 'Rejected' | 'Declined';
}

export interface OneOff extends Payable {
  readonly type: 'OneOff';
  readonly agreement: Agreement;
  readonly expirationTimeoutMinutes: number;
  /** YYYY-MM-DD */
  readonly requestedOn: string;
  status: 'Requested' | 'Reserved' | 'Captured' | 'Rejected' | 'Expired' | 'Canceled';
  /** What it would become by itself. */
  expiry: Cancel;
}

export type Attachment = OperationBody<typeof putAttachment>;

export interface Refund {
  readonly refundId: string;
  readonly paymentId: string;
  readonly agreementId: string;
  readonly amountMinor: number;
  readonly currency: Currency;
  readonly status: 'Issued' | 'Declined';
  readonly externalId: string | null;
  readonly transactionId: string;
}

export interface Book {
  readonly world: World;
  readonly callbacks: Callbacks;
  /** By VAT number of the merchant. */
  readonly providers: Map<string, Provider>;
  readonly agreements: Map<string, Agreement>;
  readonly payments: Map<string, Payment>;
  readonly oneOffs: Map<string, OneOff>;
  readonly refunds: Refund[];
  /** Pending payments by due date, and by what tells them apart (`paymentKey`). */
  readonly pending: Map<string, Set<Payment>>;
  readonly pendingByKey: Map<string, Payment>;
  /** Numbers of users whom the service lets pay nothing new (50009). */
  readonly blockedUsers: Set<string>;
}

export const openBook = (world: World): Book => ({
  world,
  callbacks: openCallbacks(world),
  providers: new Map(),
  agreements: new Map(),
  payments: new Map(),
  oneOffs: new Map(),
  refunds: [],
  pending: new Map(),
  pendingByKey: new Map(),
  blockedUsers: new Set(),
});

/** Of the first merchant; the others follow. The same at every start, so that settings written once go on working. */
const firstProviderId = '5b5c0000-0000-4000-8000-000000000001';

/** Every merchant has one, made when somebody first asks. */
export function providerOf({ world, providers }: Book, merchant: Merchant): Provider {
  const known = providers.get(merchant.vat);
  if (known !== undefined) return known;
  const number = [...world.merchants.keys()].indexOf(merchant.vat) + 1;
  const provider: Provider = {
    providerId: firstProviderId.slice(0, -12) + String(number).padStart(12, '0'),
    merchant,
    name: merchant.name,
    paymentCallbackUrl: null,
    authentication: null,
    enabled: true,
    instantTransfers: false,
    balanceMinor: Number.POSITIVE_INFINITY,
    agreements: [],
  };
  providers.set(merchant.vat, provider);
  return provider;
}

export const allProviders = (book: Book): Provider[] => Array.from(book.world.merchants.values(), (merchant) => providerOf(book, merchant));

/** "404 empty" (document 4, section 3.4). */
const nothingThere = (): ServiceError => new ServiceError(404, null, '');

/** What a path names, as far as it is the caller's. @throws ServiceError 404 */
export function providerInPath(book: Book, merchant: Merchant, path: { providerId: string }): Provider {
  const provider = providerOf(book, merchant);
  if (provider.providerId !== path.providerId) throw nothingThere();
  return provider;
}

export function agreementInPath(book: Book, merchant: Merchant, path: { providerId: string; agreementId: string }): Agreement {
  return owned(book.agreements.get(path.agreementId), providerInPath(book, merchant, path));
}

export function paymentInPath(book: Book, merchant: Merchant, path: { providerId: string; agreementId: string; paymentId: string }): Payment {
  agreementInPath(book, merchant, path);
  return ofAgreement(book.payments.get(path.paymentId), path);
}

export function oneOffInPath(book: Book, merchant: Merchant, path: { providerId: string; agreementId: string; paymentId: string }): OneOff {
  agreementInPath(book, merchant, path);
  return ofAgreement(book.oneOffs.get(path.paymentId), path);
}

export function payableInPath(book: Book, merchant: Merchant, path: { providerId: string; paymentId: string }): Payment | OneOff {
  return owned(book.payments.get(path.paymentId) ?? book.oneOffs.get(path.paymentId), providerInPath(book, merchant, path));
}

function owned<Thing extends { provider: Provider }>(thing: Thing | undefined, provider: Provider): Thing {
  if (thing?.provider !== provider) throw nothingThere();
  return thing;
}

function ofAgreement<Thing extends { agreementId: string }>(thing: Thing | undefined, { agreementId }: { agreementId: string }): Thing {
  if (thing?.agreementId !== agreementId) throw nothingThere();
  return thing;
}

export function today({ world }: Book): string {
  return new Date(world.clock.wallMs()).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

/** What reporting tells of a movement (interface document 3, "Reporting records"); the payment point is the provider. */
export function record({ world }: Book, type: 'Payment' | 'Refund', payable: Payment | OneOff, amountMinor: number, reference: string | null): void {
  const { provider, agreement } = payable;
  const user = agreement?.phoneNumber == null ? null : world.phoneNumbered(agreement.phoneNumber);
  world.ledger.record({
    type,
    product: 'Subscription',
    merchantVat: provider.merchant.vat,
    paymentPointId: provider.providerId,
    amountMinor,
    currency: payable.currency,
    about: {
      paymentPointName: provider.name,
      agreementId: payable.agreementId,
      ...(agreement?.externalId == null ? {} : { agreementExternalId: agreement.externalId }),
      ...(reference === null ? {} : { merchantReference: reference }),
      ...(user === null ? {} : { userName: user.userName, userPhoneNumber: user.phoneNumber }),
    },
  });
}
