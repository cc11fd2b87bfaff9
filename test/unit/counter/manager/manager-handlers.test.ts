import { join } from 'node:path';
import { managerRefundId, screenPaymentId, systemIds } from '../../../../main/core/domain/ids.ts';
import { DownloadStore } from '../../../../main/counter/server/download-store.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type JournalReader, openJournalReader } from '../../../../main/core/journal/reader.ts';
import { dayHandlers } from '../../../../main/counter/manager/day/day.ts';
import { pointOfSaleCapabilities } from '../../../../main/wallets/v10/point-of-sale/point-of-sale-capabilities.ts';
import { refundHandlers } from '../../../../main/counter/manager/refunds/refunds.ts';
import { reservationHandlers } from '../../../../main/counter/manager/reservations/reservations.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { Router } from '../../../../main/counter/server/router.ts';
import { DayColumn } from '../../../../preload/procedures/day.ts';
import type { AnswerTo, InputOf, ProcedureName } from '../../../../preload/procedures.ts';
import { money, reserved, World } from '../../core/lane/support.ts';

const shop = {
  name: 'Hansens Købmand',
  address: 'Nørregade 12, 1165 København K',
  vat: 'DK12345678',
};

const anna = { manager: { managerId: '3d500000-0000-4000-8000-000000000001', name: 'Anna' } };
const actionId = 'a3c70000-0000-4000-8000-000000000001';
const dayMs = 24 * 60 * 60 * 1_000;

let world: World;
let reader: JournalReader;
let saleId: string;
let isTimeKnown: boolean;
let downloads: DownloadStore | null;

async function open(): Promise<void> {
  await world.open();
  reader = openJournalReader(join(world.folder, 'journal.sqlite'));
}
beforeEach(async () => {
  isTimeKnown = true;
  downloads = null;
  world = new World();
  await open();
  saleId = await pay();
});
afterEach(() => {
  reader.close();
  world.remove();
});

async function ask<Name extends ProcedureName>(
  name: Name,
  asked: InputOf<Name>,
): Promise<AnswerTo<Name>> {
  const lanes = () => [world.lane];
  const { clock, journal } = world;
  const files = (downloads ??= new DownloadStore({ clock, ids: systemIds }));
  const handlers = {
    ...refundHandlers({
      reader: () => reader,
      lanes,
      service: () => null,
      shop: () => shop,
      capabilities: () => pointOfSaleCapabilities,
      clock,
    }),
    ...dayHandlers({
      reader: () => reader,
      journal,
      lanes,
      shop: () => shop,
      isTimeKnown: () => isTimeKnown,
      downloads: files,
      clock,
    }),
    ...files.handlers,
    ...reservationHandlers({ lanes }),
  };
  const router = new Router({
    handlers,
    middleware: { mayCall: () => true, record() {}, recordRefused() {} },
    log: silentLog,
  });
  return (await router.call(anna, name, asked)) as AnswerTo<Name>;
}
async function value<Name extends ProcedureName>(name: Name, asked: InputOf<Name>) {
  const answer = await ask(name, asked);
  if (!answer.ok) throw new Error(`${answer.code}: ${answer.message}`);
  return answer.value;
}

/** @returns a sale that is paid and confirmed */
async function pay(amountMinor: number = money.amountMinor): Promise<string> {
  world.pollAnswers = [{ ...reserved, amountMinor }];
  const answer = world.commands.requestSale({ ...money, amountMinor });
  if (!answer.accepted) throw new Error(answer.reason);
  await world.clock.pass(1_000);
  return answer.sale.saleId;
}
async function refuse(): Promise<string> {
  world.pollAnswers = [{ ...reserved, status: 'cancelledByUser' }];
  const answer = world.commands.requestSale(money);
  if (!answer.accepted) throw new Error(answer.reason);
  await world.clock.pass(1_000);
  return answer.sale.saleId;
}
const refund = (about: Partial<InputOf<'refund'>> = {}) =>
  ask('refund', { actionId, saleId, amountMinor: 234, note: 'broken lid', ...about });
async function refunded(about: Partial<InputOf<'refund'>> = {}): Promise<void> {
  world.refundPollAnswers = [{ kind: 'seen', status: 'reserved' }];
  expect(await refund(about)).toMatchObject({ ok: true });
  await world.clock.pass(1_000);
}

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
    const only = async (asked: InputOf<'findSales'>): Promise<string[]> =>
      (await value('findSales', asked)).sales.map((sale) => sale.saleId);
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

