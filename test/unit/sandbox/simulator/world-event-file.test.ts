import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemIds } from '../../../../main/core/domain/ids.ts';
import { ServiceEngine } from '../../../../main/sandbox/simulator/service-engine.ts';
import { noEventLog } from '../../../../main/sandbox/simulator/world-event.ts';
import { WorldEventFile } from '../../../../main/sandbox/simulator/world-event-file.ts';
import { Simulator } from '../../../../main/sandbox/simulator/simulator.ts';
import { World } from '../../../../main/sandbox/simulator/world.ts';
import { profileNamed } from '../../../../main/wallets/v10/v10-profile.ts';
import { ManualClock, settled } from '../../support/manual-clock.ts';
import { phone } from './support.ts';

let folder: string;
let running: StoredSimulator[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-books-'));
  running = [];
});
afterEach(async () => {
  for (const kept of running) await kept.end();
  rmSync(folder, { recursive: true, force: true });
});

interface RequestOf {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly key?: string;
}

/** A service with its event log in a file. When it is killed, only the file is left. */
class StoredSimulator {
  readonly clock: ManualClock;
  readonly path: string;
  simulator!: Simulator;
  #books!: WorldEventFile;
  #token = '';

  constructor(name: string) {
    this.clock = new ManualClock();
    this.path = join(folder, name);
    running.push(this);
  }

  async open(): Promise<this> {
    this.#books = new WorldEventFile({
      path: this.path,
      clock: this.clock,
      profile: 'generic',
      pollDelayInMs: 100,
      seed: 7,
    });
    const lasting = { clock: this.#books, ids: this.#books, eventLog: this.#books };
    this.simulator = new Simulator({
      profile: profileNamed('generic'),
      ...lasting,
      policy: { pollDelayInMs: 100 },
    });
    await this.simulator.start({ port: 0 });
    return this;
  }

  async kill(): Promise<void> {
    await this.simulator.stop();
  }

  async killAndOpen(): Promise<void> {
    await this.kill();
    await this.open();
  }

  async end(): Promise<void> {
    await this.kill().catch(() => {});
  }

  async signIn(): Promise<string> {
    const authorization = `Basic ${Buffer.from('tillbeacon:simulated-client-secret').toString('base64')}`;
    const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' };
    const response = await fetch(`${this.simulator.baseUrl}/connect/token`, {
      method: 'POST',
      body: 'grant_type=client_credentials&merchant_vat=DK90000028',
      headers,
    });
    return (this.#token = ((await response.json()) as { access_token: string }).access_token);
  }

  async ask(
    { method, path, body, key }: RequestOf,
    as: Record<string, string> = {},
  ): Promise<{ status: number; body: Record<string, unknown> }> {
    const headers = {
      authorization: `Bearer ${this.#token}`,
      'x-service-client-system-version': '1.2.3',
      ...(body === undefined
        ? {}
        : {
            'content-type': 'application/json',
            'x-service-idempotency-key': key ?? systemIds.uuid(),
          }),
      ...as,
    };
    const response = await fetch(this.simulator.baseUrl + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    // The service stores that its answer was sent.
    await settled();
    return {
      status: response.status,
      body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    };
  }

  async createPos(): Promise<string> {
    const about = {
      merchantPosId: 'lane-1',
      storeId: this.simulator.storeIds[0],
      name: 'Lane 1',
      supportedBeaconTypes: ['QR'],
    };
    return (
      await this.ask({ method: 'POST', path: '/v10/pointofsales', body: about, key: 'the-pos' })
    ).body['posId'] as string;
  }

  /** The state of money and points of sale. */
  get books(): {
    payments: Record<string, unknown>[];
    refunds: Record<string, unknown>[];
    pointsOfSale: { beaconId: string }[];
  } {
    return this.simulator.state() as StoredSimulator['books'];
  }
}

type Step =
  | {
      readonly do:
        | 'create'
        | 'capture'
        | 'cancel'
        | 'refund'
        | 'captureRefund'
        | 'cancelRefund'
        | 'poll';
      readonly which: number;
    }
  | {
      readonly do:
        | 'checkin'
        | 'accept'
        | 'refuse'
        | 'leave'
        | 'signIn'
        | 'unknownPayment'
        | 'reserve'
        | 'sell';
    }
  | { readonly do: 'time' | 'ahead'; readonly ms: number };
const nat = fc.nat({ max: 3 });
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'create',
        'capture',
        'cancel',
        'refund',
        'captureRefund',
        'cancelRefund',
        'poll',
      ),
      which: nat,
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'checkin',
        'accept',
        'refuse',
        'leave',
        'signIn',
        'unknownPayment',
        'reserve',
        'sell',
        'sell',
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('time', 'ahead'),
      ms: fc.constantFrom(40, 130_000, 301_000, 8 * 24 * 3_600_000),
    }),
  },
);

