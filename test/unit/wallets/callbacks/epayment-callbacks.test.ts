/** Messages of the ePayment service at the receiver, over HTTP, signed as the service does. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  authorizationOf,
  contentHash,
} from '../../../../main/wallets/epayment/webhooks/webhook-message.ts';
import { Callbacks } from './callbacks-support.ts';

const registered = 'https://hub.shop.example/callbacks/epayment?shop=1';
const secret = 'dGlsbGJlYWNvbi1leGFtcGxlLXNlY3JldA==';
const reference = 'K1-000042-9F3c2b1a';
const authorized = {
  msn: '123456',
  reference,
  pspReference: '7b0c1f5e-0000-4000-8000-000000000001',
  name: 'AUTHORIZED',
  amount: { currency: 'DKK', value: 12_550 },
  timestamp: '2026-11-21T09:15:30Z',
  idempotencyKey: null,
  success: true,
};
const checkedIn = {
  customerToken: 'bWFkZS11cC10b2tlbg==',
  merchantQrId: 'tillbeacon-K1',
  msn: '123456',
  initiatedAt: '2026-11-21T09:15:30Z',
};

const ownToken = 'own-token-with-thirty-two-characters';
const otherToken = 'the-token-of-the-counter-next-to-it-';

let callbacks: Callbacks;
beforeEach(async () => {
  callbacks = await new Callbacks({
    settings: {
      listen: { host: '', port: 0 },
      profile: 'generic',
      checkin: true,
      followers: [
        { token: ownToken, stickers: ['tillbeacon-K1'] },
        { token: otherToken, stickers: ['tillbeacon-K2'] },
      ],
      epayment: [
        { url: 'https://old.example/', secret: 'old' },
        { url: registered, secret },
      ],
    },
  }).start();
});
afterEach(() => callbacks.stop());

interface Sent {
  readonly key?: string;
  readonly ageMs?: number;
  readonly url?: string;
  /** A body that replaces the signed one. */
  readonly body?: string;
  readonly without?: string;
}

async function send(
  message: object,
  { key = secret, ageMs = 0, url = registered, body, without = '' }: Sent = {},
): Promise<number> {
  const signed = Buffer.from(JSON.stringify(message));
  const { host, pathname, search } = new URL(url);
  const date = new Date(callbacks.clock.wallMs() - ageMs).toUTCString();
  const headers = {
    'x-ms-date': date,
    'x-ms-content-sha256': contentHash(signed),
    'x-vipps-authorization': authorizationOf(key, {
      path: pathname + search,
      host,
      date,
      body: signed,
    }),
  };
  const sent = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== without));
  return (
    await callbacks.fetch('/callbacks/epayment', {
      method: 'POST',
      headers: sent,
      body: body ?? signed.toString(),
    })
  ).status;
}

describe('a signed message', () => {
  test('of a payment is on disk before it is answered, once, with the reference as it is', async () => {
    expect([await send(authorized), await send(authorized)]).toEqual([200, 200]);
    expect(callbacks.store.since(0).map(({ record }) => record)).toMatchObject([
      {
        kind: 'epayment',
        subjectId: reference,
        status: 'authorized',
        externalId: authorized.pspReference,
        amountMinor: 12_550,
        currency: 'DKK',
      },
    ]);
    expect(callbacks.store.openSubjects(0)).toEqual([]);
  });

  test('of an attempt that failed is no state of the payment', async () => {
    expect(await send({ ...authorized, name: 'CAPTURED', success: false })).toBe(200);
    expect(callbacks.store.since(0)).toMatchObject([{ record: { status: 'capturedfailed' } }]);
  });

  test('of a customer at a till names the till, and has the token as it came', async () => {
    expect(await send(checkedIn)).toBe(200);
    const [stored] = callbacks.store.since(0);
    expect(stored?.record).toMatchObject({
      kind: 'checkin',
      subjectId: 'tillbeacon-K1',
      status: 'scanned',
    });
    expect(JSON.parse(stored?.record.raw ?? '{}')).toEqual(checkedIn);
  });

  test('that nobody can read is refused, and kept for people', async () => {
    expect(await send({ hello: 'world' })).toBe(400);
    expect(callbacks.store.rejected()).toHaveLength(1);
  });
});

describe('nothing is stored of a message', () => {
  test.each<[string, Sent]>([
    ['with another secret', { key: 'another' }],
    ['with the secret of another address', { key: 'old' }],
    ['signed for another address', { url: 'https://hub.shop.example/callbacks/epayment?shop=2' }],
    ['that is six minutes old', { ageMs: 6 * 60_000 }],
    ['of the future', { ageMs: -6 * 60_000 }],
    [
      'whose body was changed',
      { body: JSON.stringify({ ...authorized, amount: { currency: 'DKK', value: 1 } }) },
    ],
    ['without a date', { without: 'x-ms-date' }],
    ['without a signature', { without: 'x-vipps-authorization' }],
    ['without a hash', { without: 'x-ms-content-sha256' }],
  ])('%s', async (_what, sent) => {
    expect(await send(authorized, sent)).toBe(401);
    expect(callbacks.store.since(0)).toEqual([]);
  });
});

