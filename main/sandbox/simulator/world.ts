/**
 * The wallet service in memory: who there is, what was paid, and its own clock. No HTTP here.
 * Sources: interface document 2; document 4, sections 1 and 2.
 */
import { createHash } from 'node:crypto';
import type { Cancel, Clock } from '../../domain/clock.ts';
import type { Ids } from '../../domain/ids.ts';
import type { Currency } from '../../domain/money.ts';
import type { Profile } from '../../wallet/v10/profile.ts';
import { type Chronicle, noChronicle } from './happening.ts';
import { Ledger } from './ledger.ts';
import type { Scope } from './merchant-access.ts';
import { Outbox } from './outbox.ts';
import { WorldClock } from './world-clock.ts';

type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 409 | 412 | 500;

/** What the service answers when it says no. 401 and 404 (a missing path entity) have no body. */
export class ServiceError extends Error {
  readonly status: RefusalStatus;
  readonly code: string | null;
  constructor(status: RefusalStatus, code: string | null, message: string) {
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

/** A shop's owner, at all interfaces. */
export interface Merchant {
  readonly merchantId: string;
  readonly vat: string;
  readonly name: string;
  readonly country: 'DK' | 'FI';
  readonly currency: Currency;
  /** The bearer of the interfaces that do not go through the integrator's token. */
  readonly apiKey: string;
  readonly scopes: ReadonlySet<Scope>;
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
  ending: Cancel | null;
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
  ending: Cancel | null;
  readonly history: { status: string; at: string }[];
}

/** A user of the app, known by the phone (document 4, section 1.15). */
export interface Phone {
  readonly userId: string;
  readonly userName: string;
  readonly phoneNumber: string;
  readonly card: 'credit' | 'debit';
  readonly loyaltyIds: readonly string[];
  /** Empty: the user has none. */
  readonly receiptToken: string;
  readonly partialCapture: boolean;
  /** What the card can still pay, in minor units of the user's country. Unlimited unless a test says otherwise. */
  balanceMinor: number;
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
  /** From Initiated to Reserved. */
  refundReservationMs: 0,
  refundCaptureMs: dayMs,
  refundWindowMs: 90 * dayMs,
  idempotencyMs: dayMs,
  tokenSeconds: 3_700,
  /** The daily transfer, in UTC, and what is kept back of it; the documents name neither time nor fees. */
  transfersAt: { hours: 3, minutes: 0 },
  transactionFeeMinor: 25,
  serviceFeePerMille: 5,
};
export type Policy = typeof usualPolicy;

const testPhones = (): Phone[] =>
  ['+45200318', '+358200318'].flatMap((prefix) => {
    const number = (last: number): string => (prefix === '+45200318' ? `${prefix}0${last}` : `${prefix}00${last}`);
    const country = prefix === '+45200318' ? 1 : 2;
    const user = (last: number) => ({
      userId: `05e20000-0000-4000-8000-0000000000${country}${last}`,
      userName: `Test User ${last}`,
      phoneNumber: number(last),
      balanceMinor: Number.POSITIVE_INFINITY,
      loyaltyIds: [] as string[],
      receiptToken: '',
      partialCapture: false,
    });
    return [
      { ...user(1), card: 'credit' as const },
      { ...user(2), card: 'debit' as const },
      { ...user(3), card: 'credit' as const },
      { ...user(4), card: 'credit' as const, loyaltyIds: ['LOYAL-4711'], receiptToken: 'receipts-of-04' },
      { ...user(5), card: 'credit' as const, partialCapture: true },
    ];
  });

export interface Client {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly integratorId: string;
}

export class World {
  readonly chronicle: Chronicle;
  readonly clock: WorldClock;
  readonly ids: Ids;
  readonly profile: Profile;
  readonly policy: Policy;
  readonly ledger = new Ledger(this);
  readonly outbox = new Outbox(this);
  readonly clients = new Map<string, Client>();
  /** By VAT number. */
  readonly merchants = new Map<string, Merchant>();
  readonly merchantByApiKey = new Map<string, Merchant>();
  readonly stores = new Map<string, Store>();
  readonly pointsOfSale = new Map<string, PointOfSale>();
  readonly posByMerchantPosId = new Map<string, PointOfSale>();
  readonly posByBeaconId = new Map<string, PointOfSale>();
  readonly payments = new Map<string, Payment>();
  readonly refunds = new Map<string, Refund>();
  readonly phones = new Map<string, Phone>();

  readonly #listeners = new Set<(posId: string) => void>();

  constructor(options: { clock: Clock; ids: Ids; profile: Profile; policy?: Partial<Policy>; chronicle?: Chronicle }) {
    this.chronicle = options.chronicle ?? noChronicle;
    this.clock = new WorldClock(options.clock, this.chronicle);
    this.ids = options.ids;
    this.profile = options.profile;
    this.policy = { ...usualPolicy, ...options.policy };
    for (const phone of testPhones()) this.phones.set(phone.phoneNumber, phone);
  }

  addMerchant(about: Partial<Merchant> & { vat: string }): Merchant {
    const country = about.vat.startsWith('FI') ? 'FI' : 'DK';
    const merchant: Merchant = {
      merchantId: this.ids.uuid(),
      name: 'Corner Shops',
      country,
      currency: country === 'FI' ? 'EUR' : 'DKK',
      apiKey: `simulated-key-of-${about.vat}`,
      scopes: new Set(['subscriptions', 'invoice', 'transactionreporting', 'merchantpayments', 'webhooks']),
      ...about,
    };
    this.merchants.set(merchant.vat, merchant);
    this.merchantByApiKey.set(merchant.apiKey, merchant);
    return merchant;
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
    if (!this.merchants.has(store.merchantVat)) this.addMerchant({ vat: store.merchantVat });
    this.stores.set(store.storeId, store);
    return store;
  }

  /** Any number is a customer; the documented test numbers have their documented cards. */
  phoneNumbered(phoneNumber: string): Phone {
    const known = this.phones.get(phoneNumber);
    if (known !== undefined) return known;
    // Not remembered: anybody may come by. The same number is the same user all the same.
    const hash = createHash('sha256').update(phoneNumber).digest('hex');
    const userId = `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
    const userName = `User ${phoneNumber.slice(-4)}`;
    return { userId, userName, phoneNumber, card: 'credit', loyaltyIds: [], receiptToken: '', partialCapture: false, balanceMinor: Number.POSITIVE_INFINITY };
  }

  /** A user that is remembered, with a card that can pay so much; anew when the number is known already. */
  addUser(about: Partial<Phone> & { phoneNumber: string }): Phone {
    const phone = { ...this.phoneNumbered(about.phoneNumber), ...about };
    this.phones.set(phone.phoneNumber, phone);
    return phone;
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