/** @returns the service's answer */
async function act(
  kept: StoredSimulator,
  step: Step,
  posId: string,
  number: number,
): Promise<unknown> {
  const { payments, refunds, pointsOfSale } = kept.books;
  const at = (list: readonly Record<string, unknown>[], which: number, id: string): string =>
    (list.at(-1 - which)?.[id] ?? posId) as string;
  const post = (path: string, body: object = {}) =>
    kept.ask({ method: 'POST', path: `/v10/${path}`, body, key: `key-${number}` });
  const atBeacon = { beaconId: pointsOfSale[0]?.beaconId, phoneNumber: phone };
  const terms = { posId, currencyCode: 'DKK', plannedCaptureDelay: 'None' };
  switch (step.do) {
    case 'create':
      // Sometimes the same order is sent again with the same key.
      return kept.ask({
        method: 'POST',
        path: '/v10/payments',
        body: { ...terms, orderId: `order-${number >> step.which}`, amount: 12.5 },
        key: `of-${number >> step.which}`,
      });
    case 'capture':
      return post(`payments/${at(payments, step.which, 'paymentId')}/capture`, { amount: 12.5 });
    case 'cancel':
      return post(`payments/${at(payments, step.which, 'paymentId')}/cancel`);
    case 'refund':
      return post('refunds', {
        paymentId: at(payments, step.which, 'paymentId'),
        refundOrderId: `refund-${number}`,
        amount: 2.5,
        currencyCode: 'DKK',
      });
    case 'captureRefund':
      return post(`refunds/${at(refunds, step.which, 'refundId')}/capture`);
    case 'cancelRefund':
      return post(`refunds/${at(refunds, step.which, 'refundId')}/cancel`);
    case 'poll':
      return kept.ask({
        method: 'GET',
        path: `/v10/payments/${at(payments, step.which, 'paymentId')}`,
      });
    case 'unknownPayment':
      // The correlation id of the refusal is not part of the stored state.
      return (await kept.ask({ method: 'GET', path: '/v10/payments/none' })).status;
    case 'reserve':
    case 'sell': {
      const answers = [];
      for (const part of [
        'create',
        'checkin',
        'accept',
        ...(step.do === 'sell' ? ['capture', 'refund', 'captureRefund'] : []),
      ])
        answers.push(await act(kept, { do: part, which: 0 } as Step, posId, number * 100));
      return answers;
    }
    case 'signIn':
      return kept.signIn();
    case 'time':
      return kept.clock.pass(step.ms);
    case 'ahead':
      return kept.simulator.advance(step.ms);
    default:
      return (
        await kept.ask({ method: 'POST', path: `/simulator/phone/${step.do}`, body: atBeacon })
      ).body;
  }
}

/** Removes the id of an error, which is new each time, so that answers can be compared. */
const comparable = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer ?? null, (name, value: unknown) =>
      name === 'correlationId' ? '' : value,
    ),
  );