describe('a day', () => {
  test('has its totals by lane and hour, and what is open', async () => {
    await refunded();
    await refuse();
    world.settleAnswer = { kind: 'unknown', detail: 'no answer' };
    const open = await pay(5_000);
    const day = await value('day', { day: null, laneId: null });
    const totals = {
      laneId: '1',
      currency: 'DKK',
      payments: { count: 2, sumMinor: 6_234 },
      refunds: { count: 1, sumMinor: 234 },
    };
    expect(day).toMatchObject({
      lanes: [{ ...totals, name: 'Check-out 1' }],
      hours: [totals],
      open: [{ saleId: open, kind: 'sale', intent: 'capture', needsPerson: false }],
      newestClosing: 0,
      lastClosing: null,
    });
    expect(day.day).toBe(day.today);
    expect(day.toMs - day.fromMs).toBe(dayMs);
    expect(await value('day', { day: '2026-11-20', laneId: null })).toMatchObject({
      lanes: [],
      hours: [],
    });
    expect(await value('day', { day: null, laneId: '2' })).toMatchObject({
      lanes: [],
      hours: [],
      open: [],
    });
    expect(await ask('day', { day: '2026-02-30', laneId: null })).toMatchObject({
      ok: false,
      code: 'invalid',
      field: 'day',
    });
  });

  test('says of what only a person can settle, which way it was decided', async () => {
    world.settleAnswer = { kind: 'refused', reason: 'other', code: null, detail: 'not reserved' };
    world.pollAnswers = [reserved, { ...reserved, status: 'cancelledByClient' }];
    world.commands.requestSale(money);
    await world.clock.pass(60_000);
    expect((await value('day', { day: null, laneId: null })).open).toMatchObject([
      { kind: 'sale', intent: 'capture', needsPerson: true },
    ]);
  });

  test('closes with a number; the next closing begins where this one ended, and nothing is in two of them', async () => {
    const first = await value('closeDay', { laneId: null });
    expect(first).toMatchObject({
      number: 1,
      by: 'Anna',
      fromMs: 0,
      shop,
      lanes: [{ payments: { count: 1, sumMinor: 1_234 } }],
    });
    await world.clock.pass(1);
    await pay(700);
    const second = await value('closeDay', { laneId: null });
    expect(second).toMatchObject({
      number: 2,
      fromMs: first.toMs,
      lanes: [{ payments: { count: 1, sumMinor: 700 } }],
    });
    expect(await value('closing', { number: 1 })).toEqual(first);
    expect(
      (await value('closings', { before: null })).closings.map(({ number }) => number),
    ).toEqual([2, 1]);
    expect((await value('closings', { before: 2 })).closings.map(({ number }) => number)).toEqual([
      1,
    ]);
    expect(await ask('closing', { number: 3 })).toMatchObject({ ok: false, code: 'notFound' });
    expect(await value('day', { day: null, laneId: null })).toMatchObject({
      newestClosing: 2,
      lastClosing: { number: 2, toMs: second.toMs },
    });
  });

  test('saves a day and a closing report as files for a spreadsheet, with a row for each lane', async () => {
    await value('closeDay', { laneId: '1' });
    const { number } = await value('closeDay', { laneId: null });
    const columns = Object.fromEntries(
      DayColumn.options.map((column) => [column, `<${column}>`]),
    ) as Record<DayColumn, string>;
    const words = { name: 'Dag', columns };
    const csv = { separator: ';', decimal: ',' } as const;
    const lines = async (of: InputOf<'dayExport'>['of']) => {
      const { fileId, ...offer } = await value('dayExport', { of, csv, words });
      const { base64 } = await value('filePart', { fileId, part: 0 });
      return { offer, lines: Buffer.from(base64, 'base64').toString('utf8').split('\r\n') };
    };
    const { offer, lines: ofReport } = await lines({ number });
    expect(offer).toMatchObject({ name: 'Dag 2.csv', type: 'text/csv' });
    expect(ofReport[0]).toBe(
      `\uFEFF${DayColumn.options.map((column) => `"<${column}>"`).join(';')}`,
    );
    expect(ofReport[1]).toMatch(
      /^"2";;"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d";"Check-out 1";"DKK";"1";12,34;"0";0,00;12,34;;;;"1"$/,
    );
    expect(ofReport.slice(2)).toEqual(['']);
    const ofDay = await lines({ day: null, laneId: null });
    expect(ofDay.offer.name).toMatch(/^Dag \d{4}-\d\d-\d\d\.csv$/);
    expect(ofDay.lines[1]).toMatch(
      /^;"[^"]+";"[^"]+";"Check-out 1";"DKK";"1";12,34;"0";0,00;12,34;;;;$/,
    );
    expect(await ask('dayExport', { of: { number: 99 }, csv, words })).toMatchObject({
      ok: false,
      code: 'notFound',
    });
  });

  test('says which earlier reports, of a lane by itself or of all together, have some of its money', async () => {
    const ofLane = await value('closeDay', { laneId: '1' });
    const lane = { laneId: '1', payments: { count: 1, sumMinor: 1_234 } };
    const overlap = { number: 1, laneId: '1', atMs: ofLane.atMs, lanes: [lane] };
    expect(ofLane.overlaps).toEqual([]);
    expect((await value('day', { day: null, laneId: null })).overlaps).toMatchObject([overlap]);
    expect((await value('day', { day: null, laneId: '1' })).overlaps).toEqual([]);
    const ofAll = await value('closeDay', { laneId: null });
    expect(ofAll.overlaps).toMatchObject([overlap]);
    expect((await value('closing', { number: 1 })).overlaps).toEqual([]);
    expect(
      (await value('closings', { before: null })).closings.map(({ overlaps }) =>
        overlaps.map(({ number }) => number),
      ),
    ).toEqual([[1], []]);
    await world.clock.pass(1);
    expect((await value('day', { day: null, laneId: null })).overlaps).toEqual([]);
    expect((await value('day', { day: null, laneId: '2' })).overlaps).toMatchObject([
      { number: 2, laneId: null, lanes: [] },
    ]);
  });

  test('of an earlier version has no shop on its closing, and opens', async () => {
    world.journal.keepClosing({
      manager: 'Anna',
      laneId: null,
      fromMs: 0,
      toMs: 1,
      report: { lanes: [], hours: [], open: [], counted: { sale: 0, refund: 0, capture: 0 } },
    });
    expect(await value('closing', { number: 1 })).toMatchObject({
      number: 1,
      shop: { name: null, address: null, vat: null },
    });
  });

  test('whose clock was set back after a closing loses no payment and no refund of it', async () => {
    const { clock } = world;
    await value('closeDay', { laneId: null });
    const wallMs = clock.wallMs.bind(clock);
    clock.wallMs = () => wallMs() - 60_000;
    const sold = await pay(700);
    world.refundPollAnswers = [{ kind: 'seen', status: 'reserved' }];
    await refund({ saleId: sold, amountMinor: 100 });
    await clock.pass(1_000);
    clock.wallMs = wallMs;
    await clock.pass(1_000);
    const { lanes } = await value('closeDay', { laneId: null });
    expect(lanes).toMatchObject([
      { payments: { count: 1, sumMinor: 700 }, refunds: { count: 1, sumMinor: 100 } },
    ]);
    await clock.pass(1);
    expect((await value('closeDay', { laneId: null })).lanes).toEqual([]);
  });

  test('is not closed over an undecided payment or refund, nor before the last closing', async () => {
    world.pollAnswers = [{ ...reserved, status: 'cancelledByUser' }];
    world.commands.requestSale(money);
    await world.clock.pass(0);
    expect(await ask('closeDay', { laneId: null })).toMatchObject({
      ok: false,
      code: 'paymentUnderWay',
    });
    expect(await ask('closeDay', { laneId: '2' })).toMatchObject({
      ok: false,
      code: 'notFound',
      field: 'laneId',
    });
    await world.clock.pass(1_000);
    world.refundPollAnswers = [{ kind: 'seen', status: 'reserved' }];
    await refund();
    await world.clock.pass(0);
    expect(await ask('closeDay', { laneId: null })).toMatchObject({
      ok: false,
      code: 'paymentUnderWay',
    });
    await world.clock.pass(1_000);
    await value('closeDay', { laneId: null });
    expect(await ask('closeDay', { laneId: null })).toMatchObject({
      ok: false,
      code: 'clockBehind',
    });
    await world.clock.pass(1);
    isTimeKnown = false;
    expect(await ask('closeDay', { laneId: null })).toMatchObject({
      ok: false,
      code: 'clockBehind',
    });
    expect((await value('closings', { before: null })).closings).toHaveLength(1);
  });
});

