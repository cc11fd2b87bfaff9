/**
 * Killed at each write of a payment, a refund and a capture that a till asks for over HTTP: what
 * was begun is found by its key, once, and as it was decided.
 */
import { afterEach, expect, test } from 'vitest';
import { reserved, type World } from '../../core/lane/support.ts';
import { type Answer, ApiWorld, bread } from './support.ts';

let at: ApiWorld;
afterEach(() => at.close());

const key = '6f1d0c1e-1111-4000-8000-000000000001';
const another = '6f1d0c1e-2222-4000-8000-000000000002';
const sinceLongMs = 200_000;

interface Killed {
  readonly isKilled: () => boolean;
  /** The events on the disk. */
  readonly events: string[];
}

/**
 * After `writes` more writes the disk accepts nothing. What is sent then was sent before a kill,
 * and its answer is not on disk.
 */
function killAfter(world: World, writes: number): Killed {
  const before = { ...world.journal };
  const events: string[] = [];
  let left = writes;
  world.diskWorks = left > 0;
  const note = (written: readonly { readonly type: string }[]): void => {
    events.push(...written.map(({ type }) => type));
    left -= 1;
    world.diskWorks = left > 0;
  };
  const noted: Pick<World['journal'], 'append' | 'appendRefund'> = {
    append(laneId, saleId, written) {
      before.append(laneId, saleId, written);
      note(written);
    },
    appendRefund(laneId, refundOrderId, written) {
      before.appendRefund(laneId, refundOrderId, written);
      note(written);
    },
  };
  Object.assign(world.journal, noted);
  return { isKilled: () => left <= 0, events };
}

/**
 * Runs `ask` with a kill after each of its writes in turn, until it completes. @returns the number
 * of kills
 */
async function atEachWrite(
  ask: () => Promise<Answer>,
  begin: () => Promise<void>,
  expectAfter: (killed: Killed, again: Answer) => Promise<void>,
): Promise<number> {
  for (let writes = 0; ; writes += 1) {
    await begin();
    const killed = killAfter(at.world, writes);
    await ask();
    await at.world.clock.pass(10_000);
    if (!killed.isKilled()) return writes;
    await at.killLane((world) => {
      world.pollAnswers = [reserved];
      world.refundPollAnswers = [{ kind: 'seen', status: 'reserved' }];
    });
    await at.world.clock.pass(sinceLongMs);
    await expectAfter(killed, await ask());
    await at.close();
  }
}

test('a payment', async () => {
  const begin = async (): Promise<void> => {
    at = await new ApiWorld().open();
    at.world.pollAnswers = [reserved];
  };
  const kills = await atEachWrite(
    () => at.pay(key),
    begin,
    async ({ events }, again) => {
      const where = `killed after ${events.join(', ')}`;
      if (events.length === 0) return expect(again.status, where).toBe(201);
      expect(again.status, where).toBe(200);
      const isDecided = events.includes('tillAcknowledged');
      expect(again.body.status, where).toBe(isDecided ? 'paid' : 'notPaid');
      expect(at.world.whatLeft(), where).not.toContain('create');
      expect(at.world.whatLeft().includes('capture'), where).toBe(
        isDecided && !events.includes('captured'),
      );
      expect(at.world.whatLeft().includes('cancel') && isDecided, where).toBe(false);
    },
  );
  expect(kills).toBeGreaterThan(3);
});

test('a refund', async () => {
  let paymentId = '';
  const begin = async (): Promise<void> => {
    at = await new ApiWorld().open();
    at.world.pollAnswers = [reserved];
    paymentId = (await at.pay(key)).body.paymentId;
    await at.world.clock.pass(5_000);
    at.world.refundPollAnswers = [{ kind: 'seen', status: 'reserved' }];
  };
  const kills = await atEachWrite(
    () =>
      at.ask('POST', `/v1/payments/${paymentId}/refunds`, {
        key: another,
        body: { amountMinor: 1_000, currency: 'DKK' },
      }),
    begin,
    async ({ events }, again) => {
      const where = `killed after ${events.join(', ')}`;
      if (events.length === 0) return expect(again.status, where).toBe(201);
      expect(again.status, where).toBe(200);
      const isDecided = events.includes('tillAcknowledged');
      expect(again.body.status, where).toBe(isDecided ? 'refunded' : 'notRefunded');
      expect(at.world.whatLeft(), where).not.toContain('createRefund');
      expect(at.world.whatLeft().includes('captureRefund'), where).toBe(
        isDecided && !events.includes('captured'),
      );
    },
  );
  expect(kills).toBeGreaterThan(3);
});

test('less of a reservation is captured', async () => {
  let paymentId = '';
  const begin = async (): Promise<void> => {
    at = await new ApiWorld().open({ plannedCaptureDelay: 'LessThan14Days' });
    at.world.pollAnswers = [
      {
        ...reserved,
        partialCapturePossible: true,
        expiresAtMs: at.world.clock.wallMs() + 86_400_000 * 7,
      },
    ];
    paymentId = (await at.pay(key, { ...bread, reserve: true })).body.paymentId;
    await at.world.clock.pass(2_000);
  };
  const kills = await atEachWrite(
    () =>
      at.ask('POST', `/v1/payments/${paymentId}/capture`, {
        key: another,
        body: { amountMinor: 1_000, currency: 'DKK' },
      }),
    begin,
    async ({ events }, again) => {
      const where = `killed after ${events.join(', ')}`;
      expect(again.status, where).toBe(events.includes('captureIntended') ? 200 : 202);
      expect((await at.ask('GET', `/v1/payments/${paymentId}`)).body, where).toMatchObject({
        status: 'paid',
        amountMinor: 1_000,
      });
      await at.world.clock.pass(sinceLongMs);
      for (const captured of at.world.captured)
        expect(captured, where).toEqual({ amountMinor: 1_000, currency: 'DKK' });
      expect(at.world.whatLeft(), where).not.toContain('cancel');
    },
  );
  expect(kills).toBeGreaterThan(1);
});
