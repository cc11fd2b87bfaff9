import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { getDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { httpClient } from '../../main/support/http-client.ts';
import { addressTimeoutMs, type Network, useNetwork } from '../../main/support/network.ts';
import { throughNode } from '../../main/host/desktop/app-updater.ts';
import { systemClock } from '../../main/core/domain/clock.ts';
import { silentLog } from '../../main/core/domain/log.ts';
import { startWorker } from '../../main/counter/manager/reconciliation/reconciliation-worker-link.ts';
import { failureOf } from '../../main/wallets/http/http.ts';
import { authority } from '../support/authority.ts';
import { Proxy, tlsBefore } from '../support/proxy.ts';

const plain: Network = {
  httpsProxy: null,
  httpProxy: null,
  noProxy: [],
  certificates: [],
  systemCertificates: false,
};
const trusting: Network = { ...plain, certificates: [authority] };
const wallet = 'https://wallet.shop.example';

let server: Server;
let tls: Awaited<ReturnType<typeof tlsBefore>>;
let proxy: Proxy;
const requests: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    response.end('the service');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  tls = await tlsBefore(`http://127.0.0.1:${portOf(server)}`);
});
afterAll(() => {
  tls.close();
  server.close();
  server.closeAllConnections();
});
afterEach(() => {
  useNetwork(plain);
  proxy?.close();
  requests.length = 0;
});

const portOf = (one: Server): number => (one.address() as AddressInfo).port;
const text = async (url: string, options: Parameters<typeof httpClient>[1] = {}): Promise<string> =>
  (await httpClient(url, options)).text();
const failure = (url: string): Promise<string> =>
  httpClient(url, {}).then(({ status }) => `answered ${status}`, failureOf);

/** Asks in a thread of its own, as the processes start them. */
async function inThread(url: string): Promise<string> {
  const worker = new Worker(new URL('../support/asking-thread.ts', import.meta.url));
  await once(worker, 'message');
  worker.postMessage(url);
  const [told] = (await once(worker, 'message')) as [string];
  await worker.terminate();
  return told;
}

/** @param then what a process does that has the client and the network's definition */
async function inProcess(then: string, environment: Record<string, string>): Promise<string> {
  const source = (name: string): string =>
    JSON.stringify(new URL(`../../main/support/${name}.ts`, import.meta.url).href);
  const code = `const { httpClient } = await import(${source('http-client')}); const { useNetwork } = await import(${source('network')}); ${then}`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', code],
    { env: { ...process.env, ...environment } },
  );
  return stdout.trim();
}

describe('certificate authorities', () => {
  it('trusts a real server once its authority is named, and not before or after', async () => {
    const url = `https://localhost:${tls.port}/`;
    expect(await failure(url)).toMatch(/UNABLE_TO|SELF_SIGNED/);
    useNetwork(trusting);
    expect(await text(url)).toBe('the service');
    useNetwork(plain);
    expect(await failure(`https://127.0.0.1:${tls.port}/`)).toMatch(/UNABLE_TO|SELF_SIGNED/);
  });

  it("trusts those of the system's store where the settings say so", async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-store-'));
    writeFileSync(join(folder, 'store.pem'), authority);
    const asks = `console.log(await httpClient('https://localhost:${tls.port}/', {}).then((one) => one.text(), (error) => error.cause.code))`;
    const store = { SSL_CERT_FILE: join(folder, 'store.pem') };
    expect(await inProcess(asks, store)).toMatch(/UNABLE_TO|SELF_SIGNED/);
    expect(
      await inProcess(
        `useNetwork(${JSON.stringify({ ...plain, systemCertificates: true })}); ${asks}`,
        store,
      ),
    ).toBe('the service');
  });

  it('holds in the threads that are started later', async () => {
    useNetwork(trusting);
    expect(await inThread(`https://localhost:${tls.port}/`)).toBe(
      `the service ${addressTimeoutMs}`,
    );
  });
});

