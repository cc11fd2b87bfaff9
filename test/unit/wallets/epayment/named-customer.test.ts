/**
 * Customers who are named at the counter, through a real lane: its journal on disk, the ePayment
 * client, and the simulated service over real HTTP.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemIds } from '../../../../main/core/domain/ids.ts';
import { isLong } from '../../../support/long.ts';
import { type EpaymentLane, money, openEpaymentLane, until } from './epayment-lane-support.ts';

let opened: EpaymentLane;
let bench: EpaymentLane['bench'];
let lane: EpaymentLane['lane'];
beforeEach(async () => {
  opened = await openEpaymentLane({ flow: 'prepare', deadlineMs: 300_000, typesNumber: true });
  ({ bench, lane } = opened);
  await bench.act('set-sales-unit', { msn: '123456', mayPush: true });
  await lane.start();
});
afterEach(() => opened.close());

const begin = () => opened.begin();
const isThere = () => opened.isThere();
const code = (digits: string) => `https://qr.vipps.no/p/simulated-${digits}`;
const anna = '4520031801';
const sentBodies = () =>
  bench.sent
    .filter(({ method, url }) => method === 'POST' && url.endsWith('/payments'))
    .map(({ body }) => JSON.parse(body ?? '{}') as Record<string, unknown>);

async function approved(): Promise<void> {
  const { reference } = await until(async () => {
    const payment = await bench.payment();
    expect(payment.state).toBe('CREATED');
    return payment;
  });
  await bench.act('approve', { reference });
  await until(async () =>
    expect(await bench.payment()).toMatchObject({ captured: money.amountMinor }),
  );
  expect(opened.till.outcomes).toMatchObject([{ paid: true }]);
}

describe('a customer is named', () => {
  test('after the amount: nothing is at the service before, and the request goes to their phone', async () => {
    begin();
    await until(() =>
      expect(lane.snapshot().current?.payment).toMatchObject({
        kind: 'awaiting',
        status: 'prepared',
      }),
    );
    expect(await bench.payments()).toEqual([]);
    expect(lane.naming.byCashier({ scanned: code(anna) })).toBe('named');
    await approved();
    expect(sentBodies()).toMatchObject([
      {
        userFlow: 'PUSH_MESSAGE',
        customerInteraction: 'CUSTOMER_PRESENT',
        customer: { personalQr: code(anna) },
      },
    ]);
    expect(lane.snapshot().named).toEqual({ customer: null, isSent: false, refused: null });
  });

  test('before it: the sale begins with them, and the next one with nobody', async () => {
    expect(lane.naming.byCashier({ scanned: code(anna) })).toBe('named');
    expect(lane.snapshot().named).toMatchObject({ customer: { kind: 'personalCode' } });
    begin();
    await approved();
    begin();
    await until(() =>
      expect(lane.snapshot().current?.payment).toMatchObject({ status: 'prepared' }),
    );
    expect(await bench.payments()).toHaveLength(1);
  });

  test('by their number; a manual payment needs no amount to be agreed', async () => {
    const actionId = systemIds.uuid();
    expect(
      lane.payByHand({ actionId, amountMinor: money.amountMinor, orderText: null }),
    ).toMatchObject({ accepted: true });
    expect(lane.naming.byCashier({ phoneNumber: '20 03 18 01' })).toBe('named');
    const { reference } = await isThere();
    expect(sentBodies()).toMatchObject([{ customer: { phoneNumber: anna } }]);
    expect(lane.naming.byCashier({ phoneNumber: '20 03 18 02' })).toBe('tooLate');
    await bench.act('approve', { reference });
    await until(() => expect(lane.snapshot().result).toMatchObject({ outcome: { paid: true } }));
  });

  test('and forgotten: by the cashier, and by itself after two minutes', async () => {
    expect(lane.naming.byCashier({ scanned: code(anna) })).toBe('named');
    expect(lane.naming.byCashier(null)).toBe('named');
    expect(lane.snapshot().named).toMatchObject({ customer: null });
    if (!isLong) return;
    expect(lane.naming.byCashier({ scanned: code(anna) })).toBe('named');
    await until(() => expect(lane.snapshot().named).toMatchObject({ customer: null }));
  });
});

describe('a customer who types their number', () => {
  test('is asked while the payment waits for its customer, and at no other time', async () => {
    expect([lane.snapshot().takesNumber, lane.naming.byCustomer('20031801')]).toEqual([
      false,
      'tooLate',
    ]);
    begin();
    await until(() =>
      expect(lane.snapshot()).toMatchObject({
        takesNumber: true,
        current: { payment: { status: 'prepared' } },
      }),
    );
    expect(lane.naming.byCustomer('2003')).toBe('wrongNumber');
    expect(lane.naming.byCustomer('20031801')).toBe('named');
    expect([lane.snapshot().takesNumber, lane.naming.byCustomer('20031802')]).toEqual([
      false,
      'tooLate',
    ]);
    await approved();
    expect(sentBodies()).toMatchObject([
      { userFlow: 'PUSH_MESSAGE', customer: { phoneNumber: anna } },
    ]);
  });

  test('three times at most for one payment: each number is somebody’s phone', async () => {
    await bench.act('set-customer', { phoneNumber: `+${anna}`, isStranger: true });
    begin();
    for (let typed = 0; typed < 3; typed += 1) {
      await until(() => expect(lane.snapshot().takesNumber).toBe(true));
      expect(lane.naming.byCustomer('20031801')).toBe('named');
      await until(() =>
        expect(lane.snapshot().named).toMatchObject({ customer: null, refused: 'mayNotPay' }),
      );
    }
    expect([lane.snapshot().takesNumber, lane.naming.byCustomer('20031802')]).toEqual([
      false,
      'tooLate',
    ]);
    expect(lane.naming.byCashier({ phoneNumber: '20031802' })).toBe('named');
  });
});

describe('refused', () => {
  test.each([
    [{ scanned: 'https://pay.example/p/1' }, 'otherWallet'],
    [{ scanned: 'https>&&qr.vipps.no&p&1' }, 'wrongKeyboard'],
    [{ phoneNumber: '12' }, 'wrongNumber'],
  ] as const)('%j before anything is sent', async (by, reason) => {
    begin();
    expect(lane.naming.byCashier(by)).toBe(reason);
    expect(sentBodies()).toEqual([]);
  });

  test('of a scanner at a serial port: the screens tell why, before the amount for a while, and a right one takes its place', async () => {
    lane.naming.byScanner('https://pay.example/p/1');
    expect(lane.snapshot().named).toMatchObject({ customer: null, refused: 'otherWallet' });
    await until(() => expect(lane.snapshot().named).toMatchObject({ refused: null }));
    lane.naming.byScanner('https://pay.example/p/1');
    lane.naming.byScanner(code(anna));
    expect(lane.snapshot().named).toMatchObject({
      customer: { kind: 'personalCode' },
      refused: null,
    });
    lane.naming.byScanner('https>&&qr.vipps.no&p&1');
    expect(lane.snapshot().named).toMatchObject({
      customer: { kind: 'personalCode' },
      refused: 'wrongKeyboard',
    });
    begin();
    await approved();
    opened.till.outcomes.length = 0;
    begin();
    await until(() =>
      expect(lane.snapshot().current?.payment).toMatchObject({ status: 'prepared' }),
    );
    lane.naming.byScanner('https://qr.vipps.no/about');
    expect(lane.snapshot().named).toEqual({
      customer: null,
      isSent: false,
      refused: 'noPersonalCode',
    });
    lane.naming.byScanner(code(anna));
    await approved();
  });

  test('by the service: the screen is told, nothing exists, and the next one is asked under another key', async () => {
    begin();
    expect(lane.naming.byCashier({ scanned: 'https://qr.vipps.no/p/of-nobody' })).toBe('named');
    await until(() =>
      expect(lane.snapshot().named).toEqual({
        customer: null,
        isSent: false,
        refused: 'codeRefused',
      }),
    );
    await bench.act('set-customer', { phoneNumber: `+${anna}`, isStranger: true });
    expect(lane.naming.byCashier({ scanned: code(anna) })).toBe('named');
    await until(() => expect(lane.snapshot().named).toMatchObject({ refused: 'mayNotPay' }));
    expect(await bench.payments()).toEqual([]);
    await bench.act('set-customer', { phoneNumber: `+${anna}`, isStranger: false });
    expect(lane.naming.byCashier({ phoneNumber: '20031801' })).toBe('named');
    await approved();
  });

  test('a sales unit without the approval for it: not paid, and nothing is left at the service', async () => {
    await bench.act('set-sales-unit', { msn: '123456', mayPush: false });
    begin();
    expect(lane.naming.byCashier({ scanned: code(anna) })).toBe('named');
    await until(() =>
      expect(opened.till.outcomes).toMatchObject([{ paid: false, reason: 'notOnboarded' }]),
    );
    expect(await bench.payments()).toEqual([]);
  });
});

test.each(['reset', 'resetAfter', 'status500After'] as const)(
  'the answer to the request is lost (%s): repeated with its key, one payment',
  async (kind) => {
    bench.simulator.faults.add({ operation: 'createEpayment', kind });
    begin();
    expect(lane.naming.byCashier({ scanned: code(anna) })).toBe('named');
    await approved();
    expect(await bench.payments()).toHaveLength(1);
  },
);

test('a sale without a customer is cancelled without a word to the service; one with the request on a phone is ended there', async () => {
  const first = begin();
  await until(() => expect(lane.snapshot().current?.payment).toMatchObject({ status: 'prepared' }));
  opened.commands.abortSale(first.saleId);
  await until(() => expect(opened.till.outcomes).toHaveLength(1));
  expect(
    bench.simulator.requests().filter(({ operation }) => operation === 'cancelEpayment'),
  ).toEqual([]);
  const second = begin();
  lane.naming.byCashier({ scanned: code(anna) });
  await isThere();
  await until(() =>
    expect(lane.snapshot().current?.payment).toMatchObject({ status: 'issuedToUser' }),
  );
  opened.commands.abortSale(second.saleId);
  await until(async () => expect(await bench.payment()).toMatchObject({ state: 'TERMINATED' }));
  await until(() =>
    expect(opened.till.outcomes).toMatchObject([
      { paid: false },
      { paid: false, reason: 'cancelledByTill' },
    ]),
  );
});

test('refused on the phone: declined, and nothing moved', async () => {
  begin();
  lane.naming.byCashier({ scanned: code(anna) });
  const { reference } = await isThere();
  await bench.act('reject', { reference });
  await until(() =>
    expect(opened.till.outcomes).toMatchObject([{ paid: false, reason: 'declinedByCustomer' }]),
  );
});

test('neither code nor number is on disk', async () => {
  begin();
  lane.naming.byCashier({ phoneNumber: '20031801' });
  await approved();
  const all = opened.journal.story(lane.snapshot().recent[0]?.saleId ?? '');
  expect(all.length).toBeGreaterThan(3);
  expect(JSON.stringify(all)).not.toMatch(/20031801/);
});
