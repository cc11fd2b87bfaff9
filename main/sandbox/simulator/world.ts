/** The state of the simulated wallet service, and its own clock. */
import type { Clock } from '../../core/domain/clock.ts';
import type { Ids } from '../../core/domain/ids.ts';
import type { Profile } from '../../wallets/v10/v10-profile.ts';
import { Ledger } from './ledger.ts';
import type { Merchant } from './merchant.ts';
import { Outbox } from './outbox.ts';
import { type Phone, testPhones, unregisteredPhone } from './phone.ts';
import type {
  Client,
  PointOfSale,
  SimulatedPayment,
  SimulatedRefund,
  Store,
} from './point-of-sale/point-of-sale-model.ts';
import { defaultPolicy, type Policy } from './policy.ts';
import { scheduleDailyTransfers } from './reporting/daily-transfers.ts';
import { Spending } from './spending.ts';
import { WorldClock } from './world-clock.ts';
import { noEventLog, type WorldEventLog } from './world-event.ts';

/**
 * The rules that decide what becomes of a request. The events of an earlier version are replayed by
 * its own rules. - 2: subscription payments that are not taken are `Suspended`, can be rejected and
 * declined on one
 *   day only, and count towards users' limits.
 * - 3: users' limits bound app payments, and the merchant's country bounds one-off payments. The
 *   links and details of a one-off payment have their effect, and details elsewhere are refused.
 *   Failing payments are followed by SMS. A user cannot choose notifications where the agreement
 *   disables that. Payment callbacks may go to http.
 */
type Rules = 1 | 2 | 3;
const latestRules = 3;

export class World {
  readonly eventLog: WorldEventLog;
  readonly clock: WorldClock;
  readonly ids: Ids;
  readonly profile: Profile;
  readonly policy: Policy;
  readonly ledger: Ledger;
  readonly outbox: Outbox;
  /**
   * Subscription payments, without one-off payments: document 1, "Limits", names subscription
   * payments.
   */
  readonly spending = new Spending();
  /** App payments that are reserved or captured. */
  readonly appSpending = new Spending();
  readonly clients = new Map<string, Client>();
  /** By VAT number. */
  readonly merchants = new Map<string, Merchant>();
  readonly merchantByApiKey = new Map<string, Merchant>();
  readonly stores = new Map<string, Store>();
  readonly pointsOfSale = new Map<string, PointOfSale>();
  readonly posByMerchantPosId = new Map<string, PointOfSale>();
  readonly posByBeaconId = new Map<string, PointOfSale>();
  readonly payments = new Map<string, SimulatedPayment>();
  readonly refunds = new Map<string, SimulatedRefund>();
  /**
   * Phones with settings of their own. Every other number belongs to a customer too
   * (`phoneByNumber`).
   */
  readonly phones = new Map(testPhones().map((phone) => [phone.phoneNumber, phone]));

  #rules: Rules;
  readonly #listeners = new Set<(posId: string) => void>();

  constructor(options: {
    clock: Clock;
    ids: Ids;
    profile: Profile;
    policy?: Partial<Policy>;
    eventLog?: WorldEventLog;
  }) {
    this.eventLog = options.eventLog ?? noEventLog;
    this.#rules = options.eventLog === undefined ? latestRules : 1;
    this.clock = new WorldClock(options.clock, this.eventLog);
    this.ids = options.ids;
    this.profile = options.profile;
    this.policy = { ...defaultPolicy, ...options.policy };
    this.ledger = new Ledger(this.clock);
    this.outbox = new Outbox(this.clock, this.eventLog);
    scheduleDailyTransfers(this);
  }

  get rules(): Rules {
    return this.#rules;
  }

  /** Applies the rules of this version from now on. A replay adopts those of the recorded event. */
  adoptRules(version: Exclude<Rules, 1> = latestRules): void {
    if (this.#rules >= version) return;
    this.eventLog.record(
      () => ({ kind: 'rulesAdopted', version }),
      () => void (this.#rules = version),
    );
  }

  addMerchant(about: Partial<Merchant> & { vat: string }): Merchant {
    const country = about.vat.startsWith('FI') ? 'FI' : 'DK';
    const merchant: Merchant = {
      merchantId: this.ids.uuid(),
      name: 'Corner Shops',
      country,
      currency: country === 'FI' ? 'EUR' : 'DKK',
      apiKey: `simulated-key-of-${about.vat}`,
      scopes: new Set([
        'subscriptions',
        'invoice',
        'transactionreporting',
        'merchantpayments',
        'webhooks',
      ]),
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

  /** As `addStore`, and recorded in the event log. */
  openStore(about: { storeId: string; merchantVat: string }): void {
    this.eventLog.record(
      () => ({ kind: 'storeAdded', ...about }),
      () => void this.addStore(about),
    );
  }

  phoneByNumber(phoneNumber: string): Phone {
    return this.phones.get(phoneNumber) ?? unregisteredPhone(phoneNumber);
  }

  /** Adds or changes a phone. */
  addPhone(about: Partial<Phone> & { phoneNumber: string }): Phone {
    const phone = { ...this.phoneByNumber(about.phoneNumber), ...about };
    this.phones.set(phone.phoneNumber, phone);
    return phone;
  }

  /** Calls `listener` after each change at a point of sale. @returns unsubscribe */
  onChange(listener: (posId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  changed(pos: PointOfSale): void {
    for (const listener of this.#listeners) listener(pos.posId);
  }

  /** The wall clock's time at a moment of the monotonic clock, in ISO 8601. */
  at(monotonicMs: number = this.clock.monotonicMs()): string {
    return new Date(this.clock.wallMs() - (this.clock.monotonicMs() - monotonicMs)).toISOString();
  }
}
