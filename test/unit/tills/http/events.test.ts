import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { reserved } from '../../core/lane/support.ts';
import { ApiWorld, type Heard } from './support.ts';

let at: ApiWorld;
beforeEach(async () => {
  at = await new ApiWorld().open();
});
afterEach(() => at.close());

const key = '6f1d0c1e-1111-4000-8000-000000000001';
const isPaid = (heard: readonly Heard[]): boolean =>
  heard.some(({ event, data }) => event === 'payment' && data.status === 'paid');

test('a stream tells the lane first, then what happens, each with its number in the journal', async () => {
  at.world.pollAnswers = [reserved];
  const heard = await at.stream(isPaid);
  const { body } = await at.pay(key);
  await at.world.clock.pass(2_000);
  const [first, ...others] = await heard.all;
  expect(first).toMatchObject({ id: null, event: 'lane', data: { state: 'ready' } });
  const payments = others.filter(({ event }) => event === 'payment');
  expect(payments[0]?.data.status).toBe('pending');
  expect(new Set(payments.map(({ data }) => data.paymentId))).toEqual(new Set([body.paymentId]));
  const ids = payments.map(({ id }) => Number(id));
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
});

describe('resumed with Last-Event-ID', () => {
  test('it tells what was missed, once, and nothing from before; also after a restart', async () => {
    at.world.pollAnswers = [reserved];
    const before = await (await at.stream((heard) => heard.length > 0)).all;
    expect(before).toHaveLength(1);
    const first = await at.stream((heard) => heard.some(({ event }) => event === 'payment'));
    await at.pay(key);
    await at.world.clock.pass(50);
    const lastId = (await first.all).findLast(({ id }) => id !== null)?.id ?? '';
    await at.world.clock.pass(2_000);
    await at.killLane();
    const missed = await (await at.stream(isPaid, { 'last-event-id': lastId })).all;
    expect(
      missed
        .filter(({ event }) => event === 'payment')
        .every(({ id }) => Number(id) > Number(lastId)),
    ).toBe(true);
    const [newest] = missed.filter(({ id }) => id !== null).slice(-1);
    const [none] = await (
      await at.stream((heard) => heard.length > 0, { 'last-event-id': newest?.id ?? '' })
    ).all;
    expect(none?.event).toBe('lane');
  });

  test('an id from the future, of a journal that was put back, goes on from now', async () => {
    const heard = await at.stream((all) => all.some(({ event }) => event === 'payment'), {
      'last-event-id': '999999',
    });
    await at.pay(key);
    await at.world.clock.pass(50);
    expect((await heard.all).find(({ event }) => event === 'payment')?.data.status).toBe('pending');
  });

  test('what is no id is refused', async () => {
    expect(await at.ask('GET', '/v1/events', { headers: { 'last-event-id': 'x' } })).toMatchObject({
      status: 400,
      body: {
        errors: [{ field: 'Last-Event-ID', rule: 'must be the id of an event of this stream' }],
      },
    });
  });
});

test('a revoked token’s stream ends at the next thing that happens, and says nothing of it', async () => {
  const token = at.makeToken(['read']);
  const heard = await at.stream(() => false, {}, token);
  at.tokens.revoke(at.tokens.list().at(-1)?.tokenId ?? '');
  await at.pay(key);
  await at.world.clock.pass(50);
  expect((await heard.all).map(({ event }) => event)).toEqual(['lane']);
});

test('whoever does not read its stream holds nobody up', async () => {
  const begun = Promise.withResolvers<void>();
  const stuck = request(
    {
      host: '127.0.0.1',
      port: at.api.port,
      path: '/v1/events',
      agent: false,
      headers: { authorization: `Bearer ${at.token}` },
    },
    (response) => {
      response.pause();
      begun.resolve();
    },
  );
  stuck.on('error', () => {});
  stuck.end();
  await begun.promise;
  at.world.pollAnswers = [reserved];
  const heard = await at.stream(isPaid);
  await at.pay(key);
  await at.world.clock.pass(2_000);
  expect(isPaid(await heard.all)).toBe(true);
  stuck.destroy();
});

test('streams end with the daemon', async () => {
  const heard = await at.stream(() => false);
  await at.api.close();
  expect((await heard.all).map(({ event }) => event)).toEqual(['lane']);
});

test('more streams than are woken at a time all hear what happens while they are woken', async () => {
  const isAway = (heard: readonly Heard[]): boolean =>
    heard.some(({ event, data }) => event === 'lane' && data.reason === 'serviceUnreachable');
  const tokens = Array.from({ length: 10 }, () => at.makeToken(['read']));
  const streams = await Promise.all(
    Array.from({ length: 60 }, (_, index) => at.stream(isAway, {}, tokens[index % 10])),
  );
  await at.pay(key);
  await at.world.clock.pass(50);
  at.world.serviceSays({ awaySinceMs: 1 });
  for (let step = 0; step < 100; step += 1) await at.world.clock.pass(1);
  const told = await Promise.all(streams.map(({ all }) => all));
  expect(told.filter(isAway)).toHaveLength(60);
});
