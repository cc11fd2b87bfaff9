import { expect, test } from 'vitest';
import { openJournalReader } from '../../../../main/core/journal/reader.ts';
import { openSqliteJournal } from '../../../../main/core/journal/sqlite-journal.ts';
import { storyText } from '../../../../main/core/journal/history-text.ts';
import type { Sale } from '../../../../main/core/settlement/payment.ts';
import type { RefundedBy } from '../../../../main/core/settlement/refund.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { Folder, noReserve, paid, paidBack, refundNumbered, saleNumbered } from './support.ts';

/** The first lines of `journal show`. */
function told(about: Partial<Sale>, by: RefundedBy): string {
  return storyOf(about, by).split('\n\n')[0] as string;
}

function storyOf(about: Partial<Sale>, by: RefundedBy): string {
  using folder = new Folder();
  const journal = openSqliteJournal(folder.journal, new ManualClock(), { reserve: noReserve });
  const reader = openJournalReader(folder.journal);
  try {
    const of = saleNumbered(1, about);
    journal.append('1', of.saleId, paid(of));
    const refund = refundNumbered(2, of, { by });
    journal.appendRefund('1', refund.refundOrderId, paidBack(refund));
    return storyText(reader.sale(of.saleId), reader.story(of.saleId));
  } finally {
    reader.close();
    journal.close();
  }
}

test('a payment and its refund are told with the address of the till that asked', () => {
  const text = told({ from: '192.168.1.40:50122' }, { kind: 'till', from: 'serial:/dev/ttyUSB0' });
  expect(text).toMatch(
    /^ {2}lane 1, receipt 1, trace 1, asked by the till at 192\.168\.1\.40:50122$/m,
  );
  expect(text).toMatch(
    /^ {2}receipt 1002, trace 1002, asked by the till at serial:\/dev\/ttyUSB0$/m,
  );
});

test('of an older journal, and by people, there is no address to tell', () => {
  const text = told({}, { kind: 'till' });
  expect(text).toMatch(/^ {2}lane 1, receipt 1, trace 1, asked by the till$/m);
  expect(text).toMatch(/^ {2}receipt 1002, trace 1002, asked by the till$/m);
  const byPeople = told({ by: 'cashier' }, { kind: 'manager', name: 'Anna' });
  expect(byPeople).toMatch(/^ {2}lane 1, receipt 1, trace 1, asked by the cashier$/m);
  expect(byPeople).toMatch(/^ {2}receipt 1002, trace 1002, asked by Anna$/m);
});

test('a test payment was started by setup, and by no cashier', () => {
  const text = storyOf({ by: 'cashier', isTest: true }, { kind: 'manager', name: 'Anna' });
  expect(text).toMatch(/^ {2}lane 1, receipt 1, trace 1, asked by setup, as a test$/m);
  expect(text).toContain('setup started it as a test payment');
  expect(text).not.toContain('manual payment');
});
