import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { settled } from '../../support/manual-clock.ts';
import { money, reserved, World } from './support.ts';

let world: World;
beforeEach(async () => {
  world = await new World().open();
});
afterEach(() => world.remove());

describe('intent is on disk before anything leaves', () => {
  test('on the way to "paid"', async () => {
    world.pollAnswers = [reserved];
    expect(world.commands.requestSale(money)).toMatchObject({ accepted: true });
    await world.clock.pass(2_000);
    expect(world.whatLeft()).toEqual(['create', 'offerPaid', 'paid', 'capture']);
    expect(world.onDiskWhen('create')).toEqual(['saleRequested']);
    expect(world.onDiskWhen('offerPaid')?.at(-1)).toBe('captureIntended');
    expect(world.onDiskWhen('paid')?.at(-1)).toBe('tillAcknowledged');
    expect(world.onDiskWhen('capture')?.at(-1)).toBe('tillAcknowledged');
  });

  test('on the way to a part, of which the till has handed out the goods', async () => {
    world.pollAnswers = [{ ...reserved, partialCapturePossible: true }];
    world.tillAnswer = { handedOutMinor: 1_000 };
    const answer = world.commands.requestSale(money);
    await world.clock.pass(2_000);
    expect(world.whatLeft()).toEqual(['create', 'offerPaid', 'paid', 'capture']);
    expect(world.onDiskWhen('capture')?.at(-1)).toBe('tillAcknowledged');
    expect(world.captured).toEqual([{ amountMinor: 1_000, currency: 'DKK' }]);
    expect(world.commands.lastFinished()).toMatchObject({
      outcome: { paid: true },
      capturedMinor: 1_000,
    });
    expect(world.lane.snapshot().recent).toMatchObject([
      { amountMinor: 1234, capturedMinor: 1_000 },
    ]);
    const receiptNumber = answer.accepted ? answer.sale.receiptNumber : 0;
    expect(
      world.commands.requestRefund({ receiptNumber, amountMinor: 1_001, currency: 'DKK' }),
    ).toEqual({ accepted: false, reason: 'amountTooHigh' });
  });

  test('on the way out', async () => {
    world.pollAnswers = [{ kind: 'seen', status: 'issuedToUser', ...money }];
    const answer = world.commands.requestSale(money);
    await settled();
    expect(answer.accepted && world.commands.abortSale(answer.sale.saleId)).toBe('aborting');
    await world.clock.pass(2_000);
    expect(world.whatLeft()).toEqual(['create', 'notPaid', 'cancel']);
    expect(world.onDiskWhen('notPaid')?.at(-1)).toBe('cancelIntended');
    expect(world.onDiskWhen('cancel')?.at(-1)).toBe('cancelIntended');
  });
});

describe('a disk that refuses', () => {
  test('at the till’s key: no sale, nothing leaves, and it works again when the disk does', async () => {
    world.diskWorks = false;
    expect(world.commands.requestSale(money)).toEqual({ accepted: false, reason: 'storageFailed' });
    await settled();
    expect(world.left).toEqual([]);
    expect(world.lane.snapshot().condition).toMatchObject({
      kind: 'notReady',
      reason: 'storageFailed',
    });
    world.diskWorks = true;
    expect(world.commands.requestSale(money)).toMatchObject({ accepted: true });
    expect(world.lane.snapshot().condition).toEqual({ kind: 'open' });
  });

  test('when the money is reserved: the till is told nothing until the intent to capture can be written', async () => {
    world.pollAnswers = [reserved];
    world.commands.requestSale(money);
    await settled();
    world.diskWorks = false;
    await world.clock.pass(5_000);
    expect(world.whatLeft()).toEqual(['create']);
    world.diskWorks = true;
    await world.clock.pass(1_000);
    expect(world.whatLeft()).toEqual(['create', 'offerPaid', 'paid', 'capture']);
  });

  test('when the till has acknowledged: it hears no completion and nothing is captured until that can be written', async () => {
    world.pollAnswers = [reserved];
    let acknowledge: () => void = () => {};
    const till = Promise.withResolvers<'acknowledged'>();
    acknowledge = () => till.resolve('acknowledged');
    Object.defineProperty(world, 'tillAnswer', { get: () => till.promise });
    world.commands.requestSale(money);
    await world.clock.pass(1_000);
    world.diskWorks = false;
    acknowledge();
    await world.clock.pass(3_000);
    expect(world.whatLeft()).toEqual(['create', 'offerPaid']);
    world.diskWorks = true;
    await world.clock.pass(1_000);
    expect(world.whatLeft()).toEqual(['create', 'offerPaid', 'paid', 'capture']);
  });
});

