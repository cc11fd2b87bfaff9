import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { screenPaymentId } from '../../../../main/core/domain/ids.ts';
import { isOrderText, type PaymentByHand } from '../../../../main/core/lane/by-hand.ts';
import type { PaymentEvent, Sale } from '../../../../main/core/settlement/payment.ts';
import { maxOrderTextLength } from '../../../../main/core/domain/service-text.ts';
import { counterProcedures } from '../../../../preload/procedures/counter.ts';
import { settled } from '../../support/manual-clock.ts';
import { money, reserved, World } from './support.ts';

let world: World;
beforeEach(async () => {
  world = await new World().open();
});
afterEach(() => world.remove());

const actionId = 'ac700000-0000-4000-8000-000000000001';
const ownId = screenPaymentId(actionId);
const byHand = (about: Partial<PaymentByHand> = {}): PaymentByHand => ({
  actionId,
  amountMinor: 1234,
  orderText: null,
  ...about,
});
const eventsOf = (saleId: string): string[] =>
  world.journal.story(saleId).map(({ event }) => event.type);

describe('a payment by hand', () => {
  test('goes the way of every other, and no till hears of it', async () => {
    world.pollAnswers = [reserved];
    expect(world.lane.payByHand(byHand())).toMatchObject({
      accepted: true,
      sale: { saleId: ownId, amountMinor: 1234, currency: 'DKK' },
    });
    await settled();
    expect(world.lane.snapshot().current?.payment).toMatchObject({
      kind: 'awaiting',
      sale: { by: 'cashier' },
    });
    await world.clock.pass(2_000);
    expect(world.whatLeft()).toEqual(['create', 'capture']);
    expect(world.onDiskWhen('capture')?.slice(-2)).toEqual(['captureIntended', 'tillAcknowledged']);
    expect(eventsOf(ownId).at(-1)).toBe('captured');
    expect(world.outcomes).toEqual([]);
    expect(world.lane.snapshot().result).toMatchObject({
      saleId: ownId,
      by: 'cashier',
      outcome: { paid: true },
    });
  });

  test('is one payment however often its action arrives: before its answer, after it, and after a restart', async () => {
    world.pollAnswers = [reserved];
    const first = world.lane.payByHand(byHand());
    expect(world.lane.payByHand(byHand())).toEqual(first);
    await world.clock.pass(2_000);
    expect(world.lane.payByHand(byHand())).toEqual(first);
    world.close();
    world = await new World(world.folder).open();
    expect(world.lane.payByHand(byHand())).toEqual(first);
    expect(world.whatLeft()).toEqual([]);
    expect(world.lane.snapshot().recent).toHaveLength(1);
  });

  test('of setup is known as a test, also after a restart, and is no cashier’s payment', async () => {
    world.pollAnswers = [reserved];
    const first = world.lane.payByHand(byHand({ isTest: true }));
    expect(first).toMatchObject({ accepted: true, sale: { isTest: true } });
    await world.clock.pass(2_000);
    expect(world.lane.snapshot()).toMatchObject({
      result: { isTest: true },
      recent: [{ isTest: true }],
    });
    expect(world.lane.payByHand(byHand())).toEqual({ accepted: false, reason: 'actionUsed' });
    world.close();
    world = await new World(world.folder).open();
    expect(world.lane.payByHand(byHand({ isTest: true }))).toEqual(first);
    expect(world.lane.snapshot()).toMatchObject({ recent: [{ isTest: true }] });
    // A till that refunds it prints that it was a test.
    expect(
      world.commands.requestRefund({ receiptNumber: 1, amountMinor: null, currency: 'DKK' }),
    ).toMatchObject({ accepted: true, refund: { isTest: true } });
  });

  test('cannot be marked as a test by a page', () => {
    expect(
      counterProcedures.payByHand.input.parse({ laneId: '1', ...byHand({ isTest: true }) }),
    ).not.toHaveProperty('isTest');
  });

  test('whose action was for another amount is refused', () => {
    expect(world.lane.payByHand(byHand())).toMatchObject({ accepted: true });
    expect(world.lane.payByHand(byHand({ amountMinor: 99 }))).toEqual({
      accepted: false,
      reason: 'actionUsed',
    });
  });

  test('has nothing to do with a till’s sale, whatever id the page chooses', async () => {
    const answer = world.commands.requestSale(money);
    if (!answer.accepted) throw new Error(answer.reason);
    const { saleId } = answer.sale;
    expect(world.lane.payByHand(byHand({ actionId: saleId, ...money }))).toEqual({
      accepted: false,
      reason: 'busy',
    });
    world.commands.tillLost(saleId);
    await world.clock.pass(2_000);
    expect(world.lane.payByHand(byHand({ actionId: saleId }))).toMatchObject({
      accepted: true,
      sale: { saleId: screenPaymentId(saleId) },
    });
    expect(world.lane.tillRequests.payment(saleId)?.sale.by).toBe('till');
  });

  test('of an earlier version, which an update interrupted, is the same payment when its page asks again', async () => {
    const answer = world.lane.payByHand(byHand());
    if (!answer.accepted) throw new Error(answer.reason);
    const { saleId: _new, ...sale } = answer.sale as Sale;
    const old = 'ac700000-0000-4000-8000-000000000002';
    world.lane.cancelByCashier(ownId);
    await world.clock.pass(2_000);
    const before = { ...sale, saleId: old, orderId: 'old', receiptNumber: 2 };
    world.journal.append('1', old, [
      { type: 'saleRequested', sale: before },
      { type: 'cancelIntended', reason: 'interrupted' },
    ]);
    const again = byHand({ actionId: old });
    expect(world.lane.payByHand(again)).toMatchObject({ accepted: true, sale: { saleId: old } });
    expect(world.lane.payByHand({ ...again, amountMinor: 99 })).toEqual({
      accepted: false,
      reason: 'actionUsed',
    });
  });

  test('carries what the cashier typed in its order id, at most 36 characters of it', () => {
    const answer = world.lane.payByHand(
      byHand({ orderText: ' Ørsted 12345 & sønner '.trim().slice(0, 20) }),
    );
    if (!answer.accepted) throw new Error(answer.reason);
    expect(answer.sale.orderId).toBe('Ørsted 12345 & sønne-000001-' + ownId.slice(0, 8));
    expect(answer.sale.orderId).toHaveLength(36);
  });

  test('may have as much text as the screen lets the cashier type', () => {
    expect(isOrderText('x'.repeat(maxOrderTextLength))).toBe(true);
    expect(isOrderText('x'.repeat(maxOrderTextLength + 1))).toBe(false);
  });

  test('without a text has the lane’s order id', () => {
    for (const orderText of [null, '', '  ']) {
      const answer = world.lane.payByHand(byHand({ actionId: crypto.randomUUID(), orderText }));
      if (!answer.accepted) throw new Error(answer.reason);
      expect(answer.sale.orderId).toMatch(/^1-\d{6}-[0-9a-f]{8}$/);
      world.commands.tillLost(answer.sale.saleId);
    }
  });

  test.each(['123456789012345678901', 'emoji 🙂', 'Ω', 'tab\there'])(
    'with the order text %s is refused: the service takes no such id',
    (orderText) => {
      expect(world.lane.payByHand(byHand({ orderText }))).toEqual({
        accepted: false,
        reason: 'orderText',
      });
      expect(world.left).toEqual([]);
    },
  );

  test('is refused while the lane has something else to do, or cannot', async () => {
    world.commands.requestSale(money);
    expect(world.lane.payByHand(byHand())).toEqual({ accepted: false, reason: 'busy' });
    const closed = new World();
    closed.openAnswer = { kind: 'unreachable', detail: '' };
    void closed.open();
    await settled();
    expect(closed.lane.payByHand(byHand())).toEqual({ accepted: false, reason: 'notReady' });
    closed.remove();
  });

  test('of no amount, of too much, or that cannot be stored is refused', () => {
    expect(world.lane.payByHand(byHand({ amountMinor: 0 }))).toEqual({
      accepted: false,
      reason: 'amountTooSmall',
    });
    expect(world.lane.payByHand(byHand({ amountMinor: 1_000_000_000_000 }))).toEqual({
      accepted: false,
      reason: 'amountTooHigh',
    });
    world.diskWorks = false;
    expect(world.lane.payByHand(byHand())).toEqual({ accepted: false, reason: 'storageFailed' });
    expect(world.left).toEqual([]);
  });
});

