import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ServiceUnreachableError } from '../../../../../main/wallets/http/errors.ts';
import { ExportColumn } from '../../../../../preload/procedures/reconciliation.ts';
import { asked, saleNumbered, takeover } from '../../../core/journal/support.ts';
import { settled } from '../../../support/manual-clock.ts';
import { all, newest, period, Shop } from './reconciliation-support.ts';

let shop: Shop;
beforeEach(() => {
  shop = new Shop();
});
afterEach(() => shop[Symbol.dispose]());

describe('a row', () => {
  test('is matched where the bank and the journal say the same', async () => {
    const sale = shop.sale(1, 1_000);
    shop.report(sale.orderId, 1_000);
    shop.bank.payOut('2026-11-21T03:00:00Z', { feeMinor: 0 });
    await shop.open();
    expect(shop.rows()).toEqual([['matched', sale.orderId, 1_000, 1_000]]);
  });

  test('is matched by the payment id where the report names no order', async () => {
    const sale = shop.sale(1, 1_000);
    shop.report('', 1_000, {
      paymentId:
        shop.journal.paymentOfOrder(sale.orderId)?.kind === 'paid'
          ? 'fa1e0000-0000-4000-8000-000000000001'
          : null,
    });
    shop.bank.payOut('2026-11-21T03:00:00Z', { feeMinor: 0 });
    await shop.open();
    expect(shop.rows()).toEqual([['matched', sale.orderId, 1_000, 1_000]]);
  });

  test('differs where the amounts do', async () => {
    const sale = shop.sale(1, 1_000);
    shop.report(sale.orderId, 900);
    shop.bank.payOut('2026-11-21T03:00:00Z', { feeMinor: 0 });
    await shop.open();
    expect(shop.rows()).toEqual([['differs', sale.orderId, 1_000, 900]]);
  });

  test('of the bank alone is one that the journal does not know, or says was not paid', async () => {
    const sale = saleNumbered(1);
    shop.journal.append('1', sale.saleId, [
      asked(sale),
      { type: 'ended', reason: 'declinedByCustomer' },
    ]);
    shop.report(sale.orderId, 500);
    shop.report('never-heard-of', 700);
    shop.bank.payOut('2026-11-21T03:00:00Z', { feeMinor: 0 });
    await shop.open();
    expect(shop.rows()).toEqual([
      ['bankOnly', sale.orderId, null, 500],
      ['bankOnly', 'never-heard-of', null, 700],
    ]);
  });

  test('of another counter’s payment stays what it is when it is refunded here; the refund is matched', async () => {
    const sale = saleNumbered(1);
    const paymentId = 'fa1e0000-0000-4000-8000-000000000001';
    shop.journal.append('1', sale.saleId, [
      { type: 'foundAtService', sale, paymentId, refundedMinor: 0 },
    ]);
    const refundOrderId = shop.refund(1, sale, 100);
    shop.report(sale.orderId, sale.amountMinor, { posName: 'Check-out 7', paymentId });
    shop.report(refundOrderId, -100, { posName: 'Check-out 7', paymentId });
    shop.bank.payOut('2026-11-21T03:00:00Z', { feeMinor: 0 });
    await shop.open();
    expect(shop.rows()).toEqual(
      expect.arrayContaining([
        ['elsewhere', sale.orderId, null, sale.amountMinor],
        ['matched', refundOrderId, -100, -100],
      ]),
    );
    expect(shop.rows()).toHaveLength(2);
  });

  test('that the bank has twice is of the bank alone the second time', async () => {
    const sale = shop.sale(1, 1_000);
    shop.report(sale.orderId, 1_000);
    shop.report(sale.orderId, 1_000);
    shop.bank.payOut('2026-11-21T03:00:00Z', { feeMinor: 0 });
    await shop.open();
    expect(shop.rows()).toEqual([
      ['matched', sale.orderId, 1_000, 1_000],
      ['bankOnly', sale.orderId, null, 1_000],
    ]);
  });

  test('of another counter of the same shop is nothing to look at', async () => {
    shop.report('2-000001-aaaa', 700, { posName: 'Check-out 2' });
    shop.bank.payOut('2026-11-21T03:00:00Z', { feeMinor: 0 });
    await shop.open();
    expect(shop.rows()).toEqual([['elsewhere', '2-000001-aaaa', null, 700]]);
  });

  test('waits where the bank has not transferred it yet', async () => {
    const sale = shop.sale(1, 1_000);
    shop.report(sale.orderId, 1_000);
    await shop.open();
    expect(shop.rows()).toEqual([['waiting', sale.orderId, 1_000, 1_000]]);
  });

  test('of ours alone waits for three days, and is missing then', async () => {
    const sale = shop.sale(1, 1_000);
    await shop.open();
    expect(shop.rows()).toEqual([['waiting', sale.orderId, 1_000, null]]);
    await shop.days(3.1);
    await shop.open();
    expect(shop.rows()).toEqual([['missing', sale.orderId, 1_000, null]]);
  });

  test('of ours alone waits as long as the capture is not confirmed', async () => {
    const sale = saleNumbered(1);
    shop.journal.append('1', sale.saleId, takeover(sale));
    await shop.days(5);
    await shop.open();
    expect(shop.rows()).toEqual([['waiting', sale.orderId, sale.amountMinor, null]]);
  });

  test('is missing where we said "paid" and the service lost it', async () => {
    const sale = saleNumbered(1);
    shop.journal.append('1', sale.saleId, [
      ...takeover(sale),
      { type: 'personNeeded', problem: 'captureLost' },
    ]);
    await shop.open();
    expect(shop.rows()).toEqual([['missing', sale.orderId, sale.amountMinor, null]]);
  });

  test('is matched also where the service captured what we had cancelled, but as the bank alone', async () => {
    const sale = saleNumbered(1);
    const [first, created, seen] = takeover(sale);
    shop.journal.append('1', sale.saleId, [
      first,
      created,
      seen,
      { type: 'cancelIntended', reason: 'timedOut' },
      { type: 'personNeeded', problem: 'capturedUnasked' },
    ] as never);
    shop.report(sale.orderId, sale.amountMinor);
    shop.bank.payOut('2026-11-21T03:00:00Z', { feeMinor: 0 });
    await shop.open();
    expect(shop.rows()).toEqual([['bankOnly', sale.orderId, null, sale.amountMinor]]);
  });

  test('of a refund is matched by the order id of its own, with what goes out as negative', async () => {
    const sale = shop.sale(1, 1_000);
    const refundOrderId = shop.refund(1, sale, 300);
    shop.report(sale.orderId, 1_000);
    shop.report(refundOrderId, -300);
    shop.bank.payOut('2026-11-21T03:00:00Z', { feeMinor: 0 });
    await shop.open();
    expect(shop.rows()).toEqual([
      ['matched', sale.orderId, 1_000, 1_000],
      ['matched', refundOrderId, -300, -300],
    ]);
  });

  test('of a test payment of setup says so, and so does that of its refund', async () => {
    const real = shop.sale(1, 1_000);
    const tried = shop.sale(2, 100, {
      orderId: 'test-000002-5a1e0000',
      by: 'cashier',
      isTest: true,
    });
    shop.report(real.orderId, 1_000);
    shop.report(tried.orderId, 100);
    shop.report(shop.refund(1, tried, 100), -100);
    shop.bank.payOut('2026-11-21T03:00:00Z', { feeMinor: 25 });
    await shop.open();
    const rows = shop.reconciliation.rows(period, all, newest, 0, 500)?.rows ?? [];
    const isTest = (oursMinor: number | null): boolean[] =>
      rows.filter((row) => row.oursMinor === oursMinor).map((row) => row.isTest);
    expect([isTest(1_000), isTest(100), isTest(-100)]).toEqual([[false], [true], [true]]);
  });

  test('of two refunds of one payment, of which the report names only the payment, is not the same twice', async () => {
    const paymentId = 'fa1e0000-0000-4000-8000-000000000001';
    const sale = shop.sale(1, 1_000);
    for (const n of [1, 2]) shop.report(shop.refund(n, sale, 100 * n), -100 * n, { paymentId });
    shop.report(sale.orderId, 1_000, { paymentId });
    shop.bank.payOut('2026-11-21T03:00:00Z', { feeMinor: 0 });
    await shop.open();
    expect(shop.rows().map((row) => (row as unknown[])[0])).toEqual([
      'matched',
      'matched',
      'matched',
    ]);
  });

  test('of a sale at midnight belongs to the month of its transfer, and is missed in neither', async () => {
    await shop.days(9.5); // 30 November, 21:00
    const sale = shop.sale(1, 1_000);
    await shop.days(1);
    shop.report(sale.orderId, 1_000, { timestamp: '2026-11-30T21:00:00Z' });
    shop.bank.payOut('2026-12-01T12:00:00Z', { feeMinor: 0 });
    await shop.days(10);
    await shop.open();
    expect(shop.rows()).toEqual([]);
    const december = { from: '2026-12-01', to: '2026-12-31' };
    await shop.reconciliation.open(december, false, 60_000);
    expect(shop.reconciliation.rows(december, all, newest, 0, 10)?.rows).toMatchObject([
      { category: 'matched', orderId: sale.orderId },
    ]);
  });
});

