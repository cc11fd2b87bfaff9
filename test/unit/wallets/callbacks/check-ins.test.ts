import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CallbackRecord } from '../../../../main/wallets/callbacks/callback-record.ts';
import { agreement, Callbacks, checkIn, id } from './callbacks-support.ts';

let callbacks: Callbacks;
beforeEach(async () => {
  // In another time zone, dates without a zone must still be UTC.
  vi.stubEnv('TZ', 'America/New_York');
  callbacks = await new Callbacks().start();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await callbacks.stop();
});

const stored = () => callbacks.store.since(0);
const records = () => stored().map(({ record }) => record);

describe('a check-in', () => {
  test('comes alone', async () => {
    const answer = await callbacks.post('checkin', [checkIn(), checkIn()]);
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      400,
      { reason: 'the body must be one record' },
    ]);
    expect(stored()).toEqual([]);
  });

  test('that is repeated within five seconds is the same one', async () => {
    const one = checkIn();
    for (const waitMs of [0, 4_999, 1]) {
      await callbacks.clock.pass(waitMs);
      expect((await callbacks.post('checkin', one)).status).toBe(200);
    }
    expect(stored()).toHaveLength(2);
  });

  test('is one of at most twenty in a second; then its sender is asked to come again', async () => {
    for (let count = 1; count <= 20; count += 1)
      expect((await callbacks.post('checkin', checkIn())).status).toBe(200);
    const answer = await callbacks.post('checkin', checkIn());
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect((await callbacks.post('agreements', agreement())).status).toBe(200);
    await callbacks.clock.pass(1_000);
    expect((await callbacks.post('checkin', checkIn())).status).toBe(200);
  });

  test('is forgotten when a thousand newer ones are there, and what is worth money is not', async () => {
    await callbacks.post('agreements', agreement());
    await callbacks.post('checkin', checkIn());
    const [first] = records().slice(-1);
    const newer = Array.from({ length: 1_019 }, () => ({
      ...(first as CallbackRecord),
      subjectId: id(),
    }));
    callbacks.store.add({ origin: 'callback', receivedAtMs: 1, records: newer });
    const seqs = callbacks.store.since(0, 10_000).map(({ seq }) => seq);
    expect(seqs).toHaveLength(1_001);
    expect([seqs[0], seqs[1], seqs.at(-1)]).toEqual([1, 22, 1_021]);
  });
});
