import { managerRefundId, screenPaymentId } from '../../../../main/core/domain/ids.ts';
import { describe, expect, test } from 'vitest';
import { DayColumn } from '../../../../preload/procedures/day.ts';
import type { InputOf } from '../../../../preload/procedures.ts';
import { money, reserved } from '../../core/lane/support.ts';
import {
  actionId,
  ask,
  dayMs,
  openManagerWorld,
  pay,
  refund,
  refunded,
  refuse,
  saleId,
  shop,
  value,
  world,
} from './manager-world.ts';

openManagerWorld();

describe('a manager', () => {
  test('finds a payment by each thing that is known of it', async () => {
    const other = await pay(5_000);
    const { sales } = await value('findSales', {});
    expect(sales.map((sale) => sale.saleId)).toEqual([other, saleId]);
    const [newest] = sales;
    if (newest === undefined) throw new Error('none');
    expect(newest).toMatchObject({
      laneId: '1',
      amountMinor: 5_000,
      currency: 'DKK',
      state: 'paid',
      receiptNumber: 2,
      refundedMinor: 0,
    });
    const only = async (search: InputOf<'findSales'>): Promise<string[]> =>
      (await value('findSales', search)).sales.map((sale) => sale.saleId);
    for (const asked of [
      { amountMinor: 5_000 },
      { receiptNumber: 2 },
      { orderIdEnding: newest.orderId },
      { orderIdBeginning: newest.orderId.slice(0, -8) },
      { saleId: other },
      { fromMs: newest.atMs },
      { paymentIdEnding: (newest.paymentId as string).slice(-6), amountMinor: 5_000 },
    ])
      expect(await only(asked)).toEqual([other]);
    expect(await only({ toMs: newest.atMs })).toEqual([saleId]);
    expect(await only({ laneId: '2' })).toEqual([]);
    expect(await ask('findSales', { paymentIdEnding: 'xyz' })).toMatchObject({
      ok: false,
      code: 'invalid',
      field: 'paymentIdEnding',
    });
    expect(await ask('findSales', { orderIdEnding: 'a1e' })).toMatchObject({
      ok: false,
      code: 'invalid',
      field: 'orderIdEnding',
    });
    expect(await ask('findSales', { refundOrderIdEnding: 'a1e' })).toMatchObject({
      ok: false,
      code: 'invalid',
      field: 'refundOrderIdEnding',
    });
    expect(await ask('findSales', { orderIdBeginning: '1-' })).toMatchObject({
      ok: false,
      code: 'invalid',
      field: 'orderIdBeginning',
    });
    expect(await ask('findSales', { receiptNumber: 10_000 })).toMatchObject({
      ok: false,
      code: 'invalid',
      field: 'receiptNumber',
    });
  });

  test('reads a payment’s whole story, and what is left of it', async () => {
    await refunded();
    const story = await value('saleStory', { saleId });
    expect(story).toMatchObject({
      by: 'till',
      laneName: 'Check-out 1',
      shop,
      reason: null,
      leftMinor: 1_000,
      notRefundable: null,
    });
    expect(story.sale).toMatchObject({ saleId, refundedMinor: 234, state: 'paid' });
    expect(story.refunds).toMatchObject([
      {
        refundOrderId: managerRefundId(actionId),
        amountMinor: 234,
        state: 'refunded',
        by: 'Anna',
        note: 'broken lid',
        canCancel: false,
      },
    ]);
    expect(story.story.map(({ event }) => event)).toEqual([
      'saleRequested',
      'created',
      'captureIntended',
      'tillAcknowledged',
      'captured',
      'refundRequested',
      'created',
      'captureIntended',
      'captured',
    ]);
    expect(await ask('saleStory', { saleId: actionId })).toMatchObject({
      ok: false,
      code: 'notFound',
    });
  });

  test('reads which till asked for a payment and for a refund of it, in its story and in the list', async () => {
    const from = '192.168.1.40:50122';
    world.pollAnswers = [reserved];
    const sold = world.commands.requestSale({ ...money, from });
    if (!sold.accepted) throw new Error(sold.reason);
    await world.clock.pass(1_000);
    const { saleId: soldId, receiptNumber } = sold.sale;
    await refunded({ saleId: soldId, amountMinor: 34 });
    world.refundPollAnswers = [{ kind: 'seen', status: 'reserved' }];
    expect(
      world.commands.requestRefund({ receiptNumber, amountMinor: 200, currency: 'DKK', from }),
    ).toMatchObject({ accepted: true });
    await world.clock.pass(1_000);
    const story = await value('saleStory', { saleId: soldId });
    expect(story).toMatchObject({
      by: 'till',
      from,
      sale: { refundedMinor: 234, refundedAtTillMinor: 200 },
    });
    expect(story.refunds).toMatchObject([
      { amountMinor: 34, by: 'Anna', from: null },
      { amountMinor: 200, by: null, from },
    ]);
    expect((await value('findSales', { saleId: soldId })).sales).toMatchObject([
      { refundedMinor: 234, refundedAtTillMinor: 200 },
    ]);
    expect(await value('saleStory', { saleId })).toMatchObject({ by: 'till', from: null });
  });

  test('sees whose refund is still open, and finds it so in the closing', async () => {
    world.settleAnswer = { kind: 'unknown', detail: 'no route' };
    world.refundPollAnswers = [{ kind: 'seen', status: 'reserved' }];
    expect(
      world.commands.requestRefund({ receiptNumber: 1, amountMinor: 200, currency: 'DKK' }),
    ).toMatchObject({ accepted: true });
    await world.clock.pass(1_000);
    expect((await value('day', { day: null, laneId: null })).open).toMatchObject([
      { kind: 'refund', byTill: true },
    ]);
    const { number } = await value('closeDay', { laneId: null });
    expect((await value('closing', { number })).open).toMatchObject([
      { kind: 'refund', byTill: true },
    ]);
  });

  test('reads of a payment by hand that the cashier asked for it', async () => {
    world.pollAnswers = [reserved];
    expect(
      world.lane.payByHand({ actionId, amountMinor: money.amountMinor, orderText: null }),
    ).toMatchObject({ accepted: true });
    await world.clock.pass(2_000);
    expect(await value('saleStory', { saleId: screenPaymentId(actionId) })).toMatchObject({
      by: 'cashier',
      sale: { state: 'paid' },
    });
  });

  test('sees which payment setup made as a test, in the list, its story, the day, its closing and their files', async () => {
    world.pollAnswers = [{ ...reserved, amountMinor: 100 }];
    expect(
      world.lane.payByHand({ actionId, amountMinor: 100, orderText: null, isTest: true }),
    ).toMatchObject({ accepted: true });
    await world.clock.pass(2_000);
    const tried = screenPaymentId(actionId);
    const { sales } = await value('findSales', {});
    expect(sales.filter(({ isTest }) => isTest).map((sale) => sale.saleId)).toEqual([tried]);
    expect((await value('saleStory', { saleId: tried })).sale).toMatchObject({
      isTest: true,
      amountMinor: 100,
    });
    expect((await value('saleStory', { saleId })).sale).not.toHaveProperty('isTest');
    const none = { count: 0, sumMinor: 0 };
    const lanes = [
      {
        payments: { count: 2, sumMinor: 1_334 },
        tests: { payments: { count: 1, sumMinor: 100 }, refunds: none },
      },
    ];
    expect(await value('day', { day: null, laneId: null })).toMatchObject({ lanes });
    expect(await value('closeDay', { laneId: '1' })).toMatchObject({ lanes });
    const { number } = await value('closeDay', { laneId: null });
    expect(await value('closing', { number })).toMatchObject({ lanes });
    const columns = Object.fromEntries(
      DayColumn.options.map((column) => [column, column]),
    ) as Record<DayColumn, string>;
    const { fileId } = await value('dayExport', {
      of: { number },
      csv: { separator: ';', decimal: ',' },
      words: { name: 'Day', columns },
    });
    const { base64 } = await value('filePart', { fileId, part: 0 });
    expect(Buffer.from(base64, 'base64').toString('utf8')).toContain(
      '"DKK";"2";13,34;"0";0,00;13,34;"1";1,00;0,00;"1"',
    );
    await world.clock.pass(1);
    await pay(700);
    expect((await value('closeDay', { laneId: null })).lanes).toEqual([
      expect.not.objectContaining({ tests: expect.anything() }),
    ]);
  });

  test('reads why a payment was not paid, and refunds nothing of it', async () => {
    const refused = await refuse();
    expect(await value('saleStory', { saleId: refused })).toMatchObject({
      reason: 'cancelledByCustomer',
      leftMinor: 0,
      notRefundable: 'notPaid',
    });
    expect(await refund({ saleId: refused })).toMatchObject({ ok: false, code: 'notPaid' });
  });

  test('never refunds more than is left: the field, and how much it is', async () => {
    expect(await refund({ amountMinor: 1_235 })).toMatchObject({
      ok: false,
      code: 'amountTooHigh',
      field: 'amountMinor',
      facts: { leftMinor: 1_234, currency: 'DKK' },
    });
    await refunded();
    expect(
      await refund({ actionId: actionId.replace('a3', 'a4'), amountMinor: 1_001 }),
    ).toMatchObject({ code: 'amountTooHigh', facts: { leftMinor: 1_000 } });
    await refunded({ actionId: actionId.replace('a3', 'a5'), amountMinor: 1_000 });
    expect(await refund({ actionId: actionId.replace('a3', 'a6'), amountMinor: 1 })).toMatchObject({
      code: 'allRefunded',
    });
    expect(world.whatLeft().filter((what) => what === 'createRefund')).toHaveLength(2);
  });

  test('one action is one refund, however often it arrives; for something else it is refused', async () => {
    await refunded({ amountMinor: 1_234 });
    expect(await refund({ amountMinor: 1_234 })).toMatchObject({
      ok: true,
      value: { refundOrderId: managerRefundId(actionId) },
    });
    expect(await refund({ amountMinor: 1 })).toMatchObject({ ok: false, code: 'actionUsed' });
    const other = await pay(1_234);
    expect(await refund({ saleId: other, amountMinor: 1_234 })).toMatchObject({
      ok: false,
      code: 'actionUsed',
    });
    // As after a restart: the lost answer can be given without a lane.
    await world.lane.close();
    expect(await refund({ amountMinor: 1_234 })).toMatchObject({
      ok: true,
      value: { refundOrderId: managerRefundId(actionId) },
    });
    expect(world.whatLeft().filter((what) => what === 'createRefund')).toHaveLength(1);
  });

  test('cancels a refund that is not decided, and is told when it is too late', async () => {
    world.refundPollAnswers = [{ kind: 'seen', status: 'initiated' }];
    await refund();
    await world.clock.pass(0);
    const cancel = () =>
      ask('cancelRefund', { laneId: '1', refundOrderId: managerRefundId(actionId) });
    expect((await value('saleStory', { saleId })).refunds).toMatchObject([
      { state: 'open', canCancel: true },
    ]);
    expect(await cancel()).toMatchObject({ ok: true });
    await world.clock.pass(2_000);
    expect((await value('saleStory', { saleId })).refunds).toMatchObject([
      { state: 'notRefunded', reason: 'cancelledByManager', canCancel: false },
    ]);
    expect(await cancel()).toMatchObject({ ok: false, code: 'notFound' });
  });

  test('reads of a refund that is not settled neither that it is given back, nor that it can be refunded once more', async () => {
    world.refundPollAnswers = [{ kind: 'seen', status: 'initiated' }];
    await refund({ amountMinor: 1_234 });
    await world.clock.pass(0);
    const unsettled = {
      sale: { refundedMinor: 0 },
      leftMinor: 0,
      openMinor: 1_234,
      notRefundable: 'refundOpen',
      askAgainMinutes: 1,
    };
    expect(await value('saleStory', { saleId })).toMatchObject(unsettled);
    world.settleAnswer = { kind: 'unknown', detail: 'no answer' };
    await ask('cancelRefund', { laneId: '1', refundOrderId: managerRefundId(actionId) });
    await world.clock.pass(2_000);
    expect(await value('saleStory', { saleId })).toMatchObject({
      ...unsettled,
      refunds: [{ state: 'cancelling' }],
    });
    expect((await value('findSales', { saleId })).sales).toMatchObject([{ refundedMinor: 0 }]);
    expect(await refund({ actionId: actionId.replace('a3', 'a4'), amountMinor: 1 })).toMatchObject({
      ok: false,
      code: 'refundOpen',
      facts: { openMinor: 1_234, askAgainMinutes: 1 },
    });
    world.settleAnswer = { kind: 'done' };
    await world.clock.pass(60_000);
    expect(await value('saleStory', { saleId })).toMatchObject({
      leftMinor: 1_234,
      notRefundable: null,
      openMinor: 0,
      askAgainMinutes: null,
    });
  });

  test('is refused more than is certainly left with when to ask again, as long as the rest is in a refund that is not settled', async () => {
    world.refundPollAnswers = [{ kind: 'seen', status: 'initiated' }];
    await refund({ amountMinor: 1_000 });
    await world.clock.pass(0);
    expect(await value('saleStory', { saleId })).toMatchObject({
      leftMinor: 234,
      notRefundable: null,
    });
    const another = actionId.replace('a3', 'a4');
    expect(await refund({ actionId: another, amountMinor: 235 })).toMatchObject({
      code: 'refundOpen',
      facts: { openMinor: 1_000, askAgainMinutes: 1 },
    });
    expect(await refund({ actionId: another, amountMinor: 1_235 })).toMatchObject({
      code: 'amountTooHigh',
      facts: { leftMinor: 234 },
    });
    expect(await refund({ actionId: another, amountMinor: 234 })).toMatchObject({ ok: true });
  });

  test('reads of a payment whose end is not confirmed, or against what was decided, not that no money was taken', async () => {
    world.pollAnswers = [];
    world.settleAnswer = { kind: 'refused', reason: 'other', code: '1300', detail: '1300' };
    const answer = world.commands.requestSale(money);
    if (!answer.accepted) throw new Error(answer.reason);
    const open = answer.sale.saleId;
    await world.clock.pass(0);
    expect(await value('saleStory', { saleId: open })).toMatchObject({
      sale: { state: 'open' },
      notRefundable: 'paymentOpen',
    });
    world.commands.tillLost(open);
    await world.clock.pass(0);
    expect(await value('saleStory', { saleId: open })).toMatchObject({
      sale: { state: 'cancelling' },
      notRefundable: 'paymentOpen',
    });
    // The poll that was given up takes one of these answers.
    world.pollAnswers.push(
      { ...reserved, status: 'captured' },
      { ...reserved, status: 'captured' },
    );
    await world.clock.pass(5_000);
    expect(await value('saleStory', { saleId: open })).toMatchObject({
      sale: { state: 'needsPerson' },
      notRefundable: 'paymentOpen',
      reason: 'unclear',
    });
    expect(await refund({ saleId: open })).toMatchObject({ ok: false, code: 'paymentOpen' });
  });

  test('is told that a payment is too old, or that its lane is not ready', async () => {
    await world.clock.pass(90 * dayMs - 1_000);
    expect(await value('saleStory', { saleId })).toMatchObject({ notRefundable: null });
    await world.clock.pass(1_001);
    expect(await value('saleStory', { saleId })).toMatchObject({
      notRefundable: 'tooOld',
      refundDays: 90,
      leftMinor: 1_234,
    });
    expect(await refund()).toMatchObject({ ok: false, code: 'tooOld' });
    const young = await pay(100);
    await world.lane.close();
    expect(await value('saleStory', { saleId: young })).toMatchObject({
      notRefundable: 'laneNotReady',
    });
    expect(await refund({ saleId: young, amountMinor: 1 })).toMatchObject({
      ok: false,
      code: 'laneNotReady',
    });
  });

  test.each([
    ['amountMinor', { amountMinor: 0 }],
    ['amountMinor', { amountMinor: 1.5 }],
    ['note', { note: ' ' }],
    ['note', { note: 'x'.repeat(201) }],
  ])('is told which field breaks which rule: %s %j', async (field, about) => {
    expect(await refund(about)).toMatchObject({ ok: false, code: 'invalid', field });
    expect(world.whatLeft()).not.toContain('createRefund');
  });
});