test('whatever was done, and wherever it was killed in between: the books and the answers are those of a service that was never killed', async () => {
  let run = 0;
  const reached = new Set<unknown>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ step: anyStep, killed: fc.constantFrom(true, false, false) }), {
        minLength: 20,
        maxLength: 30,
      }),
      async (steps) => {
        run += 1;
        const never = await new StoredSimulator(`never-${run}`).open();
        const often = await new StoredSimulator(`often-${run}`).open();
        const posIds = [];
        for (const kept of [never, often]) {
          await kept.signIn();
          posIds.push(await kept.createPos());
        }
        expect(posIds[1]).toBe(posIds[0]);
        for (const [number, { step, killed }] of steps.entries()) {
          const answers = [];
          for (const kept of [never, often])
            answers.push(comparable(await act(kept, step, posIds[0] as string, number)));
          expect(answers[1]).toEqual(answers[0]);
          if (killed) await often.killAndOpen();
          expect(often.simulator.state()).toEqual(never.simulator.state());
        }
        for (const { status } of [...never.books.payments, ...never.books.refunds])
          reached.add(status);
        await never.kill();
        await often.kill();
      },
    ),
    { numRuns: 5, seed: 4, endOnFailure: true },
  );
  expect([...reached]).toEqual(
    expect.arrayContaining(['Captured', 'CancelledByClient', 'Reserved', 'ExpiredAndCancelled']),
  );
});

async function withPayment(): Promise<{ kept: StoredSimulator; posId: string; create: RequestOf }> {
  const kept = await new StoredSimulator('books').open();
  await kept.signIn();
  const posId = await kept.createPos();
  const body = {
    posId,
    orderId: 'order-1',
    amount: 12.5,
    currencyCode: 'DKK',
    plannedCaptureDelay: 'None',
  };
  return { kept, posId, create: { method: 'POST', path: '/v10/payments', body, key: 'key-1' } };
}

async function beCalledBack(kept: StoredSimulator, receiver: Server): Promise<void> {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const merchant = { authorization: 'Bearer simulated-key-of-DK90000028' };
  const { webhookId } = (
    await kept.ask(
      { method: 'POST', path: '/v1/webhooks', body: { url, events: ['payment.reserved'] } },
      merchant,
    )
  ).body;
  await kept.ask(
    { method: 'POST', path: `/v1/webhooks/${webhookId as string}/publishtestnotification` },
    merchant,
  );
}

const merchant = { authorization: 'Bearer simulated-key-of-DK90000028' };
const hourMs = 60 * 60 * 1000;

/**
 * A payment at 10:00 of its due date, with two more days of grace, whose user's card is empty. The
 * simulator begins at 09:00 on 2026-11-21.
 */
async function withUnpaidPayment(): Promise<{ kept: StoredSimulator; paymentId: string }> {
  const kept = await new StoredSimulator('books').open();
  const provider = '/subscriptions/api/providers/5b5c0000-0000-4000-8000-000000000001';
  const links = ['user-redirect', 'success-callback', 'cancel-callback'].map((rel) => ({
    rel,
    href: 'https://shop.example:8443/',
  }));
  const agreement = {
    country_code: 'DK',
    currency: 'DKK',
    expiration_timeout_minutes: 5,
    plan: 'Basic',
    links,
  };
  const { id } = (
    await kept.ask({ method: 'POST', path: `${provider}/agreements`, body: agreement }, merchant)
  ).body;
  await kept.ask({
    method: 'POST',
    path: '/simulator/subscriptions/accept-agreement',
    body: { agreementId: id },
  });
  await kept.ask({
    method: 'POST',
    path: '/simulator/subscriptions/set-user',
    body: { phoneNumber: phone, balanceMinor: 0 },
  });
  const about = {
    agreement_id: id,
    amount: 12.5,
    description: 'November',
    due_date: '2026-11-22',
    external_id: 'PAYMENT-1',
    grace_period_days: 3,
  };
  const asked = await kept.ask(
    { method: 'POST', path: `${provider}/paymentrequests`, body: [about] },
    merchant,
  );
  const later = await kept.ask(
    {
      method: 'POST',
      path: `${provider}/paymentrequests`,
      body: [{ ...about, due_date: '2026-12-22' }],
    },
    merchant,
  );
  // The day before the due date, today's rules refuse it.
  await kept.ask({
    method: 'POST',
    path: '/simulator/subscriptions/reject-payment',
    body: { paymentId: firstOf(later) },
  });
  await kept.simulator.advance(25 * hourMs);
  return { kept, paymentId: firstOf(asked) };
}
const firstOf = ({ body }: { body: object }): string =>
  (body as { pending_payments: { payment_id: string }[] }).pending_payments[0]
    ?.payment_id as string;
