import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemIds } from '../../../../main/core/domain/ids.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { Simulator } from '../../../../main/sandbox/simulator/simulator.ts';
import { merchantAccess } from '../../../../main/wallets/http/access.ts';
import {
  CredentialsRefusedError,
  InvalidRequestError,
  ServiceRefusedError,
  UnexpectedAnswerError,
} from '../../../../main/wallets/http/errors.ts';
import { fetchHttp, type HttpSend } from '../../../../main/wallets/http/http.ts';
import { profileNamed } from '../../../../main/wallets/v10/v10-profile.ts';
import {
  openReporting,
  type Reporting,
} from '../../../../main/wallets/v10/reporting/reporting-client.ts';
import { Transport } from '../../../../main/wallets/http/transport.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const vat = 'DK90000028';
const unknownId = '00000000-0000-4000-8000-00000000dead';
const profile = profileNamed('generic');
const clock = new ManualClock();

/** 250 payments of 1 to 250 minor units, transferred, and 5 that are not. */
let simulator: Simulator;
let sent: string[] = [];
let reporting: Reporting;

function openWith(send: HttpSend, token = `simulated-key-of-${vat}`): Reporting {
  const transport = new Transport({
    baseUrl: simulator.baseUrl,
    access: merchantAccess(token),
    profile,
    send,
    clock,
    log: silentLog,
  });
  return openReporting({ transport });
}

beforeAll(async () => {
  simulator = new Simulator({
    profile,
    clock,
    ids: systemIds,
    policy: { transactionFeeMinor: 0, serviceFeePerMille: 0 },
  });
  await simulator.start({ port: 0 });
  const pay = (amountMinor: number): void =>
    simulator.world.ledger.record({
      type: 'Payment',
      product: 'PointOfSale',
      merchantVat: vat,
      paymentPointId: simulator.storeIds[0] as string,
      amountMinor,
      currency: 'DKK',
      about: {},
    });
  for (let amountMinor = 1; amountMinor <= 250; amountMinor += 1) pay(amountMinor);
  await simulator.advance(24 * 60 * 60 * 1000);
  for (let amountMinor = 1; amountMinor <= 5; amountMinor += 1) pay(amountMinor);
  reporting = openWith((request, signal) => {
    sent.push(new URL(request.url).search);
    return fetchHttp(request, signal);
  });
});
afterAll(() => simulator.stop());
beforeEach(() => {
  sent = [];
});

