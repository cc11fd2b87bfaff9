import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { minorUnits } from '../../../../main/core/domain/money.ts';
import { merchantAccess } from '../../../../main/wallets/http/access.ts';
import { clientOf } from '../../../../main/wallets/v10/typed-client.ts';
import { fetchHttp } from '../../../../main/wallets/http/http.ts';
import { profileNamed } from '../../../../main/wallets/v10/v10-profile.ts';
import { openSubscriptions } from '../../../../main/wallets/v10/subscriptions/subscriptions-client.ts';
import { subscriptionSandboxOperations } from '../../../../main/wallets/v10/subscriptions/subscriptions-operations.ts';
import { Transport } from '../../../../main/wallets/http/transport.ts';
import { type Answer, Service } from './support.ts';

export const providerId = '5b5c0000-0000-4000-8000-000000000001';
export const unknownId = '00000000-0000-4000-8000-00000000dead';
export const user = '+4520031801';
export const hours = (count: number): number => count * 3_600_000;
export const days = (count: number): number => hours(24 * count);

interface Received {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** Time by the simulator's clock. */
  readonly at: string;
}
export type Event = Readonly<Record<string, unknown>>;

/**
 * The simulator over real HTTP, its client, and a merchant who takes callbacks. The simulator
 * begins on 2026-11-21 at 09:00.
 */
export class Merchant {
  readonly service = new Service();
  readonly #receiver = createServer((request, response) => void this.#receive(request, response));
  readonly received: Received[] = [];
  answers: (path: string) => { status: number; body?: object } = () => ({ status: 200 });
  #url = '';

  async start({ called = true } = {}): Promise<this> {
    await this.service.start();
    await new Promise<void>((resolve) => this.#receiver.listen(0, '127.0.0.1', resolve));
    this.#url = `http://127.0.0.1:${(this.#receiver.address() as AddressInfo).port}`;
    const value = this.url('/payments');
    if (called)
      await this.client.updateSubscriptionProvider({
        providerId,
        body: [{ op: 'replace', path: '/payment_status_callback_url', value }],
      });
    return this;
  }
  async stop(): Promise<void> {
    await this.service.simulator.stop();
    this.#receiver.closeAllConnections();
    await new Promise((resolve) => this.#receiver.close(resolve));
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    this.received.push({
      path: request.url ?? '',
      headers: request.headers,
      body,
      at: this.service.simulator.world.at(),
    });
    const answer = this.answers(request.url ?? '');
    response
      .writeHead(answer.status, { 'content-type': 'application/json' })
      .end(JSON.stringify(answer.body ?? {}));
  }

  url(path: string): string {
    return this.#url + path;
  }
  get world() {
    return this.service.simulator.world;
  }
  get #transport(): Transport {
    return new Transport({
      baseUrl: this.service.simulator.baseUrl,
      access: merchantAccess('simulated-key-of-DK90000028'),
      profile: profileNamed('generic'),
      send: fetchHttp,
      clock: this.world.clock,
      log: silentLog,
    });
  }
  get client() {
    return openSubscriptions({ transport: this.#transport });
  }
  get sandbox() {
    return clientOf(this.#transport, subscriptionSandboxOperations);
  }

  /** Sends a request without the client's own checks. */
  call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const merchant = { authorization: 'Bearer simulated-key-of-DK90000028', ...headers };
    return this.service.call(method, path, body as object | undefined, merchant);
  }
  testEndpoint(name: string, body: object): Promise<Answer> {
    return this.call('POST', `/simulator/subscriptions/${name}`, body);
  }
  /** Lets time pass until this moment, with all callbacks delivered. */
  async until(moment: string): Promise<void> {
    await this.service.simulator.advance(Date.parse(`${moment}Z`) - this.world.clock.wallMs());
  }
  async callbacks(path: string): Promise<Event[]> {
    await this.world.outbox.settled();
    return this.received
      .filter((one) => one.path === path)
      .flatMap<Event>(({ body }) => JSON.parse(body) as Event | Event[]);
  }
  /**
   * Lets time pass until the next run of the batch. @returns all callbacks about payments so far
   */
  async paymentCallbacks(): Promise<Event[]> {
    await this.service.simulator.advance(120_000);
    return this.callbacks('/payments');
  }

  agreement(about: object = {}) {
    return {
      country_code: 'DK',
      currency: 'DKK',
      expiration_timeout_minutes: 5,
      external_id: 'AGREEMENT-1',
      plan: 'Basic',
      links: [
        { rel: 'user-redirect', href: 'https://shop.example/welcome' },
        { rel: 'success-callback', href: this.url('/success') },
        { rel: 'cancel-callback', href: this.url('/cancel') },
      ],
      ...about,
    } as Parameters<Merchant['client']['createAgreement']>[0]['body'];
  }
  async pendingAgreement(about: object = {}): Promise<string> {
    return (await this.client.createAgreement({ providerId, body: this.agreement(about) })).id;
  }
  async acceptedAgreement(about: object = {}): Promise<string> {
    const agreementId = await this.pendingAgreement(about);
    await this.sandbox.simulateAgreementDecision({ agreementId, body: { status: 'Accepted' } });
    return agreementId;
  }
  request(agreement_id: string, about: object = {}) {
    return {
      agreement_id,
      amount: minorUnits(12_50),
      description: 'November',
      due_date: '2026-11-23',
      external_id: 'PAYMENT-1',
      ...about,
    } as Parameters<Merchant['client']['requestSubscriptionPayments']>[0]['body'][number];
  }
  /** Without the client's own checks, which would refuse a wrong due date. */
  async requested(agreementId: string, about: object = {}): Promise<string> {
    const body = [{ ...this.request(agreementId), amount: 12.5, ...about }];
    const answer = await this.call(
      'POST',
      `/subscriptions/api/providers/${providerId}/paymentrequests`,
      body,
    );
    return (answer.body as { pending_payments: { payment_id: string }[] }).pending_payments[0]
      ?.payment_id as string;
  }
  async status(agreementId: string, paymentId: string): Promise<string> {
    return (await this.client.getSubscriptionPayment({ providerId, agreementId, paymentId }))
      .status;
  }
  async oneOff(agreementId: string, about: object = {}): Promise<string> {
    const body = {
      amount: minorUnits(80_00),
      description: 'Boots',
      external_id: 'ONE-OFF-1',
      ...about,
    };
    return (await this.client.requestOneOff({ providerId, agreementId, body })).id;
  }
  async oneOffStatus(agreementId: string, paymentId: string): Promise<string> {
    return (await this.client.getOneOff({ providerId, agreementId, paymentId })).status;
  }
  /** The user has no more than this. */
  balance(balanceMinor: number): void {
    this.world.addPhone({ phoneNumber: user, balanceMinor });
  }
}

export const refusedWith = (status: number): unknown =>
  expect.objectContaining({ name: 'ServiceRefusedError', status });
