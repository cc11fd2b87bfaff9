/** Days on both sides of a change of service: v10 before, another one since. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  CredentialsRefusedError,
  ServiceUnreachableError,
} from '../../../../../main/wallets/http/errors.ts';
import { paid, saleNumbered } from '../../../core/journal/support.ts';
import { dayMs } from '../../../../../main/counter/manager/reconciliation/period.ts';
import { period, Shop } from './reconciliation-support.ts';

let shop: Shop;
beforeEach(() => {
  shop = new Shop('readable');
});
afterEach(() => shop[Symbol.dispose]());

const timestamp = (): string => new Date(shop.clock.wallMs()).toISOString();
/** A payment at the service in use, on both sides. */
function paidNow(n: number, amountMinor: number): string {
  const sale = saleNumbered(n, { amountMinor, service: 'epayment' });
  shop.journal.append('1', sale.saleId, paid(sale));
  shop.report(sale.orderId, amountMinor);
  return sale.orderId;
}
/** A payment at the former service, on both sides. */
function paidBefore(n: number, amountMinor: number): string {
  const { orderId } = shop.sale(n, amountMinor);
  shop.formerBank.line('Payment', amountMinor, {
    merchantReference: orderId,
    timestamp: timestamp(),
  });
  return orderId;
}
const problems = () => {
  const { problem, formerProblem } = shop.reconciliation.summary(period) ?? {};
  return { problem, formerProblem };
};
const well = { problem: null, formerProblem: null };

test('payments of either service are matched, each with its own reports', async () => {
  const [before, now] = [paidBefore(1, 1_000), paidNow(2, 700)];
  shop.formerBank.payOut('2026-11-21T03:00:00Z', { feeMinor: 0 });
  shop.bank.payOut('2026-11-21T04:00:00Z', { feeMinor: 0 });
  await shop.open();
  expect(shop.rows()).toEqual(
    expect.arrayContaining([
      ['matched', before, 1_000, 1_000],
      ['matched', now, 700, 700],
    ]),
  );
  expect(shop.rows()).toHaveLength(2);
  expect(problems()).toEqual(well);
});

test('a refund now of a payment from before is matched, too', async () => {
  const before = shop.sale(1, 1_000);
  await shop.days(40);
  const refundOrderId = shop.refund(1, before, 300);
  const december = { from: '2026-12-20', to: '2027-01-10' };
  shop.formerBank.line('Refund', -300, {
    merchantReference: refundOrderId,
    timestamp: timestamp(),
  });
  shop.formerBank.payOut('2027-01-01T03:00:00Z', { feeMinor: 0 });
  await shop.reconciliation.open(december, false, 60_000);
  expect(shop.reconciliation.summary(december)?.counts.matched).toBe(1);
});

test('of a service that has ended it is said so, and the one in use is compared all the same', async () => {
  paidBefore(1, 1_000);
  const now = paidNow(2, 700);
  shop.bank.payOut('2026-11-21T04:00:00Z', { feeMinor: 0 });
  shop.formerBank.fails = new ServiceUnreachableError('paymentPoints', 6, 'no route');
  await shop.open();
  expect(problems()).toEqual({ problem: null, formerProblem: 'unreachable' });
  expect(shop.rows()).toContainEqual(['matched', now, 700, 700]);
  shop.formerBank.fails = new CredentialsRefusedError('paymentPoints', 401);
  await shop.open();
  expect(problems()).toEqual({ problem: null, formerProblem: 'refused' });
});

test('the one before is read, too, where the one in use does not answer', async () => {
  const before = paidBefore(1, 1_000);
  shop.formerBank.payOut('2026-11-21T03:00:00Z', { feeMinor: 0 });
  shop.bank.fails = new ServiceUnreachableError('paymentPoints', 6, 'no route');
  await shop.open();
  expect(problems()).toEqual({ problem: 'unreachable', formerProblem: null });
  expect(shop.rows()).toEqual([['matched', before, 1_000, 1_000]]);
});

test('the previous service is not asked when it has no payments', async () => {
  paidNow(2, 700);
  shop.formerBank.fails = new ServiceUnreachableError('paymentPoints', 6, 'no route');
  await shop.open();
  expect(shop.formerBank.asked).toEqual([]);
  expect(problems()).toEqual(well);
});

test('it is asked about a month later at most: what was paid there may be transferred so late', async () => {
  paidBefore(1, 1_000);
  const days = (from: number, to: number) => ({ from: dayAfter(from), to: dayAfter(to) });
  const dayAfter = (days: number): string =>
    new Date(Date.parse('2026-11-21') + days * dayMs).toISOString().slice(0, 10);
  await shop.reconciliation.open(days(32, 40), false, 60_000);
  expect(shop.formerBank.asked).toEqual([]);
  await shop.reconciliation.open(days(30, 40), false, 60_000);
  expect(shop.formerBank.asked).not.toEqual([]);
});

test('without a key for its reports it is said so where it has payments', async () => {
  shop[Symbol.dispose]();
  shop = new Shop('noKey');
  await shop.open();
  expect(problems()).toEqual(well);
  paidBefore(1, 1_000);
  await shop.open();
  expect(problems()).toEqual({ problem: null, formerProblem: 'noKey' });
});
