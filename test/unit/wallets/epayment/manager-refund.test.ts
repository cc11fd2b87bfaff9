/**
 * A manager's refund of another counter's payment: the manager's procedures, a real lane with its
 * journal, the client, and the simulated service over HTTP.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { managerRefundId, systemIds } from '../../../../main/core/domain/ids.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { unnamedShop } from '../../../../main/core/domain/shop.ts';
import { type JournalReader, openJournalReader } from '../../../../main/core/journal/reader.ts';
import { openSqliteJournal } from '../../../../main/core/journal/sqlite-journal.ts';
import { Lane } from '../../../../main/core/lane/lane.ts';
import { Closings } from '../../../../main/counter/manager/day/day-book.ts';
import { refundHandlers } from '../../../../main/counter/manager/refunds/refunds-handlers.ts';
import { Router } from '../../../../main/counter/server/router.ts';
import { createMerchantPayments } from '../../../../main/wallets/epayment/point-of-sale/epayment-merchant-payments.ts';
import { changeKey } from '../../../../main/wallets/epayment/point-of-sale/epayment-names.ts';
import { refundEpayment } from '../../../../main/wallets/epayment/payments/payments-operations.ts';
import { minorUnits } from '../../../../main/core/domain/money.ts';
import type { MerchantPayments } from '../../../../main/core/lane/wallet-port.ts';
import type { AnswerTo, InputOf, ProcedureName } from '../../../../preload/procedures.ts';
import { noReserve } from '../../core/journal/support.ts';
import { SteadyClock } from '../../support/steady-clock.ts';
import { type EpaymentBench, keys, openEpaymentBench } from './epayment-support.ts';

const anna = { manager: { managerId: '3d500000-0000-4000-8000-000000000001', name: 'Anna' } };
const actionId = 'a3c70000-0000-4000-8000-000000000001';
const money = { amountMinor: 12_550, currency: 'DKK' } as const;
const reference = 'K7-000042-0BadCafe';
const nothing: ReadonlySet<string> = new Set();

let folder: string;
let bench: EpaymentBench;
let clock: SteadyClock;
let journal: ReturnType<typeof openSqliteJournal>;
let reader: JournalReader;
let lane: Lane;
let payments: MerchantPayments;

beforeEach(async () => {
  clock = new SteadyClock(20);
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-epayment-'));
  bench = await openEpaymentBench(clock);
  journal = openSqliteJournal(join(folder, 'journal.sqlite'), clock, { reserve: noReserve });
  reader = openJournalReader(join(folder, 'journal.sqlite'));
  payments = createMerchantPayments({ transport: bench.transport, msn: keys.msn });
  const settings = {
    id: 'K1',
    name: 'Check-out 1',
    currency: 'DKK',
    flow: 'initiate',
    beacons: ['QR'],
    deadlineMs: 30_000,
  } as const;
  lane = new Lane({
    settings,
    till: {
      address: 'tcp:127.0.0.1:1',
      open: async () => {},
      close: async () => {},
      progress() {},
      offerPaid: async () => 'acknowledged',
      offerRefunded: async () => 'acknowledged',
      conclude() {},
      concludeRefund() {},
    },
    wallet: bench.counter,
    service: { awaySinceMs: null, unansweredMs: () => null },
    journal,
    dayBook: new Closings({
      reader: () => reader,
      journal,
      lanes: () => [settings],
      shop: () => unnamedShop,
      clock,
    }),
    clock,
    ids: systemIds,
    log: silentLog,
    changed() {},
  });
  await lane.start();
});
afterEach(async () => {
  await lane.close();
  reader.close();
  journal.close();
  await bench.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A payment by a counter that has only the sales unit in common with this one. */
async function paidElsewhere(orderId = reference): Promise<void> {
  const other = bench.counterWith();
  const request = {
    ...money,
    flow: 'initiate',
    orderId,
    idempotencyKey: systemIds.uuid(),
  } as const;
  expect(await other.create(request)).toMatchObject({ kind: 'created', paymentId: reference });
  await bench.act('approve', { reference });
  expect(await other.capture(reference, money)).toEqual({ kind: 'done' });
}
const refundedElsewhere = async (amountMinor: number): Promise<unknown> =>
  bench.counterWith().createRefund({
    paymentId: reference,
    refundOrderId: '7-R000043-0badcafe',
    idempotencyKey: systemIds.uuid(),
    amountMinor,
    currency: 'DKK',
  });

async function ask<Name extends ProcedureName>(
  name: Name,
  asked: InputOf<Name>,
): Promise<AnswerTo<Name>> {
  const handlers = refundHandlers({
    reader: () => reader,
    lanes: () => [lane],
    service: () => ({ payments, storeIds: [] }),
    shop: () => unnamedShop,
    capabilities: () => bench.counter.capabilities,
    clock,
  });
  const router = new Router({
    handlers,
    middleware: { mayCall: () => true, record() {}, recordRefused() {} },
    log: silentLog,
  });
  return (await router.call(anna, name, asked)) as AnswerTo<Name>;
}
async function takeOver(): Promise<string> {
  const answer = await ask('takeOverPayment', { paymentId: reference });
  if (!answer.ok) throw new Error(answer.code);
  return answer.value.saleId;
}
const refund = (saleId: string, amountMinor: number, action = actionId) =>
  ask('refund', { actionId: action, saleId, amountMinor, note: 'broken lid' });
