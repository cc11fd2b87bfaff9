import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ClosingTold } from '../../../../main/core/domain/day.ts';
import { openJournalReader } from '../../../../main/core/journal/reader.ts';
import { money, reserved, World } from './support.ts';

const till = 'serial:/dev/ttyUSB0';
let world: World;

beforeEach(async () => {
  world = await new World().open();
});
afterEach(() => world.remove());

async function pay(amountMinor: number): Promise<number> {
  world.pollAnswers = [{ ...reserved, amountMinor }];
  const answer = world.commands.requestSale({ ...money, amountMinor });
  if (!answer.accepted) throw new Error(answer.reason);
  await world.clock.pass(1_000);
  return answer.sale.receiptNumber;
}
async function refund(receiptNumber: number, amountMinor: number): Promise<void> {
  world.refundPollAnswers = [{ kind: 'seen', status: 'reserved' }];
  expect(
    world.commands.requestRefund({ receiptNumber, amountMinor, currency: 'DKK' }),
  ).toMatchObject({ accepted: true });
  await world.clock.pass(1_000);
}
function close(): ClosingTold {
  const answer = world.commands.closeDay(till);
  if (!answer.closed) throw new Error(answer.reason);
  return answer.closing;
}
const byManager = {
  actionId: 'a3c70000-0000-4000-8000-000000000001',
  sale: { receiptNumber: 1 },
  amountMinor: 100,
  note: 'lid',
  name: 'Anna',
};
const dkk = (
  payments: [count: number, sumMinor: number],
  refunds: [count: number, sumMinor: number] = [0, 0],
) => [
  {
    currency: 'DKK',
    payments: { count: payments[0], sumMinor: payments[1] },
    refunds: { count: refunds[0], sumMinor: refunds[1] },
  },
];

test('a till closes its lane with a number; each payment and refund is in one closing, and the second in a row is empty', async () => {
  await pay(1_234);
  await refund(await pay(700), 100);
  expect(world.commands.dayTotals()).toMatchObject({
    figures: dkk([2, 1_934], [1, 100]),
    receipts: { first: 1, last: 3 },
    traceNumber: 3,
  });
  const first = close();
  expect(first).toMatchObject({
    number: 1,
    till,
    fromMs: 0,
    figures: dkk([2, 1_934], [1, 100]),
    receipts: { first: 1, last: 3 },
    unsettledCount: 0,
  });
  expect(world.commands.lastClosing()).toEqual(first);
  expect(world.commands.dayTotals()).toMatchObject({
    figures: [],
    receipts: null,
    fromMs: first.toMs,
  });
  await world.clock.pass(1_000);
  expect(close()).toMatchObject({ number: 2, fromMs: first.toMs, figures: [], receipts: null });
  await pay(50);
  expect(close()).toMatchObject({
    number: 3,
    figures: dkk([1, 50]),
    receipts: { first: 4, last: 4 },
  });
});

test('it is in the journal as a closing of its lane by the till', async () => {
  await pay(1_234);
  close();
  const reader = openJournalReader(join(world.folder, 'journal.sqlite'));
  expect(reader.closings()).toMatchObject([
    { number: 1, laneId: '1', manager: '', report: { till, receipts: { first: 1, last: 1 } } },
  ]);
  reader.close();
});

test('while a payment runs, or a manager’s refund, it is busy and nothing is written', async () => {
  world.pollAnswers = [reserved];
  world.commands.requestSale(money);
  await world.clock.pass(0);
  expect(world.commands.closeDay(till)).toEqual({ closed: false, reason: 'busy' });
  await world.clock.pass(1_000);
  world.refundPollAnswers = [{ kind: 'seen', status: 'reserved' }];
  expect(world.lane.refundByManager(byManager)).toMatchObject({ accepted: true });
  await world.clock.pass(0);
  expect(world.commands.readiness()).toBe('ready');
  expect(world.commands.closeDay(till)).toEqual({ closed: false, reason: 'busy' });
  await world.clock.pass(1_000);
  expect(close()).toMatchObject({ figures: dkk([1, 1_234], [1, 100]) });
});

test('what the service has not confirmed, and that it is away, do not keep the day open', async () => {
  world.settleAnswer = { kind: 'unknown', detail: 'no answer' };
  await pay(5_000);
  world.serviceSays({ awaySinceMs: world.clock.wallMs() });
  expect(world.commands.readiness()).toBe('notReady');
  expect(close()).toMatchObject({
    number: 1,
    figures: dkk([1, 5_000]),
    unsettledCount: 1,
    reservations: [],
  });
});

test('a clock that was set back does not keep it open', async () => {
  const { clock } = world;
  const first = close();
  const wallMs = clock.wallMs.bind(clock);
  clock.wallMs = () => wallMs() - 3_600_000;
  await pay(700);
  expect(close()).toMatchObject({
    number: 2,
    fromMs: first.toMs,
    toMs: first.toMs + 1,
    figures: dkk([1, 700]),
  });
});

test('on a full disk it is refused, and the day is as it was', async () => {
  await pay(1_234);
  world.diskWorks = false;
  expect(world.commands.closeDay(till)).toEqual({ closed: false, reason: 'storageFailed' });
  world.diskWorks = true;
  expect(close()).toMatchObject({ number: 1, figures: dkk([1, 1_234]) });
});