const subscriptionsOf = (kept: StoredSimulator) =>
  (
    kept.simulator.state() as {
      subscriptions: { payments: { status: string }[]; notices: object[] };
    }
  ).subscriptions;

describe('the days of a subscription payment', () => {
  test('are the same after a kill on any of them: suspended, notified, paid by hand', async () => {
    const { kept, paymentId } = await withUnpaidPayment();
    expect(subscriptionsOf(kept)).toMatchObject({
      payments: [{ status: 'Suspended' }, { status: 'Pending' }],
      notices: [{ at: '2026-11-22T08:30:00.000Z' }],
    });
    const again = async (): Promise<void> => {
      const before = kept.simulator.state();
      await kept.killAndOpen();
      expect(kept.simulator.state()).toEqual(before);
    };
    await again();
    await kept.simulator.advance(24 * hourMs);
    expect(subscriptionsOf(kept).notices).toHaveLength(2);
    await again();
    await kept.ask({
      method: 'POST',
      path: '/simulator/subscriptions/set-user',
      body: { phoneNumber: phone, balanceMinor: 20_00 },
    });
    expect(
      await kept.ask({
        method: 'POST',
        path: '/simulator/subscriptions/pay-by-hand',
        body: { paymentId },
      }),
    ).toMatchObject({ status: 200 });
    await again();
    expect(subscriptionsOf(kept)).toMatchObject({
      payments: [{ status: 'Executed' }, { status: 'Pending' }],
    });
    expect(kept.simulator.world.phoneByNumber(phone).balanceMinor).toBe(7_50);
  });

  test('are in the books of an earlier version as they were then, and go on by the rules of today', async () => {
    const { kept } = await withUnpaidPayment();
    await kept.kill();
    const lines = readFileSync(kept.path, 'utf8').split('\n');
    const earlier = lines.filter((line) => !line.includes('rulesAdopted'));
    expect(earlier).toHaveLength(lines.length - 1);
    writeFileSync(kept.path, earlier.join('\n'));
    await kept.open();
    expect(subscriptionsOf(kept)).toMatchObject({
      payments: [{ status: 'Pending' }, { status: 'Rejected' }],
      notices: [],
    });
    await kept.simulator.advance(24 * hourMs);
    expect(subscriptionsOf(kept)).toMatchObject({
      payments: [{ status: 'Suspended' }, { status: 'Rejected' }],
      notices: [{ at: '2026-11-23T08:30:00.000Z' }],
    });
    const before = kept.simulator.state();
    await kept.killAndOpen();
    expect(kept.simulator.state()).toEqual(before);
  });
});

