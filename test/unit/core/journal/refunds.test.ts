import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Journal, JournalWriteError } from '../../../../main/core/journal/journal.ts';
import { openSqliteJournal } from '../../../../main/core/journal/sqlite-journal.ts';
import type { RefundEvent, RefundRequest } from '../../../../main/core/settlement/refund.ts';
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

const clock = new ManualClock();
let folder: Folder;
let journal: Journal;
const open = (): Journal => openSqliteJournal(folder.journal, clock, { reserve: noReserve });
beforeEach(() => {
  folder = new Folder();
  journal = open();
});
afterEach(() => {
  journal.close();
  folder[Symbol.dispose]();
});
const reopen = (): void => {
  journal.close();
  journal = open();
};

const sold = saleNumbered(1);
const pay = (of = sold): void => journal.append('1', of.saleId, paid(of));
const giveBack = (
  request: RefundRequest,
  events: readonly RefundEvent[] = paidBack(request),
): void => journal.appendRefund('1', request.refundOrderId, events);
const refund = (n: number, about: Partial<RefundRequest> = {}): RefundRequest =>
  refundNumbered(n, sold, about);
const manager = { kind: 'manager', name: 'Bodil' } as const;

test('a refund is told with its sale, in the order in which both happened', () => {
  pay();
  const part = refund(1);
  giveBack(part, [refundRequested(part)]);
  reopen();
  giveBack(part, [{ type: 'created', refundId: 'r-1' }, { type: 'captureIntended' }]);
  expect(
    journal.story(sold.saleId).map(({ event, refundOrderId }) => [event.type, refundOrderId]),
  ).toEqual([
    ...paid(sold).map(({ type }) => [type, null]),
    ['refundRequested', part.refundOrderId],
    ['created', part.refundOrderId],
    ['captureIntended', part.refundOrderId],
  ]);
  expect(journal.refundsOf(sold.saleId)).toEqual([
    { kind: 'offering', request: part, refundId: 'r-1' },
  ]);
});

test('an open refund is there after a restart, one that has ended is not, one that needs a person is', () => {
  pay();
  const [done, open, lost] = [refund(1), refund(2), refund(3, { by: manager })];
  giveBack(done);
  giveBack(open, [refundRequested(open)]);
  giveBack(lost, [...paidBack(lost).slice(0, 3), { type: 'personNeeded', problem: 'refundLost' }]);
  reopen();
  expect(
    journal.openRefunds('1').map(({ refundOrderId, events }) => [refundOrderId, events.length]),
  ).toEqual([
    [open.refundOrderId, 1],
    [lost.refundOrderId, 4],
  ]);
  expect(journal.openRefunds('2')).toEqual([]);
  expect(journal.openSales('1')).toEqual([]);
});

test('a paid sale is found by its receipt, with what was refunded of it: everything but what ended without money', () => {
  pay();
  expect(journal.paidSale('1', 1)).toEqual({
    sale: sold,
    paymentId: paymentIdOf(1),
    capturedMinor: sold.amountMinor,
    captured: true,
    refundedMinor: 0,
  });
  giveBack(refund(1, { amountMinor: 100 }));
  giveBack(refund(2, { amountMinor: 20 }), [refundRequested(refund(2, { amountMinor: 20 }))]);
  giveBack(refund(3, { amountMinor: 3 }), [
    refundRequested(refund(3, { amountMinor: 3 })),
    { type: 'ended', reason: 'tooOld' },
  ]);
  expect(journal.paidSale('1', 1)?.refundedMinor).toBe(120);
  giveBack(refund(2), [{ type: 'ended', reason: 'balanceTooLow' }]);
  expect(journal.paidSale('1', 1)?.refundedMinor).toBe(100);
  expect(journal.paidSale('2', 1)).toBeNull();
});

