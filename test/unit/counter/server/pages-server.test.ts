import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Log, silentLog } from '../../../../main/core/domain/log.ts';
import {
  type ScreensServer,
  type ScreensServerOptions,
  startScreensServer,
} from '../../../../main/counter/server/pages-server.ts';
import { socketPath, type ToPage } from '../../../../preload/contract.ts';
import { type Handlers, Router } from '../../../../main/counter/server/router.ts';
import { answerMessage, callMessage, watchMessage } from '../../../support/contract-client.ts';
import { ScriptedViews } from './scripted-views.ts';

let folder: string;
let scripted: ScriptedViews;
let server: ScreensServer;
let port: number;
let logged: [message: string, fields: Record<string, unknown>][];
const logOf = (about: Record<string, unknown>): Log => ({
  ...silentLog,
  warn: (fields, message) => logged.push([message, { ...about, ...fields }]),
  child: (more) => logOf({ ...about, ...more }),
});
const log = logOf({});

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-screens-'));
  mkdirSync(join(folder, 'renderer/assets'), { recursive: true });
  mkdirSync(join(folder, 'renderer/cashier'), { recursive: true });
  writeFileSync(join(folder, 'secret.txt'), 'not for screens');
  writeFileSync(join(folder, 'renderer/cashier/index.html'), '<!doctype html>');
  writeFileSync(join(folder, 'renderer/assets/a-1234.js'), 'export {};');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const start = (about: Partial<ScreensServerOptions> = {}): Promise<ScreensServer> =>
  startScreensServer({
    host: '127.0.0.1',
    port: 0,
    nextFreeIfTaken: false,
    rendererFolder: join(folder, 'renderer'),
    views: scripted,
    router: scripted,
    log,
    ...about,
  });
beforeEach(async () => {
  logged = [];
  scripted = new ScriptedViews();
  server = await start();
  port = Number(new URL(server.url).port);
});
afterEach(() => server.close());

const routerTo = (handlers: Handlers): Router =>
  new Router({
    handlers,
    middleware: { mayCall: () => true, record() {}, recordRefused() {} },
    log: silentLog,
  });

