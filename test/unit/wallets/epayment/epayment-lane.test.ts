/**
 * Whole payments through a real lane: its journal on disk, the ePayment client, and the simulated
 * service over real HTTP.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemIds } from '../../../../main/core/domain/ids.ts';
import type { LaneCommands } from '../../../../main/core/lane/till-port.ts';
import {
  type EpaymentLane,
  money,
  openEpaymentLane,
  speed,
  until,
} from './epayment-lane-support.ts';

let opened: EpaymentLane;
let commands: LaneCommands;
beforeEach(async () => {
  opened = await openEpaymentLane();
  await opened.lane.start();
  ({ commands } = opened);
});
afterEach(() => opened.close());

test('approved: the till is told before the money moves, and then it is captured once', async () => {
  await opened.pay();
  expect(opened.till.outcomes).toMatchObject([{ paid: true }]);
  expect(opened.till.capturedWhenOffered).toEqual([0]);
  expect((await opened.bench.payment()).events.map(({ name }) => name)).toEqual([
    'CREATED',
    'AUTHORIZED',
    'CAPTURED',
  ]);
});

test('refused on the phone: not paid', async () => {
  opened.begin();
  const { reference } = await opened.isThere();
  await opened.bench.act('reject', { reference });
  await until(() => expect(opened.till.outcomes).toMatchObject([{ paid: false }]));
  expect(await opened.bench.payment()).toMatchObject({ state: 'ABORTED', captured: 0 });
});

test('nobody came: not paid, and the payment is ended at the service, long before it would end by itself', async () => {
  opened.begin();
  await until(() =>
    expect(opened.till.outcomes).toMatchObject([{ paid: false, reason: 'timedOut' }]),
  );
  await until(async () =>
    expect(await opened.bench.payment()).toMatchObject({ state: 'TERMINATED' }),
  );
});

test('cancelled while the customer was faster, unseen: the service says so, and the sale ends as paid', async () => {
  const { saleId } = opened.begin();
  const { reference } = await opened.isThere();
  opened.bench.simulator.faults.add({ operation: 'getEpayment', kind: 'status500', times: 1_000 });
  await opened.bench.act('approve', { reference });
  expect(commands.abortSale(saleId)).toBe('aborting');
  await until(() =>
    expect(opened.bench.simulator.requests().some(({ code }) => code === '6060')).toBe(true),
  );
  opened.bench.simulator.faults.clear();
  await until(() => expect(opened.till.outcomes).toMatchObject([{ paid: true }]));
  await until(async () =>
    expect(await opened.bench.payment()).toMatchObject({
      captured: money.amountMinor,
      cancelled: 0,
    }),
  );
});

test('the till does not take "paid" over: the reservation is released, and nothing is captured', async () => {
  opened.till.answer = 'notAcknowledged';
  opened.begin();
  const { reference } = await opened.isThere();
  await opened.bench.act('approve', { reference });
  await until(async () =>
    expect(await opened.bench.payment()).toMatchObject({
      cancelled: money.amountMinor,
      captured: 0,
    }),
  );
  expect(opened.till.outcomes).toMatchObject([{ paid: false }]);
});

test.each(['reset', 'resetAfter'] as const)(
  'the answer to the create request is lost (%s): repeated with its key, one payment, paid',
  async (kind) => {
    opened.bench.simulator.faults.add({ operation: 'createEpayment', kind, times: 2 });
    await opened.pay();
    expect(opened.till.outcomes).toMatchObject([{ paid: true }]);
    expect(await opened.bench.payments()).toHaveLength(1);
  },
);

test('captures that fail (500) are repeated with one key until one is confirmed; no sixth change leaves in a minute', async () => {
  opened.bench.simulator.faults.add(
    { operation: 'captureEpayment', kind: 'status500After' },
    { operation: 'captureEpayment', kind: 'status500', times: 4 },
  );
  const sale = await opened.pay();
  await until(() => expect(opened.journal.story(sale.saleId).at(-1)?.event.type).toBe('captured'));
  const events = (await opened.bench.payment()).events.filter(({ name }) => name === 'CAPTURED');
  expect(events).toHaveLength(1);
  const captures = opened.bench.simulator
    .requests()
    .filter(({ operation }) => operation === 'captureEpayment');
  expect(new Set(captures.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  const leftAtMs = opened.bench.simulator
    .requests()
    .flatMap(({ operation, atMs }) =>
      operation === 'createEpayment' || operation === 'captureEpayment' ? atMs : [],
    );
  expect(leftAtMs).toHaveLength(7);
  // Two seconds for the way there.
  for (const [index, atMs] of leftAtMs.slice(5).entries())
    expect((atMs - (leftAtMs[index] ?? 0)) * speed).toBeGreaterThan(58_000);
});

test.each(['resetAfter', 'reset'] as const)(
  'the answer to a refund is lost (%s): found in the log or made with its key, once',
  async (kind) => {
    const { receiptNumber } = await opened.pay();
    opened.bench.simulator.faults.add({ operation: 'refundEpayment', kind });
    expect(
      commands.requestRefund({ receiptNumber, amountMinor: 5_000, currency: 'DKK' }),
    ).toMatchObject({ accepted: true });
    await until(() => expect(opened.till.refundOutcomes).toMatchObject([{ refunded: true }]));
    expect(await opened.bench.payment()).toMatchObject({ refunded: 5_000 });
    expect(
      (await opened.bench.payment()).events.filter(({ name }) => name === 'REFUNDED'),
    ).toHaveLength(1);
  },
);

test('a till that is gone before its refund was asked for: nothing is, and it ends as it was told', async () => {
  const { receiptNumber } = await opened.pay();
  const answer = commands.requestRefund({ receiptNumber, amountMinor: 5_000, currency: 'DKK' });
  if (!answer.accepted) throw new Error(answer.reason);
  // The payment is read first, which takes longer than this.
  commands.tillLost(answer.refund.refundOrderId);
  await until(() =>
    expect(opened.till.refundOutcomes).toMatchObject([{ refunded: false, reason: 'tillGone' }]),
  );
  expect(await opened.bench.payment()).toMatchObject({ refunded: 0 });
});

test('a part is captured in the portal while our capture fails: a person has it at once, with what was captured, and it is called neither lost nor confirmed', async () => {
  await opened.bench.act('set-sales-unit', { msn: '123456', mayCaptureParts: true });
  opened.bench.simulator.faults.add({
    operation: 'captureEpayment',
    kind: 'status500',
    times: 1_000,
  });
  const { saleId } = opened.begin();
  const { reference } = await opened.isThere();
  await opened.bench.act('approve', { reference });
  await until(() => expect(opened.till.outcomes).toMatchObject([{ paid: true }]));
  await opened.bench.act('portal', { reference, action: 'capture', amount: 5_000 });
  opened.bench.simulator.faults.clear();
  await until(() =>
    expect(opened.lane.snapshot().unsettled).toMatchObject([
      { saleId, known: 'otherAmount', problem: 'otherAmountCaptured', movedMinor: 5_000 },
    ]),
  );
  expect(opened.journal.lastDecided('K1')).toMatchObject({
    outcome: { paid: true },
    certainty: 'contested',
    movedMinor: 5_000,
  });
  expect(opened.journal.story(saleId).map(({ event }) => event.type)).not.toContain('captured');
});

const lines = [
  {
    name: 'Rye bread',
    totalMinor: 10_000,
    taxMinor: 2_000,
    taxRate: 2_500,
    quantity: '1.5',
    unit: 'KG',
    unitPriceMinor: 6_667,
    discountMinor: 0,
  },
  { name: 'Beer', id: '4711', totalMinor: 2_550, taxMinor: 510 },
] as const;

test('what a till says was bought, and the least age, go with the payment, and with each repetition of its request', async () => {
  opened.bench.simulator.faults.add({ operation: 'createEpayment', kind: 'timeoutAfter' });
  const id = systemIds.uuid();
  expect(
    opened.lane.tillRequests.requestNamedSale(id, { ...money, lines, minimumAge: 18 }),
  ).toMatchObject({
    accepted: true,
  });
  await until(async () => expect(await opened.bench.payment()).toMatchObject({ state: 'CREATED' }));
  await until(() =>
    expect(opened.lane.snapshot().current?.payment).toMatchObject({ kind: 'awaiting' }),
  );
  const bodies = opened.bench.sent
    .filter(({ url }) => url.endsWith('/payments'))
    .map(({ body }) => body);
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
        {
          name: 'Beer',
          id: '4711',
          totalAmount: 2_550,
          totalAmountExcludingTax: 2_040,
          totalTaxAmount: 510,
        },
      ],
      bottomLine: { currency: 'DKK' },
    },
  });
  // The lines are on disk with the payment, because after a restart the request is repeated with
  // them.
  expect(opened.journal.story(id)[0]?.event).toMatchObject({ sale: { lines, minimumAge: 18 } });
  const [beer] = lines;
  expect(
    opened.lane.tillRequests.requestNamedSale(id, { ...money, lines, minimumAge: 18 }),
  ).toEqual({
    accepted: true,
    isRepeated: true,
  });
  expect(
    opened.lane.tillRequests.requestNamedSale(id, { ...money, lines: [beer], minimumAge: 18 }),
  ).toEqual({
    accepted: false,
    reason: 'nameUsed',
  });
  expect(opened.lane.tillRequests.requestNamedSale(id, { ...money, lines })).toEqual({
    accepted: false,
    reason: 'nameUsed',
  });
});

test('the service is sent no empty name or number: the number of the article or of the line stands for it', async () => {
  const [bread, beer] = lines;
  const nameless = [
    { ...bread, name: ' ', id: '' },
    { ...beer, name: '' },
  ];
  expect(
    opened.lane.tillRequests.requestNamedSale(systemIds.uuid(), { ...money, lines: nameless }),
  ).toMatchObject({ accepted: true });
  await until(async () => expect(await opened.bench.payment()).toMatchObject({ state: 'CREATED' }));
  const body = opened.bench.sent.find(({ url }) => url.endsWith('/payments'))?.body ?? '';
  expect(JSON.parse(body)).toMatchObject({
    receipt: {
      orderLines: [
        { name: '1', id: '1' },
        { name: '4711', id: '4711' },
      ],
    },
  });
});

test('a till that says nothing about it sends no receipt: a tax is not made up', async () => {
  opened.begin();
  await until(async () => expect(await opened.bench.payment()).toMatchObject({ state: 'CREATED' }));
  const body = opened.bench.sent.find(({ url }) => url.endsWith('/payments'))?.body ?? '';
  expect(JSON.parse(body)).not.toHaveProperty('receipt');
});
