import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Movement } from '../../../../main/sandbox/simulator/ledger.ts';
import { checkDigit } from '../../../../main/sandbox/simulator/reporting/daily-transfers.ts';
import type { Policy } from '../../../../main/sandbox/simulator/policy.ts';
import { type Answer, phone, Service } from './support.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const vat = 'DK90000028';
const otherVat = 'DK22222222';
const appPointId = 'a9900000-0000-4000-8000-000000000001';
const unknownId = '00000000-0000-4000-8000-00000000dead';
const myShopId = '3b500000-0000-4000-8000-000000000001';

let service: Service;
beforeEach(() => open());
afterEach(() => service.simulator.stop());

async function open(policy: Partial<Policy> = {}): Promise<void> {
  await service?.simulator.stop();
  service = await new Service(policy).start();
  service.simulator.world.addMerchant({ vat: otherVat });
}

type Item = Record<string, unknown>;
const ask = (path: string, of = vat): Promise<Answer> =>
  service.call('GET', `/v3/reporting/${path}`, undefined, {
    authorization: `Bearer simulated-key-of-${of}`,
  });
const list = async (
  name: 'transactions' | 'transfers' | 'paymentPoints',
  query = '',
  of = vat,
): Promise<Item[]> => (await ask(`${name.toLowerCase()}?${query}`, of)).body?.[name] as Item[];
const amounts = async (query = ''): Promise<unknown[]> =>
  (await list('transactions', query)).map(({ amount }) => amount);
const record = (amountMinor: number, about: Partial<Movement> = {}): void =>
  service.simulator.world.ledger.record({
    type: amountMinor < 0 ? 'Refund' : 'Payment',
    product: 'PointOfSale',
    merchantVat: vat,
    paymentPointId: service.simulator.storeIds[0] as string,
    amountMinor,
    currency: 'DKK',
    about: {},
    ...about,
  });
const pass = (ms: number): Promise<void> => service.simulator.advance(ms);
/** The simulator starts at 9:00, so the first transfer is 18 hours away. */
const nextTransfer = (): Promise<void> => pass(dayMs);
const minor = (amount: unknown): number => Math.round((amount as number) * 100);
const sumMinor = (items: Item[]): number =>
  items.reduce((sum, { amount }) => sum + minor(amount), 0);