describe('the lane', () => {
  test('refuses what it cannot take, and says why', () => {
    expect(world.commands.requestSale({ amountMinor: 1, currency: 'EUR' })).toEqual({
      accepted: false,
      reason: 'wrongCurrency',
    });
    expect(world.commands.requestSale({ amountMinor: 0, currency: 'DKK' })).toEqual({
      accepted: false,
      reason: 'amountTooSmall',
    });
    expect(world.commands.requestSale({ amountMinor: 1.5, currency: 'DKK' })).toEqual({
      accepted: false,
      reason: 'amountTooSmall',
    });
    expect(world.commands.requestSale({ amountMinor: 1_000_000_000_000, currency: 'DKK' })).toEqual(
      { accepted: false, reason: 'amountTooHigh' },
    );
    expect(world.commands.requestSale(money)).toMatchObject({ accepted: true });
    expect(world.commands.requestSale(money)).toEqual({ accepted: false, reason: 'busy' });
  });

  test('shows what to scan before it asks how the payment stands', async () => {
    world.pollAnswers = [{ kind: 'seen', status: 'initiated', ...money }];
    world.commands.requestSale(money);
    await settled();
    expect([world.lane.snapshot().current?.payment.kind, world.waitedFirst.length]).toEqual([
      'awaiting',
      0,
    ]);
    await world.clock.pass(0);
    expect(world.waitedFirst).toHaveLength(1);
  });

  test('takes the next sale while the capture of the last is still being repeated', async () => {
    world.pollAnswers = [reserved];
    world.settleAnswer = { kind: 'unknown', detail: 'no answer' };
    world.commands.requestSale(money);
    await world.clock.pass(1_000);
    expect(world.lane.snapshot()).toMatchObject({
      current: null,
      unsettled: [{ intent: 'capture', amountMinor: 1234 }],
    });
    expect(world.commands.requestSale({ ...money, amountMinor: 99 })).toMatchObject({
      accepted: true,
    });
    world.settleAnswer = { kind: 'done' };
    await world.clock.pass(1_000);
    expect(world.lane.snapshot().unsettled).toEqual([]);
  });

  test('calls it settled when a poll shows what the service has accepted without showing it, and captures again when none does', async () => {
    world.pollAnswers = [
      reserved,
      reserved,
      { kind: 'unknown', detail: 'no answer' },
      { ...reserved, status: 'captured' },
    ];
    world.settleAnswer = { kind: 'accepted' };
    world.commands.requestSale(money);
    await world.clock.pass(1_000);
    expect(world.outcomes).toEqual([{ paid: true }]);
    expect(world.onDiskWhen('capture')?.at(-1)).toBe('tillAcknowledged');
    await world.clock.pass(10_000);
    expect(world.whatLeft().filter((what) => what === 'capture')).toHaveLength(3);
    const events = world.reader
      .story(world.journal.paidSale('1', 1)?.sale.saleId ?? '')
      .map(({ event }) => event.type);
    expect(events.slice(-3)).toEqual(['attemptFailed', 'attemptFailed', 'captured']);
  });

  test('gives each sale an order id of its own and numbers that go on', () => {
    const orders = Array.from({ length: 3 }, () => {
      const answer = world.commands.requestSale(money);
      if (!answer.accepted) throw new Error(answer.reason);
      world.commands.tillLost(answer.sale.saleId);
      return answer.sale;
    });
    expect(new Set(orders.map(({ orderId }) => orderId)).size).toBe(3);
    expect(orders.map(({ receiptNumber }) => receiptNumber)).toEqual([1, 2, 3]);
    for (const { orderId } of orders) expect(orderId.length).toBeLessThanOrEqual(36);
  });

  test('ends a sale at its deadline, by the monotonic clock', async () => {
    world.pollAnswers = Array.from(
      { length: 200 },
      () => ({ kind: 'seen', status: 'initiated', ...money }) as const,
    );
    world.commands.requestSale(money);
    await world.clock.pass(119_999);
    expect(world.outcomes).toEqual([]);
    await world.clock.pass(2_000);
    expect(world.outcomes).toEqual([{ paid: false, reason: 'timedOut' }]);
  });

  test('does not open before the service has, and tells the till and the screens so', async () => {
    const closed = new World();
    closed.openAnswer = { kind: 'unreachable', detail: 'ECONNREFUSED' };
    const opening = closed.open();
    await settled();
    expect(closed.commands.readiness()).toBe('notReady');
    expect(closed.commands.requestSale(money)).toEqual({ accepted: false, reason: 'notReady' });
    expect(closed.lane.snapshot().condition).toEqual({
      kind: 'notReady',
      reason: 'serviceUnreachable',
      detail: 'ECONNREFUSED',
    });
    closed.openAnswer = { kind: 'open', posId: 'p', qr: null };
    await closed.clock.pass(250);
    await opening;
    expect(closed.commands.readiness()).toBe('ready');
    closed.remove();
  });

  test('after a restart settles what was open before it takes anything new', async () => {
    world.commands.requestSale(money);
    await settled();
    world.close();
    const again = new World(world.folder);
    const service = Promise.withResolvers<{ kind: 'done' }>();
    Object.defineProperty(again, 'settleAnswer', { get: () => service.promise });
    const opening = again.open();
    await settled();
    expect(again.commands.requestSale(money)).toEqual({ accepted: false, reason: 'notReady' });
    expect(again.lane.snapshot().condition).toMatchObject({ reason: 'settlingOpenPayments' });
    service.resolve({ kind: 'done' });
    await opening;
    expect(again.whatLeft()).toEqual(['notPaid', 'cancel']);
    expect(again.commands.lastFinished()).toMatchObject({
      outcome: { paid: false, reason: 'interrupted' },
    });
    expect(again.commands.requestSale(money)).toMatchObject({ accepted: true });
    world = again;
  });

  test('a capture that the service has accepted does not keep the counter closed until a poll may show it', async () => {
    world.pollAnswers = [reserved];
    world.settleAnswer = { kind: 'unknown', detail: 'status 500' };
    world.commands.requestSale(money);
    await world.clock.pass(1_000);
    world.close();
    const again = new World(world.folder);
    again.settleAnswer = { kind: 'accepted' };
    await again.open();
    expect(again.commands.readiness()).toBe('ready');
    again.pollAnswers = [{ ...reserved, status: 'captured' }];
    await again.clock.pass(1_000);
    expect(again.journal.openSales('1')).toEqual([]);
    world = again;
  });

  test('a capture that the service will not confirm keeps the counter closed for three attempts, not for days: it is shown, and goes on', async () => {
    world.pollAnswers = [reserved];
    world.settleAnswer = { kind: 'unknown', detail: 'status 500' };
    world.commands.requestSale(money);
    await world.clock.pass(1_000);
    expect(world.whatLeft().at(-1)).toBe('capture');
    world.close();
    const again = new World(world.folder);
    again.settleAnswer = { kind: 'unknown', detail: 'status 500' };
    const opening = again.open();
    await again.clock.pass(0);
    expect(again.commands.readiness()).toBe('notReady');
    await again.clock.pass(10_000);
    await opening;
    expect(again.commands.readiness()).toBe('ready');
    expect(again.lane.snapshot().unsettled).toMatchObject([
      { kind: 'sale', intent: 'capture', problem: null },
    ]);
    again.settleAnswer = { kind: 'done' };
    await again.clock.pass(300_000);
    expect(again.lane.snapshot().unsettled).toEqual([]);
    world = again;
  });
});

describe('the line of a till', () => {
  const link = (heardAtMs: number, state: 'open' | 'connected' | 'busy' = 'connected') =>
    world.commands.tillLink({ state, detail: null, heardAtMs });
  const heard = () => world.lane.snapshot().till.heardAtMs;

  test('was heard: known at once, and shown once a second, however much it says', async () => {
    link(1);
    const { changes } = world;
    for (let ms = 2; ms < 100; ms += 1) link(ms);
    expect([world.changes, heard()]).toEqual([changes, 99]);
    await world.clock.pass(1_000);
    link(1_100);
    expect([world.changes, heard()]).toEqual([changes + 1, 1_100]);
  });

  test('that another program takes is shown at once, and since when', async () => {
    link(1);
    const { changes } = world;
    await world.clock.pass(10);
    link(1, 'busy');
    expect(world.changes).toBe(changes + 1);
    expect(world.lane.snapshot().till).toMatchObject({
      state: 'busy',
      heardAtMs: 1,
      sinceMs: world.clock.wallMs(),
    });
  });
});
