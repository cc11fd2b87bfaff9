import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Sale } from '../../../../main/core/settlement/payment.ts';
import { pointOfSaleCapabilities } from '../../../../main/wallets/v10/point-of-sale/point-of-sale-capabilities.ts';
import { paymentId } from '../settlement/support.ts';
import { settled } from '../../support/manual-clock.ts';
import { money, refundId, reserved, World } from './support.ts';

const noAnswer = { kind: 'unknown', detail: 'no answer' } as const;
const minutes = 60_000;
const listsNone = { ...pointOfSaleCapabilities, listsOpenPayments: false };

let world: World;
beforeEach(async () => {
  world = await new World().open();
});
afterEach(() => world.remove());

/** A sale whose create request was not found at the service in the first two minutes. */
async function lostSale(): Promise<Sale> {
  world.createAnswer = noAnswer;
  const answer = world.commands.requestSale(money);
  if (!answer.accepted) throw new Error(answer.reason);
  await world.clock.pass(2.5 * minutes);
  const payment = world.journal.paymentOfOrder(answer.sale.orderId);
  expect(payment).toMatchObject({ kind: 'notPaid', paymentId: null, reason: 'serviceUnreachable' });
  world.left.length = 0;
  world.createAnswer = { kind: 'created', paymentId };
  return (payment as Extract<typeof payment, { kind: 'notPaid' }>).sale;
}

const storyOf = ({ saleId }: Pick<Sale, 'saleId'>): string[] =>
  world.journal.story(saleId).map(({ event }) => event.type);
const cancelledLate = ['ended', 'foundLate', 'ended'];

async function restart(prepare = (_world: World): void => {}): Promise<void> {
  world.close();
  world = new World(world.folder);
  prepare(world);
  void world.open();
  await settled();
}

