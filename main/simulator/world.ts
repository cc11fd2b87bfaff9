/**
 * The wallet service in memory: who there is, what was paid, and its own clock. No HTTP here.
 * Sources: interface document 2; document 4, sections 1 and 2.
 */
import type { Clock } from '../primitives/clock.ts';
import type { Ids } from '../primitives/ids.ts';
import type { Profile } from '../wallet/profile.ts';

/** What the service answers when it says no. 401 and a missing path entity have no body. */
export class ServiceError extends Error {
  readonly status: 400 | 401 | 403 | 404 | 409;
  readonly code: string | null;
  constructor(status: 400 | 401 | 403 | 404 | 409, code: string | null, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Whose request it is, from the token and the VAT header. */
export interface Caller {
  readonly integratorId: string;
  readonly merchantVat: string;
}

export interface Store {
  readonly storeId: string;
  readonly merchantVat: string;
  readonly storeName: string;
  readonly storeStreet: string;
  readonly storeZipCode: string;
  readonly storeCity: string;
  readonly brandName: string;
  readonly merchantBrandId: string;
  readonly merchantLocationId: string;
  /** A store that is not activated takes no payments (409/1204). */
  activated: boolean;
  /** Of the shop, for refunds; minor units. Unlimited unless a test says otherwise. */
  balanceMinor: number;
}

export interface PointOfSale {
  readonly posId: string;
  readonly owner: Caller;
  readonly merchantPosId: string;
  readonly name: string;
  readonly storeId: string;
  readonly supportedBeaconTypes: readonly string[];
  readonly beaconId: string;
  readonly callbackAlias: string | null;
  readonly requirePaymentBeforeCheckin: boolean;
  deleted: boolean;
  checkIn: { readonly phone: Phone; readonly atMs: number } | null;
  /** The one payment that blocks (Prepared, Initiated, Paired, IssuedToUser). */
  active: Payment | null;
  /** Active or reserved, oldest first. */
  readonly open: Set<Payment>;
  /** Oldest first. */
  readonly captured: Payment[];
  readonly latestByOrder: Map<string, Payment>;
}

export type PaymentStatus = string;

export interface Payment {
  readonly paymentId: string;
  readonly pos: PointOfSale;
  readonly orderId: string;
  amountMinor: number | null;
  currency: 'DKK' | 'EUR' | null;
  plannedCaptureDelay: string | null;
  restrictions: { debitCardDisallowed?: boolean | null | undefined; creditCardDisallowed?: boolean | null | undefined } | null;
  merchantPaymentLabel: string | null;
  status: PaymentStatus;
  /** Monotonic: when the present status ends by itself; infinite when it does not. */
  endsAtMs: number;
  phone: Phone | null;
  capturedMinor: number;
  captureCount: number;
  refundedMinor: number;
  readonly history: { status: PaymentStatus; at: string }[];
  readonly refunds: Refund[];
  capturedAtMs: number;
}

export interface Refund {
  readonly refundId: string;
  readonly payment: Payment;
  readonly refundOrderId: string;
  readonly amountMinor: number;
  readonly currency: string;
  status: string;
  endsAtMs: number;
  readonly history: { status: string; at: string }[];
}

/** Document 4, section 1.15. */
export interface Phone {
  readonly phoneNumber: string;
  readonly card: 'credit' | 'debit';
  readonly loyaltyIds: readonly string[];
  readonly partialCapture: boolean;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** What the service does by itself, and when (document 4, sections 1.3, 1.4 and 8). */
const usualPolicy = {
  /** null: the field is left out. */
  pollDelayInMs: 1_000 as number | null,
  refundPollDelayInMs: 100 as number | null,
  inactivityMs: 5 * minuteMs,
  checkInMs: 2 * minuteMs,
  reservationMs: 7 * dayMs,
  refundCaptureMs: dayMs,
  refundWindowMs: 90 * dayMs,
  idempotencyMs: dayMs,
  tokenSeconds: 3_700,
};
export type Policy = typeof usualPolicy;

const testPhones: readonly Phone[] = ['+45200318', '+358200318'].flatMap((prefix) => {
  const number = (last: number): string => (prefix === '+45200318' ? `${prefix}0${last}` : `${prefix}00${last}`);
  const plain = { loyaltyIds: [], partialCapture: false };
  return [
    { ...plain, phoneNumber: number(1), card: 'credit' as const },
    { ...plain, phoneNumber: number(2), card: 'debit' as const },
    { ...plain, phoneNumber: number(3), card: 'credit' as const },
    { ...plain, phoneNumber: number(4), card: 'credit' as const, loyaltyIds: ['LOYAL-4711'] },
    { ...plain, phoneNumber: number(5), card: 'credit' as const, partialCapture: true },
  ];
});

export interface Client {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly integratorId: string;
}

export class World {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly profile: Profile;
  readonly policy: Policy;
  readonly clients = new Map<string, Client>();
  readonly merchants = new Set<string>();
  readonly stores = new Map<string, Store>();
  readonly pointsOfSale = new Map<string, PointOfSale>();
  readonly posByMerchantPosId = new Map<string, PointOfSale>();
  readonly posByBeaconId = new Map<string, PointOfSale>();
  readonly payments = new Map<string, Payment>();
  readonly refunds = new Map<string, Refund>();
  readonly phones = new Map<string, Phone>();

  readonly #listeners = new Set<(posId: string) => void>();

  constructor(options: { clock: Clock; ids: Ids; profile: Profile; policy?: Partial<Policy> }) {
    this.clock = options.clock;
    this.ids = options.ids;
    this.profile = options.profile;
    this.policy = { ...usualPolicy, ...options.policy };
    for (const phone of testPhones) this.phones.set(phone.phoneNumber, phone);
  }

  addStore(about: { storeId: string; merchantVat: string; storeName?: string }): Store {
    const number = String(this.stores.size + 1).padStart(5, '0');
    const store: Store = {
      storeName: `Shop ${this.stores.size + 1}`,
      storeStreet: `Strøget ${this.stores.size + 1}`,
      storeZipCode: '1160',
      storeCity: 'København K',
      brandName: 'Corner Shops',
      merchantBrandId: 'POSDK00001',
      merchantLocationId: number,
      activated: true,
      balanceMinor: Number.POSITIVE_INFINITY,
      ...about,
      storeId: about.storeId.toLowerCase(),
    };
    this.merchants.add(store.merchantVat);
    this.stores.set(store.storeId, store);
    return store;
  }

  /** Calls back after each change at a point of sale; returns the way to stop. */
  onChange(listener: (posId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  changed(pos: PointOfSale): void {
    for (const listener of this.#listeners) listener(pos.posId);
  }

  /** The wall clock at a moment of the monotonic one, for people. */
  at(monotonicMs: number = this.clock.monotonicMs()): string {
    return new Date(this.clock.wallMs() - (this.clock.monotonicMs() - monotonicMs)).toISOString();
  }
}
