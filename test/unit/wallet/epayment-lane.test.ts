/** Whole payments through a real lane: its journal on disk, the ePayment client, and the simulated service over real HTTP. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemIds } from '../../../main/domain/ids.ts';
import { silentLog } from '../../../main/domain/log.ts';
import type { RefundOutcome, SaleOutcome } from '../../../main/domain/sale.ts';
import { unnamedShop } from '../../../main/domain/shop.ts';
import { openJournalReader } from '../../../main/journal/reader.ts';
import { openSqliteJournal } from '../../../main/journal/sqlite-journal.ts';
import { Lane } from '../../../main/lane/lane.ts';
import { Closings } from '../../../main/manager/day/day-book.ts';
import type { LaneCommands, OfferAnswer } from '../../../main/till/port.ts';
import { SteadyClock } from '../support/steady-clock.ts';
import { type EpaymentBench, openEpaymentBench } from './epayment-support.ts';

const money = { amountMinor: 12_550, currency: 'DKK' } as const;
const deadlineMs = 30_000;
/** So many milliseconds of the lane and the service in one of the log's. */
const speed = 20;

let folder: string;
let bench: EpaymentBench;
let journal: ReturnType<typeof openSqliteJournal>;
let lane: Lane;
let commands: LaneCommands;
let tillAnswer: OfferAnswer;
let outcomes: SaleOutcome[];
let refundOutcomes: RefundOutcome[];
/** What the service has when the till is told "paid". */
let capturedWhenOffered: number[];

beforeEach(async () => {
  const clock = new SteadyClock(speed);
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-epayment-'));
  bench = await openEpaymentBench(clock);
  journal = openSqliteJournal(join(folder, 'journal.sqlite'), clock);
  tillAnswer = 'acknowledged';
  outcomes = [];
  refundOutcomes = [];
  capturedWhenOffered = [];
  const settings = { id: 'K1', name: 'Check-out 1', currency: 'DKK', flow: 'initiate', beacons: ['QR'], deadlineMs } as const;
  const reader = () => openJournalReader(join(folder, 'journal.sqlite'));
  lane = new Lane({
    settings,
    till: {
      address: 'tcp:127.0.0.1:1',
      open: async (of) => void (commands = of),
      close: async () => {},
      progress: () => {},
      offerPaid: async () => {
        capturedWhenOffered.push((await bench.payment()).captured);
        return tillAnswer;
      },
      offerRefunded: async () => 'acknowledged',
      conclude: (_sale, outcome) => void outcomes.push(outcome),
      concludeRefund: (_refund, outcome) => void refundOutcomes.push(outcome),
    },
    wallet: bench.counter,
    service: { awaySinceMs: null, unansweredMs: () => null },
    journal,
    dayBook: new Closings({ reader, journal, lanes: () => [settings], shop: () => unnamedShop, clock }),
    clock,
    ids: systemIds,
    log: silentLog,
    changed: () => {},
  });
  await lane.start();
});
afterEach(async () => {
  await lane.close();
  await bench.close();
  journal.close();
  rmSync(folder, { recursive: true, force: true });
});

function begin() {
  const answer = commands.requestSale(money);
  if (!answer.accepted) throw new Error(answer.reason);
  return answer.sale;
}
const until = <Seen>(check: () => Seen) => vi.waitFor(check, { timeout: 10_000, interval: 20 });
const isThere = () => until(() => bench.payment());
async function pay() {
  const sale = begin();
  // Nobody can approve before; and a payment that is approved has no code any more.
  await until(() => expect(lane.snapshot().current?.code).toMatchObject({ kind: 'picture' }));
  const { reference } = await isThere();
  await bench.act('approve', { reference });
  await until(async () => expect(await bench.payment()).toMatchObject({ captured: money.amountMinor }));
  return sale;
}

test('approved: the till is told before the money moves, and then it is captured once', async () => {
  await pay();
  expect(outcomes).toMatchObject([{ paid: true }]);
  expect(capturedWhenOffered).toEqual([0]);
  expect((await bench.payment()).events.map(({ name }) => name)).toEqual(['CREATED', 'AUTHORIZED', 'CAPTURED']);
});

test('refused on the phone: not paid', async () => {
  begin();
  const { reference } = await isThere();
  await bench.act('reject', { reference });
  await until(() => expect(outcomes).toMatchObject([{ paid: false }]));
  expect(await bench.payment()).toMatchObject({ state: 'ABORTED', captured: 0 });
});

test('nobody came: not paid, and the payment is ended at the service, long before it would end by itself', async () => {
  begin();
  await until(() => expect(outcomes).toMatchObject([{ paid: false, reason: 'timedOut' }]));
  await until(async () => expect(await bench.payment()).toMatchObject({ state: 'TERMINATED' }));
});

test('cancelled while the customer was faster, unseen: the service says so, and the sale ends as paid', async () => {
  const { saleId } = begin();
  const { reference } = await isThere();
  bench.simulator.faults.add({ operation: 'getEpayment', kind: 'status500', times: 1_000 });
  await bench.act('approve', { reference });
  expect(commands.abortSale(saleId)).toBe('aborting');
  await until(() => expect(bench.simulator.requests().some(({ code }) => code === '6060')).toBe(true));
  bench.simulator.faults.clear();
  await until(() => expect(outcomes).toMatchObject([{ paid: true }]));
  await until(async () => expect(await bench.payment()).toMatchObject({ captured: money.amountMinor, cancelled: 0 }));
});

