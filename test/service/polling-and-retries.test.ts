/**
 * How the client behaves while everything fails around it, read from the simulator's own log
 * (document 4, sections 1.7, 1.8 and 7.G).
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemIds } from '../../main/core/domain/ids.ts';
import type { LoggedRequest } from '../../main/sandbox/simulator/request-log.ts';
import type { PointOfSaleClient } from '../../main/core/lane/wallet-port.ts';
import { type Bench, openBench, phone } from '../unit/wallets/v10/v10-support.ts';

const pollDelayInMs = 100;
const maxRequests = 6;
const counters = 8;
const paymentsEach = 4;
const never = new AbortController().signal;
const money = { amountMinor: 1010, currency: 'DKK' } as const;

let bench: Bench;
let log: (LoggedRequest & { readonly seq: number })[];
beforeEach(async () => {
  bench = await openBench({ policy: { pollDelayInMs } });
});
afterEach(() => bench.close());

/** Asks again with the same key until the service has said yes or no. */
async function settled<Answer extends { kind: string }>(
  ask: () => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (answer.kind !== 'unknown' && answer.kind !== 'unreachable') return answer;
  }
}

async function payAt(counter: PointOfSaleClient, merchantPosId: string): Promise<string> {
  const request = {
    ...money,
    flow: 'initiate',
    orderId: systemIds.uuid().slice(0, 30),
    idempotencyKey: systemIds.uuid(),
  } as const;
  const created = await settled(() => counter.create(request));
  if (created.kind !== 'created') throw new Error(JSON.stringify(created));
  const beaconId = [...bench.simulator.world.pointsOfSale.values()].find(
    (pos) => pos.merchantPosId === merchantPosId,
  )?.beaconId as string;
  const watch = counter.watch(created.paymentId);
  await watch.poll(never);
  bench.simulator.phone('checkin', beaconId, phone);
  bench.simulator.phone('accept', beaconId, phone);
  for (;;) {
    const seen = await watch.poll(never);
    if (seen.kind === 'seen' && seen.status === 'reserved') break;
  }
  expect(await settled(() => counter.capture(created.paymentId, money))).toEqual({
    kind: 'accepted',
  });
  return created.paymentId;
}

describe('while every eighth request fails in one way or another', () => {
  beforeEach(async () => {
    const kinds = ['status500', 'status500After', 'reset', 'resetAfter', 'truncated'] as const;
    const faults = kinds.map((kind) => ({ operation: '*', kind, share: 0.025, times: 1_000 }));
    bench.simulator.faults.plan({
      seed: 42,
      faults: [...faults, { operation: 'getPayment', kind: 'slowBody', share: 0.02, times: 1_000 }],
    });
    const paid = await Promise.all(
      Array.from({ length: counters }, async (_, lane) => {
        const counter = bench.counterNamed(`lane-${lane}`);
        expect(await settled(() => counter.open())).toMatchObject({ kind: 'open' });
        const ids: string[] = [];
        for (let n = 0; n < paymentsEach; n += 1) ids.push(await payAt(counter, `lane-${lane}`));
        return ids;
      }),
    );
    expect(new Set(paid.flat()).size).toBe(counters * paymentsEach);
    log = (await (
      await fetch(`${bench.simulator.baseUrl}/simulator/requests`)
    ).json()) as typeof log;
  });

  test('it keeps the pace of the polls, the ceiling of repetitions, and its keys', () => {
    expect(log.filter(({ fault }) => fault !== null).length).toBeGreaterThan(10);
    expect(
      [...bench.simulator.world.payments.values()].map(
        ({ status, captureCount }) => `${status} ${captureCount}`,
      ),
    ).toEqual(Array.from({ length: counters * paymentsEach }, () => 'Captured 1'));

    // Polls: from each whole answer to the next poll of the same payment.
    const lastAnswer = new Map<string, number>();
    for (const { operation, path, atMs, status, fault } of log) {
      if (operation !== 'getPayment') continue;
      const before = lastAnswer.get(path);
      if (before !== undefined) expect(atMs - before).toBeGreaterThanOrEqual(pollDelayInMs - 1);
      if (status !== null && fault === null) lastAnswer.set(path, atMs);
    }

    // Keys: one intent each, and no more requests than may be.
    const byKey = Map.groupBy(
      log.filter(({ idempotencyKey }) => idempotencyKey !== null),
      ({ idempotencyKey }) => idempotencyKey,
    );
    expect(byKey.size).toBe(counters * paymentsEach + counters);
    for (const [key, requests] of byKey) {
      expect(new Set(requests.map(({ operation }) => operation)).size, String(key)).toBe(1);
      expect(requests.length, String(key)).toBeLessThanOrEqual(maxRequests);
      // A request that was answered is not sent again.
      expect(
        requests.slice(0, -1).every(({ fault }) => fault !== null),
        String(key),
      ).toBe(true);
    }

    // A refusal (4xx) must not be repeated; in this run there must be none at all.
    expect(log.filter(({ status }) => status !== null && status >= 400 && status < 500)).toEqual(
      [],
    );
    expect(bench.simulator.state()).toMatchObject({
      violations: {
        earlyPolls: 0,
        checkinPollsWithoutQr: 0,
        keyReuse: 0,
        retriesBeyondLimit: 0,
        missingIdempotencyKey: 0,
      },
    });
  });
});
