import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Service } from './support.ts';

let service: Service;
let posId: string;
beforeEach(async () => {
  service = await new Service().start();
  await service.createPos();
  posId = service.pos.posId;
});
afterEach(() => service.simulator.stop());

const violations = (): Record<string, number> =>
  (service.simulator.state() as { violations: Record<string, number> }).violations;
const control = (method: string, path: string, body?: object): Promise<Response> =>
  fetch(`${service.simulator.baseUrl}/simulator/${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const requests = async (since = 0): Promise<Record<string, unknown>[]> =>
  (await (await control('GET', `requests?since=${since}`)).json()) as never;

/**
 * What a client sees of an initiate: its status and text, that nothing came in time, or that the
 * connection broke.
 */
async function seen(
  patienceMs = 5_000,
): Promise<{ status?: number; text?: string; retryAfter?: string | null; failure?: string }> {
  const { body } = await service.token();
  let status: number | undefined;
  try {
    const response = await fetch(`${service.simulator.baseUrl}/v10/payments`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${String(body?.['access_token'])}`,
        'x-service-client-system-version': '1.2.3',
        'x-service-idempotency-key': 'my-key',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ posId, orderId: 'order-1', ...service.terms() }),
      signal: AbortSignal.timeout(patienceMs),
    });
    status = response.status;
    return { status, text: await response.text(), retryAfter: response.headers.get('retry-after') };
  } catch (error) {
    return {
      ...(status === undefined ? {} : { status }),
      failure: (error as Error).name === 'TimeoutError' ? 'nothing came' : 'broken',
    };
  }
}
const isJson = (text = ''): boolean => {
  try {
    return JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
};

describe('a fault', () => {
  test.each([
    ['timeoutBefore', { failure: 'nothing came' }, 0],
    ['timeoutAfter', { failure: 'nothing came' }, 1],
    ['status500', { status: 500 }, 0],
    ['status500After', { status: 500 }, 1],
    ['status401', { status: 401, text: '' }, 0],
    ['reset', { failure: 'broken' }, 0],
    ['resetAfter', { failure: 'broken' }, 1],
    ['truncated', { status: 200, failure: 'broken' }, 1],
    ['slowBody', { status: 200, failure: 'nothing came' }, 1],
    ['malformedJson', { status: 200 }, 1],
    ['status409', { status: 409, text: expect.stringContaining('"code":"1306"') }, 0],
    ['status429', { status: 429, retryAfter: '1', text: '' }, 0],
    ['drip', { status: 200, text: expect.stringContaining('paymentId') }, 1],
    ['html', { status: 200, text: expect.stringContaining('<html>') }, 1],
    ['wrongTypes', { status: 200, text: expect.stringContaining('"paymentId":7') }, 1],
  ] as const)(
    '%s is %o, with %i payments made; repeated, it is made once',
    async (kind, expected, payments) => {
      service.simulator.faults.add({ operation: 'initiatePayment', kind });
      const answer = await ('failure' in expected && expected.failure === 'nothing came'
        ? seen(100)
        : seen());
      expect(answer).toMatchObject(expected);
      if (kind === 'malformedJson') expect(isJson(answer.text)).toBe(false);
      expect(service.simulator.world.payments.size).toBe(payments);
      expect(await seen()).toMatchObject({
        status: 200,
        text: expect.stringContaining('paymentId'),
      });
      expect(service.simulator.world.payments.size).toBe(1);
    },
  );

  test('delay answers later, by the clock of the world', async () => {
    service.simulator.faults.add({ operation: 'initiatePayment', kind: 'delay', delayMs: 400 });
    let answered = false;
    const answer = service.initiate().finally(() => (answered = true));
    await expect.poll(() => service.clock.pass(0).then(() => requests())).not.toHaveLength(0);
    await new Promise((resolve) => setTimeout(resolve, 30));
    await service.clock.pass(399);
    expect(answered).toBe(false);
    await service.clock.pass(1);
    expect(await answer).toMatchObject({ status: 200 });
  });

  test('meets the n-th call, or lets some pass and meets several; each planned one counts every call', async () => {
    service.simulator.faults.add({ operation: 'listStoreIds', kind: 'status500', nth: 2 });
    service.simulator.faults.add({
      operation: 'listStoreIds',
      kind: 'status401',
      skip: 2,
      times: 2,
    });
    const statuses: number[] = [];
    for (let call = 1; call <= 5; call += 1)
      statuses.push((await service.call('GET', '/v10/stores')).status);
    expect(statuses).toEqual([200, 500, 401, 401, 200]);
  });

  test('comes and goes over HTTP too, and for the token endpoint', async () => {
    expect(
      (await control('POST', 'faults', { operation: 'token', kind: 'status500', times: 9 })).status,
    ).toBe(200);
    expect(await service.token()).toMatchObject({ status: 500 });
    expect((await control('DELETE', 'faults')).status).toBe(200);
    expect(await service.token()).toMatchObject({ status: 200 });
    expect(
      (await control('POST', 'faults', { operation: 'token', kind: 'earthquake' })).status,
    ).toBe(400);
  });
});

describe('under faults the ruleChecker still counts', () => {
  test('every request with a key, also those that were never answered', async () => {
    const headers = { 'x-service-idempotency-key': 'my-key' };
    service.simulator.faults.add({ operation: 'initiatePayment', kind: 'status500', times: 7 });
    for (let request = 1; request <= 6; request += 1) await service.initiate({}, headers);
    expect(violations()['retriesBeyondLimit']).toBe(0);
    await service.initiate({}, headers);
    expect(violations()['retriesBeyondLimit']).toBe(1);
  });

  test('an early poll that the service fails', async () => {
    const paymentId = await service.initiated();
    await service.status(paymentId);
    service.simulator.faults.add({ operation: 'getPayment', kind: 'status500' });
    await service.status(paymentId);
    expect(violations()['earlyPolls']).toBe(1);
  });

  test('and does not hold an answer against a client that never got it', async () => {
    const paymentId = await service.initiated();
    const { body } = await service.token();
    service.simulator.faults.add({ operation: 'getPayment', kind: 'delay', delayMs: 600 });
    const given = fetch(`${service.simulator.baseUrl}/v10/payments/${paymentId}`, {
      headers: {
        authorization: `Bearer ${String(body?.['access_token'])}`,
        'x-service-client-system-version': '1.2.3',
      },
      signal: AbortSignal.timeout(50),
    });
    await expect(given).rejects.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 20));
    await service.clock.pass(600);
    expect((await requests()).at(-1)).toMatchObject({ operation: 'getPayment', fault: 'delay' });
    await service.status(paymentId);
    expect(violations()['earlyPolls']).toBe(0);
    await service.status(paymentId);
    expect(violations()['earlyPolls']).toBe(1);
  });

  // As when this process was busy, so that the request and the end of the connection are read
  // together.
  test('nor one whose client had hung up when its request was read', async () => {
    const paymentId = await service.initiated();
    const { body } = await service.token();
    const { hostname, port } = new URL(service.simulator.baseUrl);
    const gone = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const head = [
      'host: shop',
      `authorization: Bearer ${String(body?.['access_token'])}`,
      'x-service-client-system-version: 1.2.3',
    ];
    gone.end(`GET /v10/payments/${paymentId} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`);
    expect(await text(gone)).toContain(paymentId);
    await service.status(paymentId);
    expect(violations()['earlyPolls']).toBe(0);
  });
});

