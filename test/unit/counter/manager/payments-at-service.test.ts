import { join } from 'node:path';
import { idFrom, managerRefundId, systemIds } from '../../../../main/core/domain/ids.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type JournalReader, openJournalReader } from '../../../../main/core/journal/reader.ts';
import { dayHandlers } from '../../../../main/counter/manager/day/day-handlers.ts';
import { refundHandlers } from '../../../../main/counter/manager/refunds/refunds-handlers.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { unnamedShop } from '../../../../main/core/domain/shop.ts';
import type { Lane } from '../../../../main/core/lane/lane.ts';
import { Router } from '../../../../main/counter/server/router.ts';
import type {
  MerchantPayment,
  MerchantPaymentAnswer,
  MerchantPayments,
} from '../../../../main/core/lane/wallet-port.ts';
import { pointOfSaleCapabilities } from '../../../../main/wallets/v10/point-of-sale/point-of-sale-capabilities.ts';
import { DownloadStore } from '../../../../main/counter/server/download-store.ts';
import type { AnswerTo, InputOf, ProcedureName } from '../../../../preload/procedures.ts';
import { money, refundId, reserved, World } from '../../core/lane/support.ts';

const anna = { manager: { managerId: '3d500000-0000-4000-8000-000000000001', name: 'Anna' } };
const actionId = 'a3c70000-0000-4000-8000-000000000001';
const posId = '905e0000-0000-4000-8000-000000000009';
/** A payment that another counter took. */
const foreign: MerchantPayment = {
  paymentId: 'f0e10000-0000-4000-8000-000000000001',
  orderId: '7-000012-0badcafe',
  posId,
  ...money,
  refunds: [],
};

let world: World;
let reader: JournalReader;
let service: Map<string, MerchantPayment>;
let silent: boolean;
let lanes: Lane[];
/** The payments that were read, each with the refunds that needed no reading. */
let read: [paymentId: string, known: string[]][];

beforeEach(async () => {
  world = new World();
  lanes = [world.lane];
  await world.open();
  reader = openJournalReader(join(world.folder, 'journal.sqlite'));
  service = new Map([[foreign.paymentId, foreign]]);
  silent = false;
  read = [];
});
afterEach(() => {
  reader.close();
  world.remove();
});

const unanswered = { kind: 'unknown', detail: 'no route' } as const;
const payments: MerchantPayments = {
  pointsOfSale: async () =>
    silent ? unanswered : { kind: 'listed', pointsOfSale: [{ posId, name: 'Check-out 7' }] },
  async captured(asked) {
    if (silent) return unanswered;
    const fits = (one: MerchantPayment) =>
      'orderId' in asked ? one.orderId === asked.orderId : one.posId === asked.posId;
    return {
      kind: 'listed',
      paymentIds: [...service.values()].filter(fits).map(({ paymentId }) => paymentId),
    };
  },
  async read(paymentId, known): Promise<MerchantPaymentAnswer> {
    read.push([paymentId, [...known]]);
    if (silent) return unanswered;
    const payment = service.get(paymentId);
    return payment === undefined ? { kind: 'notFound' } : { kind: 'captured', payment };
  },
};