test('of several sales with one receipt number the latest paid one is meant; one under capture counts, one that was lost does not', () => {
  pay();
  const later = saleNumbered(2, { receiptNumber: 1 });
  journal.append('1', later.saleId, takeover(later));
  expect(journal.paidSale('1', 1)).toMatchObject({
    sale: { saleId: later.saleId },
    captured: false,
  });
  journal.append('1', later.saleId, [{ type: 'personNeeded', problem: 'captureLost' }]);
  expect(journal.paidSale('1', 1)).toMatchObject({ sale: { saleId: sold.saleId }, captured: true });
});

test('the books never hold more refunds than were paid, whoever asks', () => {
  pay();
  giveBack(refund(1, { amountMinor: 1_000 }));
  const before = journal.story(sold.saleId).length;
  expect(() => giveBack(refund(2, { amountMinor: 235 }))).toThrow(
    /a refund of 235, and only 234 is left/,
  );
  expect(() => giveBack(refund(2, { amountMinor: 235 }))).toThrow(JournalWriteError);
  expect(journal.story(sold.saleId)).toHaveLength(before);
  giveBack(refund(2, { amountMinor: 234 }));
  expect(() => giveBack(refund(3, { amountMinor: 1 }))).toThrow(/only 0 is left/);
});

test.each<[string, Partial<RefundRequest>]>([
  ['of another currency', { currency: 'EUR' }],
  ['of another payment', { paymentId: paymentIdOf(9) }],
  ['of nothing', { amountMinor: 0 }],
  ['of less than nothing', { amountMinor: -100 }],
  ['of a sale that is not there', { saleId: saleNumbered(9).saleId }],
])('a refund %s is refused, and nothing of it is kept', (_what, about) => {
  pay();
  expect(() => giveBack(refund(1, about))).toThrow(JournalWriteError);
  expect(journal.refundsOf(sold.saleId)).toEqual([]);
  giveBack(refund(1));
});

test('a sale that is not paid is not refunded; the same refund does not begin twice', () => {
  journal.append('1', sold.saleId, [asked(sold)]);
  expect(() => giveBack(refund(1))).toThrow(/not paid/);
  journal.append('1', sold.saleId, paid(sold).slice(1));
  giveBack(refund(1));
  expect(() => giveBack(refund(1))).toThrow(JournalWriteError);
});

test('sales and refunds are numbered from one row, also across a restart', () => {
  pay();
  giveBack(refund(1, { receiptNumber: 2, traceNumber: 2, by: manager }));
  reopen();
  expect(journal.nextNumbers('1')).toEqual({ receiptNumber: 3, traceNumber: 3 });
  const next = saleNumbered(3);
  journal.append('1', next.saleId, [asked(next)]);
  expect(journal.nextNumbers('1')).toEqual({ receiptNumber: 4, traceNumber: 4 });
  giveBack(refund(4, { receiptNumber: 9_999, traceNumber: 999_999 }));
  expect(journal.nextNumbers('1')).toEqual({ receiptNumber: 1, traceNumber: 1 });
});

test('a repeated receipt is of whatever the till asked for last and is decided: a refund, not a manager’s', () => {
  pay();
  expect(journal.lastDecided('1')).toMatchObject({
    sale: { saleId: sold.saleId },
    outcome: { paid: true },
  });
  giveBack(refund(1, { by: manager }));
  expect(journal.lastDecided('1')).toMatchObject({ sale: { saleId: sold.saleId } });
  giveBack(refund(2), paidBack(refund(2)).slice(0, 3));
  expect(journal.lastDecided('1')).toMatchObject({ sale: { saleId: sold.saleId } });
  giveBack(refund(2), [{ type: 'tillAcknowledged' }]);
  reopen();
  expect(journal.lastDecided('1')).toMatchObject({
    refund: { refundOrderId: refund(2).refundOrderId },
    outcome: { refunded: true },
  });
  pay(saleNumbered(2));
  expect(journal.lastDecided('1')).toMatchObject({ sale: { saleId: saleNumbered(2).saleId } });
});
