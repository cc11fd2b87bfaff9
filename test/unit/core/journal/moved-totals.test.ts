import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import type { JournalDamage } from '../../../../main/core/journal/journal.ts';
import { openJournalReader } from '../../../../main/core/journal/reader.ts';
import { openSqliteJournal } from '../../../../main/core/journal/sqlite-journal.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import {
  asked,
  Folder,
  noReserve,
  paid,
  paidBack,
  paymentIdOf,
  refundNumbered,
  saleNumbered,
  takeover,
  withoutTotals,
} from './support.ts';

const clock = new ManualClock();
const openIt = (folder: Folder) => openSqliteJournal(folder.journal, clock, { reserve: noReserve });
/** Numbers around the ends of blocks, which are multiples of 1,024. */
const numbers = [1, 2, 3, 1_022, 1_023, 1_024, 1_025, 2_047, 2_048, 5_000];

function inFile(folder: Folder, sql: string): void {
  const db = new DatabaseSync(folder.journal);
  db.exec(sql);
  db.close();
}

/**
 * Paid sales with these numbers, of which the second was refunded in part, one that is undecided
 * and one that was not paid.
 */
function write(folder: Folder): void {
  openIt(folder).close();
  for (const number of numbers) {
    if (number > 1)
      inFile(folder, `UPDATE sqlite_sequence SET seq = ${number - 1} WHERE name = 'sales'`);
    const journal = openIt(folder);
    const sale = saleNumbered(number, { amountMinor: 1_000 + number });
    journal.append('1', sale.saleId, paid(sale));
    if (number === 2)
      journal.appendRefund(
        '1',
        refundNumbered(2, sale).refundOrderId,
        paidBack(refundNumbered(2, sale)),
      );
    journal.close();
  }
  const journal = openIt(folder);
  journal.append('1', saleNumbered(6_001).saleId, takeover(saleNumbered(6_001)).slice(0, 3));
  journal.append('1', saleNumbered(6_002).saleId, [
    asked(saleNumbered(6_002)),
    { type: 'ended', reason: 'timedOut' },
  ]);
  journal.close();
}

function behind(folder: Folder, sale: number, sales: readonly number[] = [], isHourly = true) {
  const reader = openJournalReader(folder.journal);
  const { hours } = reader.totalsBehind(
    { sale, refund: 0, capture: 0, undecided: { sales, refunds: [] } },
    { isHourly },
  );
  reader.close();
  const sum = (what: 'payments' | 'refunds') =>
    hours.reduce(
      (all, hour) => ({
        count: all.count + hour[what].count,
        sumMinor: all.sumMinor + hour[what].sumMinor,
      }),
      { count: 0, sumMinor: 0 },
    );
  return { payments: sum('payments'), refunds: sum('refunds') };
}

const sumOf = (some: readonly number[]) => ({
  count: some.length,
  sumMinor: some.reduce((all, one) => all + 1_000 + one, 0),
});

describe('what moved behind a number', () => {
  test('is the sum of the payments behind it, wherever its block ends', () => {
    using folder = new Folder();
    write(folder);
    for (const number of [0, ...numbers, 1_500, 9_999])
      expect(behind(folder, number), `behind ${number}`).toEqual({
        payments: sumOf(numbers.filter((one) => one > number)),
        refunds: { count: 1, sumMinor: 100 },
      });
    expect(behind(folder, 3, [], false)).toEqual(behind(folder, 3));
    expect(behind(folder, 2_048, [1, 1_024]).payments).toEqual(sumOf([1, 1_024, 5_000]));
  });

  test('counts what is decided later, once, and a reservation with what is captured of it', () => {
    using folder = new Folder();
    write(folder);
    const before = behind(folder, 0).payments;
    const journal = openIt(folder);
    journal.append('1', saleNumbered(6_001).saleId, takeover(saleNumbered(6_001)).slice(3));
    journal.append('1', saleNumbered(6_001).saleId, [{ type: 'captured' }]);
    const reserved = saleNumbered(6_003, { plannedCaptureDelay: 'LessThan14Days' });
    journal.append('1', reserved.saleId, [
      asked(reserved),
      { type: 'created', paymentId: paymentIdOf(6_003), status: 'initiated' },
      { type: 'holdIntended', expiresAtMs: null, partialCapturePossible: true },
      { type: 'tillAcknowledged' },
      { type: 'captureIntended', amountMinor: 900, by: 'Anna' },
    ]);
    journal.close();
    expect(behind(folder, 0).payments).toEqual({
      count: before.count + 2,
      sumMinor: before.sumMinor + saleNumbered(1).amountMinor + 900,
    });
    const reader = openJournalReader(folder.journal);
    expect(reader.check().problems).toEqual([]);
    reader.close();
  });
});

test('a journal of version 6 opens unchanged, counts the same, and goes on counting', () => {
  using folder = new Folder();
  write(folder);
  const before = behind(folder, 0);
  inFile(folder, `${withoutTotals} PRAGMA user_version = 6`);
  const found: JournalDamage[] = [];
  openSqliteJournal(folder.journal, clock, {
    reserve: noReserve,
    damaged: (damage) => found.push(damage),
  }).close();
  expect(found).toEqual([]);
  expect(behind(folder, 0)).toEqual(before);
  const journal = openIt(folder);
  journal.append('1', saleNumbered(7_000).saleId, paid(saleNumbered(7_000, { amountMinor: 5 })));
  journal.close();
  expect(behind(folder, 0).payments).toEqual({
    count: before.payments.count + 1,
    sumMinor: before.payments.sumMinor + 5,
  });
});

test('totals that somebody has changed are found, and made anew from the events', () => {
  using folder = new Folder();
  write(folder);
  const before = behind(folder, 0);
  inFile(folder, 'UPDATE moved_totals SET sum_minor = sum_minor + 1 WHERE block = 1');
  const reader = openJournalReader(folder.journal);
  expect(reader.check().problems).toEqual([
    'the totals of what moved are not those of the payments and refunds',
  ]);
  reader.close();
  openIt(folder).close();
  expect(behind(folder, 0)).toEqual(before);
});
