import { describe, expect, test } from 'vitest';
import {
  CredentialsRefusedError,
  ServiceUnreachableError,
  UnexpectedAnswerError,
} from '../../../../main/wallets/http/errors.ts';
import type { HttpAnswer, HttpRequest } from '../../../../main/wallets/http/http.ts';
import { listStoreIds } from '../../../../main/wallets/v10/point-of-sale/point-of-sale-operations.ts';
import { TokenSource } from '../../../../main/wallets/v10/v10-token.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openBench } from './v10-support.ts';

const credentials = { clientId: 'me', clientSecret: 'a secret', merchantVat: 'DK90000028' };

function source(answers: (Partial<HttpAnswer> | Error)[]) {
  const clock = new ManualClock();
  const sent: HttpRequest[] = [];
  const tokens = new TokenSource({
    url: 'http://auth/connect/token',
    credentials,
    clock,
    send: async (request) => {
      sent.push(request);
      const answer = answers.shift() ?? {
        body: JSON.stringify({
          access_token: `token ${sent.length}`,
          expires_in: 1000,
          token_type: 'Bearer',
        }),
      };
      if (answer instanceof Error) throw answer;
      return { status: 200, retryAfterMs: null, body: '', ...answer };
    },
  });
  return { clock, sent, tokens };
}

describe('the access token', () => {
  test('is asked for as RFC 6749 says, for one merchant', async () => {
    const { tokens, sent } = source([]);
    await tokens.get();
    expect(sent[0]).toMatchObject({
      method: 'POST',
      body: 'grant_type=client_credentials&merchant_vat=DK90000028',
    });
    expect(sent[0]?.headers).toMatchObject({
      authorization: `Basic ${Buffer.from('me:a secret').toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    });
  });

  test('is asked for once, however many want it', async () => {
    const { tokens, sent } = source([]);
    expect(await Promise.all([tokens.get(), tokens.get(), tokens.get()])).toEqual([
      'token 1',
      'token 1',
      'token 1',
    ]);
    expect(sent).toHaveLength(1);
  });

  test('is renewed at nine tenths of its life, not before', async () => {
    const { tokens, clock } = source([]);
    await tokens.get();
    await clock.pass(899_999);
    expect(await tokens.get()).toBe('token 1');
    await clock.pass(1);
    expect(await tokens.get()).toBe('token 2');
  });

  test('that was refused is renewed; one that was renewed meanwhile is kept', async () => {
    const { tokens, sent } = source([]);
    const old = await tokens.get();
    tokens.refused(old);
    expect(await tokens.get()).toBe('token 2');
    tokens.refused(old);
    expect(await tokens.get()).toBe('token 2');
    expect(sent).toHaveLength(2);
  });

  test('failures are told apart, and the next one who asks may succeed', async () => {
    const { tokens } = source([
      { status: 401 },
      { status: 503 },
      { body: '<html>' },
      new Error('ECONNREFUSED'),
    ]);
    await expect(tokens.get()).rejects.toThrow(CredentialsRefusedError);
    await expect(tokens.get()).rejects.toThrow(ServiceUnreachableError);
    await expect(tokens.get()).rejects.toThrow(UnexpectedAnswerError);
    await expect(tokens.get()).rejects.toThrow(ServiceUnreachableError);
    expect(await tokens.get()).toBe('token 5');
  });

  test('an endpoint that takes no more requests (429) has not refused the credentials', async () => {
    const { tokens } = source([{ status: 429, retryAfterMs: 30_000 }]);
    await expect(tokens.get()).rejects.toMatchObject({
      name: 'ServiceUnreachableError',
      status: 429,
      retryAfterMs: 30_000,
    });
  });

  test('a call that is answered 401 is made once more with a new token, and only once', async () => {
    const bench = await openBench();
    bench.simulator.faults.add({ operation: 'listStoreIds', kind: 'status401' });
    expect((await bench.transport.call(listStoreIds, { query: {} })).storeIds).toHaveLength(2);
    const tokens = bench.sent
      .filter(({ url }) => url.includes('/stores'))
      .map(({ headers }) => headers['authorization']);
    expect(tokens).toHaveLength(2);
    expect(tokens[0]).not.toBe(tokens[1]);
    bench.simulator.faults.add({ operation: 'listStoreIds', kind: 'status401', times: 5 });
    const before = bench.sent.length;
    await expect(bench.transport.call(listStoreIds, { query: {} })).rejects.toThrow(
      CredentialsRefusedError,
    );
    expect(bench.sent.slice(before).filter(({ url }) => url.includes('/stores'))).toHaveLength(2);
    await bench.close();
  });
});