describe('transactions', () => {
  test('a captured payment and its refund are told with all that is known of them', async () => {
    await service.createPos();
    const paymentId = await service.captured({ merchantPaymentLabel: 'shift 7' });
    const refund = await service.call('POST', '/v10/refunds', {
      paymentId,
      refundOrderId: 'refund-1',
      amount: 2.5,
      currencyCode: 'DKK',
    });
    await service.call('POST', `/v10/refunds/${String(refund.body?.['refundId'])}/capture`);
    expect(await list('transactions', 'sortdirection=asc')).toEqual([
      expect.objectContaining({
        type: 'Payment',
        amount: 12.5,
        currencyCode: 'DKK',
        timestamp: '2026-11-21T09:00:00.000Z',
        merchantReference: 'order-1',
        merchantPaymentLabel: 'shift 7',
        posName: 'Lane 1',
        beaconId: service.pos.beaconId,
        brandName: 'Corner Shops',
        locationId: '00001',
        transferReference: null,
        transferDate: null,
      }),
      expect.objectContaining({ type: 'Refund', amount: -2.5, merchantReference: 'refund-1' }),
    ]);
  });

  test.each([
    ['PointOfSale', { merchantReference: 'order-1' }],
    ['App payments', { merchantReference: 'order-1' }],
    ['Subscription', { merchantReference: 'order-1' }],
    ['Invoice', {}],
    ['MyShop', { userName: 'Somebody', userPhoneNumber: expect.stringMatching(/^\+x+1801$/) }],
  ] as const)(
    'of %s say of the payer and of the merchant’s reference what that product has',
    async (product, expected) => {
      record(100, {
        product,
        about: { userName: 'Somebody', userPhoneNumber: phone, merchantReference: 'order-1' },
      });
      const [{ userName, userPhoneNumber, merchantReference } = {}] = await list('transactions');
      expect({ userName, userPhoneNumber, merchantReference }).toEqual(expected);
    },
  );

  test('come newest first, unless asked for the other way', async () => {
    for (const amountMinor of [100, 200, 300]) record(amountMinor);
    expect(await amounts()).toEqual([3, 2, 1]);
    expect(await amounts('sortdirection=desc')).toEqual([3, 2, 1]);
    expect(await amounts('sortdirection=asc')).toEqual([1, 2, 3]);
  });

  test('keep their order when the wall clock is put back', async () => {
    record(100);
    service.simulator.world.clock.shiftWall(-hourMs);
    record(200);
    expect(await list('transactions')).toMatchObject([
      { amount: 2, timestamp: '2026-11-21T09:00:00.000Z' },
      { amount: 1, timestamp: '2026-11-21T09:00:00.000Z' },
    ]);
  });

  test.each([
    ['', [3, 2, 1]],
    ['startdate=2026-11-21T10:00:00Z', [3, 2]],
    ['startdate=2026-11-21T10:00:00.001Z', [3]],
    ['enddate=2026-11-21T10:00:00Z', [2, 1]],
    ['enddate=2026-11-21T09:59:59.999Z', [1]],
    ['startdate=2026-11-21T10:00:00Z&enddate=2026-11-21T10:00:00Z', [2]],
    ['startdate=2026-11-21T11:00:00%2B01:00&enddate=2026-11-21T11:00:00%2B01:00', [2]],
    // No document forbids a period that ends before it begins; it contains nothing.
    ['startdate=2026-11-21T10:00:01Z&enddate=2026-11-21T10:00:00Z', []],
    ['startdate=2026-11-21T11:00:01Z', []],
    [`paymentpointid=${appPointId}`, [2]],
    [`paymentpointid=${appPointId.toUpperCase()}`, [2]],
    [`paymentpointid=${appPointId}&enddate=2026-11-21T09:00:00Z`, []],
    [`paymentpointid=${unknownId}`, []],
    [`transferid=${unknownId}`, []],
  ])('filtered by "%s": %j', async (query, expected) => {
    record(100);
    await pass(hourMs);
    record(200, { paymentPointId: appPointId, product: 'App payments' });
    await pass(hourMs);
    record(300);
    expect(await amounts(query)).toEqual(expected);
  });

  test('of a transfer, of it and its payment point, of it and another', async () => {
    record(1000);
    await nextTransfer();
    record(500);
    const [transfer] = await list('transfers');
    const of = `transferid=${String(transfer?.['id'])}`;
    expect(await amounts(`${of}&sortdirection=asc`)).toEqual([10, -0.25, -0.05, -9.7]);
    expect(await amounts(`${of}&paymentpointid=${service.simulator.storeIds[0]}`)).toHaveLength(4);
    expect(await amounts(`${of}&paymentpointid=${appPointId}`)).toEqual([]);
  });
});

describe('pages', () => {
  beforeEach(() => {
    for (let amountMinor = 1; amountMinor <= 205; amountMinor += 1) record(amountMinor);
  });

  test.each([
    ['', 100, 2, 205, 106],
    ['pagenumber=1', 100, 2, 205, 106],
    ['pagenumber=2', 100, 3, 105, 6],
    ['pagenumber=3', 100, null, 5, 1],
    ['pagenumber=3&sortdirection=asc', 100, null, 201, 205],
    ['pagesize=205', 205, null, 205, 1],
    ['pagesize=204', 204, 2, 205, 2],
    ['pagesize=1000', 1000, null, 205, 1],
    ['pagesize=1001', 1000, null, 205, 1],
    ['pagesize=1&pagenumber=205', 1, null, 1, 1],
    ['pagesize=5&pagenumber=41&sortdirection=asc', 5, null, 201, 205],
  ])(
    '"%s": of %i, next %s, from %i to %i',
    async (query, pageSize, nextPageNumber, first, last) => {
      const { body } = await ask(`transactions?${query}`);
      const items = body?.['transactions'] as Item[];
      expect(body).toMatchObject({ pageSize, nextPageNumber });
      expect([minor(items[0]?.['amount']), minor(items.at(-1)?.['amount'])]).toEqual([first, last]);
    },
  );

  test.each(['pagenumber=4', 'pagenumber=9007199254740991&pagesize=1000'])(
    '"%s" is behind the last: nothing, and no next',
    async (query) => {
      expect((await ask(`transactions?${query}`)).body).toMatchObject({
        nextPageNumber: null,
        transactions: [],
      });
    },
  );
});

