import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Log, silentLog } from '../../../../main/core/domain/log.ts';
import {
  type CustomerDisplays,
  type CustomerDisplaysOptions,
  startCustomerDisplays,
} from '../../../../main/counter/server/customer-displays.ts';
import { serveDisplays } from '../../../../main/counter/server/displays-thread.ts';
import { inThisThread } from '../../../../main/support/listener-thread.ts';
import { ShopPictures } from '../../../../main/counter/server/shop-pictures.ts';
import { socketPath, type ToPage, type View } from '../../../../preload/contract.ts';
import { callMessage, viewIn, watchMessage } from '../../../support/contract-client.ts';
import { ScriptedViews } from './scripted-views.ts';

let folder: string;
let scripted: ScriptedViews;
let displays: CustomerDisplays;
let url: string;
let logged: [message: string, fields: Record<string, unknown>][];
const logOf = (about: Record<string, unknown>): Log => ({
  ...silentLog,
  warn: (fields, message) => logged.push([message, { ...about, ...fields }]),
  child: (more) => logOf({ ...about, ...more }),
});
const log = logOf({});

const write = (path: string, content: string): void => {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), content);
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-displays-'));
  write(
    'renderer/customer/index.html',
    '<!doctype html><script type="module" src="../assets/customer-11.js"></script><link rel="stylesheet" href="../assets/tokens-22.css">',
  );
  write('renderer/assets/customer-11.js', 'import{a}from"./shared-33.js";');
  write('renderer/assets/shared-33.js', 'export const a=1;');
  write('renderer/assets/tokens-22.css', ':root{}');
  write('renderer/assets/manager-44.js', 'import{a}from"./shared-33.js";');
  for (const page of [
    'index.html',
    'cashier/index.html',
    'manager/index.html',
    'setup/index.html',
    'demo/index.html',
  ])
    write(`renderer/${page}`, '<!doctype html>');
  write('data/shop/logo.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
  write('data/settings.json', '{"a":"secret"}');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const start = (options: CustomerDisplaysOptions): Promise<CustomerDisplays> =>
  startCustomerDisplays({ ...options, startThread: inThisThread(serveDisplays) });
beforeEach(async () => {
  scripted = new ScriptedViews();
  logged = [];
  const pictures = new ShopPictures(join(folder, 'data'), silentLog);
  pictures.shown({ logo: 'shop/logo.svg' });
  displays = await start({
    host: '127.0.0.1',
    port: 0,
    rendererFolder: join(folder, 'renderer'),
    views: scripted,
    pictures,
    log,
  });
  url = `http://127.0.0.1:${displays.port}`;
});
afterEach(() => displays.close());

/** The status of a path, as another device gets it. */
function statusOf(
  path: string,
  { host = `127.0.0.1:${displays.port}`, method = 'GET' } = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    request(
      { host: '127.0.0.1', port: displays.port, path, method, headers: { host } },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode as number);
      },
    )
      .on('error', reject)
      .end();
  });
}

class Display {
  readonly received: unknown[] = [];
  readonly socket: WebSocket;
  readonly closed: Promise<number>;
  constructor({ origin = url, host = `127.0.0.1:${displays.port}`, from = '127.0.0.1' } = {}) {
    this.socket = new WebSocket(`ws://127.0.0.1:${displays.port}${socketPath}`, {
      origin,
      headers: { host },
      localAddress: from,
    });
    this.socket.on('error', () => {});
    this.socket.on('message', (data) =>
      this.received.push(JSON.parse((data as Buffer).toString())),
    );
    this.closed = new Promise((resolve) => this.socket.on('close', resolve));
  }
  opened(): Promise<this> {
    return new Promise((resolve, reject) =>
      this.socket.on('open', () => resolve(this)).on('error', reject),
    );
  }
  async says(message: unknown): Promise<this> {
    await this.opened();
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
    return this;
  }
  async view(count: number): Promise<View> {
    while (this.received.length < count)
      await new Promise((resolve) => this.socket.once('message', resolve));
    return viewIn(this.received[count - 1] as ToPage) as View;
  }
}
const watchCustomer = watchMessage({ screen: 'customer', laneId: '1' });

