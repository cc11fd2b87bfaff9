import { request } from 'node:http';
import { get } from 'node:https';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Log, silentLog } from '../../../../main/core/domain/log.ts';
import {
  type MonitoringServer,
  type MonitoringServerOptions,
  startMonitoringServer,
} from '../../../../main/counter/monitoring/monitoring-server.ts';
import { serveMonitoring } from '../../../../main/counter/monitoring/monitoring-thread.ts';
import { inThisThread } from '../../../../main/support/listener-thread.ts';
import { selfSigned } from '../../../support/self-signed.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const token = `${'x'.repeat(31)}1`;
let server: MonitoringServer;
let isReady: boolean;
let warned: string[];
const log: Log = { ...silentLog, warn: (_fields, message) => warned.push(message) };

const start = (about: Partial<MonitoringServerOptions> = {}): Promise<MonitoringServer> =>
  startMonitoringServer({
    host: '127.0.0.1',
    port: 0,
    tls: null,
    token,
    names: ['metrics.shop.example'],
    readiness: () => ({ isReady, words: 'the lane takes payments' }),
    metrics: async () => 'tillbeacon_ready 1\n',
    log,
    startThread: inThisThread((port, data) => serveMonitoring(port, data, new ManualClock())),
    ...about,
  });

beforeEach(async () => {
  isReady = true;
  warned = [];
  server = await start();
});
afterEach(() => server.close());

const ask = (
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port: server.port,
        path,
        headers: { host: `127.0.0.1:${server.port}`, ...headers },
        agent: false,
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      },
    );
    outgoing.on('error', reject).end();
  });
const bearer = (value: string) => ({ authorization: `Bearer ${value}` });

test('status is for everybody: alive, and ready or not in words', async () => {
  expect(await ask('/healthz')).toEqual({ status: 200, text: 'ok\n' });
  expect(await ask('/readyz')).toEqual({ status: 200, text: 'ready: the lane takes payments\n' });
  isReady = false;
  expect(await ask('/readyz')).toEqual({
    status: 503,
    text: 'not ready: the lane takes payments\n',
  });
});

test('metrics are served only with the token', async () => {
  expect(await ask('/metrics', bearer(token))).toEqual({
    status: 200,
    text: 'tillbeacon_ready 1\n',
  });
  expect((await ask('/metrics')).status).toBe(401);
  for (const wrong of [token.slice(1), `${token}1`, '', 'Bearer'])
    expect((await ask('/metrics', bearer(wrong))).status).toBe(401);
});

test('tokens that are guessed are answered without being looked at, and the right one is always taken', async () => {
  const statuses: number[] = [];
  for (let guess = 0; guess < 40; guess += 1)
    statuses.push((await ask('/metrics', bearer(`guess-${guess}`))).status);
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(30);
  expect(warned.length).toBeLessThan(10);
  expect((await ask('/metrics', bearer(token))).status).toBe(200);
});

test('a foreign name that points here, and a page of a web site, are refused with the right token too', async () => {
  expect((await ask('/readyz', { host: `evil.example:${server.port}` })).status).toBe(403);
  expect(
    (await ask('/metrics', { ...bearer(token), host: `evil.example:${server.port}` })).status,
  ).toBe(403);
  expect((await ask('/metrics', { ...bearer(token), origin: 'https://evil.example' })).status).toBe(
    403,
  );
  expect((await ask('/metrics', { ...bearer(token), 'sec-fetch-site': 'cross-site' })).status).toBe(
    403,
  );
  expect(
    (await ask('/metrics', { ...bearer(token), host: `metrics.shop.example:${server.port}` }))
      .status,
  ).toBe(200);
});

test('is encrypted with the certificate that the settings name', async () => {
  const secured = await start({ tls: selfSigned });
  const text = await new Promise<string>((resolve, reject) => {
    get(
      {
        host: '127.0.0.1',
        port: secured.port,
        path: '/metrics',
        ca: selfSigned.cert,
        headers: bearer(token),
      },
      (response) => {
        response.setEncoding('utf8').on('data', resolve);
      },
    ).on('error', reject);
  });
  expect(text).toBe('tillbeacon_ready 1\n');
  await secured.close();
});