describe('what is no valid query', () => {
  test.each([
    ...['paymentpoints', 'transactions', 'transfers'].flatMap((path) =>
      ['pagesize=0', 'pagesize=1.5', 'pagesize=many', 'pagenumber=0', 'pagenumber=-1'].map(
        (query) => `${path}?${query}`,
      ),
    ),
    ...['transactions', 'transfers'].flatMap((path) =>
      ['sortdirection=up', 'paymentpointid=7', 'startdate=yesterday', 'enddate=2026-02-30'].map(
        (query) => `${path}?${query}`,
      ),
    ),
    'transactions?transferid=7',
    'transactions?startdate=2026-11-21',
    'transactions?startdate=2026-11-21T10:00:00',
    'transfers?startdate=2026-11-21T10:00:00Z',
    'transfers/7',
  ])('%s is a 400 with a message', async (path) => {
    expect(await ask(path)).toMatchObject({
      status: 400,
      body: { code: null, message: expect.stringMatching(/\S/), correlationId: expect.any(String) },
    });
  });

  test.each([undefined, 'Bearer nonsense', 'Basic simulated-key-of-DK90000028'])(
    'authorization %s is a 401 without a body',
    async (authorization) => {
      expect(
        await service.call('GET', '/v3/reporting/transfers', undefined, { authorization }),
      ).toEqual({ status: 401, body: null, code: undefined });
    },
  );

  test('a key without the scope is a 401', async () => {
    service.simulator.world.addMerchant({ vat: 'DK33333333', scopes: new Set(['invoice']) });
    expect(await ask('transfers', 'DK33333333')).toMatchObject({ status: 401 });
  });
});