describe('the till, meanwhile and afterwards', () => {
  test('is busy while a payment by hand is under way', () => {
    world.lane.payByHand(byHand());
    expect(world.commands.readiness()).toBe('busy');
    expect(world.commands.requestSale(money)).toEqual({ accepted: false, reason: 'busy' });
    expect(
      world.commands.requestRefund({ receiptNumber: 1, amountMinor: null, currency: 'DKK' }),
    ).toEqual({ accepted: false, reason: 'busy' });
  });

  test('repeats its own last receipt, never that of a payment by hand', async () => {
    world.pollAnswers = [reserved, reserved];
    const own = world.commands.requestSale(money);
    if (!own.accepted) throw new Error(own.reason);
    await world.clock.pass(2_000);
    world.lane.payByHand(byHand({ amountMinor: 1234 }));
    await world.clock.pass(2_000);
    expect(world.lane.snapshot().recent.map(({ by, outcome }) => [by, outcome.paid])).toEqual([
      ['cashier', true],
      ['till', true],
    ]); // prettier-ignore
    expect(world.commands.lastFinished()).toMatchObject({
      sale: { saleId: own.sale.saleId, receiptNumber: 1 },
    });
  });

  test('that never asked for anything has no last receipt', async () => {
    world.pollAnswers = [reserved];
    world.lane.payByHand(byHand());
    await world.clock.pass(2_000);
    expect(world.commands.lastFinished()).toBeNull();
  });
});