describe('requests that the rules of today refuse or answer otherwise', () => {
  const provider = '/subscriptions/api/providers/5b5c0000-0000-4000-8000-000000000001';
  const post = (kept: StoredSimulator, path: string, body: object) =>
    kept.ask({ method: 'POST', path, body }, merchant);

  /** What an earlier version took, and what it refused, each beside what it decided. */
  async function earlierDay(): Promise<StoredSimulator> {
    const kept = await new StoredSimulator('books').open();
    const links = ['user-redirect', 'success-callback', 'cancel-callback'].map((rel) => ({
      rel,
      href: 'https://shop.example:8443/',
    }));
    const agreement = {
      country_code: 'DK',
      currency: 'DKK',
      expiration_timeout_minutes: 5,
      plan: 'Basic',
      links,
      disable_notification_management: true,
    };
    const { id } = (await post(kept, `${provider}/agreements`, agreement)).body as { id: string };
    const sandbox = {
      method: 'PATCH',
      path: `/recurring-payments/api/agreements/v1/${id}`,
      body: { status: 'Accepted', notifications_on: false },
    };
    await kept.ask(sandbox, merchant);
    const value = 'http://shop.example/callbacks';
    const patch = [{ op: 'replace', path: '/payment_status_callback_url', value }];
    await kept.ask({ method: 'PATCH', path: provider, body: patch }, merchant);
    // What draws other ids today than then comes last.
    await post(kept, '/simulator/subscriptions/set-user', {
      phoneNumber: phone,
      dayLimitMinor: 10_00,
    });
    const about = {
      amount: 5_000,
      paymentPointId: 'a9900000-0000-4000-8000-000000000001',
      redirectUri: 'shop://back',
      reference: 'order-7',
    };
    const { paymentId } = (
      await post(kept, '/v1/payments', { ...about, idempotencyKey: systemIds.uuid() })
    ).body as { paymentId: string };
    await post(kept, '/simulator/app-payments/accept', { paymentId, phoneNumber: phone });
    const oneOff = {
      amount: 300_000.01,
      description: 'Boots',
      external_id: 'BOOTS',
      links,
      invoice: { total_amount: 1 },
    };
    await post(kept, `${provider}/agreements/${id}/oneoffpayments`, oneOff);
    return kept;
  }
  const stateOf = async (kept: StoredSimulator) => ({
    ...(kept.simulator.state() as {
      appPayments: { state: string }[];
      subscriptions: { agreements: object[]; oneOffs: object[] };
    }),
    callbackUrl: (await kept.ask({ method: 'GET', path: provider }, merchant)).body[
      'payment_status_callback_url'
    ],
  });

  test('are refused today', async () => {
    expect(await stateOf(await earlierDay())).toMatchObject({
      appPayments: [{ state: 'initiated' }],
      subscriptions: { agreements: [{ status: 'Pending', notificationsOn: true }], oneOffs: [] },
      callbackUrl: 'http://shop.example/callbacks',
    });
  });

  test('are in the books of the version before as they were then', async () => {
    const kept = await earlierDay();
    await kept.kill();
    // The version before adopted its rules in the same way.
    writeFileSync(
      kept.path,
      readFileSync(kept.path, 'utf8').replace(
        '"rulesAdopted","version":3',
        '"rulesAdopted","version":2',
      ),
    );
    await kept.open();
    expect(await stateOf(kept)).toMatchObject({
      appPayments: [{ state: 'reserved' }],
      subscriptions: {
        agreements: [{ status: 'Accepted' }],
        oneOffs: [{ status: 'Requested', amount: 300_000.01 }],
      },
      callbackUrl: null,
    });
    expect(readFileSync(kept.path, 'utf8').match(/"rulesAdopted","version":\d/g)).toEqual([
      '"rulesAdopted","version":2',
      '"rulesAdopted","version":3',
    ]);
    const before = kept.simulator.state();
    await kept.killAndOpen();
    expect(kept.simulator.state()).toEqual(before);
  });
});

test('the ids that a refusal draws in the books of an earlier version are drawn again', () => {
  const drawn: string[] = [];
  const ids = { uuid: () => drawn[drawn.push(systemIds.uuid()) - 1] as string };
  const world = new World({
    clock: new ManualClock(),
    ids,
    profile: profileNamed('generic'),
    eventLog: noEventLog,
  });
  const { apiKey } = world.addMerchant({ vat: 'DK90000028' });
  const engine = new ServiceEngine(world);
  const headers = {
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    correlationid: 'order 7',
  };
  /**
   * The correlation id of a refusal. An earlier version took UUIDs alone, and drew one for any
   * other text.
   */
  const refused = (): unknown => {
    const found = engine.route(
      'POST',
      '/subscriptions/api/providers/5b5c0000-0000-4000-8000-000000000001/agreements',
    );
    if (found === null || found === 'method') throw new Error('no such operation');
    const { body } = engine.answer(
      found.route,
      found.path,
      new URLSearchParams(),
      { headers, headersDistinct: {} },
      '{}',
    );
    return (body as { error_description: { correlation_id: string } }).error_description
      .correlation_id;
  };
  expect(refused()).toBe(drawn.at(-1));
  world.adoptRules();
  expect(refused()).toBe('order 7');
});