it('starts the thread that reconciles anew when the network is another one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-reports-'));
  const data = {
    storePath: join(folder, 'reports.sqlite'),
    journalPath: join(folder, 'journal.sqlite'),
    posNames: [],
    inUse: { baseUrl: wallet, apiKey: 'key', profile: 'generic', storeIds: [] },
    former: null,
  } as const;
  const link = startWorker(data, { clock: systemClock, log: silentLog, ended: () => {} });
  useNetwork(plain);
  expect(link.serves(data)).toBe(true);
  useNetwork(trusting);
  expect(link.serves(data)).toBe(false);
  link.close();
});

it('gives each address of a name two and a half seconds', () => {
  expect(getDefaultAutoSelectFamilyAttemptTimeout()).toBe(2_500);
});

describe('a proxy', () => {
  async function behind(more: Partial<Network> = {}): Promise<void> {
    proxy = await Proxy.before(() => tls.port);
    useNetwork({ ...trusting, httpsProxy: proxy.url, httpProxy: proxy.url, ...more });
  }

  it('opens a tunnel, and sees nothing of what goes through it', async () => {
    await behind();
    expect(
      await text(`${wallet}/pay`, {
        method: 'POST',
        json: { secret: 'amount 12.50' },
        headers: { authorization: 'Bearer of-the-shop' },
      }),
    ).toBe('the service');
    for (let more = 0; more < 5; more += 1)
      expect(await text(`${wallet}/again`)).toBe('the service');
    expect(requests).toEqual(['POST /pay', ...Array<string>(5).fill('GET /again')]);
    // Connections are used again. Without a proxy, too, the second request may come before the
    // first connection is free.
    expect(new Set(proxy.asked)).toEqual(new Set(['wallet.shop.example:443']));
    expect(proxy.asked.length).toBeLessThanOrEqual(2);
    expect(proxy.readable).toEqual([]);
    expect(Buffer.concat(proxy.bytes).toString('latin1')).not.toMatch(/12\.50|of-the-shop|pay/);
  });

  it('is given its user and password, and they are given to nobody else', async () => {
    await behind();
    useNetwork({ ...trusting, httpsProxy: proxy.url.replace('//', '//till:p%40ss%3A%25@') });
    expect(await text(wallet)).toBe('the service');
    expect(proxy.credentials).toEqual([`Basic ${Buffer.from('till:p@ss:%').toString('base64')}`]);
  });

  it('is used by the threads too', async () => {
    await behind();
    expect(await inThread(wallet)).toBe(`the service ${addressTimeoutMs}`);
    expect(proxy.asked).toEqual(['wallet.shop.example:443']);
  });

  it('never gets what is for this machine, by whatever name', async () => {
    await behind();
    const port = portOf(server);
    for (const host of [
      '127.0.0.1',
      'localhost',
      '127.0.0.2',
      '127.1',
      'LOCALHOST',
      'localhost.',
      '0.0.0.0',
      '[::1]',
      '[::ffff:127.0.0.1]',
      'till.localhost',
    ])
      await failure(`http://${host}:${port}/`);
    await failure(`https://[::1]:${tls.port}/`);
    expect(proxy.asked).toEqual([]);
    expect(proxy.readable).toEqual([]);
  });

  it.each([
    ['wallet.shop.example'],
    ['shop.example'],
    ['.shop.example'],
    ['*.shop.example'],
    ['SHOP.example.'],
    ['wallet.shop.example:443'],
    ['*'],
  ])('is left out for %s', async (entry) => {
    await behind({ noProxy: ['other.example', entry] });
    expect(await failure(wallet)).toBe('ENOTFOUND');
    expect(proxy.asked).toEqual([]);
  });

  it.each([['allet.shop.example'], ['wallet.shop.example:8443'], ['10.0.0.0/8']])(
    'is not left out for %s',
    async (entry) => {
      await behind({ noProxy: [entry] });
      expect(await text(wallet)).toBe('the service');
    },
  );

  it('is left out for networks', async () => {
    await behind({ noProxy: ['192.0.2.0/24', 'fd00::/8', '198.51.100.7'] });
    for (const host of ['192.0.2.9', '[fd12::1]', '198.51.100.7'])
      await httpClient(`https://${host}/`, { signal: AbortSignal.timeout(100) }).catch(() => {});
    expect(proxy.asked).toEqual([]);
    await failure('https://198.51.100.8/');
    expect(proxy.asked).toEqual(['198.51.100.8:443']);
  });

  it.each([
    [407, 'PROXY_407'],
    [403, 'PROXY_403'],
    [502, 'PROXY_502'],
    [400, 'PROXY_400'],
    [204, 'PROXY_204'],
    [301, 'PROXY_301'],
  ])('that answers %i has not answered for the service', async (status, code) => {
    await behind();
    proxy.mood = { kind: 'refuses', status, body: '{"code":"1299","message":"refused"}' };
    expect(await failure(`${wallet}/pay`)).toBe(code);
    proxy.mood = { kind: 'opens' };
    expect(await text(`${wallet}/pay`)).toBe('the service');
  });

  it('has no answer of its own for plain http either: that goes through a tunnel, too', async () => {
    await behind();
    proxy.mood = { kind: 'refuses', status: 403 };
    expect(await failure('http://receiver.shop.example/hook')).toBe('PROXY_403');
    expect(proxy.readable).toEqual([]);
  });

  it('that is away is named', async () => {
    await behind();
    const { url } = proxy;
    proxy.close();
    expect(await failure(wallet)).toBe('PROXY_AWAY_ECONNREFUSED');
    useNetwork({ ...trusting, httpsProxy: 'http://no-such-proxy.invalid:3128' });
    expect(await failure(wallet)).toMatch(/^PROXY_AWAY_(ENOTFOUND|EAI_AGAIN)$/);
    expect(url).toContain('127.0.0.1');
  });

  it('cannot pretend to be the service', async () => {
    await behind({ certificates: [] });
    expect(await failure(wallet)).toMatch(/UNABLE_TO|SELF_SIGNED/);
    expect(requests).toEqual([]);
  });

  it('that never answers is given up when the caller gives up', async () => {
    await behind();
    proxy.mood = { kind: 'silent' };
    await expect(httpClient(wallet, { signal: AbortSignal.timeout(200) })).rejects.toThrow();
  });

  it('gets nothing of this machine either where NODE_USE_ENV_PROXY is set', async () => {
    await behind();
    const url = `http://127.0.0.1:${portOf(server)}/`;
    const told = await inProcess(
      `console.log(await (await httpClient('${url}', {})).text(), await (await fetch('${url}')).text())`,
      {
        NODE_USE_ENV_PROXY: '1',
        HTTP_PROXY: proxy.url,
        HTTPS_PROXY: proxy.url,
      },
    );
    expect(told).toBe('the service the service');
    expect(proxy.asked).toEqual([]);
    expect(proxy.readable).toEqual([]);
  });

  it("takes what the app's updates load", async () => {
    await behind();
    const executor = { createRequest: () => ({ abort() {} }) } as unknown as Parameters<
      typeof throughNode
    >[0];
    throughNode(executor);
    const loaded = (options: object): Promise<string> =>
      new Promise((resolve, reject) => {
        const request = executor.createRequest(options, (response) => {
          let read = '';
          response
            .on('data', (part: Buffer) => (read += part.toString()))
            .on('end', () => resolve(read));
        }) as unknown as {
          on(event: 'error', listener: (error: Error) => void): void;
          end(): void;
        };
        request.on('error', reject);
        request.end();
      });
    expect(
      await loaded({ protocol: 'https:', hostname: 'updates.shop.example', path: '/app.AppImage' }),
    ).toBe('the service');
    expect(proxy.asked).toEqual(['updates.shop.example:443']);
    expect(
      await loaded({ protocol: 'http:', hostname: '127.0.0.1', port: portOf(server), path: '/' }),
    ).toBe('the service');
    expect(proxy.asked).toHaveLength(1);
    expect(proxy.readable).toEqual([]);
  });
});