describe('a payment that arrives at the service when nobody believes in it any more', () => {
  test('is found by a look some minutes later and cancelled, with the intent on disk; the till hears nothing', async () => {
    const sale = await lostSale();
    world.openPayments = [{ paymentId, orderId: sale.orderId, isActive: true }];
    await world.clock.pass(5 * minutes);
    expect(world.whatLeft()).toEqual(['look', 'cancel']);
    expect(world.onDiskWhen('cancel')?.slice(-2)).toEqual(['ended', 'foundLate']);
    expect(storyOf(sale).slice(-3)).toEqual(cancelledLate);
    expect(world.outcomes).toEqual([{ paid: false, reason: 'serviceUnreachable' }]);
    await world.clock.pass(48 * 60 * minutes);
    expect(world.whatLeft()).toEqual(['look', 'cancel']);
  });

  test('is asked for by its own reference, also after a restart, at a service that lists none', async () => {
    world.capabilities = listsNone;
    const sale = await lostSale();
    await world.clock.pass(5 * minutes);
    expect(world.whatLeft()).toEqual(['lookUp']);
    await restart((next) => {
      next.capabilities = listsNone;
      next.lookUpAnswer = { kind: 'found', paymentId };
    });
    await world.clock.pass(1_000);
    expect(world.whatLeft()).toEqual(['lookUp', 'cancel']);
    expect(storyOf(sale).slice(-3)).toEqual(cancelledLate);
  });

  test('is cancelled until the service confirms it, and shown from the first failure on', async () => {
    const sale = await lostSale();
    world.openPayments = [{ paymentId, orderId: sale.orderId, isActive: true }];
    world.settleAnswer = noAnswer;
    await world.clock.pass(5 * minutes);
    expect(world.lane.snapshot().unsettled).toMatchObject([
      { kind: 'sale', intent: 'cancel', orderId: sale.orderId, problem: null },
    ]);
    await restart();
    expect(world.whatLeft()).toEqual(['cancel']);
    expect(storyOf(sale).at(-1)).toBe('ended');
  });

  test('is looked for ever more seldom, nine times in two days, and an unanswered look does not count', async () => {
    await lostSale();
    world.listWaitsFor = Promise.resolve(noAnswer);
    await world.clock.pass(12 * minutes);
    expect(world.whatLeft()).toEqual(['look', 'look']);
    world.listWaitsFor = null;
    world.left.length = 0;
    let before = 0;
    let maxMs = 0;
    let sinceMs = 0;
    for (let passed = 0; passed < 72 * 60; passed += 5) {
      await world.clock.pass(5 * minutes);
      sinceMs += 5 * minutes;
      if (world.left.length === before) continue;
      before = world.left.length;
      maxMs = Math.max(maxMs, sinceMs);
      sinceMs = 0;
    }
    expect(world.whatLeft()).toEqual(Array.from({ length: 9 }, () => 'look'));
    // A reserved refund is paid out by itself after 24 hours.
    expect(maxMs).toBeGreaterThan(12 * 60 * minutes);
    expect(maxMs).toBeLessThan(23 * 60 * minutes);
  });

  test('is looked for together with all that were lost here, by one request', async () => {
    const sales = [await lostSale(), await lostSale(), await lostSale()];
    // The first look-up is due five minutes after the first loss, and the second loss does not
    // delay it.
    world.left.length = 0;
    world.openPayments = sales.slice(1).map(({ orderId }, index) => ({
      paymentId: `late ${index}`,
      orderId,
      isActive: index === 0,
    }));
    await world.clock.pass(5 * minutes);
    expect(world.whatLeft()).toEqual(['look', 'cancel', 'cancel']);
    expect(sales.map((sale) => storyOf(sale).includes('foundLate'))).toEqual([false, true, true]);
    await world.clock.pass(48 * 60 * minutes);
    expect(world.whatLeft().filter((what) => what === 'look')).toHaveLength(9);
  });

  test('is looked for anew when another one is lost, and the loss does not put the next look off', async () => {
    await lostSale();
    await world.clock.pass(2 * minutes);
    const second = await lostSale();
    await world.clock.pass(0.6 * minutes);
    expect(world.whatLeft()).toEqual(['look']);
    await world.clock.pass(40 * 60 * minutes);
    world.left.length = 0;
    const third = await lostSale();
    world.openPayments = [third, second].map(({ orderId }, index) => ({
      paymentId: `late ${index}`,
      orderId,
      isActive: true,
    }));
    await world.clock.pass(5 * minutes);
    expect(world.whatLeft()).toEqual(['look', 'cancel', 'cancel']);
  });

  test('is left for the next look when a sale begins while it is looked for', async () => {
    const sale = await lostSale();
    world.openPayments = [{ paymentId: 'late', orderId: sale.orderId, isActive: true }];
    const listed = Promise.withResolvers<null>();
    world.listWaitsFor = listed.promise;
    world.pollAnswers = Array.from(
      { length: 200 },
      () => ({ kind: 'seen', status: 'initiated', ...money }) as const,
    );
    await world.clock.pass(5 * minutes);
    world.commands.requestSale(money);
    listed.resolve(null);
    await world.clock.pass(2.5 * minutes);
    expect(world.whatLeft()).toEqual(['look', 'create', 'notPaid', 'cancel']);
    expect(storyOf(sale)).not.toContain('foundLate');
    await world.clock.pass(2.5 * minutes);
    expect(world.whatLeft().slice(4)).toEqual(['look', 'cancel']);
    expect(storyOf(sale).slice(-3)).toEqual(cancelledLate);
  });

  test('waits while a till waits', async () => {
    await lostSale();
    world.pollAnswers = Array.from(
      { length: 200 },
      () => ({ kind: 'seen', status: 'initiated', ...money }) as const,
    );
    await world.clock.pass(4 * minutes);
    world.commands.requestSale(money);
    await world.clock.pass(1.9 * minutes);
    expect(world.whatLeft()).toEqual(['create']);
    await world.clock.pass(0.5 * minutes);
    expect(world.whatLeft()).toEqual(['create', 'notPaid', 'cancel', 'look']);
  });

  test('is met when it blocks the next sale: it is cancelled by an intent on disk, and the sale goes on', async () => {
    const sale = await lostSale();
    world.openPayments = [{ paymentId, orderId: sale.orderId, isActive: true }];
    const answers = [{ kind: 'blocked' }, { kind: 'created', paymentId: 'the next' }] as const;
    let asked = 0;
    Object.defineProperty(world, 'createAnswer', { get: () => answers[asked++] });
    world.commands.requestSale(money);
    await settled();
    expect(world.whatLeft()).toEqual(['create', 'cancel', `clear ${paymentId}`, 'create']);
    expect(world.left.find(({ what }) => what.startsWith('clear'))?.onDisk.slice(-2)).toEqual([
      'ended',
      'foundLate',
    ]);
    expect(storyOf(sale).slice(-3)).toEqual(cancelledLate);
    expect(world.lane.snapshot().current?.payment).toMatchObject({
      kind: 'awaiting',
      paymentId: 'the next',
    });
  });

  test('is not touched while its intent cannot be written', async () => {
    const sale = await lostSale();
    await restart((fresh) => {
      fresh.openPayments = [{ paymentId, orderId: sale.orderId, isActive: true }];
      fresh.diskWorks = false;
    });
    expect(world.whatLeft()).toEqual([]);
    world.diskWorks = true;
    await world.clock.pass(1_000);
    expect(world.whatLeft()[0]).toBe('cancel');
    expect(storyOf(sale).slice(-3)).toEqual(cancelledLate);
  });

  test('is met at a start, also reserved; it is looked for once when it is not met', async () => {
    const sale = await lostSale();
    const other = await lostSale();
    await restart((fresh) => {
      fresh.openPayments = [{ paymentId, orderId: sale.orderId, isActive: false }];
    });
    expect(world.commands.readiness()).toBe('ready');
    expect(world.whatLeft()).toEqual(['cancel']);
    expect(storyOf(sale).slice(-3)).toEqual(cancelledLate);
    await world.clock.pass(9 * minutes);
    expect(world.whatLeft()).toEqual(['cancel', 'look']);
    world.openPayments = [{ paymentId: 'of the other', orderId: other.orderId, isActive: true }];
    await world.clock.pass(2 * minutes);
    expect(world.whatLeft()).toEqual(['cancel', 'look', 'look', 'cancel']);
    expect(storyOf(other).slice(-3)).toEqual(cancelledLate);
  });

  test('is met while it is still looked for: its look-up ends with what was met', async () => {
    world.createAnswer = noAnswer;
    const answer = world.commands.requestSale(money);
    if (!answer.accepted) throw new Error(answer.reason);
    await world.clock.pass(minutes);
    world.openPayments = [{ paymentId, orderId: answer.sale.orderId, isActive: true }];
    world.createAnswer = { kind: 'blocked' };
    world.commands.requestSale(money);
    await settled();
    expect(storyOf(answer.sale).slice(-2)).toEqual(['created', 'ended']);
  });
});

