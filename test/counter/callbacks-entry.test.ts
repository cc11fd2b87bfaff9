import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { Product } from '../support/processes.ts';

const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-callbacks-entry-'));
let product: Product | null = null;
afterEach(() => product?.end('SIGKILL'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (settings: unknown, more: readonly string[] = ['--port', '0'], env = {}): Product => {
  const path = join(folder, 'settings.json');
  writeFileSync(path, JSON.stringify(settings), { mode: 0o600 });
  product = new Product('callbacks', ['--settings', path, '--data', folder, ...more], env);
  return product;
};

test('says in one line where it takes what, keeps secrets out of its log, and ends on SIGTERM', async () => {
  const settings = {
    subscriptions: [{ scheme: 'oauth2', clientId: 'c', clientSecret: { env: 'SECRET' } }],
    checkin: true,
  };
  const receiver = run(settings, ['--port', '0'], { SECRET: 'not for a log' });
  const ready = await receiver.ready<{ url: string }>();
  expect(ready).toEqual({
    ready: true,
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    endpoints: [
      '/callbacks/subscription-payments',
      '/callbacks/agreements',
      '/callbacks/refunds',
      '/callbacks/checkin',
      '/oauth2/token',
    ],
  });
  const answer = await fetch(`${ready.url}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from('c:not for a log').toString('base64')}` },
    body: 'grant_type=client_credentials',
  });
  const { access_token } = (await answer.json()) as { access_token: string };
  const post = (body: unknown) =>
    fetch(`${ready.url}/callbacks/agreements`, {
      method: 'POST',
      headers: { authorization: `Bearer ${access_token}` },
      body: JSON.stringify(body),
    });
  expect((await post([{}, { agreement_id: 'a', status: 'Active' }])).status).toBe(200);
  receiver.child.kill('SIGTERM');
  expect(await receiver.exited).toEqual({ code: 0, signal: null });
  expect(receiver.lines).toHaveLength(1);
  expect(receiver.log().map(({ msg }) => msg)).toEqual([
    'callback records were set aside',
    'stopping',
  ]);
  for (const secret of ['not for a log', access_token])
    expect(receiver.stderr).not.toContain(secret);
});

test('finds its settings in its folder when no file is named', async () => {
  const data = join(folder, 'service');
  mkdirSync(data);
  const settings = { checkin: true, listen: { port: 0 } };
  writeFileSync(join(data, 'settings.json'), JSON.stringify(settings), { mode: 0o600 });
  product = new Product('callbacks', ['--data', data]);
  expect(await product.ready()).toMatchObject({ endpoints: ['/callbacks/checkin'] });
});

test.skipIf(process.platform === 'win32')(
  'keeps what it stores and its secrets to its user, and names the file that it cannot close',
  async () => {
    const data = join(folder, 'existing');
    mkdirSync(data);
    writeFileSync(join(data, 'callbacks.db'), '', { mode: 0o644 });
    const secret = join(folder, 'secret');
    writeFileSync(secret, 'not for a log\n', { mode: 0o644 });
    const receiver = run({ invoices: [{ scheme: 'apiKey', apiKey: { file: 'secret' } }] }, [
      '--port',
      '0',
      '--data',
      data,
    ]);
    const { url } = await receiver.ready<{ url: string }>();
    expect(
      (
        await fetch(`${url}/callbacks/invoices`, {
          method: 'POST',
          headers: { authorization: 'not for a log' },
          body: '[]',
        })
      ).status,
    ).toBe(200);
    for (const name of ['.', ...readdirSync(data)])
      expect(statSync(join(data, name)).mode & 0o077, name).toBe(0);
    expect(receiver.log()).toContainEqual(
      expect.objectContaining({ level: 'warn', path: secret, command: `chmod 600 ${secret}` }),
    );
    expect(receiver.stderr).not.toContain('not for a log');
  },
);

test('with mistakes in the settings ends with 2 and one line for each', async () => {
  const receiver = run({
    invoices: [{ scheme: 'apiKey', apiKey: 4711 }],
    checkin: 'yes',
    colour: 'red',
  });
  expect((await receiver.exited).code).toBe(2);
  const lines = receiver.stderr.trim().split('\n');
  expect(lines).toHaveLength(3);
  expect(new Set(lines.map((line) => line.split(':')[0]))).toEqual(
    new Set(['checkin', 'colour', 'invoices.0.apiKey']),
  );
  expect(receiver.stderr).not.toContain('4711');
});

test.each([
  [
    'a secret that the environment does not have',
    { invoices: [{ scheme: 'apiKey', apiKey: { env: 'NOWHERE' } }] },
    [],
    'invoices.0.apiKey.env: must name',
  ],
  ['a port that is none', { checkin: true }, ['--port', '70000'], '--port: must be'],
  ['an argument that it does not know', { checkin: true }, ['--wrong'], '--wrong'],
])('with %s ends with 2 and says why', async (_what, settings, more, why) => {
  const receiver = run(settings, more);
  expect((await receiver.exited).code).toBe(2);
  expect(receiver.stderr).toContain(why);
});

test('with a file that is no database ends with 1 and says which', async () => {
  const data = join(folder, 'damaged');
  mkdirSync(data);
  writeFileSync(join(data, 'callbacks.db'), 'no database'.repeat(1_000));
  const receiver = run({ checkin: true }, ['--port', '0', '--data', data]);
  expect((await receiver.exited).code).toBe(1);
  expect(receiver.stderr).toContain(
    `the callbacks' file ${join(data, 'callbacks.db')} cannot be used`,
  );
});

test('what it remembers outlives it, and it asks for what it has missed', async () => {
  const settings = {
    checkin: true,
    catchUp: [
      {
        baseUrl: 'http://127.0.0.1:1',
        apiKey: 'k',
        merchantId: '51070000-0000-4000-8000-000000000001',
      },
    ],
  };
  const where = ['--port', '0', '--data', join(folder, 'kept')];
  const first = run(settings, where);
  const { url } = await first.ready<{ url: string }>();
  expect(
    (await fetch(`${url}/callbacks/checkin`, { method: 'POST', body: '{"PosId":"p"}' })).status,
  ).toBe(200);
  await first.end('SIGKILL');
  const second = run(settings, [...where, '--catch-up', '2026-11-20T00:00:00Z']);
  const again = await second.ready<{ url: string }>();
  expect(await (await fetch(`${again.url}/health`)).json()).toEqual({
    ok: true,
    records: 1,
    rejected: 0,
  });
  await second.logs('caught up with what callbacks may have missed');
});

test('with a port that is taken ends with 1 and says so', async () => {
  const first = run({ checkin: true });
  const { url } = await first.ready<{ url: string }>();
  const second = new Product('callbacks', [
    '--settings',
    join(folder, 'settings.json'),
    '--data',
    folder,
    '--port',
    new URL(url).port,
  ]);
  expect((await second.exited).code).toBe(1);
  expect(second.stderr).toContain('another program already listens there');
});
