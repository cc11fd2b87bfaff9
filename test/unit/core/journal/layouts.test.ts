import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { JournalDamage } from '../../../../main/core/journal/journal.ts';
import { openJournalReader } from '../../../../main/core/journal/reader.ts';
import { newestVersion } from '../../../../main/core/journal/schema.ts';
import { openSqliteJournal } from '../../../../main/core/journal/sqlite-journal.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { Folder, noReserve, paid, saleNumbered } from './support.ts';

/** Journals written by the versions of their time. Their README lists the content. */
const fixtureOf = (layout: number): string =>
  join(import.meta.dirname, `../../../fixtures/journals/layout-${layout}.sqlite.gz`);
const layouts = Array.from({ length: newestVersion - 1 }, (_, index) => index + 1);
const clock = new ManualClock();

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

/** Tables, indexes and triggers, whatever order and spaces they were made with. */
function schemaOf(path: string): unknown {
  const db = new DatabaseSync(path, { readOnly: true });
  const objects = db
    .prepare(
      "SELECT type, name, tbl_name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .all();
  const columns = objects.map(({ name }) =>
    db
      .prepare('SELECT name, type, "notnull", pk FROM pragma_table_info(?) ORDER BY cid')
      .all(name as string),
  );
  db.close();
  return { objects, columns };
}

test('every layout that a shop may have is kept as a file', () => {
  expect(layouts.filter((layout) => !existsSync(fixtureOf(layout)))).toEqual([]);
});

test.each(layouts)(
  'a journal of layout %i is brought forward whole, and what was open in it goes on',
  (layout) => {
    using folder = new Folder();
    writeFileSync(folder.journal, gunzipSync(readFileSync(fixtureOf(layout))));
    const { journal, found } = openIt(folder);
    expect(found).toEqual([]);
    const id = (number: number): string => saleNumbered(number).saleId;
    const open = [7, 8, 9, ...(layout >= 5 ? [10] : [])];
    expect(journal.openSales('1').map(({ saleId }) => saleId)).toEqual(open.map(id));
    expect(journal.openRefunds('1')).toHaveLength(layout >= 2 ? 1 : 0);
    expect(journal.paidSale('1', 1)).toMatchObject({ captured: true, refundedMinor: 0 });
    expect(journal.paidSale('1', 2)).toMatchObject({
      captured: true,
      refundedMinor: layout >= 2 ? 100 : 0,
    });
    const next = journal.nextNumbers('1').receiptNumber;

    const reader = openJournalReader(folder.journal);
    expect(reader.check().problems).toEqual([]);
    expect(reader.findSales({}, { size: 100, after: null }).rows).toHaveLength(
      layout >= 5 ? 11 : 9,
    );
    expect(reader.open().needPerson).toEqual([id(9)]);

    journal.append('1', id(7), [{ type: 'captured' }]);
    journal.append('1', id(8), [{ type: 'ended', reason: 'timedOut' }]);
    const more = saleNumbered(next, { saleId: id(900), orderId: '1-000900-5a1e' });
    journal.append('1', more.saleId, paid(more));
    journal.close();
    expect(reader.check().problems).toEqual([]);
    expect(reader.open().sales).not.toContain(id(7));
    reader.close();

    using fresh = new Folder();
    openIt(fresh).journal.close();
    expect(schemaOf(folder.journal)).toEqual(schemaOf(fresh.journal));
  },
);
