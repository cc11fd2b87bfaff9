import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { Booking, PaymentEvent, Sale } from '../../../../main/core/settlement/payment.ts';
import type { JournalDamage } from '../../../../main/core/journal/journal.ts';
import { openJournalReader } from '../../../../main/core/journal/reader.ts';
import { openSqliteJournal } from '../../../../main/core/journal/sqlite-journal.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import {
  asked,
  Folder,
  noReserve,
  paid,
  paymentIdOf,
  saleNumbered,
  withoutTotals,
} from './support.ts';

const clock = new ManualClock();
const reserved = saleNumbered(1, { plannedCaptureDelay: 'LessThan14Days' });
const byManager = saleNumbered(2, { plannedCaptureDelay: 'LessThan14Days' });
const sold = saleNumbered(3);
const booking: Booking = {
  kind: 'capture',
  amountMinor: 1_000,
  receiptNumber: 4,
  traceNumber: 4,
  startedAtMs: 0,
};

const held = (of: Sale): PaymentEvent[] => [
  asked(of),
  { type: 'created', paymentId: paymentIdOf(of.receiptNumber), status: 'initiated' },
  { type: 'holdIntended', expiresAtMs: null, partialCapturePossible: true },
  { type: 'tillAcknowledged' },
];
const booked: PaymentEvent[] = [
  { type: 'bookingRequested', booking },
  { type: 'captureIntended', amountMinor: 1_000 },
  { type: 'captured' },
];

function openIt(folder: Folder) {
  const found: JournalDamage[] = [];
  return {
    journal: openSqliteJournal(folder.journal, clock, {
      reserve: noReserve,
      damaged: (damage) => found.push(damage),
    }),
    found,
  };
}

/** Two reservations, of which a manager has captured one, and a sale. */
function write(folder: Folder): void {
  const { journal } = openIt(folder);
  journal.append('1', reserved.saleId, held(reserved));
  journal.append('1', byManager.saleId, [
    ...held(byManager),
    { type: 'captureIntended', amountMinor: 900, by: 'Anna' },
    { type: 'captured' },
  ]);
  journal.append('1', sold.saleId, paid(sold));
  journal.close();
}

/** Events 1 to 4 are the reservation, event 17 is its booking. */
function writeWithBooking(folder: Folder): void {
  write(folder);
  const { journal } = openIt(folder);
  journal.append('1', reserved.saleId, booked);
  journal.close();
}

function damage(folder: Folder, sql: string): void {
  const db = new DatabaseSync(folder.journal);
  db.exec(sql);
  db.close();
}

test('a journal of version 5 with reservations opens unchanged, and what tills book in it has numbers of its own', () => {
  using folder = new Folder();
  write(folder);
  damage(folder, `DROP TABLE bookings; ${withoutTotals} PRAGMA user_version = 5`);
  const { journal, found } = openIt(folder);
  expect(found).toEqual([]);
  expect(journal.openSales('1')).toEqual([{ saleId: reserved.saleId, events: held(reserved) }]);
  expect(journal.paidSale('1', 2)).toMatchObject({ sale: byManager, capturedMinor: 900 });
  expect(journal.reservation('1', { receiptNumber: 1, traceNumber: null })).toMatchObject({
    kind: 'held',
  });
  expect(journal.nextNumbers('1')).toEqual({ receiptNumber: 4, traceNumber: 4 });
  journal.append('1', reserved.saleId, booked);
  journal.close();
  const again = openIt(folder);
  expect(again.found).toEqual([]);
  expect(again.journal.nextNumbers('1')).toEqual({ receiptNumber: 5, traceNumber: 5 });
  expect(again.journal.paidSale('1', 4)).toMatchObject({
    sale: reserved,
    capturedMinor: 1_000,
    booked: booking,
  });
  expect(again.journal.lastDecided('1')).toMatchObject({
    booking: { receiptNumber: 4, amountMinor: 1_000, reservedMinor: 1234 },
  });
  const reader = openJournalReader(folder.journal);
  expect(reader.check().problems).toEqual([]);
  reader.close();
  again.journal.close();
});

const unlocked = 'DROP TRIGGER events_stay_as_they_are;';

test('what is repaired keeps the bookings of the reservations that are whole', () => {
  using folder = new Folder();
  writeWithBooking(folder);
  damage(
    folder,
    `${unlocked} UPDATE events SET body = 'gone' WHERE sale_id = '${sold.saleId}' AND type = 'created'`,
  );
  const { journal, found } = openIt(folder);
  expect(found).toMatchObject([{ repaired: true, lost: [{ saleId: sold.saleId }] }]);
  expect(journal.paidSale('1', 4)).toMatchObject({
    sale: reserved,
    capturedMinor: 1_000,
    booked: booking,
  });
  expect(journal.lastDecided('1')).toMatchObject({ booking: { receiptNumber: 4 } });
  expect(journal.nextNumbers('1')).toEqual({ receiptNumber: 5, traceNumber: 5 });
  journal.close();
});

test('of a reservation that is lost, the numbers of its bookings are not given again, and nothing is told by them', () => {
  using folder = new Folder();
  writeWithBooking(folder);
  damage(
    folder,
    `${unlocked} UPDATE events SET body = 'gone' WHERE sale_id = '${reserved.saleId}'`,
  );
  const { journal, found } = openIt(folder);
  expect(found).toMatchObject([{ repaired: true, lost: [{ saleId: reserved.saleId }] }]);
  expect(journal.paidSale('1', 4)).toBeNull();
  expect(journal.lastDecided('1')).toMatchObject({ sale: { receiptNumber: 3 } });
  expect(journal.nextNumbers('1')).toEqual({ receiptNumber: 5, traceNumber: 5 });
  journal.close();
  const again = openIt(folder);
  expect(again.found).toEqual([]);
  expect(again.journal.nextNumbers('1')).toEqual({ receiptNumber: 5, traceNumber: 5 });
  again.journal.close();
});

test('so it is where the lost reservation was the last payment of its lane', () => {
  using folder = new Folder();
  const { journal } = openIt(folder);
  journal.append('1', sold.saleId, paid(saleNumbered(3)));
  const last = saleNumbered(4, { plannedCaptureDelay: 'LessThan14Days' });
  journal.append('1', last.saleId, [
    ...held(last),
    { type: 'bookingRequested', booking: { ...booking, receiptNumber: 5, traceNumber: 5 } },
  ]);
  journal.close();
  damage(folder, `${unlocked} UPDATE events SET body = 'gone' WHERE sale_id = '${last.saleId}'`);
  const repaired = openIt(folder);
  expect(repaired.journal.nextNumbers('1')).toEqual({ receiptNumber: 6, traceNumber: 6 });
  repaired.journal.close();
});
