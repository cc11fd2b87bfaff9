import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemIds } from '../../../../main/core/domain/ids.ts';
import type { Callback } from '../../../../main/sandbox/simulator/outbox.ts';
import { World } from '../../../../main/sandbox/simulator/world.ts';
import { profileNamed } from '../../../../main/wallets/v10/v10-profile.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { Service } from './support.ts';

let world: World;
let url: string;
let statuses: number[];
let received: { headers: IncomingMessage['headers']; body: string; atMs: number }[];
const receiver = createServer((request, response) => {
  void text(request).then((body) => {
    received.push({ headers: request.headers, body, atMs: world.clock.monotonicMs() });
    response.writeHead(statuses.shift() ?? 200).end();
  });
});
beforeEach(async () => {
  world = new World({ clock: new ManualClock(), ids: systemIds, profile: profileNamed('generic') });
  statuses = [];
  received = [];
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/callbacks`;
});
afterEach(() => {
  world.outbox.stop();
  receiver.closeAllConnections();
  return new Promise((resolve) => receiver.close(resolve));
});
const callback = (about: Partial<Callback> = {}): Callback => ({
  kind: 'test',
  url,
  headers: () => ({ authorization: 'Basic x' }),
  body: '[1]',
  retryDelaysMs: [5_000, 600_000],
  timeoutMs: 5_000,
  ...about,
});
const advance = (ms: number): Promise<void> =>
  world.clock.advance(ms, () => world.outbox.settled());

describe('a callback', () => {
  test('arrives once, with its headers and body', async () => {
    const delivery = world.outbox.send(callback());
    await world.outbox.settled();
    expect(delivery.state).toBe('delivered');
    await advance(1_000_000);
    expect(received).toMatchObject([
      {
        headers: { authorization: 'Basic x', 'content-type': 'application/json; charset=utf-8' },
        body: '[1]',
      },
    ]);
  });

  test('is repeated after each documented delay, and then given up', async () => {
    statuses = [500, 302, 404];
    const delivery = world.outbox.send(callback());
    await world.outbox.settled();
    await advance(1_000_000);
    expect(received.map(({ atMs }) => atMs)).toEqual([0, 5_000, 605_000]);
    expect(delivery).toMatchObject({
      state: 'givenUp',
      attempts: [{ status: 500 }, { status: null }, { status: 404 }],
    });
  });

  test('a repetition that is taken is the last one', async () => {
    statuses = [503];
    const delivery = world.outbox.send(callback());
    await world.outbox.settled();
    await advance(1_000_000);
    expect(received).toHaveLength(2);
    expect(delivery.state).toBe('delivered');
  });

  test('whose headers cannot be made has failed once', async () => {
    const delivery = world.outbox.send(
      callback({ headers: () => Promise.reject(new Error('no token')), retryDelaysMs: [] }),
    );
    await world.outbox.settled();
    expect(delivery).toMatchObject({ state: 'givenUp', attempts: [{ status: null }] });
    expect(received).toEqual([]);
  });

  test.each(['http://shop.example:8080/', 'https://shop.example:8443/', 'not an address'])(
    'is not delivered to %s',
    async (elsewhere) => {
      const delivery = world.outbox.send(callback({ url: elsewhere, retryDelaysMs: [] }));
      await world.outbox.settled();
      expect(delivery).toMatchObject({ state: 'givenUp', attempts: [{ status: null }] });
    },
  );
});

describe('an address that takes connections and never answers', () => {
  const silent = createServer(() => {});
  let shop: Service;
  beforeEach(async () => {
    shop = await new Service().start();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    await shop.simulator.stop();
    silent.closeAllConnections();
    await new Promise((resolve) => silent.close(resolve));
  });
  const moveDays = (count: number) =>
    shop.call('POST', '/simulator/clock', { advanceMs: count * 24 * 60 * 60 * 1000 });

  // In real time these attempts would take more than an hour, so the test's own time limit proves
  // that none is waited for.
  test('does not hold up the clock: each attempt at its time, and what others are told arrives', async () => {
    const { outbox } = shop.simulator.world;
    const silentUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
    const retryDelaysMs = [5_000, 600_000, 1_800_000];
    const sent = Array.from({ length: 100 }, (_, day) => {
      const about = { url: `${silentUrl}${day}`, retryDelaysMs, timeoutMs: 10_000 };
      shop.simulator.world.clock.after(
        day * 24 * 60 * 60 * 1000,
        () => void outbox.send(callback({ ...about, url: day % 10 === 5 ? url : about.url })),
      );
      return day;
    });
    expect((await moveDays(101)).status).toBe(200);
    expect(outbox.deliveries).toHaveLength(sent.length);
    for (const [day, { state, attempts }] of outbox.deliveries.entries()) {
      const wasHeard = day % 10 === 5;
      expect({ day, state }).toEqual({ day, state: wasHeard ? 'delivered' : 'givenUp' });
      const [first = 0, ...later] = attempts.map(({ atMs }) => atMs);
      expect(attempts.map(({ status }) => status)).toEqual(
        wasHeard ? [200] : [null, null, null, null],
      );
      if (!wasHeard) expect(later.map((atMs) => atMs - first)).toEqual([5_000, 605_000, 2_405_000]);
    }
    expect(received).toHaveLength(10);
  });

  test('is heard again in the next move, when it answers by then', async () => {
    const { outbox } = shop.simulator.world;
    const silentUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
    const delivery = outbox.send(
      callback({ url: silentUrl, retryDelaysMs: [1, 24 * 60 * 60 * 1000 + 1] }),
    );
    await moveDays(1);
    expect(delivery).toMatchObject({
      state: 'waiting',
      attempts: [{ status: null }, { status: null }],
    });
    const answering = (_request: IncomingMessage, response: ServerResponse): void =>
      void response.end();
    silent.on('request', answering);
    await moveDays(1);
    silent.off('request', answering);
    expect(delivery).toMatchObject({ state: 'delivered' });
  });

  test('is let go when the simulator ends', async () => {
    const wasAsked = new Promise<IncomingMessage>((resolve) => silent.once('request', resolve));
    shop.simulator.world.outbox.send(
      callback({
        url: `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`,
        timeoutMs: 60 * 60 * 1000,
      }),
    );
    const request = await wasAsked;
    const wasClosed = new Promise((resolve) => request.socket.once('close', resolve));
    await shop.simulator.stop();
    await wasClosed;
  });
});
