/** A client that is not the till moves no money and learns nothing. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { operations } from '../../../../main/tills/http/operations.ts';
import { Tokens } from '../../../../main/tills/http/tokens.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { systemIds } from '../../../../main/core/domain/ids.ts';
import { ApiWorld, bread } from './support.ts';

let at: ApiWorld;
const refusedPages: object[] = [];
const trusted = 'https://till.example';
beforeEach(async () => {
  at = await new ApiWorld().open(
    {},
    {
      origins: [trusted],
      names: ['till-1.shop.example'],
      onRefusedPage: (refused) => refusedPages.push(refused),
    },
  );
  refusedPages.length = 0;
});
afterEach(() => at.close());

const key = '6f1d0c1e-1111-4000-8000-000000000001';
const began = (): boolean =>
  at.world.whatLeft().length > 0 || at.world.lane.snapshot().current !== null;
const all = Object.entries(operations).map(([name, { method, path }]) => ({
  name,
  method,
  path: path.replaceAll(/\{\w+\}/g, '1'),
}));

describe('without a token', () => {
  test.each(all)('$name is refused', async ({ method, path }) => {
    for (const token of [null, 'tbt_0000000000000000000000000000000000000000000', ''])
      expect(
        await at.ask(method, path, { token, key, ...(method === 'POST' && { body: bread }) }),
      ).toMatchObject({
        status: 401,
        headers: { 'www-authenticate': 'Bearer' },
        body: { type: 'urn:tillbeacon:problem:token-missing' },
      });
    expect(began()).toBe(false);
  });

  test('the document and its page are served; nothing else is', async () => {
    expect(await at.ask('GET', '/v1/openapi.json', { token: null })).toMatchObject({
      status: 200,
      body: { openapi: '3.1.0' },
    });
    expect(await at.ask('GET', '/v1/docs', { token: null })).toMatchObject({ status: 200 });
    for (const path of ['/', '/v1', '/v1/', '/v2/payments', '/v1/../v1/lanes/..', '/cashier/'])
      expect((await at.ask('GET', path, { token: null })).status).toBe(404);
  });
});

test('a revoked token is refused at once; one with the scope read pays nothing', async () => {
  const token = at.makeToken(['read']);
  expect(await at.pay(key, bread, { token })).toMatchObject({
    status: 403,
    body: { type: 'urn:tillbeacon:problem:scope-missing' },
  });
  const { tokenId } = at.tokens.list().at(-1) ?? { tokenId: '' };
  expect(at.tokens.revoke(tokenId)).toBe(true);
  expect(await at.ask('GET', '/v1/lanes', { token })).toMatchObject({ status: 401 });
  expect(at.tokens.revoke(tokenId)).toBe(false);
  expect(began()).toBe(false);
});

test('a token is of one lane: that of another one neither sees nor pays', async () => {
  at.world.pollAnswers = [];
  const { body } = await at.pay(key);
  const token = at.makeToken(['pay', 'read', 'refund'], '2');
  expect(await at.ask('GET', `/v1/payments/${body.paymentId}`, { token })).toMatchObject({
    status: 503,
    body: { type: 'urn:tillbeacon:problem:lane-gone' },
  });
});

test('guessing is slowed, and does not lock the till out', async () => {
  const guess = (index: number) =>
    at.ask('GET', '/v1/lanes', { token: `tbt_${String(index).padStart(43, '0')}` });
  const answers: number[] = [];
  for (let index = 0; index < 10; index += 1) answers.push((await guess(index)).status);
  expect(answers).toEqual([401, 401, 401, 401, 401, 401, 429, 429, 429, 429]);
  expect(await guess(11)).toMatchObject({ status: 429, headers: { 'retry-after': '60' } });
  expect((await at.ask('GET', '/v1/lanes')).status).toBe(200);
  expect(at.logged.filter((line) => line.includes('token')).length).toBeLessThan(10);
});

/** The headers of an answer that does not end. */
function beginningOf(
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<IncomingHttpHeaders> {
  return new Promise((resolve, reject) => {
    const about = {
      host: '127.0.0.1',
      port: at.api.port,
      path,
      agent: false,
      headers: { authorization: `Bearer ${at.token}`, ...headers },
    };
    const asked = request(about, (response) => {
      resolve(response.headers);
      asked.destroy();
    });
    asked.on('error', reject);
    asked.end();
  });
}

describe('a page in a browser', () => {
  test.each([
    'https://evil.example',
    'null',
    'http://127.0.0.1:1',
    'http://localhost',
    'https://till.example.evil.example',
  ])('of the origin %s is refused, even with the token', async (origin) => {
    const answer = await at.pay(key, bread, { headers: { origin } });
    expect(answer).toMatchObject({
      status: 403,
      body: { type: 'urn:tillbeacon:problem:origin-refused' },
    });
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    expect(
      await at.ask('OPTIONS', '/v1/payments', {
        token: null,
        headers: { origin, 'access-control-request-method': 'POST' },
      }),
    ).toMatchObject({
      status: 403,
    });
    expect(began()).toBe(false);
  });

  test('of an origin that the settings name may call, and is told so', async () => {
    const headers = { origin: trusted, 'access-control-request-method': 'POST' };
    expect(await at.ask('OPTIONS', '/v1/payments', { token: null, headers })).toMatchObject({
      status: 204,
      headers: { 'access-control-allow-origin': trusted, vary: 'Origin' },
    });
    const answer = await at.pay(key, bread, { headers: { origin: trusted } });
    expect(answer).toMatchObject({
      status: 201,
      headers: { 'access-control-allow-origin': trusted },
    });
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
    expect(await beginningOf('/v1/events', { origin: trusted })).toMatchObject({
      'content-type': 'text/event-stream',
      'x-accel-buffering': 'no',
      'access-control-allow-origin': trusted,
      'cache-control': 'no-store',
      vary: 'Origin',
    });
  });

  test('that is refused is told to whoever tries one, with the reason; other programs are not', async () => {
    const preflight = { 'access-control-request-method': 'POST' };
    await at.ask('OPTIONS', '/v1/payments', {
      token: null,
      headers: { origin: 'https://evil.example', ...preflight },
    });
    await at.ask('GET', '/v1/lanes', { headers: { origin: trusted, host: 'evil.example' } });
    await at.ask('GET', '/v1/lanes', { token: null, headers: { origin: trusted } });
    await at.ask('GET', '/v1/lanes', {
      token: null,
      headers: { origin: `https://${'x'.repeat(200)}` },
    });
    await at.ask('GET', '/v1/lanes', { token: null });
    await expect.poll(() => refusedPages).toHaveLength(4);
    expect(refusedPages).toMatchObject([
      { page: 'https://evil.example', code: 'origin-refused' },
      { page: trusted, code: 'host-refused' },
      { page: trusted, code: 'token-missing' },
      { page: `https://${'x'.repeat(91)}…`, code: 'origin-refused' },
    ]);
  });

  test.each(['evil.example', `evil.example:80`, '127.0.0.1', '127.0.0.1:1'])(
    'that a foreign name leads here (%s) gets nothing, not even the document',
    async (host) => {
      for (const path of ['/v1/openapi.json', '/v1/docs', '/v1/lanes'])
        expect((await at.ask('GET', path, { headers: { host } })).status).toBe(421);
    },
  );

  test('by its own names it is called', async () => {
    for (const host of [
      `127.0.0.1:${at.api.port}`,
      `LOCALHOST:${at.api.port}`,
      `till-1.shop.example:${at.api.port}`,
    ])
      expect((await at.ask('GET', '/v1/lanes', { headers: { host } })).status).toBe(200);
  });
});

describe('bad input gets an error that names the field and the rule, and begins nothing', () => {
  const amountRule = 'must be a whole number of minor units from 1 to 999999999999';
  test.each([
    [{ currency: 'DKK' }, 'amountMinor', amountRule],
    [{ ...bread, amountMinor: 0 }, 'amountMinor', amountRule],
    [{ ...bread, amountMinor: -1 }, 'amountMinor', amountRule],
    [{ ...bread, amountMinor: 12.34 }, 'amountMinor', amountRule],
    [{ ...bread, amountMinor: '1234' }, 'amountMinor', amountRule],
    [{ ...bread, amountMinor: 1e12 }, 'amountMinor', amountRule],
    [{ ...bread, currency: 'XXX' }, 'currency', 'must be one of DKK, EUR, NOK'],
    [{ ...bread, reserve: 'yes' }, 'reserve', 'must be true or false'],
    [{ ...bread, tip: 5 }, 'tip', 'is not known here'],
    [{ ...bread, amountMinor: null }, 'amountMinor', amountRule],
    [{ ...bread, currency: null }, 'currency', 'must be one of DKK, EUR, NOK'],
    [[], 'body', 'must be a JSON object'],
    ['bread', 'body', 'must be a JSON object'],
    [1, 'body', 'must be a JSON object'],
  ])('%j', async (body, field, rule) => {
    expect(await at.pay(key, JSON.stringify(body))).toMatchObject({
      status: 400,
      body: { errors: [{ field, rule }] },
    });
    expect(began()).toBe(false);
  });

  test.each([
    ['no key', {}, 400, 'key-missing'],
    ['a short key, which would soon come again', { 'idempotency-key': '1' }, 400, 'key-missing'],
    ['a long key', { 'idempotency-key': 'x'.repeat(129) }, 400, 'key-missing'],
    ['a key with spaces', { 'idempotency-key': 'a key with spaces in it' }, 400, 'key-missing'],
    [
      'a form',
      { 'idempotency-key': key, 'content-type': 'application/x-www-form-urlencoded' },
      415,
      'not-json',
    ],
    ['text', { 'idempotency-key': key, 'content-type': 'text/plain' }, 415, 'not-json'],
  ])('%s', async (_what, headers, status, code) => {
    expect(await at.ask('POST', '/v1/payments', { body: bread, headers })).toMatchObject({
      status,
      body: { type: `urn:tillbeacon:problem:${code}` },
    });
    expect(began()).toBe(false);
  });

  test('no JSON, too much of it, another method', async () => {
    expect((await at.pay(key, '{')).status).toBe(415);
    expect(
      (await at.pay(key, JSON.stringify({ ...bread, more: 'x'.repeat(263_000) }))).status,
    ).toBe(413);
    expect(await at.ask('DELETE', '/v1/payments/1')).toMatchObject({
      status: 405,
      headers: { allow: 'GET' },
    });
    expect((await at.ask('HEAD', '/v1/events')).status).toBe(405);
    expect(began()).toBe(false);
  });
});

test('bytes that are no HTTP are answered and closed, and the till still gets through', async () => {
  for (const bytes of [
    '\0'.repeat(100),
    'GET / HTTP/1.1\r\n\r\n',
    'POST /v1/payments HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  ]) {
    await new Promise<void>((resolve) => {
      const socket = connect({ port: at.api.port, host: '127.0.0.1' }, () => socket.end(bytes));
      socket.on('error', () => {});
      socket.on('data', () => {});
      socket.on('close', () => resolve());
    });
  }
  expect((await at.ask('GET', '/v1/lanes')).status).toBe(200);
});

describe('the file of the tokens', () => {
  const path = (): string => join(at.folder, 'till-tokens.json');
  const opened = (): Tokens =>
    new Tokens({ path: path(), clock: at.world.clock, ids: systemIds, log: silentLog });

  test('holds no token, is for its user alone, and is there after a restart', () => {
    const text = readFileSync(path(), 'utf8');
    expect(text).not.toContain(at.token);
    expect(text).not.toContain(at.token.slice(4));
    expect(statSync(path()).mode & 0o077).toBe(0);
    expect(opened().find(at.token)).toMatchObject({
      name: 'Till 1',
      laneId: '1',
      scopes: ['pay', 'refund', 'read'],
    });
    expect(JSON.stringify(opened().list())).not.toMatch(/[0-9a-f]{64}/);
  });

  test('of a removed lane: revoked for good, so that a new lane with its id is not open to its till', () => {
    const tokens = opened();
    const other = tokens.make({ name: 'Till 2', laneId: '2', scopes: ['pay'] });
    const token = other === 'tooMany' ? '' : other.token;
    tokens.keepOnly(new Set(['1']));
    for (const now of [tokens, opened()])
      expect([now.find(token), now.find(at.token)?.laneId]).toEqual([null, '1']);
  });

  test('damaged: no token is taken, and none is made over it', () => {
    writeFileSync(path(), '{');
    const tokens = opened();
    expect(() => tokens.find(at.token)).toThrow('damaged');
    expect(() => tokens.make({ name: 'x', laneId: '1', scopes: ['pay'] })).toThrow('damaged');
    expect(readFileSync(path(), 'utf8')).toBe('{');
  });
});
