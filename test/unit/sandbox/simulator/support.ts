import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemIds } from '../../../../main/core/domain/ids.ts';
import { Simulator } from '../../../../main/sandbox/simulator/simulator.ts';
import type { Policy } from '../../../../main/sandbox/simulator/policy.ts';
import { profileNamed } from '../../../../main/wallets/v10/v10-profile.ts';
import { ManualClock } from '../../support/manual-clock.ts';

export const phone = '+4520031801';
export const partialPhone = '+4520031805';
export const debitPhone = '+4520031802';

/** A merchant's server that takes every callback. */
export async function openReceiver(): Promise<{
  readonly url: string;
  readonly close: () => void;
}> {
  const server = createServer(
    (request, response) => void request.resume().once('end', () => response.writeHead(204).end()),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    close: () => void server.close(),
  };
}

export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown> | null;
  readonly code: unknown;
}

/**
 * The simulator over real HTTP, with time that only tests move, and a client without any checks of
 * its own.
 */
export class Service {
  readonly clock = new ManualClock();
  readonly simulator: Simulator;
  #token = '';

  constructor(policy: Partial<Policy> = {}) {
    this.simulator = new Simulator({
      profile: profileNamed('generic'),
      clock: this.clock,
      ids: systemIds,
      policy,
    });
  }

  async start(): Promise<this> {
    await this.simulator.start({ port: 0 });
    await this.signIn();
    return this;
  }

  async signIn(): Promise<void> {
    this.#token = (await this.token()).body?.['access_token'] as string;
  }

  async token(
    form = 'grant_type=client_credentials&merchant_vat=DK90000028',
    basic = 'tillbeacon:simulated-client-secret',
  ): Promise<Answer> {
    return this.#fetch('/connect/token', {
      method: 'POST',
      body: form,
      headers: {
        authorization: `Basic ${Buffer.from(basic).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
    });
  }

  async call(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string | undefined> = {},
  ): Promise<Answer> {
    const all = {
      authorization: `Bearer ${this.#token}`,
      'x-service-client-system-version': '1.2.3',
      ...(body === undefined
        ? {}
        : { 'content-type': 'application/json', 'x-service-idempotency-key': systemIds.uuid() }),
      ...headers,
    };
    const given = Object.fromEntries(
      Object.entries(all).filter(([, value]) => value !== undefined),
    ) as Record<string, string>;
    return this.#fetch(path, {
      method,
      headers: given,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async #fetch(path: string, init: RequestInit): Promise<Answer> {
    const response = await fetch(this.simulator.baseUrl + path, init);
    const text = await response.text();
    const body = text === '' ? null : (JSON.parse(text) as Record<string, unknown>);
    return { status: response.status, body, code: body?.['code'] };
  }

  pos = { posId: '', beaconId: '' };
  async createPos(about: object = {}): Promise<Answer> {
    const answer = await this.call('POST', '/v10/pointofsales', {
      merchantPosId: 'lane-1',
      storeId: this.simulator.storeIds[0],
      name: 'Lane 1',
      supportedBeaconTypes: ['QR'],
      ...about,
    });
    const posId = answer.body?.['posId'] as string | undefined;
    if (posId !== undefined)
      this.pos = {
        posId,
        beaconId: (await this.call('GET', `/v10/pointofsales/${posId}`)).body?.[
          'beaconId'
        ] as string,
      };
    return answer;
  }

  terms(about: object = {}): object {
    return { amount: 12.5, currencyCode: 'DKK', plannedCaptureDelay: 'None', ...about };
  }
  initiate(about: object = {}, headers: Record<string, string | undefined> = {}): Promise<Answer> {
    return this.call(
      'POST',
      '/v10/payments',
      { posId: this.pos.posId, orderId: 'order-1', ...this.terms(), ...about },
      headers,
    );
  }
  async initiated(about: object = {}): Promise<string> {
    return (await this.initiate(about)).body?.['paymentId'] as string;
  }
  async reserved(about: object = {}, by = phone): Promise<string> {
    const paymentId = await this.initiated(about);
    await this.sandbox('checkin', by);
    await this.sandbox('acceptpayment', by);
    return paymentId;
  }
  async captured(about: object = {}): Promise<string> {
    const paymentId = await this.reserved(about);
    await this.call('POST', `/v10/payments/${paymentId}/capture`, { amount: 12.5 });
    return paymentId;
  }
  sandbox(action: string, phoneNumber = phone): Promise<Answer> {
    return this.call('POST', `/app/usersimulation/${action}`, {
      beaconId: this.pos.beaconId,
      ...(action === 'cancelpaymentbyuser' ? {} : { phoneNumber }),
    });
  }
  async status(paymentId: string): Promise<unknown> {
    return (await this.call('GET', `/v10/payments/${paymentId}`)).body?.['status'];
  }
}