test('a reservation that is held stays so, is named by its receipt, and counts in the closing after its capture', async () => {
  world.remove();
  world = await new World(undefined, { plannedCaptureDelay: 'LessThan24Hours' }).open();
  world.pollAnswers = [
    {
      ...reserved,
      expiresAtMs: world.clock.wallMs() + 7 * 86_400_000,
      partialCapturePossible: true,
    },
  ];
  expect(world.commands.requestSale({ ...money, reserve: true })).toMatchObject({ accepted: true });
  await world.clock.pass(2_000);
  expect(close()).toMatchObject({
    figures: [],
    reservations: [{ receiptNumber: 1, amountMinor: 1_234, currency: 'DKK' }],
    unsettledCount: 0,
  });
  const answer = world.commands.requestBooking({
    receiptNumber: 1,
    traceNumber: null,
    what: { kind: 'used', amountMinor: 1_000 },
    currency: 'DKK',
  });
  if (!answer.accepted) throw new Error(answer.reason);
  expect(world.commands.closeDay(till)).toEqual({ closed: false, reason: 'busy' });
  expect(world.commands.endBooking(answer.booking, true)).toBe('booked');
  await world.clock.pass(1_000);
  expect(close()).toMatchObject({
    figures: dkk([1, 1_000]),
    reservations: [],
    receipts: { first: 2, last: 2 },
  });
});

test('what a restart finds undecided while the service is away does not keep it open', async () => {
  await pay(1_234);
  world.pollAnswers = [];
  world.refundPollAnswers = [];
  expect(world.lane.refundByManager(byManager)).toMatchObject({ accepted: true });
  await world.clock.pass(0);
  const { folder } = world;
  world.close();
  world = new World(folder);
  world.openAnswer = { kind: 'unreachable', detail: 'no answer' };
  void world.lane.start();
  await world.clock.pass(10);
  expect(world.lane.isUndecided).toBe(true);
  expect(close()).toMatchObject({ number: 1, figures: dkk([1, 1_234]), unsettledCount: 1 });
  world.openAnswer = { kind: 'open', posId: '905e0000-0000-4000-8000-000000000001', qr: 'qr' };
  world.refundPollAnswers = [{ kind: 'seen', status: 'reserved' }];
  await world.clock.pass(60_000);
  expect(world.lane.isUndecided).toBe(false);
  expect(close()).toMatchObject({ number: 2, figures: [], unsettledCount: 0 });
});

test('receipts are found by their numbers: payments, refunds and what became of reservations; the latest of a number', async () => {
  world.remove();
  world = await new World(undefined, { plannedCaptureDelay: 'LessThan24Hours' }).open();
  await pay(1_234);
  world.pollAnswers = [{ ...reserved, status: 'cancelledByUser' }];
  world.commands.requestSale(money);
  await world.clock.pass(1_000);
  await refund(1, 100);
  world.pollAnswers = [
    {
      ...reserved,
      expiresAtMs: world.clock.wallMs() + 7 * 86_400_000,
      partialCapturePossible: true,
    },
  ];
  world.commands.requestSale({ ...money, reserve: true });
  await world.clock.pass(2_000);
  const answer = world.commands.requestBooking({
    receiptNumber: 4,
    traceNumber: null,
    what: { kind: 'used', amountMinor: 1_000 },
    currency: 'DKK',
  });
  if (!answer.accepted) throw new Error(answer.reason);
  world.commands.endBooking(answer.booking, true);
  await world.clock.pass(1_000);
  world.pollAnswers = [{ ...reserved, amountMinor: 50 }];
  world.lane.payByHand({
    actionId: 'ac700000-0000-4000-8000-000000000009',
    amountMinor: 50,
    orderText: null,
    reserve: false,
  });
  await world.clock.pass(2_000);
  await world.clock.pass(60_000);
  expect(world.journal.newestSales('1', 1)[0]?.sale).toMatchObject({
    receiptNumber: 6,
    by: 'cashier',
  });
  expect(world.commands.finishedBetween(1, 6)).toMatchObject([
    { sale: { receiptNumber: 1 }, outcome: { paid: true } },
    { sale: { receiptNumber: 2 }, outcome: { paid: false } },
    { refund: { receiptNumber: 3, amountMinor: 100 }, outcome: { refunded: true } },
    { booking: { receiptNumber: 5, amountMinor: 1_000 } },
  ]);
  expect(world.commands.finishedBetween(3, 3)).toMatchObject([{ refund: { receiptNumber: 3 } }]);
  expect(world.commands.finishedBetween(7, 9_999)).toEqual([]);
});

test('a payment and a refund that are undecided during a closing are counted by the one after their decision, once', async () => {
  await pay(1_234);
  world.refundPollAnswers = [{ kind: 'seen', status: 'reserved' }];
  world.lane.refundByManager(byManager);
  world.pollAnswers = [{ ...reserved, amountMinor: 700 }];
  world.commands.requestSale({ ...money, amountMinor: 700 });
  await world.clock.pass(0);
  expect(world.dayBook.close('1', till)).toMatchObject({
    number: 1,
    figures: dkk([1, 1_234]),
    unsettledCount: 2,
  });
  await world.clock.pass(0);
  expect(world.dayBook.close('1', till)).toMatchObject({ number: 2, figures: [] });
  await world.clock.pass(2_000);
  expect(close()).toMatchObject({ number: 3, figures: dkk([1, 700], [1, 100]), unsettledCount: 0 });
  expect(close()).toMatchObject({ number: 4, figures: [] });
});