describe('reservations that are held', () => {
  const reservedAction = 'ac700000-0000-4000-8000-000000000009';
  const reservedId = screenPaymentId(reservedAction);

  beforeEach(async () => {
    reader.close();
    world.remove();
    world = new World(undefined, { plannedCaptureDelay: 'LessThan24Hours' });
    await open();
    world.pollAnswers = [
      { ...reserved, expiresAtMs: world.clock.wallMs() + 7 * dayMs, partialCapturePossible: true },
    ];
    world.lane.payByHand({
      actionId: reservedAction,
      amountMinor: 1234,
      orderText: null,
      reserve: true,
    });
    await world.clock.pass(2_000);
  });

  const whole = { laneId: '1', saleId: reservedId } as const;

  test('are listed with their last day, are open in the day, and are not paid', async () => {
    expect(await value('reservations', {})).toMatchObject({
      reservations: [
        {
          saleId: reservedId,
          laneName: 'Check-out 1',
          amountMinor: 1234,
          expiresAtMs: world.clock.wallMs() - 2_000 + 7 * dayMs,
          isEndingSoon: false,
        },
      ],
    });
    expect(await value('day', { day: null, laneId: null })).toMatchObject({
      lanes: [],
      open: [{ saleId: reservedId, intent: 'held', needsPerson: false }],
    });
    expect(await value('saleStory', { saleId: reservedId })).toMatchObject({
      sale: { state: 'held', capturedMinor: null },
      notRefundable: 'held',
      reason: null,
    });
    expect(
      await ask('refund', { actionId, saleId: reservedId, amountMinor: 1, note: 'x' }),
    ).toMatchObject({ ok: false, code: 'held' });
  });

  test('are captured with less: the day and lists show what was captured, the payment both', async () => {
    expect(await ask('captureReservation', { ...whole, amountMinor: 1_000 })).toMatchObject({
      ok: true,
    });
    expect(await ask('captureReservation', { ...whole, amountMinor: 1_000 })).toMatchObject({
      ok: true,
    });
    await world.clock.pass(1_000);
    expect(await value('reservations', {})).toEqual({ reservations: [] });
    expect(await value('day', { day: null, laneId: null })).toMatchObject({
      lanes: [{ payments: { count: 1, sumMinor: 1_000 } }],
      open: [],
    });
    expect(await value('findSales', { saleId: reservedId })).toMatchObject({
      sales: [{ amountMinor: 1234, capturedMinor: 1_000, state: 'paid' }],
    });
    expect(await value('saleStory', { saleId: reservedId })).toMatchObject({
      sale: { amountMinor: 1234, capturedMinor: 1_000 },
      leftMinor: 1_000,
    });
    expect(await ask('cancelReservation', whole)).toMatchObject({
      ok: false,
      code: 'notHeld',
      field: 'saleId',
    });
  });

  test('count on the day on which they are captured, and in the closing after it, once', async () => {
    const before = await value('closeDay', { laneId: null });
    expect(before).toMatchObject({ lanes: [], open: [{ saleId: reservedId, intent: 'held' }] });
    const [reservedOn] = [(await value('day', { day: null, laneId: null })).day];
    world.pollAnswers = Array.from({ length: 20 }, () => ({ ...reserved, expiresAtMs: null }));
    await world.clock.pass(2 * dayMs);
    await ask('captureReservation', { ...whole, amountMinor: 1_000 });
    await world.clock.pass(1_000);
    expect((await value('day', { day: reservedOn ?? null, laneId: null })).lanes).toEqual([]);
    expect((await value('day', { day: null, laneId: null })).lanes).toMatchObject([
      { payments: { count: 1, sumMinor: 1_000 } },
    ]);
    expect((await value('closeDay', { laneId: null })).lanes).toMatchObject([
      { payments: { count: 1, sumMinor: 1_000 } },
    ]);
    await world.clock.pass(1_000);
    expect((await value('closeDay', { laneId: null })).lanes).toEqual([]);
  });

  test('are refused by field and rule when the amount is not in them', async () => {
    expect(await ask('captureReservation', { ...whole, amountMinor: 1_235 })).toMatchObject({
      ok: false,
      code: 'amountTooHigh',
      field: 'amountMinor',
    });
    expect(await ask('captureReservation', { ...whole, amountMinor: 0 })).toMatchObject({
      ok: false,
      code: 'invalid',
      field: 'amountMinor',
    });
    expect(
      await ask('captureReservation', { ...whole, laneId: '7', amountMinor: 1 }),
    ).toMatchObject({ ok: false, code: 'laneNotReady', field: 'laneId' });
    expect(await ask('cancelReservation', whole)).toMatchObject({ ok: true });
    expect(await ask('captureReservation', { ...whole, amountMinor: 1 })).toMatchObject({
      ok: false,
      code: 'notHeld',
    });
  });
});