describe('the log of requests', () => {
  test('has each, in order, and can be read on from where one stopped', async () => {
    await service.initiate({}, { 'x-service-idempotency-key': 'my-key' });
    await service.initiate({ orderId: 'order-2' });
    await service.call('GET', '/v10/nowhere');
    const all = await requests();
    const atMs = service.clock.wallMs();
    const initiate = {
      method: 'POST',
      path: '/v10/payments',
      operation: 'initiatePayment',
      fault: null,
      atMs,
    };
    expect(all.slice(-3)).toMatchObject([
      { ...initiate, status: 200, code: null, idempotencyKey: 'my-key' },
      { ...initiate, status: 409, code: '1301' },
      { operation: null, method: 'GET', path: '/v10/nowhere', status: 404, code: null },
    ]);
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => index + 1));
    expect(await requests(all.length - 1)).toEqual(all.slice(-1));
    expect(await requests(all.length)).toEqual([]);
  });
});

describe('a plan of faults', () => {
  const statuses = async (count: number): Promise<unknown[]> => {
    const seen: unknown[] = [];
    for (let call = 0; call < count; call += 1)
      seen.push((await service.call('GET', `/v10/pointofsales/${posId}`)).status);
    return seen;
  };
  const plan = (seed: number) => ({
    seed,
    faults: [{ operation: 'getPointOfSale', kind: 'status500', share: 0.4, times: 100 }],
  });

  test('meets the same calls again for the same seed, and others for another', async () => {
    await control('POST', 'faults', plan(7));
    const first = await statuses(30);
    expect(new Set(first)).toEqual(new Set([200, 500]));
    await control('POST', 'faults', plan(7));
    expect(await statuses(30)).toEqual(first);
    await control('POST', 'faults', plan(8));
    expect(await statuses(30)).not.toEqual(first);
  });

  test('several at once, each from its own n-th call', async () => {
    await control('POST', 'faults', [
      { operation: 'getPointOfSale', kind: 'status500', nth: 2 },
      { operation: 'getPointOfSale', kind: 'status409', nth: 3, code: '1301' },
    ]);
    expect(await statuses(4)).toEqual([200, 500, 409, 200]);
  });

  test('a clock that jumps ahead lets everything come due that lies between', async () => {
    const paymentId = await service.initiated();
    service.simulator.faults.add({
      operation: 'getPayment',
      kind: 'clockJump',
      jumpMs: 5 * 60_000,
    });
    expect(await service.status(paymentId)).toBe('CancelledByService');
  });

  test('a clock that jumps back moves no deadline', async () => {
    const paymentId = await service.initiated();
    const before = service.simulator.world.clock.wallMs();
    service.simulator.faults.add({
      operation: 'getPayment',
      kind: 'clockJump',
      jumpMs: -60 * 60_000,
    });
    expect(await service.status(paymentId)).toBe('Initiated');
    expect(service.simulator.world.clock.wallMs() - before).toBe(-60 * 60_000);
    await service.clock.pass(5 * 60_000);
    expect(await service.status(paymentId)).toBe('CancelledByService');
  });

  test.each([
    [
      { operation: 'initiatePaymant', kind: 'html' },
      'operation: no operation is called initiatePaymant',
    ],
    [{ operation: 'initiatePayment', kind: 'flood' }, /^kind: /],
    [
      { operation: 'initiatePayment', kind: 'clockJump' },
      'jumpMs: must say how far the clock jumps',
    ],
    [{ operation: 'initiatePayment', kind: 'html', share: 0 }, /^share: /],
    [
      { operation: 'initiatePayment', kind: 'html', skip: 1, nth: 2 },
      'nth: cannot stand beside skip',
    ],
    [
      { faults: [{ operation: 'initiatePayment', kind: 'html', when: 'now' }] },
      /^faults\.0: .*when/,
    ],
  ])('%o is refused by field and rule, and changes nothing', async (wrong, message) => {
    await control('POST', 'faults', { operation: 'getPointOfSale', kind: 'status500' });
    const answer = await control('POST', 'faults', wrong);
    expect(answer.status).toBe(400);
    expect(((await answer.json()) as { message: string }).message).toMatch(message);
    expect(await statuses(2)).toEqual([500, 200]);
  });
});