test('the till does not take "paid" over: the reservation is released, and nothing is captured', async () => {
  tillAnswer = 'notAcknowledged';
  begin();
  const { reference } = await isThere();
  await bench.act('approve', { reference });
  await until(async () => expect(await bench.payment()).toMatchObject({ cancelled: money.amountMinor, captured: 0 }));
  expect(outcomes).toMatchObject([{ paid: false }]);
});

test.each(['reset', 'resetAfter'] as const)('the answer to the create request is lost (%s): repeated with its key, one payment, paid', async (kind) => {
  bench.simulator.faults.add({ operation: 'createEpayment', kind, times: 2 });
  await pay();
  expect(outcomes).toMatchObject([{ paid: true }]);
  expect(await bench.payments()).toHaveLength(1);
});

test('captures that fail (500) are repeated with one key until one is confirmed; no sixth change leaves in a minute', async () => {
  bench.simulator.faults.add({ operation: 'captureEpayment', kind: 'status500After' }, { operation: 'captureEpayment', kind: 'status500', times: 4 });
  const sale = await pay();
  await until(() => expect(journal.story(sale.saleId).at(-1)?.event.type).toBe('captured'));
  const events = (await bench.payment()).events.filter(({ name }) => name === 'CAPTURED');
  expect(events).toHaveLength(1);
  const captures = bench.simulator.requests().filter(({ operation }) => operation === 'captureEpayment');
  expect(new Set(captures.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  const leftAtMs = bench.simulator.requests().flatMap(({ operation, atMs }) => (operation === 'createEpayment' || operation === 'captureEpayment' ? atMs : []));
  expect(leftAtMs).toHaveLength(7);
  // Two seconds for the way there.
  for (const [index, atMs] of leftAtMs.slice(5).entries()) expect((atMs - (leftAtMs[index] ?? 0)) * speed).toBeGreaterThan(58_000);
});

test.each(['resetAfter', 'reset'] as const)('the answer to a refund is lost (%s): found in the log or made with its key, once', async (kind) => {
  const { receiptNumber } = await pay();
  bench.simulator.faults.add({ operation: 'refundEpayment', kind });
  expect(commands.requestRefund({ receiptNumber, amountMinor: 5_000, currency: 'DKK' })).toMatchObject({ accepted: true });
  await until(() => expect(refundOutcomes).toMatchObject([{ refunded: true }]));
  expect(await bench.payment()).toMatchObject({ refunded: 5_000 });
  expect((await bench.payment()).events.filter(({ name }) => name === 'REFUNDED')).toHaveLength(1);
});

const lines = [
  { name: 'Rye bread', totalMinor: 10_000, taxMinor: 2_000, taxRate: 2_500, quantity: '1.5', unit: 'KG', unitPriceMinor: 6_667, discountMinor: 0 },
  { name: 'Beer', id: '4711', totalMinor: 2_550, taxMinor: 510 },
] as const;

test('what a till says was bought, and the least age, go with the payment, and with each repetition of its request', async () => {
  bench.simulator.faults.add({ operation: 'createEpayment', kind: 'timeoutAfter' });
  const id = systemIds.uuid();
  expect(lane.requestNamedSale(id, { ...money, lines, minimumAge: 18 })).toMatchObject({ accepted: true });
  await vi.waitFor(async () => expect(await bench.payment()).toMatchObject({ state: 'CREATED' }), { timeout: 10_000 });
  await vi.waitFor(() => expect(lane.snapshot().current?.payment).toMatchObject({ kind: 'awaiting' }), { timeout: 10_000 });
  const bodies = bench.sent.filter(({ url }) => url.endsWith('/payments')).map(({ body }) => body);
  expect(bodies.length).toBeGreaterThan(1);
  expect(new Set(bodies).size).toBe(1);
  expect(JSON.parse(bodies[0] ?? '')).toMatchObject({
    minimumUserAge: 18,
    receipt: {
      orderLines: [
        {
          name: 'Rye bread',
          id: '1',
          totalAmount: 10_000,
          totalAmountExcludingTax: 8_000,
          totalTaxAmount: 2_000,
          taxRate: 2_500,
          unitInfo: { unitPrice: 6_667, quantity: '1.5', quantityUnit: 'KG' },
          discount: 0,
        },
        { name: 'Beer', id: '4711', totalAmount: 2_550, totalAmountExcludingTax: 2_040, totalTaxAmount: 510 },
      ],
      bottomLine: { currency: 'DKK' },
    },
  });
  // They are on disk with the payment: after a restart the request is repeated with them.
  expect(journal.story(id)[0]?.event).toMatchObject({ sale: { lines, minimumAge: 18 } });
  const [beer] = lines;
  expect(lane.requestNamedSale(id, { ...money, lines, minimumAge: 18 })).toEqual({ accepted: true, isRepeated: true });
  expect(lane.requestNamedSale(id, { ...money, lines: [beer], minimumAge: 18 })).toEqual({ accepted: false, reason: 'nameUsed' });
  expect(lane.requestNamedSale(id, { ...money, lines })).toEqual({ accepted: false, reason: 'nameUsed' });
});

test('a till that says nothing about it sends no receipt: a tax is not made up', async () => {
  begin();
  await vi.waitFor(async () => expect(await bench.payment()).toMatchObject({ state: 'CREATED' }), { timeout: 10_000 });
  const body = bench.sent.find(({ url }) => url.endsWith('/payments'))?.body ?? '';
  expect(JSON.parse(body)).not.toHaveProperty('receipt');
});
