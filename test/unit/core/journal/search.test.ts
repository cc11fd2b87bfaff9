import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openJournalReader } from '../../../../main/core/journal/reader.ts';
import type { SaleQuery } from '../../../../main/core/journal/search.ts';
import { openSqliteJournal } from '../../../../main/core/journal/sqlite-journal.ts';
import type { Sale } from '../../../../main/core/settlement/payment.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import {
  asked,
  refundRequested,
  Folder,
  noReserve,
  paid,
  paidBack,
  paymentIdOf,
  refundNumbered,
  saleNumbered,
  takeover,
} from './support.ts';

const hourMs = 3_600_000;
const fromMs = 1_700_000 * hourMs;

class MovedClock extends ManualClock {
  nowMs = fromMs;
  override wallMs(): number {
    return this.nowMs;
  }
}

let folder: Folder;
let clock: MovedClock;
let journal: ReturnType<typeof openSqliteJournal>;
let reader: ReturnType<typeof openJournalReader>;
beforeEach(() => {
  folder = new Folder();
  clock = new MovedClock();
  journal = openSqliteJournal(folder.journal, clock, { reserve: noReserve });
  reader = openJournalReader(folder.journal);
});
afterEach(() => {
  reader.close();
  journal.close();
  folder[Symbol.dispose]();
});

/** Appends sale n, n minutes after the beginning. */
function sell(n: number, about: Partial<Sale> = {}, events = paid): Sale {
  clock.nowMs = fromMs + n * 60_000;
  const sale = saleNumbered(n, about);
  journal.append(sale.laneId, sale.saleId, events(sale));
  return sale;
}
const found = (query: SaleQuery): number[] =>
  reader.findSales(query, { size: 50, after: null }).rows.map(({ traceNumber }) => traceNumber);

