/** Which service's money moved in a time. */
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Sale } from '../../../../main/core/settlement/payment.ts';
import { attachSettled, isAnySettledAt } from '../../../../main/core/journal/settled.ts';
import { openSqliteJournal } from '../../../../main/core/journal/sqlite-journal.ts';
import { referenceOf } from '../../../../main/wallets/epayment/point-of-sale/epayment-names.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import {
  asked,
  Folder,
  noReserve,
  paid,
  paidBack,
  refundNumbered,
  saleNumbered,
} from './support.ts';

let folder: Folder;
let clock: ManualClock;
let journal: ReturnType<typeof openSqliteJournal>;
beforeEach(() => {
  folder = new Folder();
  clock = new ManualClock();
  journal = openSqliteJournal(folder.journal, clock, { reserve: noReserve });
});
afterEach(() => {
  journal.close();
  folder[Symbol.dispose]();
});

/** What moved in this millisecond. */
function movedNow() {
  const db = new DatabaseSync(':memory:');
  attachSettled(db, folder.journal);
  const now = { fromMs: clock.wallMs(), toMs: clock.wallMs() + 1 };
  const moved = {
    v10: isAnySettledAt(db, 'v10', now),
    epayment: isAnySettledAt(db, 'epayment', now),
  };
  db.close();
  return moved;
}
const pay = (sale: Sale): void => journal.append('1', sale.saleId, paid(sale));
/** ePayment knows a payment by the reference that is made of its order id. */
const payAtEpayment = (sale: Sale): void => {
  const events = paid(sale).map((event) =>
    event.type === 'created' ? { ...event, paymentId: referenceOf(sale.orderId) } : event,
  );
  journal.append('1', sale.saleId, events);
};
const atV10 = saleNumbered(1, { orderId: '1-000001-5a1e0001' });
const atEpayment = saleNumbered(2, { orderId: 'kasse_1-000002-5a1e0002', service: 'epayment' });

test('a payment at the point-of-sale interface', () => {
  pay(atV10);
  expect(movedNow()).toEqual({ v10: true, epayment: false });
});

test('a payment at ePayment', () => {
  payAtEpayment(atEpayment);
  expect(movedNow()).toEqual({ v10: false, epayment: true });
});

test('payments at both', () => {
  pay(atV10);
  payAtEpayment(atEpayment);
  expect(movedNow()).toEqual({ v10: true, epayment: true });
});

test('a refund alone, after its payment', async () => {
  payAtEpayment(atEpayment);
  await clock.pass(1_000);
  const refund = refundNumbered(2, atEpayment, {
    service: 'epayment',
    paymentId: referenceOf(atEpayment.orderId),
  });
  journal.appendRefund('1', refund.refundOrderId, paidBack(refund));
  expect(movedNow()).toEqual({ v10: false, epayment: true });
});

test('nothing: a payment that was only asked for, and what moved before', async () => {
  pay(atV10);
  payAtEpayment(atEpayment);
  await clock.pass(1_000);
  journal.append('1', 'asked', [asked(saleNumbered(3, { saleId: 'asked' }))]);
  expect(movedNow()).toEqual({ v10: false, epayment: false });
});
