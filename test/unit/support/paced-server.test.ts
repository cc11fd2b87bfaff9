import { type IncomingMessage, request as requestOf, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PacedServer, type PacedServerOptions } from '../../../main/support/paced-server.ts';
import { selfSigned } from '../../support/self-signed.ts';
import { ManualClock } from './manual-clock.ts';

let server: PacedServer;
let warned: string[];
let clock: ManualClock;
/** Requests that were begun and are not answered. */
let exchanges: { request: IncomingMessage; response: ServerResponse }[];
const open = new Set<Socket>();

const rate = { perSecond: 1e9, burst: 1e9 };
const limits = { perAddress: 4, all: 6, bytes: rate, messages: rate };

async function start(about: Partial<PacedServerOptions> = {}): Promise<void> {
  server = new PacedServer({
    name: 'the test',
    limits,
    tls: null,
    onRequest: (request, response) => exchanges.push({ request, response }),
    log: { warn: (_fields, message) => warned.push(message) },
    clock,
    ...about,
  });
  await server.listen(0, '127.0.0.1');
}

beforeEach(() => {
  warned = [];
  exchanges = [];
  clock = new ManualClock();
});
afterEach(async () => {
  for (const socket of open) socket.destroy();
  open.clear();
  await server.close();
});

function peer(
  localAddress = '127.0.0.1',
): Promise<{ socket: Socket; closed: Promise<unknown>; text: () => string }> {
  return new Promise((resolve) => {
    let text = '';
    const socket: Socket = connect({ port: server.port, host: '127.0.0.1', localAddress }, () =>
      resolve({ socket, closed, text: () => text }),
    );
    const closed = new Promise((end) => socket.once('close', end));
    socket.on('error', () => {}).on('data', (part) => (text += String(part)));
    open.add(socket);
  });
}

const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

test('thousands of pipelined requests are begun one after the other, each when the one before is answered', async () => {
  await start();
  const { socket, text } = await peer();
  socket.write(get.repeat(2_000));
  for (let count = 1; count <= 50; count += 1) {
    await expect.poll(() => exchanges.length, { interval: 1 }).toBe(1);
    for (let turn = 0; turn < 5; turn += 1) await setImmediate();
    expect(exchanges).toHaveLength(1);
    exchanges.shift()?.response.end(`answer ${count}.`);
  }
  await expect.poll(text).toContain('answer 50.');
});

test('requests of many connections are begun one in a turn of the loop', async () => {
  let inTurn = 0;
  let most = 0;
  await start({
    limits: { ...limits, perAddress: 100, all: 100 },
    onRequest(_request, response) {
      inTurn += 1;
      most = Math.max(most, inTurn);
      response.end();
    },
  });
  const peers = await Promise.all(Array.from({ length: 50 }, () => peer()));
  let isOver = false;
  const counting = (async () => {
    while (!isOver) {
      await setImmediate();
      inTurn = 0;
    }
  })();
  for (const { socket } of peers) socket.write(get.repeat(20));
  await expect
    .poll(() => peers.every(({ text }) => text().split('200 OK').length === 21), {
      timeout: 10_000,
    })
    .toBe(true);
  isOver = true;
  await counting;
  // Two where the counter ran before the request in one turn and after it in the next.
  expect(most).toBeLessThanOrEqual(2);
});

test('a connection over its budget is slowed down, told once in the log, and goes on when it is earned', async () => {
  await start({
    limits: { ...limits, messages: { perSecond: 10, burst: 20 } },
    onRequest: (_request, response) => response.end('x'),
  });
  const { socket, text } = await peer();
  socket.write(get.repeat(200));
  const answered = (): number => text().split('200 OK').length - 1;
  await expect
    .poll(() => warned)
    .toEqual(['slowing down a connection to the test: it sends more than its budget']);
  await expect.poll(answered).toBeGreaterThanOrEqual(20);
  const early = answered();
  // What was parsed already is answered: at most what one piece held.
  expect(early).toBeLessThan(60);
  for (let turn = 0; turn < 50; turn += 1) await setImmediate();
  expect(answered()).toBe(early);
  await expect
    .poll(
      async () => {
        await clock.pass(1_000);
        return answered();
      },
      { interval: 1 },
    )
    .toBe(200);
  expect(warned).toHaveLength(1);
});

