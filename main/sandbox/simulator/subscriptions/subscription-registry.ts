/**
 * The service's state of subscriptions (interface document 1, "Resources and their fields"). Days
 * are in UTC, because the documents name no time zone.
 */
import type { Merchant } from '../merchant.ts';
import { ServiceError } from '../service-error.ts';
import type { World } from '../world.ts';
import { type Callbacks, openCallbacks } from './subscription-callbacks.ts';
import type {
  Notice,
  Provider,
  SimulatedAgreement,
  SimulatedOneOff,
  SimulatedSubscriptionPayment,
  SimulatedSubscriptionRefund,
  TextMessage,
} from './subscription-model.ts';

export interface SubscriptionRegistry {
  readonly world: World;
  readonly callbacks: Callbacks;
  /** Providers by VAT number of the merchant. */
  readonly providers: Map<string, Provider>;
  readonly agreements: Map<string, SimulatedAgreement>;
  readonly payments: Map<string, SimulatedSubscriptionPayment>;
  readonly oneOffs: Map<string, SimulatedOneOff>;
  readonly refunds: SimulatedSubscriptionRefund[];
  /** Oldest first. */
  readonly notices: Notice[];
  readonly textMessages: TextMessage[];
  /** Payments that are still to be taken, by due date. */
  readonly pending: Map<string, Set<SimulatedSubscriptionPayment>>;
  /** The same payments by `paymentKey`. */
  readonly pendingByKey: Map<string, SimulatedSubscriptionPayment>;
  /** Phone numbers of blocked users, whose payments are declined (50009). */
  readonly blockedUsers: Set<string>;
}

export const openRegistry = (world: World): SubscriptionRegistry => ({
  world,
  callbacks: openCallbacks(world),
  providers: new Map(),
  agreements: new Map(),
  payments: new Map(),
  oneOffs: new Map(),
  refunds: [],
  notices: [],
  textMessages: [],
  pending: new Map(),
  pendingByKey: new Map(),
  blockedUsers: new Set(),
});

/**
 * Id of the first merchant's provider; those of the others count up from it. The same at every
 * start, so that settings stay valid.
 */
const firstProviderId = '5b5c0000-0000-4000-8000-000000000001';

/** Every merchant has one provider, which is made when it is first asked for. */
export function providerOf(
  { world, providers }: SubscriptionRegistry,
  merchant: Merchant,
): Provider {
  const existing = providers.get(merchant.vat);
  if (existing !== undefined) return existing;
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

export const allProviders = (registry: SubscriptionRegistry): Provider[] =>
  Array.from(registry.world.merchants.values(), (merchant) => providerOf(registry, merchant));

/** "404 empty" (document 4, section 3.4). */
const nothingThere = (): ServiceError => new ServiceError(404, null, '');

/** @throws ServiceError 404 when the provider is not the caller's; so do the functions below */
export function providerInPath(
  registry: SubscriptionRegistry,
  merchant: Merchant,
  path: { providerId: string },
): Provider {
  const provider = providerOf(registry, merchant);
  if (provider.providerId !== path.providerId) throw nothingThere();
  return provider;
}

export function agreementInPath(
  registry: SubscriptionRegistry,
  merchant: Merchant,
  path: { providerId: string; agreementId: string },
): SimulatedAgreement {
  return owned(registry.agreements.get(path.agreementId), providerInPath(registry, merchant, path));
}

export function paymentInPath(
  registry: SubscriptionRegistry,
  merchant: Merchant,
  path: { providerId: string; agreementId: string; paymentId: string },
): SimulatedSubscriptionPayment {
  agreementInPath(registry, merchant, path);
  return ofAgreement(registry.payments.get(path.paymentId), path);
}

export function oneOffInPath(
  registry: SubscriptionRegistry,
  merchant: Merchant,
  path: { providerId: string; agreementId: string; paymentId: string },
): SimulatedOneOff {
  agreementInPath(registry, merchant, path);
  return ofAgreement(registry.oneOffs.get(path.paymentId), path);
}

export function payableInPath(
  registry: SubscriptionRegistry,
  merchant: Merchant,
  path: { providerId: string; paymentId: string },
): SimulatedSubscriptionPayment | SimulatedOneOff {
  return owned(
    registry.payments.get(path.paymentId) ?? registry.oneOffs.get(path.paymentId),
    providerInPath(registry, merchant, path),
  );
}

function owned<Thing extends { provider: Provider }>(
  thing: Thing | undefined,
  provider: Provider,
): Thing {
  if (thing?.provider !== provider) throw nothingThere();
  return thing;
}

function ofAgreement<Thing extends { agreementId: string }>(
  thing: Thing | undefined,
  { agreementId }: { agreementId: string },
): Thing {
  if (thing?.agreementId !== agreementId) throw nothingThere();
  return thing;
}

export function today({ world }: SubscriptionRegistry): string {
  return new Date(world.clock.wallMs()).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

/**
 * Records a movement for reporting (interface document 3, "Reporting records"). Its payment point
 * is the provider.
 */
export function record(
  { world }: SubscriptionRegistry,
  type: 'Payment' | 'Refund',
  payable: SimulatedSubscriptionPayment | SimulatedOneOff,
  amountMinor: number,
  reference: string | null,
): void {
  const { provider, agreement } = payable;
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
    },
  });
}