const until = <Seen>(check: () => Seen) => vi.waitFor(check, { timeout: 10_000, interval: 20 });
const ended = (saleId: string) =>
  until(() =>
    expect(journal.refundsOf(saleId)).toMatchObject([
      { kind: expect.stringMatching(/^(refunded|notRefunded)$/) },
    ]),
  );

test('it is found by its order text and by its reference, with what was refunded of it', async () => {
  await paidElsewhere('K7.000042.0BadCafe'.replaceAll('.', ' '));
  expect(await refundedElsewhere(550)).toMatchObject({ kind: 'created' });
  const shown = {
    paymentId: reference,
    orderId: 'K7 000042 0BadCafe',
    posId: keys.msn,
    ...money,
    refundedMinor: 550,
    saleId: null,
  };
  for (const asked of [
    { orderId: 'K7 000042 0BadCafe' },
    { orderId: reference },
    { paymentId: reference },
  ])
    expect(await ask('findAtService', asked)).toEqual({
      ok: true,
      value: { payments: [shown], next: null },
    });
  // Another payment: references have capitals.
  expect(await ask('findAtService', { paymentId: reference.toLowerCase() })).toMatchObject({
    value: { payments: [] },
  });
});

test('it is refunded in one step: on disk first, once, and what is left is asked for anew each time', async () => {
  await paidElsewhere();
  const saleId = await takeOver();
  expect(await takeOver()).toBe(saleId);
  expect(await refund(saleId, 5_000)).toMatchObject({
    ok: true,
    value: { refundOrderId: managerRefundId(actionId) },
  });
  await ended(saleId);
  expect(await refund(saleId, 5_000)).toMatchObject({ ok: true });
  const { request } = journal.refundsOf(saleId)[0] ?? {};
  const events = (await bench.payment()).events.filter(({ name }) => name === 'REFUNDED');
  expect(events).toEqual([
    { name: 'REFUNDED', amount: 5_000, success: true, idempotencyKey: request?.idempotencyKey },
  ]);
  // Somebody refunds in the portal, or at another counter.
  expect(await refundedElsewhere(7_000)).toMatchObject({ kind: 'created' });
  expect(await refund(saleId, 551, actionId.replace('a3', 'a4'))).toMatchObject({
    ok: false,
    code: 'amountTooHigh',
    facts: { leftMinor: 550 },
  });
  expect(await bench.payment()).toMatchObject({ refunded: 12_000 });
});

test('a refund whose answer is lost is not counted twice while the log has it already', async () => {
  await paidElsewhere();
  const saleId = await takeOver();
  bench.simulator.faults.add(
    { operation: 'refundEpayment', kind: 'status500After' },
    { operation: 'refundEpayment', kind: 'status500', times: 2 },
  );
  expect(await refund(saleId, 5_000)).toMatchObject({ ok: true });
  await until(async () => expect(await bench.payment()).toMatchObject({ refunded: 5_000 }));
  expect(await ask('findAtService', { paymentId: reference })).toMatchObject({
    value: { payments: [{ saleId }] },
  });
  expect(await refund(saleId, 7_550, actionId.replace('a3', 'a4'))).toMatchObject({ ok: true });
  await until(async () => expect(await bench.payment()).toMatchObject({ refunded: 12_550 }));
});

test('one that is reserved, unknown, or unreadable is not taken over, and nothing is guessed', async () => {
  expect(await ask('takeOverPayment', { paymentId: 'K7-000099-00000000' })).toMatchObject({
    ok: false,
    code: 'notFound',
  });
  expect(await ask('takeOverPayment', { paymentId: 'K7 000099 00000000' })).toMatchObject({
    ok: false,
    code: 'invalid',
  });
  const other = bench.counterWith();
  await other.create({
    ...money,
    flow: 'initiate',
    orderId: reference,
    idempotencyKey: systemIds.uuid(),
  });
  await bench.act('approve', { reference });
  expect(await ask('takeOverPayment', { paymentId: reference })).toMatchObject({
    ok: false,
    code: 'notCaptured',
  });
  bench.simulator.faults.add({ operation: 'getEpayment', kind: 'status500', times: 100 });
  expect(await payments.read(reference, nothing)).toMatchObject({ kind: 'unknown' });
  expect(await payments.captured({ orderId: reference })).toMatchObject({ kind: 'unknown' });
});

test('a refund that the log does not show yet makes the sum unknown, and not smaller', async () => {
  await paidElsewhere();
  const body = { modificationAmount: { currency: 'DKK', value: minorUnits(2_000) } } as const;
  expect(await payments.read(reference, nothing)).toMatchObject({ payment: { refunds: [] } });
  const call = bench.transport.call.bind(bench.transport);
  // Between the two reads somebody refunds.
  vi.spyOn(bench.transport, 'call').mockImplementation(async (operation, input, options) => {
    const answer = await call(operation, input, options);
    if (operation.name === 'listEpaymentEvents')
      await call(
        refundEpayment,
        { reference, body },
        { idempotencyKey: changeKey(reference, 'refund', 0) },
      );
    return answer;
  });
  expect(await payments.read(reference, nothing)).toMatchObject({
    kind: 'unknown',
    detail: expect.stringContaining('2000'),
  });
});