describe('sums', () => {
  test('of a transfer: payments, refunds and fees are what arrived', async () => {
    const sale = shop.sale(1, 10_000);
    const refundOrderId = shop.refund(1, sale, 2_500);
    shop.report(sale.orderId, 10_000);
    shop.report(refundOrderId, -2_500);
    shop.bank.line('ServiceFee', -50);
    shop.bank.payOut('2026-11-21T03:00:00Z');
    await shop.open();
    const summary = shop.reconciliation.summary(period);
    expect(summary?.currencies).toMatchObject([
      {
        currency: 'DKK',
        transfers: 1,
        transferredMinor: 7_425,
        payments: { count: 1, minor: 10_000 },
        refunds: { count: 1, minor: -2_500 },
        fees: { count: 2, minor: -75 },
        others: { count: 0, minor: 0 },
        unexplainedMinor: 0,
      },
    ]);
    expect(summary?.counts).toEqual({
      matched: 2,
      waiting: 0,
      missing: 0,
      bankOnly: 0,
      differs: 0,
      fee: 1,
      elsewhere: 0,
    });
  });

  test('of a transfer that its transactions do not add up to are told', async () => {
    shop.report(shop.sale(1, 1_000).orderId, 1_000);
    shop.bank.payOut('2026-11-21T03:00:00Z', { feeMinor: 0, short: 5 });
    await shop.open();
    expect(shop.reconciliation.summary(period)?.currencies).toMatchObject([
      { unexplainedMinor: -5 },
    ]);
    expect(shop.reconciliation.transfers(period, 0, 10)).toMatchObject({
      total: 1,
      transfers: [{ addsUp: false, totalMinor: 995, transactions: 1 }],
    });
  });

  test('adjustments and what nobody knows are something to look at', async () => {
    shop.bank.line('Adjustment', -100);
    shop.bank.line('SomethingNew', 300);
    shop.bank.payOut('2026-11-21T03:00:00Z', { feeMinor: 0 });
    await shop.open();
    expect(shop.rows({ category: 'lookAt' })).toEqual([
      ['bankOnly', null, null, -100],
      ['bankOnly', null, null, 300],
    ]);
    expect(shop.reconciliation.summary(period)?.currencies[0]?.others).toEqual({
      count: 2,
      minor: 200,
    });
  });
});

