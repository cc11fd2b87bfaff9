import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemIds } from '../../../../main/core/domain/ids.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { webhookSignature } from '../../../../main/wallets/v10/app-payments/webhook.ts';
import { type Intake, openIntake } from '../../../../main/wallets/callbacks/intake.ts';
import {
  CallbackReceiver,
  type ReceiverOptions,
} from '../../../../main/wallets/callbacks/callback-server.ts';
import type { CallbackSettings } from '../../../../main/wallets/callbacks/callback-settings.ts';
import { openSqliteStore } from '../../../../main/wallets/callbacks/sqlite-store.ts';
import type { CallbackStore } from '../../../../main/wallets/callbacks/callback-store.ts';
import { ManualClock } from '../../support/manual-clock.ts';

export const webhook = {
  url: 'https://shop.example/callbacks/app-payments',
  signatureKey: 'webhook key',
};
export const apiKey = 'the key of subscriptions';
export const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString('base64')}`;

export const settings: CallbackSettings = {
  listen: { host: '127.0.0.1', port: 0 },
  profile: 'generic',
  subscriptions: [
    { scheme: 'basic', userName: 'wallet', password: 'pass:wörd' },
    { scheme: 'apiKey', apiKey },
    { scheme: 'oauth2', clientId: 'the service', clientSecret: 'a+secret/' },
  ],
  invoices: [{ scheme: 'apiKey', apiKey: 'the key of invoices' }],
  appPayments: [webhook],
  checkin: true,
};

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

interface Options extends Partial<Omit<ReceiverOptions, 'intake'>> {
  /** Wraps the intake, e.g. for a slow disk. */
  readonly slowed?: (intake: Intake) => Intake;
}

/** A receiver over real HTTP, with time that only tests move. */
export class Callbacks {
  readonly clock = new ManualClock();
  readonly folder = mkdtempSync(join(tmpdir(), 'tillbeacon-callbacks-'));
  readonly path = join(this.folder, 'callbacks.db');
  store: CallbackStore;
  url = '';
  #receiver: CallbackReceiver;
  readonly #options: Options;

  constructor(options: Options = {}) {
    this.#options = options;
    this.store = openSqliteStore(this.path, { busyTimeoutMs: 20 });
    this.#receiver = this.#create();
  }

  #create(): CallbackReceiver {
    const { slowed = (intake) => intake, ...given } = this.#options;
    const records = {
      since: (seq: number, limit?: number) => this.store.since(seq, limit),
      lastSeq: () => this.store.health().lastSeq,
    };
    const options = {
      settings,
      clock: this.clock,
      ids: systemIds,
      log: silentLog,
      records,
      ...given,
    };
    return new CallbackReceiver({
      ...options,
      intake: slowed(openIntake({ ...options, store: this.store })),
    });
  }

  async start(): Promise<this> {
    ({ url: this.url } = await this.#receiver.start({ host: '127.0.0.1', port: 0 }));
    return this;
  }

  async restart(): Promise<void> {
    await this.#receiver.stop();
    this.store.close();
    this.store = openSqliteStore(this.path, { busyTimeoutMs: 20 });
    this.#receiver = this.#create();
    await this.start();
  }

  async stop(): Promise<void> {
    await this.#receiver.stop();
    this.store.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async fetch(path: string, init: RequestInit = {}): Promise<Answer> {
    const response = await fetch(this.url + path, init);
    return { status: response.status, text: await response.text(), headers: response.headers };
  }

  /** Sends a callback as the service would, with the right key. */
  post(path: Path, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return this.fetch(`/callbacks/${path}`, {
      method: 'POST',
      body: text,
      headers: { ...rightHeaders(path, text), ...headers },
    });
  }

  statuses(): string[] {
    return this.store.since(0).map(({ record }) => record.status);
  }
}

export type Path =
  | 'subscription-payments'
  | 'agreements'
  | 'refunds'
  | 'invoices'
  | 'app-payments'
  | 'checkin';

function rightHeaders(path: Path, body: string): Record<string, string> {
  if (path === 'checkin') return {};
  if (path === 'app-payments')
    return { 'x-service-signature': webhookSignature(webhook.signatureKey, webhook.url, body) };
  return { authorization: path === 'invoices' ? 'the key of invoices' : apiKey };
}

export const id = (): string => randomUUID();

/** A callback as in document 4, section 3.3. */
export const payment = (about: object = {}) => ({
  agreement_id: id(),
  payment_id: id(),
  amount: '12.50',
  currency: 'DKK',
  payment_date: '2026-11-21',
  status: 'Executed',
  status_text: null,
  status_code: 0,
  external_id: 'order-1',
  payment_type: 'Regular',
  ...about,
});
export const agreement = (about: object = {}) => ({
  agreement_id: id(),
  status: 'Accepted',
  status_text: '',
  status_code: 0,
  external_id: 'customer-1',
  timestamp: '2026-11-21T08:00:00Z',
  ...about,
});
export const refund = (about: object = {}) => ({
  refund_id: id(),
  agreement_id: id(),
  payment_id: id(),
  amount: '5.00',
  currency: 'DKK',
  status: 'Issued',
  status_text: '',
  status_code: '',
  external_id: 'refund-1',
  ...about,
});
export const invoice = (about: object = {}) => ({
  InvoiceId: id(),
  Status: 'Created',
  Date: '2026-11-21T08:00:00Z',
  Sequence: 0,
  ...about,
});
export const notification = (about: object = {}, data: object = {}) => ({
  notificationId: id(),
  eventType: 'payment.reserved',
  eventDate: '2026-11-21T08:00:00Z',
  data: { id: id(), type: 'payment', reference: 'order-7', ...data },
  ...about,
});
export const checkIn = (about: object = {}) => ({
  MerchantId: id(),
  MerchantBrandId: 'MPPOSCERT1',
  MerchantLocationId: '00001',
  MerchantPosId: 'lane-1',
  PosId: id(),
  ...about,
});
export const oneOfEach: readonly (readonly [Path, (about?: object) => object])[] = [
  ['subscription-payments', payment],
  ['agreements', agreement],
  ['refunds', refund],
  ['invoices', invoice],
  ['app-payments', notification],
  ['checkin', checkIn],
];