describe('sales are found', () => {
  test('newest first, with the facts that a list shows, while the daemon writes', () => {
    const first = sell(1);
    sell(2, { laneId: '2', currency: 'EUR' }, (sale) => [asked(sale)]);
    const done = refundNumbered(1, first);
    journal.appendRefund('1', done.refundOrderId, paidBack(done));
    const refused = refundNumbered(2, first, { amountMinor: 7 });
    journal.appendRefund('1', refused.refundOrderId, [
      refundRequested(refused),
      { type: 'ended', reason: 'tooOld' },
    ]);
    const open = refundNumbered(3, first, { amountMinor: 20 });
    journal.appendRefund('1', open.refundOrderId, [refundRequested(open)]);
    const byManager = refundNumbered(4, first, {
      amountMinor: 30,
      by: { kind: 'manager', name: 'Anna' },
    });
    journal.appendRefund('1', byManager.refundOrderId, paidBack(byManager));
    expect(reader.findSales({}, { size: 50, after: null })).toEqual({
      rows: [
        {
          saleId: saleNumbered(2).saleId,
          laneId: '2',
          atMs: fromMs + 120_000,
          amountMinor: 1234,
          currency: 'EUR',
          state: 'creating',
          capturedMinor: null,
          receiptNumber: 2,
          traceNumber: 2,
          orderId: saleNumbered(2).orderId,
          paymentId: null,
          refundedMinor: 0,
          refundedAtTillMinor: 0,
        },
        {
          saleId: first.saleId,
          laneId: '1',
          atMs: fromMs + 60_000,
          amountMinor: 1234,
          currency: 'DKK',
          state: 'paid',
          capturedMinor: 1234,
          receiptNumber: 1,
          traceNumber: 1,
          orderId: first.orderId,
          paymentId: paymentIdOf(1),
          refundedMinor: 130,
          refundedAtTillMinor: 100,
        },
      ],
      next: null,
    });
  });

  test('by each thing that a person may know, and by all of them together', () => {
    const sales = Array.from({ length: 6 }, (_, index) =>
      sell(index + 1, {
        laneId: index % 2 === 0 ? '1' : '2',
        amountMinor: index < 3 ? 100 : 200,
        receiptNumber: (index % 3) + 1,
      }),
    );
    const fourth = sales[3] as Sale;
    expect(found({})).toEqual([6, 5, 4, 3, 2, 1]);
    expect(found({ laneId: '2' })).toEqual([6, 4, 2]);
    expect(found({ amountMinor: 200 })).toEqual([6, 5, 4]);
    expect(found({ fromMs: fromMs + 120_000, toMs: fromMs + 240_000 })).toEqual([3, 2]);
    expect(found({ orderIdBeginning: fourth.orderId })).toEqual([4]);
    expect(found({ receiptNumber: 1 })).toEqual([4, 1]);
    expect(found({ saleId: fourth.saleId })).toEqual([4]);
    // The payment's id was made of the receipt number.
    expect(found({ paymentIdEnding: '0001' })).toEqual([4, 1]);
    expect(found({ paymentIdEnding: '10001' })).toEqual([]);
    expect(found({ paymentIdEnding: paymentIdOf(2).toUpperCase() })).toEqual([5, 2]);
    expect(
      found({
        laneId: '2',
        amountMinor: 200,
        fromMs,
        toMs: fromMs + hourMs,
        receiptNumber: 1,
        paymentIdEnding: '0001',
      }),
    ).toEqual([4]);
    const all = {
      ...fourth,
      fromMs: fromMs + 240_000,
      toMs: fromMs + 240_001,
      paymentIdEnding: '00000001',
      orderIdBeginning: fourth.orderId,
    };
    const { laneId, amountMinor, orderIdBeginning, receiptNumber, saleId, paymentIdEnding, toMs } =
      all;
    const exact: SaleQuery = {
      laneId,
      amountMinor,
      orderIdBeginning,
      receiptNumber,
      saleId,
      paymentIdEnding,
      fromMs: all.fromMs,
      toMs,
    };
    expect(found(exact)).toEqual([4]);
    for (const wrong of [
      { laneId: '3' },
      { amountMinor: 1 },
      { orderIdBeginning: 'x' },
      { orderIdEnding: '5a1e0000' },
      { receiptNumber: 9 },
      { saleId: 'x' },
      { paymentIdEnding: '9999' },
      { toMs: 0 },
    ])
      expect(found({ ...exact, ...wrong })).toEqual([]);
  });

  test('by what is left of an order id that is torn or read out: its beginning, or its end, which is the beginning of the sale’s id', () => {
    const named = (n: number, beginning: string, saleId: string) =>
      sell(n, { saleId, orderId: `${beginning}-${saleId.slice(0, 8)}` });
    named(1, '1-000042', 'd532ac88-0000-4000-8000-000000000001');
    named(2, '1-000043', 'd532ac88-0000-4000-8000-000000000002');
    named(3, 'Bord 4-000042', 'd532ac89-0000-4000-8000-000000000003');
    expect(found({ orderIdEnding: 'd532ac88' })).toEqual([2, 1]);
    expect(found({ orderIdEnding: '042-D532AC88' })).toEqual([1]);
    expect(found({ orderIdEnding: 'bord 4-000042-d532ac89' })).toEqual([3]);
    expect(found({ orderIdEnding: 'd532ac8a' })).toEqual([]);
    expect(found({ orderIdEnding: 'AC88' })).toEqual([2, 1]);
    expect(() => found({ orderIdEnding: 'c89' })).toThrow(/at least the last 4 characters/);
    expect(found({ orderIdBeginning: '1-000042' })).toEqual([1]);
    expect(found({ orderIdBeginning: '1-000042-d532' })).toEqual([1]);
    expect(found({ orderIdBeginning: 'Bord 4-000042' })).toEqual([3]);
    expect(found({ orderIdBeginning: '000042' })).toEqual([]);
    expect(found({ orderIdEnding: 'd532ac88', laneId: '1', fromMs: fromMs + 120_000 })).toEqual([
      2,
    ]);
  });

  test('by the last characters of a refund’s order id, the till’s or a manager’s', () => {
    const [first, second] = [sell(1), sell(2)];
    sell(3);
    const refund = (n: number, sale: Sale, refundOrderId: string): void => {
      const request = refundNumbered(n, sale, { refundOrderId });
      journal.appendRefund(sale.laneId, refundOrderId, [refundRequested(request)]);
    };
    refund(1, first, '1-R000042-d532ac88');
    refund(2, second, '3d500000-0000-4000-8000-0000d532ac88');
    expect(found({ refundOrderIdEnding: 'AC88' })).toEqual([2, 1]);
    expect(found({ refundOrderIdEnding: '-r000042-d532ac88' })).toEqual([1]);
    expect(found({ refundOrderIdEnding: 'd532ac88', amountMinor: 1 })).toEqual([]);
    expect(found({ refundOrderIdEnding: 'd532ac89' })).toEqual([]);
  });

  test('page by page, each once, also when new ones come meanwhile and the clock goes back', () => {
    for (let n = 1; n <= 7; n += 1) sell(n);
    sell(7, { saleId: 'same moment', orderId: 'same moment', receiptNumber: 8, traceNumber: 8 });
    const first = reader.findSales({}, { size: 3, after: null });
    expect(first.rows.map(({ traceNumber }) => traceNumber)).toEqual([8, 7, 6]);
    sell(9);
    sell(0, {
      saleId: 'earlier by the clock',
      orderId: 'earlier',
      receiptNumber: 10,
      traceNumber: 10,
    });
    const second = reader.findSales({}, { size: 3, after: first.next });
    expect(second.rows.map(({ traceNumber }) => traceNumber)).toEqual([5, 4, 3]);
    const third = reader.findSales({}, { size: 3, after: second.next });
    expect(third.rows.map(({ traceNumber }) => traceNumber)).toEqual([2, 1, 10]);
    expect(third.next).toBeNull();
  });

  test('only when what is asked for can be asked', () => {
    expect(() => reader.findSales({ paymentIdEnding: '123' }, { size: 1, after: null })).toThrow(
      RangeError,
    );
    for (const size of [0, 501, 1.5])
      expect(() => reader.findSales({}, { size, after: null })).toThrow(RangeError);
    expect(() => reader.findSales({}, { size: 1, after: "1.1' OR 1" })).toThrow(RangeError);
    expect(found({ orderIdBeginning: "x' OR '1' = '1" })).toEqual([]);
    expect(found({ orderIdEnding: "x' OR '1' = '1" })).toEqual([]);
  });
});