async function all<Item>(stream: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

/** A service with arbitrary answers; `answer` gets the number of the requested page. */
const answering =
  (answer: (pageNumber: number) => object): HttpSend =>
  (request) => {
    const pageNumber = Number(new URL(request.url).searchParams.get('pagenumber'));
    sent.push(String(pageNumber));
    return Promise.resolve({
      status: 200,
      retryAfterMs: null,
      body: JSON.stringify(answer(pageNumber)),
    });
  };
const payment = (amount: number) => ({
  type: 'Payment',
  amount,
  currencyCode: 'DKK',
  timestamp: '2026-11-21T09:00:00Z',
});

describe('the operations', () => {
  test('answer with amounts in minor units, negative ones too', async () => {
    const { transfers, nextPageNumber } = await reporting.listReportedTransfers({ query: {} });
    expect(nextPageNumber).toBeNull();
    expect(transfers).toMatchObject([{ totalTransferredAmount: 31_375, currencyCode: 'DKK' }]);
    const transferId = transfers[0]?.id as string;
    expect(await reporting.getReportedTransfer({ transferId })).toEqual(transfers[0]);
    const { transactions } = await reporting.listReportedTransactions({
      query: { transferid: transferId, pagesize: 1 },
    });
    expect(transactions).toMatchObject([{ type: 'Transfer', amount: -31_375 }]);
    expect((await reporting.listReportedPaymentPoints({ query: {} })).paymentPoints).toMatchObject([
      { productType: 'PointOfSale' },
      {},
    ]);
  });

  test('send nothing of what is not asked for', async () => {
    await reporting.listReportedTransactions({ query: {} });
    expect(sent).toEqual(['']);
  });

  test.each([
    ['pagesize', 'listReportedPaymentPoints', { pagesize: 0 }],
    ['pagesize', 'listReportedTransactions', { pagesize: 0 }],
    ['pagesize', 'listReportedTransfers', { pagesize: -1 }],
    ['pagenumber', 'listReportedTransactions', { pagenumber: 0 }],
    ['pagenumber', 'listReportedTransfers', { pagenumber: 1.5 }],
    ['startdate', 'listReportedTransactions', { startdate: '2026-11-21' }],
    ['enddate', 'listReportedTransfers', { enddate: '2026-11-21T10:00:00Z' }],
    ['transferid', 'listReportedTransactions', { transferid: '7' }],
    ['paymentpointid', 'listReportedTransfers', { paymentpointid: '7' }],
  ] as const)('a bad %s never leaves %s', async (field, name, query) => {
    await expect(reporting[name]({ query })).rejects.toMatchObject({
      name: 'InvalidRequestError',
      field,
    });
    expect(sent).toEqual([]);
  });

  test.each([
    {
      pagesize: 1,
      pagenumber: 1,
      startdate: '2026-11-21T10:00:00Z',
      enddate: '2026-11-21T10:00:00+00:00',
    },
    { pagesize: 1000, sortdirection: 'asc' as const },
  ])('%o is allowed', async (query) => {
    expect(await reporting.listReportedTransactions({ query })).toMatchObject({
      pageSize: query.pagesize,
    });
  });

  test('a transfer that is not there, and a key that is not known', async () => {
    await expect(reporting.getReportedTransfer({ transferId: unknownId })).rejects.toBeInstanceOf(
      ServiceRefusedError,
    );
    await expect(reporting.getReportedTransfer({ transferId: '7' })).rejects.toBeInstanceOf(
      InvalidRequestError,
    );
    await expect(
      openWith(fetchHttp, 'nonsense').listReportedTransfers({ query: {} }),
    ).rejects.toBeInstanceOf(CredentialsRefusedError);
  });
});

describe('a stream', () => {
  test('has everything once, oldest first, and of the largest pages', async () => {
    const amounts = (await all(reporting.transactions())).map(({ amount }) => amount);
    expect(amounts).toHaveLength(256);
    expect(amounts.slice(0, 3)).toEqual([1, 2, 3]);
    expect(amounts.slice(-6)).toEqual([-31_375, 1, 2, 3, 4, 5]);
    expect(sent).toEqual(['?pagesize=1000&pagenumber=1&sortdirection=asc']);
  });

  test('passes on what it is asked for', async () => {
    const [transfer] = await all(
      reporting.transfers({
        startdate: '2026-11-22',
        enddate: '2026-11-22',
        sortdirection: 'desc',
      }),
    );
    const parts = await all(
      reporting.transactions(
        { transferid: transfer?.id, sortdirection: undefined },
        { pageSize: 100 },
      ),
    );
    expect(
      parts.reduce((sum, { type, amount }) => sum + (type === 'Transfer' ? 0 : amount), 0),
    ).toBe(transfer?.totalTransferredAmount);
    expect(sent[0]).toBe(
      '?startdate=2026-11-22&enddate=2026-11-22&pagesize=1000&pagenumber=1&sortdirection=desc',
    );
    expect(sent.slice(1)).toHaveLength(3);
    expect(await all(reporting.transfers({ startdate: '2026-11-23' }))).toEqual([]);
  });

  test('of payment points has them all', async () => {
    expect(await all(reporting.paymentPoints({ pageSize: 1 }))).toHaveLength(2);
    expect(sent).toEqual(['?pagesize=1&pagenumber=1', '?pagesize=1&pagenumber=2']);
  });

  test('asks for a page when the one before is used up, and not earlier', async () => {
    const stream = reporting.transactions({}, { pageSize: 10 });
    expect(sent).toEqual([]);
    for (let taken = 1; taken <= 35; taken += 1) {
      await stream.next();
      expect(sent).toHaveLength(Math.ceil(taken / 10));
    }
    await stream.return();
    expect((await stream.next()).done).toBe(true);
    expect(sent).toHaveLength(4);
  });

  test('lets go of a page before it asks for the next', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const firsts: WeakRef<object>[] = [];
    const alive: number[] = [];
    const send = answering((page) => ({
      nextPageNumber: page < 5 ? page + 1 : null,
      transactions: [payment(page), payment(page)],
    }));
    const watched: HttpSend = async (request, signal) => {
      // A WeakRef keeps its target alive until the end of the turn in which it was read.
      await new Promise((resolve) => setImmediate(resolve));
      collect();
      alive.push(firsts.filter((first) => first.deref() !== undefined).length);
      return send(request, signal);
    };
    for await (const transaction of openWith(watched).transactions())
      firsts.push(new WeakRef(transaction));
    expect(firsts).toHaveLength(10);
    expect(Math.max(...alive)).toBeLessThanOrEqual(1);
  });

  test.each([
    ['null', { nextPageNumber: null }],
    ['absent', {}],
  ])('ends where the next page is %s', async (_next, about) => {
    expect(
      await all(
        openWith(answering(() => ({ ...about, transactions: [payment(1)] }))).transactions(),
      ),
    ).toHaveLength(1);
    expect(sent).toEqual(['1']);
  });

  test.each([
    ['the same page again', () => 1],
    ['an earlier page', () => 0],
  ])('does not follow a service that names %s', async (_what, next) => {
    const stream = openWith(
      answering(() => ({ nextPageNumber: next(), transactions: [payment(1)] })),
    ).transactions();
    expect((await stream.next()).value).toMatchObject({ amount: 100 });
    await expect(stream.next()).rejects.toBeInstanceOf(UnexpectedAnswerError);
    expect(sent).toEqual(['1']);
  });

  test('goes where the service sends it, over pages that are empty', async () => {
    const pages = new Map([
      [1, { nextPageNumber: 2, transfers: [] }],
      [2, { nextPageNumber: 5, transfers: [] }],
      [
        5,
        {
          nextPageNumber: null,
          transfers: [
            {
              id: unknownId,
              date: '2026-11-21T03:00:00Z',
              totalTransferredAmount: 0.07,
              currencyCode: 'EUR',
              paymentPointId: unknownId,
            },
          ],
        },
      ],
    ]);
    const stream = openWith(answering((page) => pages.get(page) as object)).transfers();
    expect(await all(stream)).toMatchObject([{ totalTransferredAmount: 7 }]);
    expect(sent).toEqual(['1', '2', '5']);
  });

  test('gives up after a hundred empty pages in a row', async () => {
    const stream = openWith(
      answering((page) => ({ nextPageNumber: page + 1, paymentPoints: [] })),
    ).paymentPoints();
    await expect(all(stream)).rejects.toBeInstanceOf(UnexpectedAnswerError);
    expect(sent).toHaveLength(100);
  });

  test('ends with the reason of its signal, between two records too', async () => {
    const abort = new AbortController();
    const stream = reporting.transactions({}, { pageSize: 10, signal: abort.signal });
    await stream.next();
    abort.abort(new Error('the office closes'));
    await expect(stream.next()).rejects.toThrow('the office closes');
    await expect(all(reporting.transfers({}, { signal: abort.signal }))).rejects.toThrow(
      'the office closes',
    );
    expect(sent).toHaveLength(1);
  });

  test.each([0, 1.5])('of pages of %d is not begun', async (pageSize) => {
    await expect(all(reporting.transactions({}, { pageSize }))).rejects.toMatchObject({
      name: 'InvalidRequestError',
      field: 'pagesize',
    });
    expect(sent).toEqual([]);
  });

  test('refuses an amount that is no whole number of minor units', async () => {
    const stream = openWith(answering(() => ({ transactions: [payment(0.001)] }))).transactions();
    await expect(all(stream)).rejects.toBeInstanceOf(UnexpectedAnswerError);
  });
});
