/** The servers that a network reaches, in real threads. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { FollowedServer } from '../../../../main/counter/app/followed-server.ts';
import { systemClock } from '../../../../main/core/domain/clock.ts';
import { type Log, silentLog } from '../../../../main/core/domain/log.ts';
import {
  type MonitoringServer,
  type MonitoringServerOptions,
  startMonitoringServer,
} from '../../../../main/counter/monitoring/monitoring-server.ts';
import { startCustomerDisplays } from '../../../../main/counter/server/customer-displays.ts';
import { ShopPictures } from '../../../../main/counter/server/shop-pictures.ts';
import {
  type StartThread,
  type ThreadEnd,
  workerThread,
} from '../../../../main/support/listener-thread.ts';
import type { HttpApiOptions } from '../../../../main/tills/http/options.ts';
import { startHttpApi } from '../../../../main/tills/http/server.ts';
import { ScriptedViews } from '../server/scripted-views.ts';
import { freePort } from '../../../support/free-port.ts';

const source = (area: string): string =>
  new URL(`../../../../main/${area}/server.ts`, import.meta.url).href;
const threads: ThreadEnd[] = [];
const closing: (() => Promise<void>)[] = [];
const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-threads-'));
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  threads.length = 0;
  rmSync(folder, { recursive: true, force: true });
});

/** Real threads, which the test can kill. */
const watched =
  <Data>(start: StartThread<Data>): StartThread<Data> =>
  (data) => {
    const thread = start(data);
    threads.push(thread);
    return thread;
  };

const startThread = watched(
  workerThread<MonitoringServerOptions>(source('counter/monitoring'), 'metrics-worker'),
) as NonNullable<MonitoringServerOptions['startThread']>;
const metrics = (port: number, log: Log = silentLog): Promise<MonitoringServer> =>
  startMonitoringServer({
    host: '127.0.0.1',
    port,
    tls: null,
    token: 'x'.repeat(32),
    names: [],
    readiness: () => ({ isReady: true, words: 'the lane takes payments' }),
    metrics: async () => 'tillbeacon_ready 1\n',
    log,
    startThread,
  });

test('what the thread serves comes from the process, and the thread ends with the server', async () => {
  const server = await metrics(0);
  const answer = await fetch(`http://127.0.0.1:${server.port}/readyz`);
  expect(await answer.text()).toBe('ready: the lane takes payments\n');
  const ended = new Promise<void>((resolve) => threads[0]?.on('exit', resolve));
  await server.close();
  await ended;
  await expect(fetch(`http://127.0.0.1:${server.port}/readyz`)).rejects.toThrow();
});

test('a port in use is reported with its error code', async () => {
  const server = await metrics(0);
  closing.push(() => server.close());
  await expect(metrics(server.port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('a thread that dies is started again at the same port, and the log says so', async () => {
  const logged: string[] = [];
  const log: Log = { ...silentLog, error: (_fields, message) => logged.push(message) };
  const port = await freePort();
  const followed = new FollowedServer({
    settings: () => ({ host: '127.0.0.1', port }),
    start: () => metrics(port, log),
    served: 'served',
    failed: 'failed',
    clock: systemClock,
    log,
  });
  closing.push(() => followed.close());
  await followed.follow();
  threads[0]?.terminate();
  await expect.poll(() => threads.length, { timeout: 10_000 }).toBe(2);
  const readyz = (): Promise<number> =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(({ status }) => status);
  await expect.poll(() => readyz().catch(() => 0), { timeout: 10_000 }).toBe(200);
  expect(logged).toEqual(['the thread of a server ended: starting it again']);
});

test('the displays’ pages are served by a thread', async () => {
  mkdirSync(join(folder, 'assets'), { recursive: true });
  mkdirSync(join(folder, 'customer'));
  writeFileSync(join(folder, 'customer/index.html'), '<!doctype html>of the thread');
  const views = new ScriptedViews();
  const displays = await startCustomerDisplays({
    host: '127.0.0.1',
    port: 0,
    rendererFolder: folder,
    views,
    pictures: new ShopPictures(folder, silentLog),
    log: silentLog,
  });
  closing.push(() => displays.close());
  expect(await (await fetch(`http://127.0.0.1:${displays.port}/customer/`)).text()).toContain(
    'of the thread',
  );
  await expect(
    startCustomerDisplays({
      host: '127.0.0.1',
      port: displays.port,
      rendererFolder: folder,
      views,
      pictures: new ShopPictures(folder, silentLog),
      log: silentLog,
    }),
  ).rejects.toThrow('another program already listens there');
});

test('the HTTP API is answered from a thread, without a word to the process about who has no token', async () => {
  let requestCount = 0;
  const api = await startHttpApi({
    host: '127.0.0.1',
    port: 0,
    tls: null,
    names: [],
    origins: [],
    version: '1.0',
    counter: () => {
      requestCount += 1;
      return null;
    },
    subscribe: () => () => {},
    tokens: { find: () => null, holds: () => false },
    clock: systemClock,
    log: silentLog,
  } as unknown as HttpApiOptions);
  closing.push(() => api.close());
  expect((await fetch(`http://127.0.0.1:${api.port}/v1/openapi.json`)).status).toBe(200);
  expect((await fetch(`http://127.0.0.1:${api.port}/v1/lanes`)).status).toBe(401);
  expect(
    (
      await fetch(`http://127.0.0.1:${api.port}/v1/lanes`, {
        headers: { authorization: `Bearer ${'x'.repeat(43)}` },
      })
    ).status,
  ).toBe(401);
  expect(requestCount).toBe(0);
});
