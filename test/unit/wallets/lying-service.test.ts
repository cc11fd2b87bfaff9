import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Clock } from '../../../main/core/domain/clock.ts';
import { systemIds } from '../../../main/core/domain/ids.ts';
import type { Log } from '../../../main/core/domain/log.ts';
import { merchantAccess } from '../../../main/wallets/http/access.ts';
import { initiateAppPayment } from '../../../main/wallets/v10/app-payments/app-payments-operations.ts';
import { fetchHttp, type HttpSend } from '../../../main/wallets/http/http.ts';
import { parseAnswer } from '../../../main/wallets/http/json.ts';
import { defineOperation } from '../../../main/wallets/http/operation.ts';
import { everyItem } from '../../../main/wallets/http/pages.ts';
import { createPointOfSaleClient } from '../../../main/wallets/v10/point-of-sale/point-of-sale-client.ts';
import {
  getPayment,
  getPointOfSale,
  getStore,
  listPointsOfSale,
} from '../../../main/wallets/v10/point-of-sale/point-of-sale-operations.ts';
import { listReportedTransactions } from '../../../main/wallets/v10/reporting/reporting-operations.ts';
import type { PointOfSaleClient } from '../../../main/core/lane/wallet-port.ts';
import { subscriptionsInterface } from '../../../main/wallets/v10/v10-interfaces.ts';
import { profileNamed } from '../../../main/wallets/v10/v10-profile.ts';
import { Transport } from '../../../main/wallets/http/transport.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { impatient, steadyClock } from '../support/steady-clock.ts';

const id = '6a0e0000-0000-4000-8000-000000000001';
const json = { 'content-type': 'application/json' };
let server: Server;
let url: string;
let logged: string;
let answer: RequestListener;
const requests: string[] = [];
const log: Log = { debug: note, info: note, warn: note, error: note, child: () => log };
function note(fields: object, message: string): void {
  logged += `${JSON.stringify({ ...fields, message })}\n`;
}

beforeEach(async () => {
  logged = '';
  requests.length = 0;
  server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.close().closeAllConnections();
});

/**
 * A transport that repeats without pauses. @param timeouts how many times shorter its limits are
 */
const transport = (send: HttpSend = fetchHttp, apiKey = 'the-key', timeouts = 1): Transport =>
  new Transport({
    baseUrl: url,
    access: merchantAccess(apiKey),
    profile: profileNamed('generic'),
    send,
    clock: impatient(steadyClock, timeouts),
    log,
  });
const says = (status: number, body: string | Buffer, headers: Record<string, string> = json) => {
  answer = (_request, response) => void response.writeHead(status, headers).end(body);
};
const failure = (call: Promise<unknown>): Promise<Error> =>
  call.then(
    () => Promise.reject(new Error('it was believed')),
    (error: Error) => error,
  );