describe('after a restart', () => {
  test('a payment by hand that was not taken over is cancelled, and shown as that', async () => {
    world.lane.payByHand(byHand());
    await settled();
    world.close();
    world = await new World(world.folder).open();
    expect(world.whatLeft()).toEqual(['cancel']);
    expect(world.lane.snapshot()).toMatchObject({
      result: { by: 'cashier', outcome: { paid: false, reason: 'interrupted' } },
    });
  });

  test('one that was reserved and taken over is captured', async () => {
    world.lane.payByHand(byHand());
    await settled();
    const events: PaymentEvent[] = [{ type: 'captureIntended' }, { type: 'tillAcknowledged' }];
    world.journal.append('1', ownId, events);
    world.close();
    world = await new World(world.folder).open();
    expect(world.whatLeft()).toEqual(['capture']);
  });

  test('a sale of an earlier version, which says nothing of who asked, is a till’s', async () => {
    world.pollAnswers = [reserved];
    world.commands.requestSale(money);
    await world.clock.pass(2_000);
    const saleId = world.lane.snapshot().recent[0]?.saleId ?? '';
    const [asked] = world.journal.story(saleId).map(({ event }) => event as PaymentEvent);
    if (asked?.type !== 'saleRequested') throw new Error('no request');
    const { by: _, ...before } = asked.sale;
    const old = { ...before, saleId: actionId, orderId: 'old', receiptNumber: 2 };
    world.journal.append('1', actionId, [
      { type: 'saleRequested', sale: old },
      { type: 'cancelIntended', reason: 'interrupted' },
    ]);
    world.close();
    world = await new World(world.folder).open();
    expect(world.lane.snapshot().recent[0]).toMatchObject({ saleId: actionId, by: 'till' });
    expect(world.commands.lastFinished()).toMatchObject({ sale: { saleId: actionId } });
  });
});