test('bytes have a budget too, also without a whole request', async () => {
  await start({ limits: { ...limits, bytes: { perSecond: 1_000, burst: 2_000 } } });
  const { socket } = await peer();
  socket.write(`GET / HTTP/1.1\r\nHost: a\r\nx-long: ${'x'.repeat(6_000)}\r\n\r\n`);
  await expect.poll(() => warned).toHaveLength(1);
  expect(exchanges).toHaveLength(0);
  for (let second = 0; second < 8; second += 1) await clock.pass(1_000);
  await expect.poll(() => exchanges.length).toBe(1);
});

test('a new connection takes the place of the oldest that has shown nothing, then of the one that was silent longest', async () => {
  await start();
  const silent = [await peer(), await peer(), await peer()];
  const active = await peer();
  active.socket.write(get);
  await expect.poll(() => exchanges.length).toBe(1);
  for (const { request, response } of exchanges) {
    server.know(request);
    response.end();
  }
  for (const { closed } of silent) {
    await peer();
    await closed;
  }
  expect(active.socket.destroyed).toBe(false);
  const [, ...held] = exchanges;
  expect(held).toHaveLength(0);
  expect(warned).toEqual(
    Array(3).fill('closed a connection to the test for a new one: too many connections'),
  );
});

test('held connections keep their places: one more is answered 503, and one of another address is served', async () => {
  await start();
  const holders = await Promise.all(Array.from({ length: 4 }, () => peer()));
  for (const { socket } of holders) socket.write(get);
  await expect.poll(() => exchanges.length).toBe(4);
  const release = exchanges.map(({ request }) => server.hold(request));
  const late = await peer();
  late.socket.write(get);
  await late.closed;
  expect(late.text()).toMatch(/^HTTP\/1\.1 503 /);
  const elsewhere = await peer('127.0.0.2');
  elsewhere.socket.write(get);
  await expect.poll(() => exchanges.length).toBe(5);
  for (const end of release) end();
  const next = await peer();
  next.socket.write(get);
  await expect.poll(() => exchanges.length).toBe(6);
  await holders[0]?.closed;
});

test('with TLS the places are limited too, also of those that send nothing at all', async () => {
  await start({ tls: selfSigned });
  const silent = await Promise.all(Array.from({ length: 4 }, () => peer()));
  const seen: Socket[] = [];
  const handshake = (): Promise<Socket> =>
    new Promise((resolve, reject) => {
      const socket = connectTls(
        { port: server.port, host: '127.0.0.1', rejectUnauthorized: false },
        () => resolve(socket),
      );
      socket.on('error', reject);
      open.add(socket);
      seen.push(socket);
    });
  const first = await handshake();
  await silent[0]?.closed;
  first.write(get);
  await expect.poll(() => exchanges.length).toBe(1);
  server.hold(exchanges[0]?.request as IncomingMessage);
  for (const { closed } of silent.slice(1)) {
    await handshake();
    await closed;
  }
  const oldest = new Promise((resolve) => seen[1]?.on('error', () => {}).once('close', resolve));
  await handshake();
  await oldest;
  exchanges[0]?.response.end('hello');
  const [answer] = await new Promise<unknown[]>((resolve) =>
    first.once('data', (...data) => resolve(data)),
  );
  expect(String(answer)).toContain('hello');
});

test('many handshakes at once are begun one in a turn, and all are carried out', async () => {
  await start({
    tls: selfSigned,
    limits: { ...limits, perAddress: 50, all: 50 },
    onRequest: (_request, response) => response.end('x'),
  });
  const sockets = await Promise.all(
    Array.from(
      { length: 20 },
      () =>
        new Promise<Socket>((resolve, reject) => {
          const socket = connectTls(
            { port: server.port, host: '127.0.0.1', rejectUnauthorized: false },
            () => resolve(socket),
          );
          socket.on('error', reject);
          open.add(socket);
        }),
    ),
  );
  expect(sockets).toHaveLength(20);
});

test('a large answer arrives whole, and the connection serves further requests', async () => {
  const large = 'x'.repeat(3_000_000);
  await start({ onRequest: (_request, response) => response.end(large) });
  const bodies: number[] = [];
  for (let count = 0; count < 2; count += 1)
    bodies.push(
      await new Promise<number>((resolve, reject) => {
        requestOf({ port: server.port, host: '127.0.0.1' }, (response) => {
          let length = 0;
          response
            .on('data', (part: Buffer) => (length += part.length))
            .on('end', () => resolve(length));
        })
          .on('error', reject)
          .end();
      }),
    );
  expect(bodies).toEqual([3_000_000, 3_000_000]);
});