describe('books in a file', () => {
  test('a request that is repeated after a kill with the same key gets the same answer, and makes nothing new', async () => {
    const { kept, create } = await withPayment();
    const before = await kept.ask(create);
    await kept.killAndOpen();
    expect(await kept.ask(create)).toEqual(before);
    expect(kept.books.payments).toHaveLength(1);
  });

  test('what happens is in the file before it is acted on', async () => {
    const { kept } = await withPayment();
    const books = new WorldEventFile({
      path: join(folder, 'other'),
      clock: kept.clock,
      profile: 'generic',
      pollDelayInMs: 100,
      seed: null,
    });
    books.replay(() => {});
    const lines = books.record(
      () => ({ kind: 'wallShifted', ms: 5 }),
      () => readFileSync(join(folder, 'other'), 'utf8').split('\n'),
    );
    expect(lines.at(-2)).toContain('{"kind":"wallShifted","ms":5}');
    books.close();
  });

  test('the time for which the service was away has passed', async () => {
    const { kept, create } = await withPayment();
    await kept.ask(create);
    await kept.kill();
    await kept.clock.pass(301_000);
    await kept.open();
    await kept.clock.pass(1);
    expect(kept.books.payments).toMatchObject([
      { status: profileNamed('generic').cancelledByProvider },
    ]);
  });

  test('what the kill left of a line never happened, and what follows is a line of its own', async () => {
    const { kept, create } = await withPayment();
    await kept.kill();
    const whole = readFileSync(kept.path, 'utf8');
    appendFileSync(kept.path, '{"atMs":17,"happening":{"ki');
    await kept.open();
    expect(readFileSync(kept.path, 'utf8')).toBe(whole);
    await kept.ask(create);
    await kept.killAndOpen();
    expect(kept.books.payments).toHaveLength(1);
  });

  test('a fault decides what reaches the books: what was acted on does, what was not does not', async () => {
    const { kept, create } = await withPayment();
    kept.simulator.faults.add({ operation: 'initiatePayment', kind: 'status500' });
    expect((await kept.ask(create)).status).toBe(500);
    await kept.killAndOpen();
    expect(kept.books.payments).toHaveLength(0);
    kept.simulator.faults.add({ operation: 'initiatePayment', kind: 'status500After' });
    expect((await kept.ask(create)).status).toBe(500);
    await kept.killAndOpen();
    expect(kept.books.payments).toHaveLength(1);
  });

  test('a callback that was answered is not sent again; one that was not is repeated at its time', async () => {
    let received = 0;
    let status = 500;
    const receiver = createServer((_request, response) => {
      received += 1;
      response.writeHead(status).end();
    });
    const { kept } = await withPayment();
    await beCalledBack(kept, receiver);
    await kept.simulator.world.outbox.settled();
    await kept.killAndOpen();
    expect(received).toBe(1);
    expect(kept.simulator.world.outbox.deliveries).toMatchObject([
      { state: 'waiting', attempts: [{ status: 500 }] },
    ]);
    status = 200;
    await kept.clock.pass(60_000);
    await kept.simulator.world.outbox.settled();
    expect(received).toBe(2);
    await kept.killAndOpen();
    await kept.clock.pass(10 * 60_000);
    await kept.simulator.world.outbox.settled();
    expect(received).toBe(2);
    expect(kept.simulator.world.outbox.deliveries).toMatchObject([{ state: 'delivered' }]);
    receiver.closeAllConnections();
    await new Promise((resolve) => receiver.close(resolve));
  });

  test('a callback that was on its way when the service was killed counts as one that nobody answered', async () => {
    let wasAsked: () => void = () => {};
    const asked = new Promise<void>((resolve) => (wasAsked = resolve));
    const receiver = createServer(() => wasAsked());
    const { kept } = await withPayment();
    // The service answers only after the receiver, which is not before the service is killed.
    const calledBack = beCalledBack(kept, receiver).catch(() => {});
    await asked;
    await kept.killAndOpen();
    await calledBack;
    expect(kept.simulator.world.outbox.deliveries).toMatchObject([
      { state: 'waiting', attempts: [{ status: null }] },
    ]);
    receiver.closeAllConnections();
    await new Promise((resolve) => receiver.close(resolve));
  });

  test('bad manners before the kill are counted with those after it', async () => {
    const { kept, create } = await withPayment();
    const { paymentId } = (await kept.ask(create)).body;
    for (let again = 0; again < 3; again += 1) await kept.ask(create);
    await kept.ask({ method: 'GET', path: `/v10/payments/${paymentId as string}` });
    await kept.killAndOpen();
    for (let again = 0; again < 3; again += 1) await kept.ask(create);
    await kept.ask({ method: 'GET', path: `/v10/payments/${paymentId as string}` });
    expect(kept.simulator.state()).toMatchObject({
      violations: { retriesBeyondLimit: 1, earlyPolls: 1 },
    });
  });

  test.each([
    ['another profile', { profile: 'mobilepay' }, 'begun with profile generic, not mobilepay'],
    ['another seed', { seed: 8 }, 'begun with seed 7, not 8'],
  ])('%s would bring about other books: refused', async (_what, about, why) => {
    const { kept } = await withPayment();
    const usual = {
      path: kept.path,
      clock: kept.clock,
      profile: 'generic',
      pollDelayInMs: 100,
      seed: 7,
    };
    expect(() => new WorldEventFile({ ...usual, ...about })).toThrow(why);
    expect(() => new WorldEventFile({ ...usual, seed: null })).not.toThrow();
  });

  test.skipIf(process.platform === 'win32')(
    'are begun for one user alone, and not through a link',
    () => {
      const about = {
        path: join(folder, 'new'),
        clock: new ManualClock(),
        profile: 'generic',
        pollDelayInMs: 100,
        seed: null,
      };
      new WorldEventFile(about).close();
      expect(statSync(about.path).mode & 0o077).toBe(0);
      new WorldEventFile(about).close();
      symlinkSync(join(folder, 'victim'), join(folder, 'link'));
      expect(() => new WorldEventFile({ ...about, path: join(folder, 'link') })).toThrow(
        `--books ${folder}/link: EEXIST`,
      );
      expect(statSync(join(folder, 'victim'), { throwIfNoEntry: false })).toBeUndefined();
    },
  );

  test('a line that nobody can read is named', async () => {
    const { kept } = await withPayment();
    appendFileSync(kept.path, '{"atMs":17}\n');
    const lines = readFileSync(kept.path, 'utf8').split('\n').length - 1;
    expect(
      () =>
        new WorldEventFile({
          path: kept.path,
          clock: kept.clock,
          profile: 'generic',
          pollDelayInMs: 100,
          seed: 7,
        }),
    ).toThrow(`line ${lines}: not a line of the simulator's event log`);
  });

  test.each([
    ['a folder', ['.'], 'EISDIR'],
    ['in a folder that is not there', ['missing', 'books'], 'ENOENT'],
  ])('a file that cannot be used (%s) is named with its option', (_what, path, why) => {
    const about = {
      path: join(folder, ...path),
      clock: new ManualClock(),
      profile: 'generic',
      pollDelayInMs: 100,
      seed: null,
    };
    expect(() => new WorldEventFile(about)).toThrow(RangeError);
    expect(() => new WorldEventFile(about)).toThrow(`--books ${about.path}: ${why}`);
  });
});