describe('reading', () => {
  const november = async (): Promise<void> => {
    for (const n of [1, 2]) {
      shop.report(shop.sale(n, 1_000).orderId, 1_000);
      shop.bank.payOut(`2026-11-2${n}T03:00:00Z`);
    }
    await shop.open();
  };

  test('asks for each transfer once, and for nothing at all when the period is long over', async () => {
    await november();
    expect(shop.bank.asked.filter((what) => what.startsWith('transactions 7a'))).toHaveLength(2);
    await shop.days(30);
    shop.bank.asked.length = 0;
    await shop.open();
    expect(shop.bank.asked.filter((what) => what.startsWith('transactions 7a'))).toEqual([]);
    shop.bank.asked.length = 0;
    await shop.reopen();
    await shop.open();
    expect(shop.bank.asked).toEqual([]);
    expect(shop.rows()).toHaveLength(2);
  });

  test('asks again for all of it where somebody says so', async () => {
    await november();
    await shop.days(30);
    await shop.open();
    shop.bank.asked.length = 0;
    await shop.open(true);
    expect(shop.bank.asked.filter((what) => what.startsWith('transactions 7a'))).toHaveLength(2);
    expect(shop.rows()).toHaveLength(2);
  });

  test('what waited has its transfer the next time', async () => {
    const sale = shop.sale(1, 1_000);
    shop.report(sale.orderId, 1_000);
    await shop.open();
    shop.bank.payOut('2026-11-22T03:00:00Z', { feeMinor: 0 });
    await shop.open();
    expect(shop.rows()).toEqual([['matched', sale.orderId, 1_000, 1_000]]);
  });

  test('shows what is kept where the service cannot be reached, and says so', async () => {
    await november();
    shop.bank.fails = new ServiceUnreachableError('listReportedTransfers', 6, 'no route');
    await shop.open();
    expect(shop.reconciliation.summary(period)).toMatchObject({
      problem: 'unreachable',
      asOfMs: shop.clock.startedAtMs,
    });
    expect(shop.rows()).toHaveLength(2);
  });

  test('can be given up; what was read until then is kept', async () => {
    for (const n of [1, 2]) {
      shop.report(shop.sale(n, 1_000).orderId, 1_000);
      shop.bank.payOut(`2026-11-2${n}T03:00:00Z`);
    }
    let lines = 0;
    shop.bank.beforeLine = () => {
      lines += 1;
      if (lines === 4) void shop.reconciliation.cancel('reading');
    };
    expect(await shop.reconciliation.open(period, false, 60_000)).toEqual({
      kind: 'cancelled',
      period,
    });
    expect(shop.reconciliation.summary(period)).toBeNull();
    shop.bank.beforeLine = () => {};
    shop.bank.asked.length = 0;
    await shop.open();
    expect(shop.bank.asked.filter((what) => what.startsWith('transactions 7a'))).toHaveLength(1);
  });

  test('of one period gives way to another, however many are asked for at once', async () => {
    shop.report(shop.sale(1, 1_000).orderId, 1_000);
    shop.bank.payOut('2026-11-21T03:00:00Z');
    let readers = 0;
    shop.bank.beforeLine = async () => {
      readers += 1;
      expect(readers).toBe(1);
      await settled();
      readers -= 1;
    };
    const others = ['2026-11-02', '2026-11-03'].map((from) => ({ ...period, from }));
    const opened = await Promise.all(
      [...others, period].map((one) => shop.reconciliation.open(one, false, 60_000)),
    );
    expect(opened.at(-1)).toEqual({ kind: 'ready', period, problem: null });
    expect(others.map((one) => shop.reconciliation.summary(one))).toEqual([null, null]);
  });

  test('of a period that takes long is answered with how far it is', async () => {
    shop.report(shop.sale(1, 1_000).orderId, 1_000);
    shop.bank.payOut('2026-11-21T03:00:00Z');
    let goOn = (): void => {};
    shop.bank.beforeLine = () => new Promise((resolve) => (goOn = resolve));
    const opened = shop.reconciliation.open(period, false, 2_000);
    await shop.clock.pass(2_000);
    expect(await opened).toEqual({
      kind: 'reading',
      period,
      doneTransfers: 0,
      totalTransfers: 1,
      transactions: 0,
    });
    shop.bank.beforeLine = () => {};
    goOn();
    await shop.open();
  });

  test('keeps nobody’s name and telephone number', async () => {
    await november();
    await shop.reopen();
    const file = readFileSync(shop.storePath).toString('latin1');
    expect(file).toContain('1-000001-5a1e');
    expect(file).not.toMatch(/Somebody|4511111111/);
  });

  test('starts with an empty file when the stored reports are damaged', async () => {
    await november();
    await shop.reconciliation.close();
    writeFileSync(shop.storePath, 'this is no database, and never was one; '.repeat(200));
    await shop.reopen();
    await shop.open();
    expect(shop.rows()).toHaveLength(2);
  });
});