describe('a counter that follows its stickers', () => {
  const ask = async (since: number | null, token = ownToken) =>
    callbacks.fetch(`/follow${since === null ? '' : `?since=${since}`}`, {
      headers: { authorization: `Bearer ${token}` },
    });
  const scan = (customerToken: string, about: object = {}) => ({
    ...checkedIn,
    customerToken,
    initiatedAt: new Date(callbacks.clock.wallMs()).toISOString(),
    ...about,
  });
  /** Sends a request, lets the longest wait pass, and reads the answer. */
  async function told(since: number, token?: string) {
    const answer = ask(since, token);
    for (let n = 0; n < 8; n += 1) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      await callbacks.clock.pass(3_000);
    }
    const { status, text } = await answer;
    expect(status).toBe(200);
    return JSON.parse(text) as { last: number; scans: { customerToken: string; atMs: number }[] };
  }

  test('begins at the end: what came before is nobody’s any more', async () => {
    await send(scan('before'));
    expect(JSON.parse((await ask(null)).text)).toEqual({ last: 1, scans: [] });
    expect(JSON.parse((await ask(99)).text)).toEqual({ last: 1, scans: [] });
  });

  test('is told each of its own at once, in order, and none of another counter', async () => {
    await send(scan('one'));
    await send(scan('other', { merchantQrId: 'tillbeacon-K2' }));
    await send(scan('two'));
    const { last, scans } = JSON.parse((await ask(0)).text);
    expect([last, scans.map((one: { customerToken: string }) => one.customerToken)]).toEqual([
      3,
      ['one', 'two'],
    ]);
    expect((await told(3)).scans).toEqual([]);
    expect((await told(0, otherToken)).scans).toMatchObject([{ customerToken: 'other' }]);
  });

  test('is answered at once where it does not want to wait', async () => {
    await send(scan('one'));
    const atOnce = (since: number) =>
      callbacks.fetch(`/follow?since=${since}&wait=0`, {
        headers: { authorization: `Bearer ${ownToken}` },
      });
    expect(JSON.parse((await atOnce(0)).text)).toMatchObject({
      last: 1,
      scans: [{ customerToken: 'one' }],
    });
    expect(JSON.parse((await atOnce(1)).text)).toEqual({ last: 1, scans: [] });
  });

  test('is told while it waits', async () => {
    const answer = ask(0);
    await new Promise((resolve) => setTimeout(resolve, 20));
    await send(scan('while it waits'));
    await callbacks.clock.pass(250);
    expect(JSON.parse((await answer).text)).toMatchObject({
      last: 1,
      scans: [{ customerToken: 'while it waits', msn: '123456' }],
    });
  });

  test('is told of a scan, however many check-ins strangers send, and however often it is sent again', async () => {
    await send(scan('signed'));
    const [signed] = callbacks.store.since(0);
    if (signed === undefined) throw new Error('the scan was not stored');
    for (let batch = 0; batch < 3; batch += 1) {
      const records = Array.from({ length: 1_000 }, (_, index) => ({
        ...signed.record,
        status: 'checkedin',
        raw: `{"PosId":"${batch}-${index}"}`,
      }));
      callbacks.store.add({ origin: 'callback', receivedAtMs: callbacks.clock.wallMs(), records });
    }
    for (let time = 0; time < 3; time += 1) expect(await send(scan('signed'))).toBe(200);
    expect((await told(0)).scans).toMatchObject([{ customerToken: 'signed' }]);
    expect(callbacks.store.since(0, 5_000)).toHaveLength(1_001);
  });

  test.each<[string, () => Promise<unknown>]>([
    [
      'that nobody signed, whatever it says',
      async () =>
        callbacks.post('checkin', { ...scan('forged'), PosId: 'tillbeacon-K1', status: 'scanned' }),
    ],
    [
      'whose token has run out when it comes',
      () =>
        send(
          scan('late', {
            initiatedAt: new Date(callbacks.clock.wallMs() - 15 * 60_000).toISOString(),
          }),
        ),
    ],
    [
      'of the future',
      () =>
        send(
          scan('future', {
            initiatedAt: new Date(callbacks.clock.wallMs() + 15 * 60_000).toISOString(),
          }),
        ),
    ],
    ['without a date', () => send(scan('dateless', { initiatedAt: 'today' }))],
    [
      'that waited here for three minutes',
      async () => {
        await send(scan('waited'));
        await callbacks.clock.pass(3 * 60_000);
      },
    ],
  ])('is not told of a scan %s', async (_what, come) => {
    await come();
    expect(await told(0)).toEqual({ last: 1, scans: [] });
  });

  test('without a token that the settings name it is told nothing', async () => {
    for (const token of ['', 'x'.repeat(36), `${ownToken} `.slice(1)])
      expect(await ask(0, token)).toMatchObject({ status: 401, text: '' });
    expect(
      (
        await callbacks.fetch('/follow?since=1e3', {
          headers: { authorization: `Bearer ${ownToken}` },
        })
      ).status,
    ).toBe(400);
    expect((await callbacks.fetch('/follow', { method: 'POST' })).status).toBe(405);
  });
});