describe('another device', () => {
  test('is told the daemon’s version before anything else, so that its page can follow', async () => {
    await displays.close();
    const at = { host: '127.0.0.1', port: 0, rendererFolder: join(folder, 'renderer') };
    displays = await start({
      ...at,
      version: '1.2.3',
      views: scripted,
      pictures: new ShopPictures(join(folder, 'data'), silentLog),
      log,
    });
    url = `http://127.0.0.1:${displays.port}`;
    const display = await new Display().says(watchCustomer);
    await display.view(2);
    expect(display.received[0]).toEqual({ t: 'q', m: 'hello', a: [{ version: '1.2.3' }] });
    display.socket.close();
  });

  test('gets the customer’s screen with all that it loads, and the shop’s pictures', async () => {
    for (const path of [
      '/customer/',
      '/customer/index.html',
      '/customer/?lane=1&lang=da',
      '/assets/customer-11.js',
      '/assets/shared-33.js',
      '/assets/tokens-22.css',
    ])
      expect(await statusOf(path), path).toBe(200);
    const page = await fetch(`${url}/`);
    expect(page.url).toBe(`${url}/customer/`);
    expect((await fetch(`${url}/?lane=2`)).url).toBe(`${url}/customer/?lane=2`);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain(
      "default-src 'none'; script-src 'self'",
    );
    const logo = await fetch(`${url}/shop/logo`);
    expect(logo.headers.get('content-type')).toBe('image/svg+xml');
    expect(logo.headers.get('content-security-policy')).toContain('sandbox');
  });

  test.each([
    '/index.html',
    '/cashier/',
    '/cashier/index.html',
    '/manager/index.html',
    '/setup/index.html',
    '/demo/index.html',
    '/assets/manager-44.js',
    '/shop/picture',
    '/shop/constructor',
    '/shop/..%2fsettings.json',
    '/shop/%2e%2e/settings.json',
    '/..%2f..%2fdata/settings.json',
    '/customer/../cashier/index.html',
    '/assets/',
  ])('gets nothing of %s', async (path) => {
    expect(await statusOf(path)).toBe(404);
  });

  test('is offered no pad for a number, which only the customer’s screen of this computer can send', async () => {
    scripted.view = { ...scripted.view, customer: { ...scripted.view.customer, numberPad: true } };
    const display = await new Display().says(watchCustomer);
    expect((await display.view(1)).lane?.customer).toEqual({
      shopName: null,
      logo: null,
      picture: null,
      language: null,
      checkIn: null,
    });
  });

  test.each(['POST', 'PUT', 'DELETE'])('does nothing by %s', async (method) => {
    expect(await statusOf('/customer/', { method })).toBe(404);
  });

  test('sees the sale under way at once and each change of it, and nothing that is not for customers', async () => {
    const recent = [
      {
        saleId: crypto.randomUUID(),
        orderId: '1-1',
        receiptNumber: 1,
        startedAtMs: 0,
        amountMinor: 500,
        currency: 'DKK',
        by: 'till',
        reason: null,
        certainty: 'confirmed',
        refundedMinor: 0,
      },
    ] as const;
    scripted.view = {
      ...scripted.view,
      state: { kind: 'notReady', reason: 'serviceUnreachable', detail: 'ECONNREFUSED 10.0.0.1' },
      recent: [...recent],
    };
    const display = await new Display().says(watchCustomer);
    expect(await display.view(1)).toEqual({
      lanes: [{ laneId: '1', name: 'Check-out 1' }],
      lane: {
        ...scripted.view,
        state: { kind: 'notReady', reason: 'serviceUnreachable', detail: null },
        till: { address: '', link: 'connected', detail: null, heardAtMs: null },
        recent: [],
      },
      demo: null,
    });
    scripted.view = { ...scripted.view, state: { kind: 'idle' } };
    scripted.change();
    expect((await display.view(2)).lane?.state).toEqual({ kind: 'idle' });
    expect(scripted.watched.get('1')).toBe(1);
    display.socket.terminate();
    await display.closed;
    await expect.poll(() => scripted.watched.get('1')).toBe(0);
  });

  test.each([
    ['watch another screen', watchMessage({ screen: 'cashier', laneId: '1' })],
    ['watch the manager’s screen', watchMessage({ screen: 'manager', laneId: '1' })],
    ['watch the demonstration', watchMessage({ screen: 'demo', laneId: '1' })],
    ['say more than it wants to watch', { ...watchCustomer, i: '1' }],
    [
      'say more about what it watches',
      watchMessage({ screen: 'customer', laneId: '1', manager: true }),
    ],
    ['watch twice', { ...watchCustomer, a: [...watchCustomer.a, ...watchCustomer.a] }],
    ['cancel', callMessage(1, 'cancelSale', { laneId: '1', saleId: crypto.randomUUID() })],
    [
      'name a customer',
      callMessage(1, 'nameCustomer', { laneId: '1', by: { phoneNumber: '20031801' } }),
    ],
    ['type a number', callMessage(1, 'typeNumber', { laneId: '1', phoneNumber: '20031801' })],
    [
      'agree an amount',
      callMessage(1, 'agreeAmount', { laneId: '1', saleId: crypto.randomUUID(), amountMinor: 1 }),
    ],
    [
      'pay by hand',
      callMessage(1, 'payByHand', {
        laneId: '1',
        actionId: crypto.randomUUID(),
        amountMinor: 1,
        orderText: null,
      }),
    ],
    ['ask', callMessage(1, 'session', {})],
    ['sign in', callMessage(1, 'signIn', { managerId: 'x', pin: '1234' })],
    ['say what is not JSON', 'hello'],
    ['say much', JSON.stringify({ ...watchCustomer, more: 'x'.repeat(2_000) })],
  ])('cannot %s: it is shown out, and nobody has heard it', async (_what, message) => {
    const display = await new Display().says(message);
    expect([1008, 1009]).toContain(await display.closed);
    expect(display.received).toEqual([]);
    expect([scripted.calls, scripted.watched.size]).toEqual([[], 0]);
  });
});

