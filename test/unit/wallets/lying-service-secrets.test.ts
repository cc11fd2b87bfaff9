import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Log } from '../../../main/core/domain/log.ts';
import { merchantAccess } from '../../../main/wallets/http/access.ts';
import { fetchHttp, type HttpSend } from '../../../main/wallets/http/http.ts';
import { getPayment } from '../../../main/wallets/v10/point-of-sale/point-of-sale-operations.ts';
import { profileNamed } from '../../../main/wallets/v10/v10-profile.ts';
import { TokenSource } from '../../../main/wallets/v10/v10-token.ts';
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

describe('a secret of ours', () => {
  test('that no header can hold is not told', async () => {
    says(200, '{}');
    for (const key of ['top\nsecret', 'top\u2014secret', 'top\u0001secret']) {
      const error = await failure(transport(fetchHttp, key).call(getPayment, { paymentId: id }));
      expect(
        `${error.message}${logged}${String((error.cause as Error | null)?.message)}`,
      ).not.toMatch(/top|secret/);
    }
    expect(requests).toEqual([]);
  });

  test('is not in what a lost connection throws', async () => {
    answer = (_request, response) => void response.destroy();
    const error = await failure(
      transport(fetchHttp, 'top-secret').call(getPayment, { paymentId: id }),
    );
    expect(error).toMatchObject({ name: 'ServiceUnreachableError' });
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('top-secret');
  });

  test('does not go where the service says that it has moved', async () => {
    answer = (request, response) =>
      void response.writeHead(307, { location: `${url}/elsewhere` }).end(void request.resume());
    const error = await failure(
      transport(fetchHttp, 'top-secret').call(getPayment, { paymentId: id }),
    );
    expect(error.message).toContain('unexpected redirect');
    expect(requests).toHaveLength(1);
  });

  test.each([
    ['has a line break', { access_token: 'a\r\nx-evil: 1' }],
    ['has a letter of another script', { access_token: 'tøken' }],
    ['is a book', { access_token: 'x'.repeat(20_000) }],
    ['lives for ever less than a moment', { access_token: 'x', expires_in: 0 }],
  ])('is no token that %s', async (_what, about) => {
    says(
      200,
      JSON.stringify({
        access_token: 'token',
        expires_in: 3_600,
        token_type: 'Bearer',
        ...(about as object),
      }),
    );
    const credentials = { clientId: 'me', clientSecret: 'secret', merchantVat: 'DK90000028' };
    const tokens = new TokenSource({ url, credentials, send: fetchHttp, clock: new ManualClock() });
    expect(await failure(tokens.get())).toMatchObject({ name: 'UnexpectedAnswerError' });
  });

  test('is asked for anew after a day, whatever a token says of itself', async () => {
    const clock = new ManualClock();
    let tokens = 0;
    answer = (_request, response) =>
      void response
        .writeHead(200, json)
        .end(`{"access_token":"t${(tokens += 1)}","expires_in":1e300,"token_type":"Bearer"}`);
    const credentials = { clientId: 'me', clientSecret: 'secret', merchantVat: 'DK90000028' };
    const source = new TokenSource({ url, credentials, send: fetchHttp, clock });
    expect(await source.get()).toBe('t1');
    await clock.pass(23 * 3_600_000);
    expect(await source.get()).toBe('t2');
  });
});