test('totals count what was told as paid and as refunded, by lane, hour and currency, and list what is open', () => {
  const first = sell(1);
  sell(2, { amountMinor: 66 }, takeover);
  sell(3, {}, (sale) => [asked(sale), { type: 'ended', reason: 'timedOut' }]);
  sell(4, { laneId: '2', currency: 'EUR' });
  sell(61);
  const needy = sell(62, {}, (sale) => [
    ...takeover(sale),
    { type: 'personNeeded', problem: 'captureLost' },
  ]);
  clock.nowMs = fromMs + hourMs + 1;
  const done = refundNumbered(1, first);
  journal.appendRefund('1', done.refundOrderId, paidBack(done));
  const open = refundNumbered(2, first, { amountMinor: 5 });
  journal.appendRefund('1', open.refundOrderId, [refundRequested(open)]);
  clock.nowMs = fromMs + 2 * hourMs;
  sell(120, {}, (sale) => [asked(sale)]);
  const none = { count: 0, sumMinor: 0 };
  const totals = reader.dayTotals({ fromMs, toMs: fromMs + 2 * hourMs });
  expect(totals.hours).toEqual([
    {
      laneId: '1',
      hourMs: fromMs,
      currency: 'DKK',
      payments: { count: 2, sumMinor: 1300 },
      refunds: none,
    },
    {
      laneId: '1',
      hourMs: fromMs + hourMs,
      currency: 'DKK',
      payments: { count: 1, sumMinor: 1234 },
      refunds: { count: 1, sumMinor: 100 },
    },
    {
      laneId: '2',
      hourMs: fromMs,
      currency: 'EUR',
      payments: { count: 1, sumMinor: 1234 },
      refunds: none,
    },
  ]);
  expect(totals.open.map(({ kind, orderId, state }) => [kind, orderId, state])).toEqual([
    ['sale', saleNumbered(2).orderId, 'capturing'],
    ['refund', open.refundOrderId, 'creating'],
    ['sale', needy.orderId, 'needsPerson'],
  ]);
  expect(totals.open[1]).toMatchObject({
    saleId: first.saleId,
    laneId: '1',
    atMs: fromMs + hourMs + 1,
    amountMinor: 5,
    currency: 'DKK',
    byTill: true,
  });
  const byManager = refundNumbered(3, first, { by: { kind: 'manager', name: 'Anna' } });
  journal.appendRefund('1', byManager.refundOrderId, [refundRequested(byManager)]);
  const refunds = reader
    .dayTotals({ fromMs, toMs: fromMs + 3 * hourMs })
    .open.filter(({ kind }) => kind === 'refund');
  expect(refunds).toMatchObject([
    { orderId: open.refundOrderId, byTill: true },
    { orderId: byManager.refundOrderId, byTill: false },
  ]);
  expect(
    reader.dayTotals({ fromMs: fromMs + hourMs, toMs: fromMs + 2 * hourMs }).open,
  ).toHaveLength(3);
  expect(reader.dayTotals({ fromMs: 0, toMs: fromMs })).toEqual({ hours: [], tests: [], open: [] });
});