describe('the daily transfer', () => {
  test('happens at three in the morning, not before', async () => {
    record(1000);
    await pass(18 * hourMs - 1);
    expect(await list('transfers')).toEqual([]);
    await pass(1);
    expect(await list('transfers')).toEqual([
      {
        id: expect.any(String),
        reference: expect.stringMatching(/^0100000001001221126\d$/),
        date: '2026-11-22T03:00:00.000Z',
        totalTransferredAmount: 9.7,
        currencyCode: 'DKK',
        paymentPointId: service.simulator.storeIds[0],
      },
    ]);
  });

  test('marks what it pays out, its fees and itself', async () => {
    record(1000, { about: { merchantReference: 'order-1' } });
    record(-100);
    await nextTransfer();
    record(700);
    const [transfer] = await list('transfers');
    const marks = { transferReference: transfer?.['reference'], transferDate: '2026-11-22' };
    expect(await list('transactions', 'sortdirection=asc')).toMatchObject([
      { type: 'Payment', amount: 10, ...marks },
      { type: 'Refund', amount: -1, ...marks },
      { type: 'TransactionFee', amount: -0.25, merchantReference: 'order-1', ...marks },
      { type: 'ServiceFee', amount: -0.05, ...marks },
      { type: 'Transfer', amount: -8.7, ...marks },
      { type: 'Payment', amount: 7, transferReference: null, transferDate: null },
    ]);
  });

  test.each([
    // 5 ‰, rounded half up in minor units
    [99, 0],
    [100, 1],
    [299, 1],
    [300, 2],
    [100_000, 500],
  ])('of %i minor units the service fee is %i', async (amountMinor, feeMinor) => {
    await open({ transactionFeeMinor: 0 });
    record(amountMinor);
    await nextTransfer();
    const items = await list('transactions', 'sortdirection=asc');
    expect(items.map(({ type, amount }) => [type, minor(amount)])).toEqual([
      ['Payment', amountMinor],
      ...(feeMinor === 0 ? [] : [['ServiceFee', -feeMinor]]),
      ['Transfer', feeMinor - amountMinor],
    ]);
  });

  test('is one for each payment point and currency', async () => {
    const stores = service.simulator.storeIds as [string, string];
    record(1000);
    record(2000);
    record(3000, { currency: 'EUR' });
    record(4000, { paymentPointId: stores[1] });
    record(5000, { paymentPointId: appPointId, product: 'App payments' });
    await nextTransfer();
    expect(
      (await list('transfers', 'sortdirection=asc')).map((transfer) => [
        transfer['paymentPointId'],
        transfer['currencyCode'],
        transfer['totalTransferredAmount'],
      ]),
    ).toEqual([
      [stores[0], 'DKK', 29.35],
      [stores[0], 'EUR', 29.6],
      [stores[1], 'DKK', 39.55],
      [appPointId, 'DKK', 49.5],
    ]);
  });

  test('with nothing left to pay out is carried over, and each payment is charged once', async () => {
    record(1000);
    record(-3000);
    await nextTransfer();
    await nextTransfer();
    expect(await list('transfers')).toEqual([]);
    expect(await amounts()).toEqual([-30, 10]);
    record(2055);
    await nextTransfer();
    // 10.00 − 30.00 + 20.55 − 2 × 0.25 − 5 ‰ of 30.55 (0.15) is −0.10, so nothing is transferred.
    expect(await list('transfers')).toEqual([]);
    record(100);
    await nextTransfer();
    expect(await list('transfers')).toMatchObject([{ totalTransferredAmount: 0.64 }]);
    expect((await list('transactions')).map(({ type }) => String(type)).toSorted()).toEqual(
      [
        'Payment',
        'Payment',
        'Payment',
        'Refund',
        'ServiceFee',
        'TransactionFee',
        'TransactionFee',
        'TransactionFee',
        'Transfer',
      ].toSorted(),
    );
  });

  test.each([
    [1000, 0],
    [1001, 1],
  ])('%i − 10.00 leaves %i', async (paidMinor, transfers) => {
    await open({ transactionFeeMinor: 0, serviceFeePerMille: 0 });
    record(paidMinor);
    record(-1000);
    await nextTransfer();
    expect(await list('transfers')).toHaveLength(transfers);
  });

  test('adds up to the last minor unit, whatever is paid and refunded', async () => {
    const amountMinor = fc.oneof(
      fc.integer({ min: 1, max: 500_000 }),
      fc.integer({ min: -100_000, max: -1 }),
    );
    const days = fc.array(fc.array(amountMinor, { maxLength: 12 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        days,
        fc.integer({ min: 0, max: 99 }),
        fc.integer({ min: 0, max: 60 }),
        async (paid, transactionFeeMinor, serviceFeePerMille) => {
          await open({ transactionFeeMinor, serviceFeePerMille });
          for (const day of paid) {
            for (const one of day) record(one);
            await nextTransfer();
          }
          const transfers = await list('transfers', 'pagesize=1000');
          for (const { id, totalTransferredAmount } of transfers) {
            const parts = await list('transactions', `transferid=${String(id)}&pagesize=1000`);
            expect(sumMinor(parts.filter(({ type }) => type !== 'Transfer'))).toBe(
              minor(totalTransferredAmount),
            );
            expect(sumMinor(parts)).toBe(0);
          }
          const all = await list('transactions', 'pagesize=1000');
          const recorded = paid.flat().reduce((sum, one) => sum + one, 0);
          const fees = sumMinor(
            all.filter(({ type }) => type === 'TransactionFee' || type === 'ServiceFee'),
          );
          const paidOut = transfers.reduce(
            (sum, { totalTransferredAmount }) => sum + minor(totalTransferredAmount),
            0,
          );
          const carriedOver = sumMinor(
            all.filter(({ transferReference }) => transferReference === null),
          );
          expect(paidOut + carriedOver).toBe(recorded + fees);
        },
      ),
      { numRuns: 20 },
    );
  });
});

describe('transfers', () => {
  /** On the 22nd, 23rd and 24th. */
  const threeDays = async (): Promise<void> => {
    for (const amountMinor of [10_000, 20_000, 30_000]) {
      record(amountMinor);
      await nextTransfer();
    }
  };

  test.each([
    ['', ['24', '23', '22']],
    ['sortdirection=asc', ['22', '23', '24']],
    ['startdate=2026-11-23', ['24', '23']],
    ['enddate=2026-11-23', ['23', '22']],
    ['startdate=2026-11-23&enddate=2026-11-23', ['23']],
    ['startdate=2026-11-25', []],
    ['pagesize=2', ['24', '23']],
    ['pagesize=2&pagenumber=2', ['22']],
    [`paymentpointid=${unknownId}`, []],
    ['reference=nonsense', []],
  ])('filtered by "%s": of %j', async (query, days) => {
    await threeDays();
    expect((await list('transfers', query)).map(({ date }) => String(date).slice(8, 10))).toEqual(
      days,
    );
  });

  test('are found by reference and by payment point, and read one by one', async () => {
    await threeDays();
    const [, second] = (await list('transfers')) as [Item, Item];
    expect(await list('transfers', `reference=${String(second['reference'])}`)).toEqual([second]);
    expect(await list('transfers', `paymentpointid=${service.simulator.storeIds[0]}`)).toHaveLength(
      3,
    );
    expect((await ask(`transfers/${String(second['id'])}`)).body).toEqual(second);
    expect((await ask(`transfers/${String(second['id']).toUpperCase()}`)).body).toEqual(second);
    expect(await ask(`transfers/${unknownId}`)).toEqual({
      status: 404,
      body: null,
      code: undefined,
    });
  });

  test.each([
    ['PointOfSale', '01'],
    ['MyShop', '02'],
    ['Subscription', '03'],
    ['Invoice', '04'],
    ['App payments', '08'],
  ] as const)(
    'of %s have a reference of 20 characters that begins with %s',
    async (product, code) => {
      const paymentPointId =
        product === 'PointOfSale' ? (service.simulator.storeIds[1] as string) : appPointId;
      for (let day = 0; day < 2; day += 1) {
        record(10_000, { product, paymentPointId });
        await nextTransfer();
      }
      const references = (await list('transfers', 'sortdirection=asc')).map(({ reference }) =>
        String(reference),
      );
      const point =
        product === 'PointOfSale' ? '00000002' : String(0xa9900000 % 100_000_000).padStart(8, '0');
      expect(references.map((reference) => reference.slice(0, 19))).toEqual([
        `${code}${point}001221126`,
        `${code}${point}002231126`,
      ]);
      for (const reference of references)
        expect(reference.at(-1)).toBe(checkDigit(reference.slice(0, -1)));
    },
  );

  test('end with the check digit of payment cards and ISINs', () => {
    expect(checkDigit('7992739871')).toBe('3');
    expect(checkDigit('US037833100')).toBe('5');
  });

  test('are in the state of the simulator', async () => {
    record(1000);
    await nextTransfer();
    expect((await service.call('GET', '/simulator/state')).body?.['transfers']).toMatchObject([
      { merchantVat: vat, totalTransferredAmount: 9.7 },
    ]);
  });
});

describe('payment points', () => {
  test('are the stores, and what else was paid at', async () => {
    record(100, {
      paymentPointId: appPointId,
      product: 'App payments',
      about: { paymentPointName: 'Web shop' },
    });
    record(100, { paymentPointId: unknownId, product: 'Invoice' });
    record(100, { paymentPointId: myShopId, product: 'MyShop', about: { myShopNumber: '12345' } });
    const store = (index: number) => ({
      id: service.simulator.storeIds[index],
      name: `Shop ${index + 1}`,
      productType: 'PointOfSale',
      alias: null,
    });
    expect((await ask('paymentpoints')).body).toEqual({
      pageSize: 100,
      nextPageNumber: null,
      paymentPoints: [
        store(0),
        store(1),
        { id: appPointId, name: 'Web shop', productType: 'App payments', alias: null },
        { id: unknownId, name: null, productType: 'Invoice', alias: null },
        { id: myShopId, name: null, productType: 'MyShop', alias: '12345' },
      ],
    });
    expect((await ask('paymentpoints?pagesize=1&pagenumber=2')).body).toEqual({
      pageSize: 1,
      nextPageNumber: 3,
      paymentPoints: [store(1)],
    });
  });
});

test('a merchant sees nothing of another', async () => {
  record(1000);
  await nextTransfer();
  const id = String((await list('transfers'))[0]?.['id']);
  const storeId = service.simulator.storeIds[0];
  expect(await list('paymentPoints', '', otherVat)).toEqual([]);
  for (const query of ['', `transferid=${id}`, `paymentpointid=${storeId}`])
    expect(await list('transactions', query, otherVat)).toEqual([]);
  for (const query of ['', `paymentpointid=${storeId}`])
    expect(await list('transfers', query, otherVat)).toEqual([]);
  expect(await ask(`transfers/${id}`, otherVat)).toEqual({
    status: 404,
    body: null,
    code: undefined,
  });
});
