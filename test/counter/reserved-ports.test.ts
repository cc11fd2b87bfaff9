/** Each process on a computer whose system reserves ports, as Windows does for Hyper-V and WSL. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { Product } from '../support/processes.ts';

const preload = new URL('../support/reserved-ports.mjs', import.meta.url).href;
const products: Product[] = [];
afterEach(() => Promise.all(products.splice(0).map((one) => one.end('SIGKILL'))));

const folder = (): string => mkdtempSync(join(tmpdir(), 'tillbeacon-reserved-'));
function run(entry: string, args: readonly string[], reserved: string): Product {
  const product = new Product(entry, args, {
    NODE_OPTIONS: `--import=${preload}`,
    TILLBEACON_TEST_RESERVED: reserved,
  });
  products.push(product);
  return product;
}
function settingsFile(settings: unknown): string {
  const path = join(folder(), 'settings.json');
  writeFileSync(path, JSON.stringify(settings));
  return path;
}
const pointOfSale = {
  merchantPosId: 'one',
  storeId: '51070000-0000-4000-8000-00000000abcd',
  name: 'Check-out 1',
  beaconTypes: ['QR'],
  beaconId: null,
};
const till = { protocol: 'zvt', transport: 'tcp', host: '127.0.0.1', port: 0 };
const lane = { id: '1', name: 'Check-out 1', currency: 'DKK', pointOfSale, till };
const settings = { wallet: { simulator: true }, lanes: [lane] };
const saysSo = (port: number): RegExp =>
  new RegExp(
    `${port}.*: the system reserves this port .*netsh int ipv4 show excludedportrange protocol=tcp`,
  );

test('the daemon passes over a reserved range when it chooses the port of its screens', async () => {
  const daemon = run(
    'daemon',
    ['--settings', settingsFile(settings), '--data', folder()],
    '4180-4379',
  );
  const { screens } = await daemon.ready<{ screens: string }>();
  expect(Number(new URL(screens).port)).toBeGreaterThan(4379);
});

test('the daemon ends where the port of its data folder is reserved, and says how to see that', async () => {
  const data = folder();
  writeFileSync(join(data, 'screens-port.json'), JSON.stringify({ port: 4333 }));
  const daemon = run('daemon', ['--data', data], '4300-4399');
  expect((await daemon.exited).code).toBe(1);
  expect(daemon.stderr).toMatch(saysSo(4333));
  expect(daemon.stderr).toContain('name another port with --port');
});

test('a demonstration begins although the till’s usual port is reserved', async () => {
  const daemon = run('daemon', ['--demo', '--data', folder(), '--port', '0'], '20000-20099');
  await expect.poll(() => daemon.lines.join('\n')).toMatch(/http:\/\/127\.0\.0\.1:\d+/);
});

test.each([
  ['the daemon’s screens', 'daemon', ['--port', '4444', '--settings', settingsFile(settings)]],
  [
    'a till on ZVT',
    'daemon',
    [
      '--port',
      '0',
      '--settings',
      settingsFile({ ...settings, lanes: [{ ...lane, till: { ...till, port: 4444 } }] }),
    ],
  ],
  [
    'a till on Concert',
    'daemon',
    [
      '--port',
      '0',
      '--settings',
      settingsFile({
        ...settings,
        lanes: [{ ...lane, currency: 'EUR', till: { ...till, protocol: 'concert', port: 4444 } }],
      }),
    ],
  ],
  ['the simulator', 'simulator', ['--port', '4444']],
  [
    'the callback receiver',
    'callbacks',
    ['--port', '4444', '--settings', settingsFile({ checkin: true })],
  ],
] as const)(
  'names a reserved port that a person has chosen, and the command that lists them: %s',
  async (_, entry, args) => {
    const product = run(
      entry,
      entry === 'simulator' ? args : [...args, '--data', folder()],
      '4444-4444',
    );
    expect((await product.exited).code).toBe(1);
    expect(product.stderr).toMatch(saysSo(4444));
    expect(product.stderr).not.toMatch(/^\s+at /m);
  },
);

test('displays, the HTTP API and metrics are told in the log, while payments go on', async () => {
  const tls = { host: '127.0.0.1', token: 'a-token-of-the-metrics-0123456789' };
  const others = {
    ...settings,
    lanes: [
      { ...lane },
      {
        ...lane,
        id: '2',
        name: 'Check-out 2',
        pointOfSale: { ...pointOfSale, merchantPosId: 'two' },
        till: { protocol: 'http' },
      },
    ],
    screens: { customerDisplays: { host: '127.0.0.1', port: 4181 } },
    api: { host: '127.0.0.1', port: 4182 },
    monitoring: { metrics: { ...tls, port: 4183 } },
  };
  const daemon = run(
    'daemon',
    ['--settings', settingsFile(others), '--data', folder(), '--port', '0'],
    '4181-4183',
  );
  await daemon.ready();
  const failures = () =>
    daemon.log().filter(({ msg }) => /could not be served.*retrying$/.test(String(msg)));
  await expect.poll(() => failures().length, { timeout: 20_000 }).toBe(3);
  for (const { port, detail } of failures()) expect(detail).toMatch(saysSo(port as number));
});
