import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ApiServer } from '../../../../main/counter/app/api-server.ts';
import { type Log, silentLog } from '../../../../main/core/domain/log.ts';
import { noNotices } from '../../../../main/core/domain/notices.ts';
import { parseSettings } from '../../../../main/counter/settings/load.ts';
import { selfSigned } from '../../../support/self-signed.ts';
import { ManualClock } from '../../support/manual-clock.ts';

let folder: string;
let settings: ReturnType<typeof parseSettings> | null;
let errors: string[];
let clock: ManualClock;
let api: ApiServer;

const of = (about: object, till: object = { protocol: 'http' }) =>
  parseSettings(
    {
      wallet: { simulator: true },
      api: { port: 0, ...about },
      lanes: [
        {
          id: '1',
          name: 'Check-out 1',
          currency: 'DKK',
          pointOfSale: {
            merchantPosId: 'shop-1',
            storeId: '51070000-0000-4000-8000-000000000001',
            name: 'Check-out 1',
            beaconTypes: ['QR'],
          },
          till,
        },
      ],
    },
    {},
    folder,
  );

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-api-'));
  writeFileSync(join(folder, 'api.pem'), selfSigned.cert);
  writeFileSync(join(folder, 'api.key'), selfSigned.key);
  errors = [];
  clock = new ManualClock();
  const log: Log = { ...silentLog, error: (_fields, message) => errors.push(message) };
  settings = of({});
  api = new ApiServer({
    settings: () => settings,
    counter: () => null,
    nexoLanes: () => [],
    nexoRefusals: {
      keep: () => {},
      before: () => null,
      mayHaveForgotten: () => false,
      keepReversal: () => {},
      reversalBefore: () => null,
      hasForgotten: () => false,
      bind: () => {},
      boundTo: () => null,
    },
    notices: noNotices,
    subscribe: () => () => {},
    tokens: { find: () => null, holds: () => false },
    reader: () => {
      throw new Error('nobody asks');
    },
    clock,
    log,
  });
});
afterEach(async () => {
  await api.close();
  rmSync(folder, { recursive: true, force: true });
});

const secure = (path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    void api.address().then((address) => {
      get(`${address}${path}`, { ca: selfSigned.cert, agent: false }, (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode ?? 0));
      }).on('error', reject);
    });
  });

test('is served while a lane’s till is software, and no longer', async () => {
  await api.follow();
  const address = await api.address();
  expect((await fetch(`${address}/v1/lanes`)).status).toBe(401);
  settings = of({}, { protocol: 'zvt', transport: 'tcp', port: 0 });
  await api.follow();
  expect(await api.address()).toBeNull();
  await expect(fetch(`${address}/v1/lanes`)).rejects.toThrow();
});

test('with TLS it speaks nothing else, and a renewed certificate is used without a restart', async () => {
  settings = of({ tls: { certificate: 'api.pem', key: { file: 'api.key' } } });
  await api.follow();
  expect(await api.address()).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  expect(await secure('/v1/lanes')).toBe(401);
  await expect(fetch(`http://127.0.0.1:${await api.port()}/v1/lanes`)).rejects.toThrow();
  writeFileSync(join(folder, 'api.pem'), 'no certificate');
  await clock.pass(600_000);
  await expect
    .poll(() => errors, { timeout: 10_000 })
    .toEqual(['the new certificate of the HTTP API cannot be used: the one before stays in use']);
  expect(await secure('/v1/lanes')).toBe(401);
});

test('a port in use by another program is logged once, stops nothing, and is used as soon as it is free', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  settings = of({ port: (other.address() as AddressInfo).port });
  await api.follow();
  await clock.pass(20_000);
  expect(await api.address()).toBeNull();
  expect(errors).toEqual(['the HTTP API for tills could not be served: retrying']);
  await new Promise((resolve) => other.close(resolve));
  await clock.pass(5_000);
  expect(await api.address()).not.toBeNull();
});

test('a missing certificate is logged, and payments of other lanes continue', async () => {
  settings = of({ tls: { certificate: 'missing.pem', key: { file: 'api.key' } } });
  await api.follow();
  expect(await api.address()).toBeNull();
  expect(errors).toHaveLength(1);
});