describe('what is not ours to claim', () => {
  test('is cleared as ever where it is active, and left alone where it is reserved or captured by us', async () => {
    world.pollAnswers = [reserved];
    const answer = world.commands.requestSale(money);
    if (!answer.accepted) throw new Error(answer.reason);
    await world.clock.pass(1_000);
    const before = storyOf(answer.sale);
    await restart((fresh) => {
      fresh.openPayments = [
        { paymentId: 'a stranger', orderId: 'of another device', isActive: true },
        { paymentId: 'a reserved stranger', orderId: 'of a third', isActive: false },
        { paymentId, orderId: answer.sale.orderId, isActive: false },
      ];
    });
    expect(world.whatLeft()).toEqual(['clear a stranger']);
    expect(storyOf(answer.sale)).toEqual(before);
  });

  test('a sale of another lane is that lane’s', async () => {
    const other = {
      ...(await lostSale()),
      saleId: 'of lane 2',
      orderId: 'order of lane 2',
      laneId: '2',
    };
    world.journal.append('2', other.saleId, [
      { type: 'saleRequested', sale: other },
      { type: 'ended', reason: 'timedOut' },
    ]);
    await restart((fresh) => {
      fresh.openPayments = [{ paymentId, orderId: other.orderId, isActive: false }];
    });
    expect(world.whatLeft()).toEqual([]);
    expect(storyOf(other)).toEqual(['saleRequested', 'ended']);
  });

  test('a sale that the service refused is not looked for', async () => {
    world.createAnswer = { kind: 'refused', reason: 'refusedByService', detail: '1102' };
    world.commands.requestSale(money);
    await world.clock.pass(24 * 60 * minutes);
    await restart();
    await world.clock.pass(24 * 60 * minutes);
    expect(world.whatLeft()).toEqual([]);
  });
});

test('a refund that arrives late is cancelled before it pays out by itself; one that has is shown', async () => {
  world.pollAnswers = [reserved];
  const answer = world.commands.requestSale(money);
  if (!answer.accepted) throw new Error(answer.reason);
  await world.clock.pass(1_000);
  const { receiptNumber } = answer.sale;
  for (const paidOut of [false, true]) {
    world.createRefundAnswer = noAnswer;
    world.lookUpRefundAnswer = { kind: 'none' };
    world.commands.requestRefund({ receiptNumber, amountMinor: 100, currency: 'DKK' });
    await world.clock.pass(2.5 * minutes);
    expect(world.journal.refundsOf(answer.sale.saleId).at(-1)).toMatchObject({
      kind: 'notRefunded',
      refundId: null,
    });
    world.left.length = 0;
    world.lookUpRefundAnswer = { kind: 'found', refundId };
    if (paidOut) {
      world.settleAnswer = { kind: 'refused', reason: 'other', code: '1352', detail: '1352' };
      world.refundPollAnswers = [{ kind: 'seen', status: 'captured' }];
    }
    await world.clock.pass(5.1 * minutes);
    expect(world.whatLeft()).toEqual(['lookUpRefund', 'cancelRefund']);
    expect(world.onDiskWhen('cancelRefund')?.slice(-2)).toEqual(['ended', 'foundLate']);
  }
  expect(world.journal.refundsOf(answer.sale.saleId).map(({ kind }) => kind)).toEqual([
    'notRefunded',
    'needsPerson',
  ]);
  expect(world.lane.snapshot().unsettled).toMatchObject([
    { kind: 'refund', problem: 'paidOutUnasked' },
  ]);
  expect(world.refundOutcomes).toHaveLength(2);
});

test('a lane that has closed looks for nothing any more', async () => {
  await lostSale();
  const look = Promise.withResolvers<null>();
  world.listWaitsFor = look.promise;
  await world.clock.pass(5 * minutes);
  expect(world.whatLeft()).toEqual(['look']);
  const closing = world.lane.close();
  look.resolve(null);
  await world.clock.pass(2_000);
  await closing;
  await world.clock.pass(24 * 60 * minutes);
  expect(world.whatLeft()).toEqual(['look']);
});

test('a lane that closes while a look is to come does not take it', async () => {
  await lostSale();
  const closing = world.lane.close();
  await world.clock.pass(24 * 60 * minutes);
  await closing;
  expect(world.whatLeft()).toEqual([]);
});
