/** Messages of the ePayment service at the receiver, over HTTP, signed as the service does. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { authorizationOf, contentHash } from '../../../main/wallet/epayment/webhooks/message.ts';
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
const checkedIn = { customerToken: 'bWFkZS11cC10b2tlbg==', merchantQrId: 'tillbeacon-K1', msn: '123456', initiatedAt: '2026-11-21T09:15:30Z' };

let callbacks: Callbacks;
beforeEach(async () => {
  callbacks = await new Callbacks({
    settings: {
      listen: { host: '', port: 0 },
      profile: 'generic',
      checkin: false,
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
  /** Instead of what was signed. */
  readonly body?: string;
  readonly without?: string;
}

async function send(message: object, { key = secret, ageMs = 0, url = registered, body, without = '' }: Sent = {}): Promise<number> {
  const signed = Buffer.from(JSON.stringify(message));
  const { host, pathname, search } = new URL(url);
  const date = new Date(callbacks.clock.wallMs() - ageMs).toUTCString();
  const headers = {
    'x-ms-date': date,
    'x-ms-content-sha256': contentHash(signed),
    'x-vipps-authorization': authorizationOf(key, { path: pathname + search, host, date, body: signed }),
  };
  const sent = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== without));
  return (await callbacks.fetch('/callbacks/epayment', { method: 'POST', headers: sent, body: body ?? signed.toString() })).status;
}

describe('a signed message', () => {
  test('of a payment is on disk before it is answered, once, with the reference as it is', async () => {
    expect([await send(authorized), await send(authorized)]).toEqual([200, 200]);
    expect(callbacks.store.since(0).map(({ record }) => record)).toMatchObject([
      { kind: 'epayment', subjectId: reference, status: 'authorized', externalId: authorized.pspReference, amountMinor: 12_550, currency: 'DKK' },
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
    expect(stored?.record).toMatchObject({ kind: 'checkin', subjectId: 'tillbeacon-K1', status: 'checkedin' });
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
    ['whose body was changed', { body: JSON.stringify({ ...authorized, amount: { currency: 'DKK', value: 1 } }) }],
    ['without a date', { without: 'x-ms-date' }],
    ['without a signature', { without: 'x-vipps-authorization' }],
    ['without a hash', { without: 'x-ms-content-sha256' }],
  ])('%s', async (_what, sent) => {
    expect(await send(authorized, sent)).toBe(401);
    expect(callbacks.store.since(0)).toEqual([]);
  });
});