const deep = (depth: number, around = '', inner = '1'): string =>
  `${`{"${around || 'a'}":`.repeat(depth)}${inner}${'}'.repeat(depth)}`;
const store = (about: object): string => JSON.stringify({ storeId: id, ...about });

describe('what it says at length', () => {
  test('is logged and told as a sentence', async () => {
    says(
      409,
      JSON.stringify({
        code: '1'.repeat(200_000),
        message: '\u001b[2J\u202e' + 'x'.repeat(200_000),
        correlationId: 'y'.repeat(200_000),
      }),
    );
    const error = await failure(transport().call(getStore, { storeId: id }));
    expect(error).toMatchObject({ name: 'ServiceRefusedError', status: 409 });
    expect(error.message).toHaveLength(500);
    // oxlint-disable-next-line no-control-regex
    expect(error.message).not.toMatch(/[\u0000-\u001f\u202e]/);
    expect(logged.length).toBeLessThan(2_000);
  });

  test('is not read to its end when it is longer than any answer', async () => {
    says(409, JSON.stringify({ code: '1301', message: 'x'.repeat(2_000_000) }));
    expect((await failure(transport().call(getPayment, { paymentId: id }))).message).toContain(
      'the answer is too long',
    );
    expect(logged.length).toBeLessThan(1_000);
  });

  test('in the names of things is cut, and shows nothing that is not there', async () => {
    says(200, store({ storeName: `\u202ekrap\u0007${'K'.repeat(100_000)}`, storeCity: 'Åbo' }));
    const { storeName, storeCity } = await transport().call(getStore, { storeId: id });
    expect(storeCity).toBe('Åbo');
    expect(storeName).toHaveLength(500);
    expect(storeName).toMatch(/^ krap K+…$/);
  });
});

describe('an answer', () => {
  test.each([
    ['nested deeper than any', deep(100_000)],
    ['of brackets alone', '['.repeat(900_000)],
    ['nested deeper than any, in an error', deep(40_000, 'error_description')],
  ])('%s is none', async (_what, body) => {
    says(200, body);
    expect(await failure(transport().call(getStore, { storeId: id }))).toMatchObject({
      name: 'UnexpectedAnswerError',
    });
    says(409, body);
    expect(await failure(transport().call(getStore, { storeId: id }))).toMatchObject({
      name: 'ServiceRefusedError',
      code: null,
    });
  });

  test('of millions of mistakes is not looked at', async () => {
    const access = {
      baseUrl: url,
      access: merchantAccess('k'),
      profile: profileNamed('generic'),
      send: fetchHttp,
      clock: steadyClock,
      log,
    };
    says(200, `{"transactions":[${'{},'.repeat(2_700_000)}{}]}`);
    expect(
      await failure(new Transport(access).call(listReportedTransactions, { query: {} })),
    ).toMatchObject({ name: 'UnexpectedAnswerError' });
  });

  test('to what is asked ten times a second is short', async () => {
    says(
      200,
      JSON.stringify({
        paymentId: id,
        posId: id,
        orderId: 'o',
        status: 'Reserved',
        loyaltyIds: ['x'.repeat(40_000)],
      }),
    );
    expect((await failure(transport().call(getPayment, { paymentId: id }))).message).toContain(
      'the answer is too long',
    );
  });

  test('of thousands of mistakes names the first', async () => {
    says(200, JSON.stringify({ posIds: Array.from({ length: 90_000 }, () => 7) }));
    const error = await failure(transport().call(listPointsOfSale, { query: {} }));
    expect(error.message.length).toBeLessThan(300);
    expect(error.cause).toBeUndefined();
  });

  test('that has no end is given up at once, however it comes', async () => {
    const closed: Promise<void>[] = [];
    const closing = (response: ServerResponse): void =>
      void closed.push(new Promise((resolve) => void response.once('close', resolve)));
    answer = (_request, response) => {
      closing(response);
      response.writeHead(200, { ...json, 'content-length': '999999999999' }).write('[');
    };
    expect((await failure(transport().call(getPayment, { paymentId: id }))).message).toContain(
      'the answer is too long',
    );
    answer = (_request, response) => {
      closing(response);
      const more = (): void =>
        void (response.destroyed || response.write('[1'.repeat(5_000), () => setImmediate(more)));
      more();
    };
    expect((await failure(transport().call(getPayment, { paymentId: id }))).message).toMatch(
      /too long|no answer within/,
    );
    await Promise.all(closed);
    expect(requests).toHaveLength(2);
  });

  test('that is short until it is decompressed is not read to its end', async () => {
    const packed = gzipSync(JSON.stringify({ paymentId: id, status: 'x'.repeat(2_000_000) }));
    says(200, packed, {
      ...json,
      'content-encoding': 'gzip',
      'content-length': String(packed.length),
    });
    expect((await failure(transport().call(getPayment, { paymentId: id }))).message).toContain(
      'the answer is too long',
    );
  });

  test('that drips is given up in time', async () => {
    answer = (_request, response) => {
      response.writeHead(200, json);
      const drip = setInterval(() => response.write(' '), 5);
      response.once('close', () => clearInterval(drip));
    };
    expect(
      (await failure(transport(fetchHttp, 'k', 10).call(getPayment, { paymentId: id }))).message,
    ).toContain('no answer within');
  });

  test('that is somewhere else is not fetched there', async () => {
    let elsewhere = 0;
    const other = createServer((_request, response) => {
      elsewhere += 1;
      response.end(store({}));
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    for (const status of [301, 302, 303, 307, 308]) {
      says(status, '', { location: `http://127.0.0.1:${(other.address() as AddressInfo).port}/` });
      expect(await failure(transport().call(getPayment, { paymentId: id }))).toMatchObject({
        name: 'ServiceUnreachableError',
      });
    }
    other.close().closeAllConnections();
    expect(elsewhere).toBe(0);
  });
});

describe('an id', () => {
  test.each(['../../secrets', `${id}/cancel`, `${id}?x=1`, `${id}\n`, '%2e%2e', ''])(
    '%j is none, wherever it comes from',
    async (bad) => {
      says(200, JSON.stringify({ posIds: [bad] }));
      expect(await failure(transport().call(listPointsOfSale, { query: {} }))).toMatchObject({
        name: 'UnexpectedAnswerError',
      });
      requests.length = 0;
      expect(await failure(transport().call(getPointOfSale, { posId: bad }))).toMatchObject({
        name: 'InvalidRequestError',
        field: 'posId',
      });
      expect(requests).toEqual([]);
    },
  );
});

const counter = (over: Transport, clock: Clock): PointOfSaleClient => {
  const settings = {
    merchantPosId: 'm',
    storeId: id,
    name: 'n',
    beaconTypes: ['QR' as const],
    beaconId: null,
  };
  return createPointOfSaleClient({
    transport: over,
    profile: profileNamed('generic'),
    settings,
    clock,
    ids: systemIds,
    log,
  });
};

describe('an amount', () => {
  test.each([
    [-12.34, { kind: 'seen', amountMinor: -1234 }],
    [12.345, { kind: 'unknown' }],
    [1e300, { kind: 'unknown' }],
    ['12.34', { kind: 'unknown' }],
    [[12.34], { kind: 'unknown' }],
  ])('of %j is never another one', async (amount, believed) => {
    says(
      200,
      JSON.stringify({
        paymentId: id,
        posId: id,
        orderId: 'o',
        status: 'Reserved',
        currencyCode: 'DKK',
        amount,
      }),
    );
    expect(
      await counter(transport(), impatient(steadyClock, 100))
        .watch(id)
        .poll(new AbortController().signal),
    ).toMatchObject(believed);
  });
});

describe('a beacon', () => {
  const open = (beaconId: unknown) => {
    answer = (request, response) => {
      const pos = {
        posId: id,
        merchantPosId: 'm',
        name: 'n',
        storeId: id,
        supportedBeaconTypes: ['QR'],
        beaconId,
      };
      response
        .writeHead(200, json)
        .end(JSON.stringify(request.url?.includes('?') ? { posIds: [id] } : pos));
    };
    return counter(transport(), steadyClock).open();
  };

  test.each(['123456789012345&amount=1', 'https://thief.example', "$&$'$`", '', 'x'.repeat(400)])(
    '%j is in no code for customers',
    async (beaconId) => {
      expect(await open(beaconId)).toEqual({ kind: 'open', posId: id, qr: null });
      expect(logged).toContain('the beacon of the point of sale is none');
    },
  );

  test('of digits, or a GUID, is', async () => {
    expect(await open('123456789012345')).toMatchObject({
      qr: expect.stringContaining('123456789012345'),
    });
    expect(await open(id)).toMatchObject({ qr: expect.stringContaining(id) });
  });
});

describe('the time until the next question', () => {
  /** The number of polls of a payment within a minute. */
  async function polls(pollDelayInMs: unknown): Promise<number> {
    const clock = new ManualClock();
    let count = 0;
    const send: HttpSend = async ({ method }) => {
      if (method === 'GET') count += 1;
      const payment = {
        paymentId: id,
        posId: id,
        orderId: 'o',
        amount: 1,
        currencyCode: 'DKK',
        status: 'Initiated',
        pollDelayInMs,
      };
      return {
        status: 200,
        retryAfterMs: null,
        body: JSON.stringify(method === 'GET' ? payment : { paymentId: id }).replace(
          '"1e300"',
          '1e300',
        ),
      };
    };
    const over = new Transport({
      baseUrl: url,
      access: merchantAccess('k'),
      profile: profileNamed('generic'),
      send,
      clock,
      log,
    });
    const watch = counter(over, clock).watch(id);
    const stop = new AbortController();
    const asking = (async () => {
      for (;;) await watch.poll(stop.signal);
    })();
    await clock.pass(60_000);
    stop.abort();
    await asking.catch(() => {});
    return count;
  }

  test.each([
    [0, 590],
    [1, 590],
    [-1, 60],
    ['soon', 60],
    [0.5, 60],
    ['1e300', 60],
    [86_400_000, 1],
    [Number.MAX_SAFE_INTEGER, 1],
    [null, 60],
  ])(
    'is what makes sense where it says %j: about %i questions in a minute',
    async (pollDelayInMs, about) => {
      const count = await polls(pollDelayInMs);
      expect(count).toBeGreaterThanOrEqual(about - 2);
      expect(count).toBeLessThanOrEqual(about + 2);
    },
  );
});

describe('names that mean something to this language', () => {
  test('stay names', async () => {
    const body = `{"paymentId":"${id}","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":2}},"xAppRedirectUri":"app:x"}`;
    says(200, body);
    const request = {
      amount: 100,
      idempotencyKey: id,
      paymentPointId: id,
      redirectUri: 'app:y',
      reference: 'r',
    };
    const believed = await transport().call(initiateAppPayment, { body: request as never });
    expect(believed).toMatchObject({ paymentId: id, xAppRedirectUri: 'app:x' });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect((believed as Record<string, unknown>)['polluted']).toBeUndefined();
    says(409, '{"__proto__":{"code":"1301"},"constructor":"x","toString":"y"}');
    expect(await failure(transport().call(getStore, { storeId: id }))).toMatchObject({
      code: null,
    });
  });
});

describe('a pause that it asks for', () => {
  test.each([
    ['30', 30_000],
    ['0', 0],
    ['-5', null],
    ['1e300', null],
    ['999999999999', 120_000],
    ['soon', null],
    ['Wed, 21 Oct 2099 07:28:00 GMT', null],
  ])('of %s s is one of %j ms', async (seconds, ms) => {
    says(503, '', { 'retry-after': seconds });
    const { retryAfterMs } = await fetchHttp(
      { method: 'GET', url, headers: {}, body: null },
      AbortSignal.timeout(5_000),
    );
    expect(retryAfterMs).toBe(ms);
  });
});

test('a list that always has another page comes to an end', async () => {
  const read = (pageNumber: number) =>
    Promise.resolve({ nextPageNumber: pageNumber + 1, items: [pageNumber] });
  let items = 0;
  const all = async (): Promise<void> => {
    for await (const _item of everyItem('list', undefined, read)) items += 1;
  };
  expect(await failure(all())).toMatchObject({ name: 'UnexpectedAnswerError' });
  expect(items).toBe(10_000);
});

test('JSON is read as deep and as wide as any document goes', () => {
  expect(parseAnswer(deep(32))).toBeDefined();
  expect(parseAnswer(deep(33))).toBeUndefined();
  expect(
    parseAnswer(JSON.stringify({ text: '[{'.repeat(1_000), quoted: '\\"[[[', end: '\\' })),
  ).toBeDefined();
  expect(parseAnswer('[]'.repeat(2))).toBeUndefined();
  expect(parseAnswer(`[${'0,'.repeat(99_000)}0]`)).toBeDefined();
  expect(parseAnswer(`[${'0,'.repeat(100_000)}0]`)).toBeUndefined();
  expect(parseAnswer(JSON.stringify([',[{'.repeat(100_000)]))).toBeDefined();
});

test('an answer that is a file may be as long as a file is', async () => {
  const file = defineOperation({
    name: 'file',
    says: 'A test.',
    source: 'this test',
    interface: subscriptionsInterface,
    method: 'GET',
    path: '/file',
    answer: z.custom<Uint8Array>(),
    answerType: 'pdf',
  });
  says(200, Buffer.alloc(4_000_000, 0xff), { 'content-type': 'application/pdf' });
  expect(await transport().call(file, {})).toHaveLength(4_000_000);
});