describe('a stranger', () => {
  test.each(['http://evil.example', 'null', 'http://127.0.0.1:1'])(
    'of origin %s gets no line',
    async (origin) => {
      await expect(new Display({ origin }).opened()).rejects.toThrow('403');
    },
  );

  test('by another name for this machine gets nothing', async () => {
    expect(await statusOf('/customer/', { host: `shop.example:${displays.port}` })).toBe(403);
    await expect(new Display({ host: `shop.example:${displays.port}` }).opened()).rejects.toThrow(
      '403',
    );
  });

  test('that holds every connection and shows nothing loses the oldest one to a display that does', async () => {
    const silent = await Promise.all(Array.from({ length: 16 }, () => new Display().opened()));
    const display = await new Display().says(watchCustomer);
    await display.view(1);
    await silent[0]?.closed;
    expect(await statusOf('/customer/')).toBe(200);
    await silent[1]?.closed;
    expect(silent[2]?.socket.readyState).toBe(WebSocket.OPEN);
    expect(logged[0]).toEqual([
      'closed a connection to the screens for a new one: too many connections',
      { address: expect.stringContaining('127.0.0.1:') },
    ]);
  });

  test('that opens very many connections is stopped before they are a burden, and nobody else with it', async () => {
    const open = await Promise.all(
      Array.from({ length: 16 }, () => new Display().says(watchCustomer)),
    );
    for (const display of open) await display.view(1);
    await expect(new Display().opened()).rejects.toThrow('503');
    expect(await statusOf('/customer/')).toBe(503);
    // A client that sends nothing is disconnected as well.
    const silent = connect(displays.port, '127.0.0.1');
    await new Promise((resolve) => silent.once('close', resolve));
    expect(logged[0]).toEqual([
      'refused a connection to the screens: too many connections',
      { address: expect.stringContaining('127.0.0.1:') },
    ]);
    const elsewhere = await new Display({ from: '127.0.0.2' }).says(watchCustomer);
    await elsewhere.view(1);
    (open[0] as Display).socket.terminate();
    await (open[0] as Display).closed;
    await expect.poll(() => statusOf('/customer/')).toBe(200);
  });
});

describe('a display at one lane of several', () => {
  const two = 'Check-out 2, of Bea';
  beforeEach(() => {
    scripted.others = [
      {
        ...scripted.view,
        laneId: '2',
        name: two,
        customer: { ...scripted.view.customer, shopName: 'of the other' },
      },
    ];
  });

  test.each([['1'], [null]])(
    '(%s) hears nothing of the others: not their names, not that something happens there',
    async (laneId) => {
      const display = await new Display().says(watchMessage({ screen: 'customer', laneId }));
      expect((await display.view(1)).lanes).toEqual([{ laneId: '1', name: 'Check-out 1' }]);
      scripted.change('2');
      scripted.change('1');
      await display.view(2);
      expect(display.received).toHaveLength(2);
      expect(JSON.stringify(display.received)).not.toMatch(/Check-out 2|of the other/);
    },
  );

  test('stays at it: who asks for another one is shown out, unheard', async () => {
    const display = await new Display().says(watchCustomer);
    await display.view(1);
    display.socket.send(JSON.stringify(watchMessage({ screen: 'customer', laneId: '2' })));
    expect(await display.closed).toBe(1008);
    expect(display.received).toHaveLength(1);
    expect(scripted.watched.get('2')).toBeUndefined();
  });

  test('that is hidden and shown again is still at its own', async () => {
    const display = await new Display().says(watchCustomer);
    for (const [index, hidden] of [true, false].entries()) {
      display.socket.send(
        JSON.stringify(watchMessage({ screen: 'customer', laneId: '1', hidden })),
      );
      expect((await display.view(index + 2)).lane?.laneId).toBe('1');
    }
  });

  test('that is not there is told which lanes there are, and nothing else; the log says who asked', async () => {
    const display = await new Display().says(watchMessage({ screen: 'customer', laneId: '7' }));
    expect(await display.view(1)).toEqual({
      lanes: ['1', '2'].map((laneId) => ({ laneId, name: laneId })),
      lane: null,
      demo: null,
      language: null,
    });
    expect(logged).toEqual([
      [
        'a customer’s display asks for a lane that does not exist',
        { address: expect.any(String), lane: '7' },
      ],
    ]);
  });
});

test('on all addresses it answers to those of this machine, and to no other name', async () => {
  const all = await start({
    host: '0.0.0.0',
    port: 0,
    rendererFolder: join(folder, 'renderer'),
    views: scripted,
    pictures: new ShopPictures(folder, silentLog),
    log: silentLog,
  });
  const statusAt = async (host: string): Promise<number> =>
    new Promise((resolve) => {
      request(
        {
          host: '127.0.0.1',
          port: all.port,
          path: '/customer/',
          headers: { host: `${host}:${all.port}` },
        },
        (answer) => {
          answer.resume();
          resolve(answer.statusCode as number);
        },
      ).end();
    });
  expect(await statusAt('127.0.0.1')).toBe(200);
  expect(await statusAt('evil.example')).toBe(403);
  await all.close();
});