/** A screen that keeps the messages it receives, and can wait for them. */
class Screen {
  readonly received: ToPage[] = [];
  readonly socket: WebSocket;
  readonly ended: Promise<{ code: number }>;
  #waiting: (() => void)[] = [];
  constructor(origin = server.url) {
    this.socket = new WebSocket(`ws://127.0.0.1:${port}${socketPath}`, { origin });
    this.socket.on('error', () => {});
    this.socket.on('message', (data) => {
      this.received.push(JSON.parse((data as Buffer).toString()) as ToPage);
      for (const wake of this.#waiting.splice(0)) wake();
    });
    this.ended = new Promise((resolve) => this.socket.on('close', (code) => resolve({ code })));
  }
  opened(): Promise<this> {
    return new Promise((resolve, reject) =>
      this.socket.on('open', () => resolve(this)).on('error', reject),
    );
  }
  say(message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }
  async until(count: number): Promise<ToPage[]> {
    while (this.received.length < count)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return this.received;
  }
}

/** Exactly these bytes, which no well-behaved client would send. */
function raw(text: string): Promise<{ socket: Socket; answer: string }> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.once('data', (data) => resolve({ socket, answer: data.toString() }));
    socket.on('error', reject);
    socket.write(text);
  });
}
const upgrade = (target: string, origin: string): string =>
  [
    `GET ${target} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    `Origin: ${origin}`,
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    '',
    '',
  ].join('\r\n');

describe('a screen', () => {
  test('sees what it watches at once and each change of it, and again after it came back', async () => {
    for (const name of ['first', 'second']) {
      const screen = await new Screen().opened();
      screen.say(watchMessage({ screen: 'cashier', laneId: '1' }));
      await screen.until(1);
      scripted.view = { ...scripted.view, name };
      scripted.change();
      expect((await screen.until(2))[1]).toMatchObject({
        m: 'view',
        a: [{ lane: { name }, demo: null }],
      });
      screen.socket.terminate();
      await screen.ended;
    }
  });

  test('is known by its address and by what it shows', async () => {
    const screen = await new Screen().opened();
    screen.say(watchMessage({ screen: 'manager', laneId: null }));
    screen.say(callMessage(1, 'session', {}));
    await screen.until(2);
    expect(scripted.calls[0]?.session).toMatchObject({
      manager: null,
      screen: 'manager',
      address: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
    });
  });

  test('hears of a call that failed; the daemon goes on', async () => {
    await server.close();
    const failures = [new Error('the service is away')];
    const demoPhone = () => {
      for (const failure of failures.splice(0)) throw failure;
      return {};
    };
    server = await start({ router: routerTo({ demoPhone }) });
    port = Number(new URL(server.url).port);
    const screen = await new Screen().opened();
    screen.say(callMessage(1, 'demoPhone', { laneId: '1', action: 'scan' }));
    const failed = {
      ok: false,
      code: 'failed',
      field: null,
      message: 'the service is away',
      facts: {},
    };
    expect(await screen.until(1)).toEqual([answerMessage(1, failed)]);
    screen.say(callMessage(2, 'demoPhone', { laneId: '1', action: 'scan' }));
    expect((await screen.until(2))[1]).toEqual(answerMessage(2, { ok: true, value: {} }));
  });

  test.each([
    ['not JSON', 'hello', 1008],
    ['not of the contract', { type: 'command', id: 1, command: { type: 'openTheDrawer' } }, 1008],
    ['more than 64 KiB', `"${'x'.repeat(70_000)}"`, 1009],
  ])('that says what is %s is shown out', async (_what, message, code) => {
    const screen = await new Screen().opened();
    screen.say(message);
    expect(await screen.ended).toEqual({ code });
    expect(scripted.calls).toEqual([]);
  });
});

describe('a screen that takes nothing', () => {
  const answeredInputs = (): number[] => scripted.calls.map(({ input }) => Number(input));
  const ask = (screen: Screen, count: number): void => {
    for (let id = 0; id < count; id += 1) screen.say(callMessage(id, 'session', id));
  };
  /** Waits until no request came for a while. @returns the number of requests */
  async function quiet(): Promise<number> {
    for (let before = -1; before !== scripted.calls.length; ) {
      before = scripted.calls.length;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return scripted.calls.length;
  }

  test('is not heard either, and gets everything when it reads again', async () => {
    scripted.value = { text: 'x'.repeat(64 * 1024) };
    const screen = await new Screen().opened();
    screen.socket.pause();
    ask(screen, 2_000);
    // The system alone buffers some megabytes between the two.
    expect(await quiet()).toBeLessThan(500);
    screen.socket.resume();
    await screen.until(2_000);
    expect(answeredInputs()).toEqual(Array.from({ length: 2_000 }, (_, id) => id));
    expect(logged).toEqual([]);
  });

  test('is hung up on after a while, and not before it had that while', async () => {
    await server.close();
    server = await start({ unreadTimeoutMs: 300 });
    port = Number(new URL(server.url).port);
    scripted.value = { text: 'x'.repeat(64 * 1024) };
    const screen = await new Screen().opened();
    const other = await new Screen().opened();
    screen.socket.pause();
    ask(screen, 500);
    await expect
      .poll(() => logged, { timeout: 10_000 })
      .toEqual([
        [
          'a page leaves what it was sent unread: its connection is closed',
          expect.objectContaining({ address: expect.any(String) }),
        ],
      ]);
    screen.socket.resume();
    await screen.ended;
    other.say(callMessage(1, 'session', 1));
    await other.until(1);
  });

  test('with others that do the same is cut when it is too much for all of them together', async () => {
    await server.close();
    server = await start({ maxBufferedBytes: 2_500_000 });
    port = Number(new URL(server.url).port);
    scripted.value = { text: 'x'.repeat(64 * 1024) };
    for (let count = 0; count < 3; count += 1) {
      const screen = await new Screen().opened();
      screen.socket.pause();
      ask(screen, 300);
    }
    await expect.poll(() => logged.length, { timeout: 5_000 }).toBeGreaterThan(0);
    expect(logged[0]).toEqual([
      'a page leaves what it was sent unread: its connection is closed',
      { address: expect.any(String), bufferedBytes: expect.any(Number) },
    ]);
  });

  test('sends thousands of pings for which it takes no answer: they are slowed down, and another screen is answered meanwhile', async () => {
    const { socket } = await raw(upgrade(socketPath, server.url));
    socket.pause();
    // Each ping is answered. They are masked, as a client's frames must be.
    const ping = Buffer.concat([Buffer.from([0x89, 0x80 | 125]), Buffer.alloc(4 + 125)]);
    const many = Buffer.concat(Array<Buffer>(1_000).fill(ping));
    for (let count = 0; count < 100; count += 1) socket.write(many);
    await expect
      .poll(() => logged.map(([message]) => message), { timeout: 10_000 })
      .toEqual(['slowing down a connection to the screens: it sends more than its budget']);
    const screen = await new Screen().opened();
    screen.say(watchMessage({ screen: 'cashier', laneId: '1' }));
    await screen.until(1);
    socket.destroy();
  });

  test('has so many calls answered at a time, and no more', async () => {
    let answer = (): void => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    scripted.answer = () => held.then(() => ({ ok: true, value: {} }));
    const screen = await new Screen().opened();
    ask(screen, 200);
    expect(await quiet()).toBe(16);
    answer();
    await screen.until(200);
  });

  test('and is gone is not answered any more', async () => {
    let answer = (): void => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    scripted.answer = () => held.then(() => ({ ok: true, value: {} }));
    const screen = await new Screen().opened();
    ask(screen, 200);
    await expect.poll(() => scripted.calls.length).toBe(16);
    await expect.poll(() => scripted.listeners.size).toBe(1);
    // As when its process is killed. The server learns of an orderly end only when it reads on,
    // which it does not while so many messages wait.
    const { _socket: line } = screen.socket as WebSocket & { readonly _socket: Socket };
    line.resetAndDestroy();
    await expect.poll(() => scripted.listeners.size, { timeout: 10_000 }).toBe(0);
    answer();
    expect(await quiet()).toBe(16);
  });
});

describe('messages that are not in the contract', () => {
  test('is in the log once, and how often it was when the connection ends', async () => {
    const screen = await new Screen().opened();
    for (let count = 0; count < 5_000; count += 1) screen.say('hello');
    await screen.ended;
    await expect.poll(() => logged.length).toBe(2);
    const about = { address: expect.stringMatching(/^127\.0\.0\.1:\d+$/) };
    expect(logged).toEqual([
      ['a page sent a message that is not in the contract: closing its connection', about],
      [
        'a page sent a message that is not in the contract: closing its connection',
        { ...about, more: expect.any(Number) },
      ],
    ]);
    expect(logged[1]?.[1]['more']).toBeGreaterThan(0);
  });

  test('as a procedure that does not exist is answered, in the log once, and counted', async () => {
    const router = routerTo({});
    scripted.call = router.call.bind(router);
    const screen = await new Screen().opened();
    for (let id = 0; id < 300; id += 1) screen.say(callMessage(id, 'openTheSafe', {}));
    await screen.until(300);
    expect(logged).toEqual([
      [
        'a page called a procedure that does not exist',
        { address: expect.any(String), procedure: 'openTheSafe' },
      ],
    ]);
    screen.socket.close();
    await expect
      .poll(() => logged[1])
      .toEqual([
        'a page called a procedure that does not exist',
        { address: expect.any(String), more: 299 },
      ]);
  });

  test('over many connections is in the log some times a minute, and then as a number', async () => {
    for (let count = 0; count < 60; count += 1) {
      const screen = await new Screen().opened();
      screen.say('hello');
      await screen.ended;
    }
    await expect(new Screen('http://evil.example').opened()).rejects.toThrow('403');
    expect(
      logged.filter(
        ([message]) =>
          message === 'a page sent a message that is not in the contract: closing its connection',
      ),
    ).toHaveLength(20);
    expect(logged.at(-1)?.[0]).toBe('a connection to the screens was refused');
    await server.close();
    expect(logged.at(-1)).toEqual([
      'a page sent a message that is not in the contract: closing its connection',
      { more: 40 },
    ]);
    server = await start();
  });
});

describe('a stranger', () => {
  test.each(['http://evil.example', 'null', 'http://127.0.0.1:1', 'not an origin'])(
    'of origin %s gets no line',
    async (origin) => {
      await expect(new Screen(origin).opened()).rejects.toThrow('403');
    },
  );

  test.each(['//', '/screens/../screens', '/other', '*'])(
    'that asks for %s is refused, and the daemon goes on',
    async (target) => {
      const { socket, answer } = await raw(upgrade(target, server.url));
      expect(answer).toMatch(/^HTTP\/1\.1 403 /);
      socket.destroy();
      await new Screen().opened();
    },
  );

  test('that hangs up on its refusal does no harm', async () => {
    for (let count = 0; count < 20; count += 1) {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      socket.write(upgrade(socketPath, 'http://evil.example'), () => socket.resetAndDestroy());
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
    await new Screen().opened();
  });

  test('by another name for this machine gets nothing', async () => {
    const status = await new Promise((resolve) => {
      request(
        {
          host: '127.0.0.1',
          port,
          path: '/cashier/index.html',
          headers: { host: `shop.example:${port}` },
        },
        (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        },
      ).end();
    });
    expect(status).toBe(403);
  });

  test.each([
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/..%5csecret.txt',
  ])('does not get out by %s', async (path) => {
    const { socket, answer } = await raw(
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(answer).not.toContain('not for screens');
    socket.destroy();
  });
});

describe('the pages', () => {
  test('carry their rules, and only what is named by its content is kept', async () => {
    const page = await fetch(`${server.url}/cashier/`);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(page.headers.get('content-security-policy')).toContain(
      "default-src 'none'; script-src 'self'",
    );
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('cache-control')).toBe('no-store');
    const script = await fetch(`${server.url}/assets/a-1234.js`);
    expect(script.headers.get('content-type')).toMatch(/javascript/);
    expect(script.headers.get('cache-control')).toContain('immutable');
    const missing = await fetch(`${server.url}/assets/b-1234.js`);
    expect([missing.status, missing.headers.get('cache-control')]).toEqual([404, 'no-store']);
  });
});

describe('the server', () => {
  test('reports a port in use, and uses the next one where it may', async () => {
    await expect(start({ port })).rejects.toThrow(`127.0.0.1:${port}: another program`);
    const next = await start({ port, nextFreeIfTaken: true });
    expect(Number(new URL(next.url).port)).toBeGreaterThan(port);
    await next.close();
  });

  test('closes, also while clients hold their connections', async () => {
    const screen = await new Screen().opened();
    const { socket } = await raw(upgrade(socketPath, 'http://evil.example'));
    await server.close();
    await screen.ended;
    socket.destroy();
    server = await start();
  });
});