async function ask<Name extends ProcedureName>(
  name: Name,
  asked: InputOf<Name>,
): Promise<AnswerTo<Name>> {
  const { clock, journal } = world;
  const handlers = {
    ...refundHandlers({
      reader: () => reader,
      lanes: () => lanes,
      service: () => ({ payments, storeIds: [] }),
      shop: () => unnamedShop,
      capabilities: () => pointOfSaleCapabilities,
      clock,
    }),
    ...dayHandlers({
      reader: () => reader,
      journal,
      lanes: () => lanes,
      shop: () => unnamedShop,
      downloads: new DownloadStore({ clock, ids: systemIds }),
      clock,
    }),
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
async function pay(): Promise<string> {
  world.pollAnswers = [reserved];
  const answer = world.commands.requestSale(money);
  if (!answer.accepted) throw new Error(answer.reason);
  await world.clock.pass(1_000);
  return answer.sale.saleId;
}
const takeOver = async (): Promise<string> =>
  (await value('takeOverPayment', { paymentId: foreign.paymentId })).saleId;
const refund = (saleId: string, about: Partial<InputOf<'refund'>> = {}) =>
  ask('refund', { actionId, saleId, amountMinor: 234, note: 'broken lid', ...about });
const refundsAtService = (...refunds: MerchantPayment['refunds']) =>
  void service.set(foreign.paymentId, { ...foreign, refunds });
const others = { name: '7-R000013-0badcafe', amountMinor: 1_000 };

describe('a payment of another counter', () => {
  test('is found at the service by its order id, its id and its point of sale, with what is refunded of it', async () => {
    refundsAtService(others);
    const expectedPayment = { ...foreign, refunds: undefined, refundedMinor: 1_000, saleId: null };
    const { refunds: _refunds, ...shown } = expectedPayment;
    expect(await value('findAtService', { orderId: foreign.orderId })).toEqual({
      payments: [shown],
      next: null,
    });
    expect(await value('findAtService', { paymentId: foreign.paymentId.toUpperCase() })).toEqual({
      payments: [shown],
      next: null,
    });
    expect(await value('findAtService', { posId, after: 0 })).toEqual({
      payments: [shown],
      next: null,
    });
    expect(await value('findAtService', { orderId: '1-000001-00000000' })).toEqual({
      payments: [],
      next: null,
    });
    expect(await value('pointsOfSaleAtService', {})).toEqual({
      pointsOfSale: [{ posId, name: 'Check-out 7' }],
    });
  });

  test('of a point of sale is left out once the journal knows it; the others come page by page', async () => {
    for (let n = 2; n <= 12; n += 1) {
      const paymentId = `f0e10000-0000-4000-8000-0000000000${String(n).padStart(2, '0')}`;
      service.set(paymentId, { ...foreign, paymentId });
    }
    await takeOver();
    const first = await value('findAtService', { posId, after: 0 });
    expect(first.payments).toHaveLength(10);
    expect(first.payments.map(({ paymentId }) => paymentId)).not.toContain(foreign.paymentId);
    const second = await value('findAtService', { posId, after: first.next ?? 0 });
    expect(second).toMatchObject({
      payments: [{ paymentId: 'f0e10000-0000-4000-8000-000000000012' }],
      next: null,
    });
    expect(await value('findAtService', { orderId: foreign.orderId })).toMatchObject({
      payments: expect.arrayContaining([
        expect.objectContaining({
          saleId: idFrom('provider', 'payment', 'v10', foreign.paymentId),
        }),
      ]),
    });
  });

  test('is taken over once, counts as no payment, and is found like the journal’s own', async () => {
    const saleId = await takeOver();
    expect(await takeOver()).toBe(saleId);
    expect(await value('saleStory', { saleId })).toMatchObject({
      sale: {
        state: 'elsewhere',
        orderId: foreign.orderId,
        paymentId: foreign.paymentId,
        amountMinor: 1_234,
      },
      leftMinor: 1_234,
      refundableUntilMs: null,
      notRefundable: null,
      story: [{ event: 'foundAtService' }],
    });
    expect((await value('findSales', { orderIdEnding: 'cafe' })).sales).toMatchObject([{ saleId }]);
    expect((await value('day', { day: null, laneId: null })).lanes).toEqual([]);
    expect(world.journal.nextNumbers('1')).toEqual({ receiptNumber: 1, traceNumber: 1 });
    expect(world.lane.snapshot().recent).toEqual([]);
    expect(reader.check().problems).toEqual([]);
  });

  test('is refunded through the lane, on disk before it leaves, and is in the day’s figures and in the search', async () => {
    const saleId = await takeOver();
    world.refundPollAnswers = [{ kind: 'seen', status: 'reserved' }];
    expect(await refund(saleId)).toMatchObject({
      ok: true,
      value: { refundOrderId: managerRefundId(actionId) },
    });
    await world.clock.pass(1_000);
    expect(world.onDiskWhen('createRefund')).toEqual(['refundRequested']);
    expect(world.journal.refundsOf(saleId)).toMatchObject([
      {
        kind: 'refunded',
        request: { paymentId: foreign.paymentId, laneId: '1', note: 'broken lid' },
      },
    ]);
    expect(await value('saleStory', { saleId })).toMatchObject({
      leftMinor: 1_000,
      refunds: [{ state: 'refunded', laneId: '1', by: 'Anna' }],
    });
    expect((await value('day', { day: null, laneId: null })).lanes).toMatchObject([
      { payments: { count: 0 }, refunds: { count: 1, sumMinor: 234 } },
    ]);
    expect(
      (await value('findSales', { refundOrderIdEnding: managerRefundId(actionId).slice(-6) }))
        .sales,
    ).toMatchObject([{ saleId, refundedMinor: 234 }]);
    // The lane polls its own refund, so reading it as well would be too soon.
    expect(await refund(saleId, { actionId: actionId.replace('a3', 'a4') })).toMatchObject({
      ok: true,
    });
    expect(read.at(-1)).toEqual([foreign.paymentId, [refundId]]);
    expect(
      [...reader.between(0, Number.MAX_SAFE_INTEGER)].map(({ of }) => 'request' in of),
    ).toEqual([true, true]);
    expect(reader.check().problems).toEqual([]);
  });

  test('is asked for anew before each refund: never more than is left there, and nothing leaves', async () => {
    const saleId = await takeOver();
    refundsAtService(others);
    expect(await refund(saleId, { amountMinor: 235 })).toMatchObject({
      ok: false,
      code: 'amountTooHigh',
      facts: { leftMinor: 234 },
    });
    expect(await value('saleStory', { saleId })).toMatchObject({
      leftMinor: 234,
      refundedElsewhereMinor: 1_000,
    });
    refundsAtService({ ...others, amountMinor: 1_234 });
    expect(await refund(saleId, { amountMinor: 1 })).toMatchObject({
      ok: false,
      code: 'allRefunded',
    });
    expect(world.whatLeft()).not.toContain('createRefund');
    // Another counter has cancelled its refund.
    refundsAtService();
    expect(await refund(saleId, { amountMinor: 1_234 })).toMatchObject({ ok: true });
    expect((await value('saleStory', { saleId })).story.map(({ event }) => event)).toEqual([
      'foundAtService',
      'refundsSeen',
      'refundsSeen',
      'refundsSeen',
      'refundRequested',
      'created',
    ]);
    expect(reader.check().problems).toEqual([]);
  });

  test('whose own refund the service knows too is not counted twice', async () => {
    const saleId = await takeOver();
    world.createRefundAnswer = { kind: 'unknown', detail: 'no answer' };
    expect(await refund(saleId, { amountMinor: 1_000 })).toMatchObject({ ok: true });
    const key = world.journal.refundsOf(saleId)[0]?.request.idempotencyKey ?? '';
    for (const name of [managerRefundId(actionId), key]) {
      refundsAtService({ name, amountMinor: 1_000 });
      expect(await value('findAtService', { orderId: foreign.orderId })).toMatchObject({
        payments: [{ refundedMinor: 0 }],
      });
    }
    expect(
      await refund(saleId, { actionId: actionId.replace('a3', 'a4'), amountMinor: 234 }),
    ).toMatchObject({ ok: true });
  });

  test('cannot be refunded while the service is silent, of which nothing is guessed; a repeated request needs no answer', async () => {
    const saleId = await takeOver();
    silent = true;
    expect(await refund(saleId)).toMatchObject({ ok: false, code: 'serviceSilent' });
    expect(await ask('findAtService', { orderId: foreign.orderId })).toMatchObject({
      ok: false,
      code: 'serviceSilent',
    });
    expect(await ask('pointsOfSaleAtService', {})).toMatchObject({
      ok: false,
      code: 'serviceSilent',
    });
    expect(world.whatLeft()).not.toContain('createRefund');
    silent = false;
    expect(await refund(saleId)).toMatchObject({ ok: true });
    silent = true;
    expect(await refund(saleId)).toMatchObject({
      ok: true,
      value: { refundOrderId: managerRefundId(actionId) },
    });
    expect(await refund(saleId, { amountMinor: 1 })).toMatchObject({
      ok: false,
      code: 'actionUsed',
    });
  });

  test('two counters that refund at once: the service decides, and the manager reads its decision', async () => {
    const saleId = await takeOver();
    world.createRefundAnswer = { kind: 'refused', reason: 'amountTooHigh', detail: '1367' };
    expect(await refund(saleId, { amountMinor: 1_234 })).toMatchObject({ ok: true });
    await world.clock.pass(1_000);
    expect((await value('saleStory', { saleId })).refunds).toMatchObject([
      { state: 'notRefunded', reason: 'amountTooHigh' },
    ]);
  });

  test('whose refund was interrupted is recovered after a restart as others are', async () => {
    const saleId = await takeOver();
    expect(await refund(saleId)).toMatchObject({ ok: true });
    await world.clock.pass(0);
    reader.close();
    world.close();
    const after = new World(world.folder);
    world = after;
    lanes = [after.lane];
    await after.open();
    reader = openJournalReader(join(after.folder, 'journal.sqlite'));
    await after.clock.pass(1_000);
    expect(after.whatLeft()).toContain('cancelRefund');
    expect((await value('saleStory', { saleId })).refunds).toMatchObject([
      { state: 'notRefunded', reason: 'interrupted' },
    ]);
  });

  test('that is not there, not captured, or in no lane’s currency is not taken over; the journal stays as it was', async () => {
    expect(await ask('takeOverPayment', { paymentId: actionId })).toMatchObject({
      ok: false,
      code: 'notFound',
    });
    service.set(foreign.paymentId, { ...foreign, currency: 'EUR' });
    expect(await ask('takeOverPayment', { paymentId: foreign.paymentId })).toMatchObject({
      ok: false,
      code: 'laneNotReady',
    });
    service.set(foreign.paymentId, foreign);
    world.diskWorks = false;
    expect(await ask('takeOverPayment', { paymentId: foreign.paymentId })).toMatchObject({
      ok: false,
      code: 'storageFailed',
    });
    expect(reader.story(foreign.paymentId)).toEqual([]);
    expect(await ask('findAtService', { orderId: 'x'.repeat(37) })).toMatchObject({
      ok: false,
      code: 'invalid',
    });
  });

  test('is not taken over while its lane is closed', async () => {
    lanes = [];
    expect(await ask('takeOverPayment', { paymentId: foreign.paymentId })).toMatchObject({
      ok: false,
      code: 'laneNotReady',
    });
  });

  test('is shown with what this journal gave back too', async () => {
    const saleId = await takeOver();
    world.refundPollAnswers = [{ kind: 'seen', status: 'reserved' }];
    expect(await refund(saleId)).toMatchObject({ ok: true });
    await world.clock.pass(1_000);
    refundsAtService(others, { name: managerRefundId(actionId), amountMinor: 234 });
    expect(await value('findAtService', { orderId: foreign.orderId })).toMatchObject({
      payments: [{ saleId, refundedMinor: 1_234 }],
    });
  });

  test('can be refunded as soon as the disk works again, without anything else that is written', async () => {
    const saleId = await takeOver();
    world.diskWorks = false;
    expect(await refund(saleId)).toMatchObject({ ok: false, code: 'storageFailed' });
    world.diskWorks = true;
    expect(await refund(saleId)).toMatchObject({ ok: true });
  });
});

describe('a payment of this journal', () => {
  test('is opened as it is, and nobody is asked', async () => {
    const own = await pay();
    const { paymentId } = (await value('saleStory', { saleId: own })).sale;
    expect(await value('takeOverPayment', { paymentId: paymentId ?? '' })).toEqual({ saleId: own });
    expect(read).toEqual([]);
  });

  test('whose lane was removed is refunded through any lane of its currency, and cancelled there', async () => {
    const sale = { ...(await value('saleStory', { saleId: await pay() })).sale };
    const removed = lanes;
    const other = new World(world.folder, { id: '2', name: 'Check-out 2' });
    await other.open();
    lanes = [other.lane];
    expect(await value('saleStory', { saleId: sale.saleId })).toMatchObject({
      notRefundable: null,
      leftMinor: 1_234,
    });
    expect(await refund(sale.saleId)).toMatchObject({ ok: true });
    await other.clock.pass(0);
    expect(other.whatLeft()).toContain('createRefund');
    expect((await value('saleStory', { saleId: sale.saleId })).refunds).toMatchObject([
      { laneId: '2', state: 'open' },
    ]);
    expect(
      await ask('cancelRefund', { laneId: '2', refundOrderId: managerRefundId(actionId) }),
    ).toMatchObject({ ok: true });
    lanes = removed;
    other.close();
  });

  test('whose lane is there and not ready waits for it, although another lane is ready', async () => {
    const saleId = await pay();
    await world.lane.close();
    const other = new World(world.folder, { id: '2', name: 'Check-out 2' });
    await other.open();
    lanes = [world.lane, other.lane];
    expect(await refund(saleId)).toMatchObject({ ok: false, code: 'laneNotReady' });
    other.close();
  });
});
