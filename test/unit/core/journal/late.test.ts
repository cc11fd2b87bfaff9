import { readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { JournalDamage } from '../../../../main/core/journal/journal.ts';
import { openJournalReader } from '../../../../main/core/journal/reader.ts';
import { openSqliteJournal } from '../../../../main/core/journal/sqlite-journal.ts';
import type { PaymentEvent } from '../../../../main/core/settlement/payment.ts';
import type { RefundEvent } from '../../../../main/core/settlement/refund.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import {
  asked,
  refundRequested,
  fill,
  Folder,
  noReserve,
  paid,
  paymentIdOf,
  refundNumbered,
  saleNumbered,
} from './support.ts';

/** Payments and refunds that ended because the service knew of none, and that it showed later. */

const clock = new ManualClock();
const believed: PaymentEvent[] = [
  { type: 'cancelIntended', reason: 'tillGone' },
  { type: 'attemptFailed', detail: 'none' },
  { type: 'ended', reason: 'tillGone' },
];
const found: PaymentEvent = { type: 'foundLate', paymentId: paymentIdOf(99) };
const end: PaymentEvent = { type: 'ended', reason: 'tillGone' };
const believedRefund: RefundEvent[] = [
  { type: 'cancelIntended', reason: 'tillGone' },
  { type: 'attemptFailed', detail: 'none' },
  { type: 'ended', reason: 'tillGone' },
];

let folder: Folder;
let journal: ReturnType<typeof openSqliteJournal>;
let damage: JournalDamage[];
const open = (): void =>
  void (journal = openSqliteJournal(folder.journal, clock, {
    reserve: noReserve,
    damaged: (one) => damage.push(one),
  }));
beforeEach(() => {
  folder = new Folder();
  damage = [];
  open();
});
afterEach(() => {
  journal.close();
  folder[Symbol.dispose]();
});
const reopen = (): void => {
  journal.close();
  open();
};
function problems(): readonly string[] {
  const reader = openJournalReader(folder.journal);
  const { problems: all } = reader.check();
  reader.close();
  return all;
}

const lost = saleNumbered(1);
const sold = saleNumbered(2);
const refund = refundNumbered(2, sold);

test('is listed until it is found, of its own lane, and neither what was refused nor what is known at the service', () => {
  journal.append('1', lost.saleId, [asked(lost), ...believed]);
  const refused = saleNumbered(3);
  journal.append('1', refused.saleId, [
    asked(refused),
    { type: 'ended', reason: 'refusedByService' },
  ]);
  const cancelled = saleNumbered(4);
  journal.append('1', cancelled.saleId, [
    asked(cancelled),
    { type: 'created', paymentId: paymentIdOf(4), status: 'initiated' },
    ...believed,
  ]);
  journal.append('1', sold.saleId, paid(sold));
  journal.appendRefund('1', refund.refundOrderId, [refundRequested(refund), ...believedRefund]);
  const other = refundNumbered(5, sold);
  journal.appendRefund('1', other.refundOrderId, [
    refundRequested(other),
    { type: 'ended', reason: 'tooOld' },
  ]);
  reopen();
  const listed = (laneId: string) => {
    const { payments, refunds } = journal.unfound(laneId);
    return [
      payments.map(({ sale }) => sale.orderId),
      refunds.map(({ request }) => request.refundOrderId),
    ];
  };
  expect(listed('1')).toEqual([[lost.orderId], [refund.refundOrderId]]);
  expect(listed('2')).toEqual([[], []]);
  expect(journal.paymentOfOrder(lost.orderId)).toMatchObject({ kind: 'notPaid', sale: lost });
  expect(journal.paymentOfOrder('unheard of')).toBeNull();
  expect(journal.refundOfOrder(refund.refundOrderId)).toMatchObject({
    kind: 'notRefunded',
    request: refund,
  });
  expect(journal.refundOfOrder('unheard of')).toBeNull();
  journal.append('1', lost.saleId, [found]);
  journal.appendRefund('1', refund.refundOrderId, [{ type: 'foundLate', refundId: 'late' }]);
  expect(listed('1')).toEqual([[], []]);
  reopen();
  expect(journal.openSales('1')).toEqual([
    { saleId: lost.saleId, events: [asked(lost), ...believed, found] },
  ]);
  expect(journal.openRefunds('1')).toMatchObject([{ refundOrderId: refund.refundOrderId }]);
  expect(journal.saleOfPayment(paymentIdOf(99))).toEqual(lost);
  expect(damage).toEqual([]);
});

test('is no damage to any check, open or at its second end', () => {
  journal.append('1', lost.saleId, [asked(lost), ...believed]);
  journal.append('1', sold.saleId, paid(sold));
  journal.appendRefund('1', refund.refundOrderId, [refundRequested(refund), ...believedRefund]);
  expect(problems()).toEqual([]);
  journal.append('1', lost.saleId, [found]);
  journal.appendRefund('1', refund.refundOrderId, [{ type: 'foundLate', refundId: 'late' }]);
  expect(problems()).toEqual([]);
  journal.append('1', lost.saleId, [{ type: 'attemptFailed', detail: 'no answer' }, end]);
  journal.appendRefund('1', refund.refundOrderId, [{ type: 'ended', reason: 'tillGone' }]);
  expect(problems()).toEqual([]);
  reopen();
  expect(damage).toEqual([]);
  expect(journal.openSales('1')).toEqual([]);
});

test('is no damage to the slow check that read its first end before it was found', async () => {
  journal.close();
  journal = openSqliteJournal(folder.journal, clock, {
    reserve: noReserve,
    checkSlowly: true,
    damaged: (one) => damage.push(one),
  });
  journal.append('1', lost.saleId, [asked(lost), ...believed]);
  fill(journal, 10, 60);
  await clock.pass(10_000);
  journal.append('1', lost.saleId, [found]);
  await clock.pass(1_000);
  expect(damage).toEqual([]);
});

test.each([
  ['open', [found]],
  ['at its second end', [found, end]],
])('is saved by a repair, %s', (_what, more) => {
  fill(journal, 10, 20);
  journal.append('1', lost.saleId, [asked(lost), ...believed]);
  fill(journal, 21, 22);
  journal.append('1', lost.saleId, more);
  fill(journal, 23, 24);
  journal.close();
  const content = readFileSync(folder.journal);
  content.fill(0xee, 0, 100);
  writeFileSync(folder.journal, content);
  open();
  expect(damage).toMatchObject([{ repaired: true, savedSales: 16, lost: [] }]);
  expect(journal.story(lost.saleId).map(({ event }) => event)).toEqual([
    asked(lost),
    ...believed,
    ...more,
  ]);
  expect(journal.openSales('1')).toHaveLength(more.length === 1 ? 1 : 0);
  expect(problems()).toEqual([]);
});

test('and a list that shows other facts than were asked for is damage', () => {
  journal.append('1', sold.saleId, paid(sold));
  const db = new DatabaseSync(folder.journal);
  db.exec('UPDATE sales SET amount_minor = 9234');
  db.close();
  expect(problems()).toEqual([
    expect.stringContaining(
      `it was ${sold.orderId} 1234 DKK, and is listed as ${sold.orderId} 9234 DKK`,
    ),
  ]);
  reopen();
  expect(damage).toMatchObject([{ repaired: true, savedSales: 1, lost: [] }]);
  expect(problems()).toEqual([]);
});
