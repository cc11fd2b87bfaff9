import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemIds } from '../../../../main/domain/ids.ts';
import type { Callback } from '../../../../main/sandbox/simulator/outbox.ts';
import { World } from '../../../../main/sandbox/simulator/world.ts';
import { profileNamed } from '../../../../main/wallet/v10/profile.ts';
import { ManualClock } from '../../support/manual-clock.ts';

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
const advance = (ms: number): Promise<void> => world.clock.advance(ms, () => world.outbox.settled());

describe('a callback', () => {
  test('arrives once, with its headers and body', async () => {
    const delivery = world.outbox.send(callback());
    await world.outbox.settled();
    expect(delivery.state).toBe('delivered');
    await advance(1_000_000);
    expect(received).toMatchObject([{ headers: { authorization: 'Basic x', 'content-type': 'application/json; charset=utf-8' }, body: '[1]' }]);
  });

  test('is repeated after each documented delay, and then given up', async () => {
    statuses = [500, 302, 404];
    const delivery = world.outbox.send(callback());
    await world.outbox.settled();
    await advance(1_000_000);
    expect(received.map(({ atMs }) => atMs)).toEqual([0, 5_000, 605_000]);
    expect(delivery).toMatchObject({ state: 'givenUp', attempts: [{ status: 500 }, { status: null }, { status: 404 }] });
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
    const delivery = world.outbox.send(callback({ headers: () => Promise.reject(new Error('no token')), retryDelaysMs: [] }));
    await world.outbox.settled();
    expect(delivery).toMatchObject({ state: 'givenUp', attempts: [{ status: null }] });
    expect(received).toEqual([]);
  });

  test.each(['http://shop.example:8080/', 'https://shop.example:8443/', 'not an address'])('is not delivered to %s', async (elsewhere) => {
    const delivery = world.outbox.send(callback({ url: elsewhere, retryDelaysMs: [] }));
    await world.outbox.settled();
    expect(delivery).toMatchObject({ state: 'givenUp', attempts: [{ status: null }] });
  });
});