describe('what is asked of an opened period', () => {
  beforeEach(async () => {
    for (const [n, amountMinor] of [300, 100, 200].entries()) {
      shop.report(shop.sale(n + 1, amountMinor).orderId, amountMinor);
      await shop.clock.pass(1_000);
    }
    shop.bank.payOut('2026-11-21T12:00:00Z');
    await shop.open();
  });
  const orders = (
    ...asked: [
      filter: Partial<typeof all> & object,
      sort: Parameters<Shop['reconciliation']['rows']>[2],
      from?: number,
      count?: number,
    ]
  ) => {
    const [filter, sort, from = 0, count = 500] = asked;
    return shop.reconciliation
      .rows(period, { ...all, category: 'matched', ...filter }, sort, from, count)
      ?.rows.map(({ bankMinor }) => bankMinor);
  };

  test('comes in any order, by place', () => {
    expect(orders({}, newest)).toEqual([200, 100, 300]);
    expect(orders({}, { by: 'time', descending: false })).toEqual([300, 100, 200]);
    expect(orders({}, { by: 'amount', descending: true })).toEqual([300, 200, 100]);
    expect(orders({}, { by: 'order', descending: false })).toEqual([300, 100, 200]);
    expect(orders({}, newest, 1, 1)).toEqual([100]);
  });

  test('by a part of the order id, in which nothing is a wildcard', () => {
    expect(orders({ text: '000002' } as never, newest)).toEqual([100]);
    expect(orders({ text: '%' } as never, newest)).toEqual([]);
  });

  test('by transfer', () => {
    const transferId = shop.bank.payouts[0]?.id as string;
    expect(shop.reconciliation.rows(period, { ...all, transferId }, newest, 0, 1)?.total).toBe(3);
    expect(
      shop.reconciliation.rows(period, { ...all, transferId: 'another' }, newest, 0, 1)?.total,
    ).toBe(0);
  });

  test('more orders than are kept are made again', () => {
    for (let round = 0; round < 2; round += 1)
      for (const text of ['1', '2', '3', '4', '5', '6', '7', '8'])
        expect(shop.reconciliation.rows(period, { ...all, text }, newest, 0, 1)).not.toBeNull();
  });

  test('the story of a row has the fee and the notes; notes are counted', async () => {
    const [row] =
      shop.reconciliation.rows(period, { ...all, category: 'matched' }, newest, 0, 1)?.rows ?? [];
    shop.journal.keepNote({
      subject: row?.subject as string,
      manager: 'Ana',
      text: 'asked the bank',
    });
    expect(shop.reconciliation.story(period, row?.rowId as number)).toMatchObject({
      subject: row?.orderId,
      saleId: row?.saleId,
      row: { notes: 1, noteTexts: 'Ana: asked the bank' },
      bank: [{ kind: 'payment', amountMinor: 200, feeMinor: -25, transferReference: '01-1' }],
    });
  });

  test('is null when the period is not open', () => {
    expect(shop.reconciliation.summary({ from: '2026-10-01', to: '2026-10-31' })).toBeNull();
  });

  test('an export of a period that is read anew meanwhile is refused like one of a period that is not open', async () => {
    const words = {
      name: 'x',
      columns: Object.fromEntries(ExportColumn.options.map((column) => [column, column])),
      categories: {},
      kinds: {},
    } as never;
    const opening = shop.reconciliation.open(period, true, 1_000);
    for (
      let turn = 0;
      shop.reconciliation.state().job.kind !== 'matching' && turn < 1_000;
      turn += 1
    )
      await Promise.resolve();
    expect(shop.reconciliation.state().job.kind).toBe('matching');
    const exporting = shop.reconciliation.exportFile(period, newest, {
      format: 'csv',
      csv: { separator: ';', decimal: ',' },
      laneNames: {},
      words,
    });
    expect(await opening).toMatchObject({ kind: 'ready' });
    expect(await exporting).toBeNull();
    expect(shop.reconciliation.state().exported).toBeNull();
  });
});