test('test payments of setup are marked in a list and told apart in totals; one that a cashier calls so is none', () => {
  const numbersBefore = { sale: 0, refund: 0, capture: 0, undecided: { sales: [], refunds: [] } };
  sell(1);
  sell(2, { orderId: 'test-000002-5a1e0000', by: 'cashier' });
  const { counted } = reader.totalsBehind(numbersBefore, { isHourly: false });
  const tried = sell(3, {
    orderId: 'test-000003-5a1e0000',
    by: 'cashier',
    isTest: true,
    amountMinor: 100,
  });
  const reservation = sell(
    4,
    {
      orderId: 'test-000004-5a1e0000',
      by: 'cashier',
      isTest: true,
      plannedCaptureDelay: 'LessThan14Days',
    },
    (sale) => [
      asked(sale),
      { type: 'created', paymentId: paymentIdOf(4), status: 'initiated' },
      { type: 'holdIntended', expiresAtMs: null, partialCapturePossible: true },
      { type: 'tillAcknowledged' },
      { type: 'captureIntended', amountMinor: 40, by: 'Anna' },
    ],
  );
  sell(5, { orderId: 'test-000005-5a1e0000', by: 'cashier', isTest: true }, (sale) => [
    asked(sale),
    { type: 'ended', reason: 'timedOut' },
  ]);
  const back = refundNumbered(1, tried);
  journal.appendRefund('1', back.refundOrderId, paidBack(back));
  expect(reader.findSales({}, { size: 50, after: null }).rows.map(({ isTest }) => isTest)).toEqual([
    true,
    true,
    true,
    undefined,
    undefined,
  ]);
  expect(
    reader
      .findSales({ orderIdBeginning: 'test-00000' }, { size: 50, after: null })
      .rows.filter(({ isTest }) => isTest),
  ).toHaveLength(3);
  const tests = {
    laneId: '1',
    currency: 'DKK',
    payments: { count: 2, sumMinor: 140 },
    refunds: { count: 1, sumMinor: 100 },
  };
  expect(reader.dayTotals({ fromMs, toMs: fromMs + hourMs })).toMatchObject({
    hours: [{ payments: { count: 4 } }],
    tests: [tests],
  });
  expect(reader.dayTotals({ fromMs: fromMs + hourMs, toMs: fromMs + 2 * hourMs }).tests).toEqual(
    [],
  );
  expect(reader.totalsBehind(numbersBefore, { isHourly: true }).tests).toMatchObject([tests]);
  const since = reader.totalsBehind(counted, { isHourly: false });
  expect(since).toMatchObject({
    hours: [{ payments: { count: 2, sumMinor: 140 } }],
    tests: [tests],
  });
  expect(reader.totalsBehind(since.counted, { isHourly: false })).toMatchObject({
    hours: [],
    tests: [],
  });
  journal.append('1', reservation.saleId, [{ type: 'captured' }]);
  expect(reader.totalsBehind(numbersBefore, { isHourly: true }).tests).toMatchObject([tests]);
});
