import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Product, until } from '../support/processes.ts';
import {
  type ProxiedCounter,
  proxyPassword,
  proxyUser,
  ShopNetwork,
  walletHost,
} from '../support/proxied-counter.ts';

let network: ShopNetwork;
beforeAll(async () => {
  network = await ShopNetwork.open();
});
afterAll(() => network.close());
beforeEach(() => {
  network.proxy.mood = { kind: 'opens' };
  network.proxy.asked.length = 0;
  network.proxy.credentials.length = 0;
});

const tunnel = `${walletHost}:443`;
const basic = `Basic ${Buffer.from(`${proxyUser}:${proxyPassword}`).toString('base64')}`;

/**
 * Nothing but tunnels to the wallet service, with the password, and nothing of what went through
 * them.
 */
function expectTunnelsAlone(): void {
  const { proxy } = network;
  expect(new Set(proxy.asked)).toEqual(new Set([tunnel]));
  expect(new Set(proxy.credentials)).toEqual(new Set([basic]));
  expect(proxy.readable).toEqual([]);
  expect(Buffer.concat(proxy.bytes).toString('latin1')).not.toContain(
    network.credentials.clientSecret,
  );
}

describe('a counter behind a proxy, with a service certified by an authority of the shop', () => {
  let counter: ProxiedCounter | null = null;
  afterEach(async () => {
    await counter?.close();
    counter = null;
  });

  it.each([
    ['by its environment', 'daemon', () => [network.environment, {}] as const],
    ['by the environment of its launcher', 'launcher', () => [network.environment, {}] as const],
    [
      'by its settings',
      'daemon',
      () =>
        [
          { PROXY_PASSWORD: proxyPassword },
          {
            network: {
              proxy: {
                url: network.proxy.url,
                user: proxyUser,
                password: { env: 'PROXY_PASSWORD' },
              },
              certificates: '../authority.pem',
            },
          },
        ] as const,
    ],
  ])('is paid %s (%s)', async (_how, entry, way) => {
    const [environment, more] = way();
    counter = await network.counter(environment, more, entry);
    const { paying } = await counter.begin();
    await counter.approve();
    expect((await paying).ended).toMatchObject({ by: 'completion' });
    await until(
      async () => (await counter?.state())?.includes('"Captured"') ?? false,
      'the capture',
    );
    expectTunnelsAlone();
    const log = counter.daemon.stderr;
    expect(log).not.toContain('geheim');
    expect(log).not.toContain(basic.slice('Basic '.length));
  });

  it.each([403, 407, 502])(
    'takes no %i of the proxy for an answer about the payment',
    async (status) => {
      counter = await network.counter(network.environment);
      const { proxy } = network;
      const { paying } = await counter.begin();
      proxy.mood = {
        kind: 'refuses',
        status,
        body: '{"code":"1001","message":"payment was declined"}',
      };
      proxy.cut();
      await counter.approve();
      await until(
        () => counter?.daemon.stderr.includes(`PROXY_${status}`) ?? false,
        'the log to name the proxy',
      );
      expect(counter.till.isBusy).toBe(true);
      proxy.mood = { kind: 'opens' };
      expect((await paying).ended).toMatchObject({ by: 'completion' });
      await until(
        async () => (await counter?.state())?.includes('"Captured"') ?? false,
        'the capture',
      );
      expect(counter.daemon.stderr).not.toContain('the wallet service refused a request');
    },
  );

  it.each([403, 407])(
    'leaves no payment behind that a %i of the proxy has kept from the service',
    async (status) => {
      counter = await network.counter(network.environment);
      const { proxy } = network;
      proxy.mood = {
        kind: 'refuses',
        status,
        body: '{"code":"1001","message":"payment was declined"}',
      };
      proxy.cut();
      const { ended } = await counter.till.pay(4321, 'DKK');
      expect(ended?.by).toBe('abort');
      expect(counter.daemon.stderr).toContain(`PROXY_${status}`);
      expect(counter.daemon.stderr).not.toContain('the wallet service refused a request');
      proxy.mood = { kind: 'opens' };
      const { paying } = await counter.begin();
      await counter.approve();
      expect((await paying).ended).toMatchObject({ by: 'completion' });
      expect(await counter.state()).not.toMatch(
        /"amount":43\.21[^}]*"status":"(Initiated|Reserved|Captured)"/,
      );
    },
  );
});

it('the callback receiver asks for what it missed through the proxy, in its thread', async () => {
  const settings = join(network.folder, 'callbacks.json');
  const data = join(network.folder, 'callbacks');
  writeFileSync(
    settings,
    JSON.stringify({
      listen: { port: 0 },
      appPayments: [
        { url: 'https://callbacks.shop.example/appPayments', signatureKey: 'key-of-the-webhook' },
      ],
      catchUp: [
        {
          baseUrl: `https://${walletHost}`,
          apiKey: 'key',
          providerId: '51070000-0000-4000-8000-000000000001',
        },
      ],
      network: {
        proxy: { url: network.proxy.url, user: proxyUser, password: proxyPassword },
        certificates: 'authority.pem',
      },
    }),
    { mode: 0o600 },
  );
  const receiver = network.start(
    'callbacks',
    ['--settings', settings, '--data', data, '--catch-up', '2026-11-20'],
    {},
  );
  await receiver.ready();
  await until(() => network.proxy.asked.length > 0, 'a question through the proxy');
  expectTunnelsAlone();
  await receiver.end();
});

describe('certificates that cannot be read end the start in one sentence', () => {
  const missing = { NODE_EXTRA_CA_CERTS: '/no/such/authority.pem' };
  it.each([
    ['daemon', ['--data', 'DATA']],
    ['callbacks', ['register', '--settings', 'SETTINGS']],
    ['certify', []],
    ['simulator', ['--port', '0']],
  ])('%s', async (entry, args) => {
    const given = args.map((arg) => (arg === 'DATA' ? join(network.folder, 'unused') : arg));
    const product = new Product(entry, given, missing);
    const { code } = await product.exited;
    // Node itself warns before anything of ours runs.
    const said = product.stderr
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('Warning:') && !line.startsWith('(Use '));
    expect(said).toEqual([
      'NODE_EXTRA_CA_CERTS: must name a file that can be read (ENOENT), got "/no/such/authority.pem"',
    ]);
    expect(code).toBe(2);
  });
});
