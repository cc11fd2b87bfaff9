import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { JournalDamage } from '../../../../main/core/journal/journal.ts';
import { openJournalReader } from '../../../../main/core/journal/reader.ts';
import { openSqliteJournal } from '../../../../main/core/journal/sqlite-journal.ts';
import type { PaymentEvent } from '../../../../main/core/settlement/payment.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import {
  Folder,
  noReserve,
  paid,
  paidBack,
  paymentIdOf,
  refundNumbered,
  saleNumbered,
} from './support.ts';

const clock = new ManualClock();
const other = saleNumbered(0);
const found = (refundedMinor: number): PaymentEvent => ({
  type: 'foundAtService',
  sale: other,
  paymentId: paymentIdOf(0),
  refundedMinor,
});

test('another counter’s payment is refunded up to what others have left of it, whatever its callers believe', () => {
  using folder = new Folder();
  const journal = openSqliteJournal(folder.journal, clock, { reserve: noReserve });
  journal.append('1', other.saleId, [found(1_000)]);
  const refund = (n: number, amountMinor: number): void => {
    const request = refundNumbered(n, other, { amountMinor });
    journal.appendRefund('1', request.refundOrderId, paidBack(request));
  };
  expect(() => refund(1, 235)).toThrow(/only 234 is left/);
  refund(2, 200);
  expect(() => refund(3, 35)).toThrow(/only 34 is left/);
  journal.append('1', other.saleId, [{ type: 'refundsSeen', refundedMinor: 500 }]);
  refund(4, 534);
  expect(() => journal.append('1', other.saleId, [found(0)])).toThrow(/UNIQUE|cannot have/);
  journal.close();
});

test('it takes no numbers of a lane, and is none of its sales; a repair keeps it with its refunds', () => {
  using folder = new Folder();
  let journal = openSqliteJournal(folder.journal, clock, { reserve: noReserve });
  const own = saleNumbered(7);
  journal.append('1', own.saleId, paid(own));
  journal.append('1', other.saleId, [found(1_000)]);
  expect(journal.nextNumbers('1')).toEqual({ receiptNumber: 8, traceNumber: 8 });
  expect(journal.newestSales('1', 1)).toMatchObject([{ sale: own }]);
  expect(journal.openSales('1')).toEqual([]);
  expect(journal.lastDecided('1')).toMatchObject({ sale: { saleId: own.saleId } });
  const request = refundNumbered(1, other);
  journal.appendRefund('1', request.refundOrderId, paidBack(request));
  journal.append('1', other.saleId, [{ type: 'refundsSeen', refundedMinor: 1_100 }]);
  journal.close();

  // One row of the other sale is damaged.
  const db = new DatabaseSync(folder.journal);
  const trigger = db
    .prepare("SELECT sql FROM sqlite_schema WHERE name = 'events_stay_as_they_are'")
    .get()?.['sql'];
  db.exec(
    `DROP TRIGGER events_stay_as_they_are; UPDATE events SET body = '{}' WHERE seq = 1; ${String(trigger)}`,
  );
  db.close();
  const damages: JournalDamage[] = [];
  journal = openSqliteJournal(folder.journal, clock, {
    reserve: noReserve,
    damaged: (damage) => void damages.push(damage),
  });
  expect(damages).toMatchObject([{ repaired: true, lost: [{ saleId: own.saleId }] }]);
  expect(journal.story(other.saleId).map(({ event }) => event.type)).toEqual([
    'foundAtService',
    'refundRequested',
    'created',
    'captureIntended',
    'tillAcknowledged',
    'captured',
    'refundsSeen',
  ]);
  const reader = openJournalReader(folder.journal);
  expect(reader.sale(other.saleId).payment).toMatchObject({
    kind: 'elsewhere',
    refundedMinor: 1_100,
  });
  expect(reader.check().problems).toEqual([]);
  reader.close();
  journal.close();
});
