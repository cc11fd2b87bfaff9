/** The thread for real, from its source; the bank of the embedded service. */
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Period } from '../../../../../preload/procedures/reconciliation.ts';
import { openSqliteJournal } from '../../../../../main/core/journal/sqlite-journal.ts';
import { openJournalReader } from '../../../../../main/core/journal/reader.ts';
import { systemClock } from '../../../../../main/core/domain/clock.ts';
import { systemIds } from '../../../../../main/core/domain/ids.ts';
import { silentLog } from '../../../../../main/core/domain/log.ts';
import { reconciliationHandlers } from '../../../../../main/counter/manager/reconciliation/reconciliation-handlers.ts';
import type {
  ReportsAccess,
  ReportsSource,
} from '../../../../../main/counter/manager/reconciliation/reconciliation-worker-data.ts';
import { DownloadStore } from '../../../../../main/counter/server/download-store.ts';
import { Router } from '../../../../../main/counter/server/router.ts';
import type { Session } from '../../../../../main/counter/server/session.ts';
import { Folder, noReserve, paid, saleNumbered } from '../../../core/journal/support.ts';
import { Service } from '../../../sandbox/simulator/support.ts';
import { all, newest } from './reconciliation-support.ts';

/** The simulated world begins on 21 November 2026; a day later the bank has transferred. */
const period: Period = { from: '2026-11-15', to: '2026-11-30' };
const manager: Session = { manager: { managerId: systemIds.uuid(), name: 'Ana' } };

let service: Service;
let folder: Folder;
let access: ReportsAccess | null;
let open: { router: Router; recorded: unknown[]; close(): void };

beforeEach(async () => {
  service = await new Service().start();
  folder = new Folder();
  const { baseUrl, storeIds, credentials } = service.simulator;
  access = {
    posNames: ['Check-out 1'],
    inUse: {
      baseUrl,
      apiKey: `simulated-key-of-${credentials.merchantVat}`,
      profile: 'generic',
      storeIds,
    },
    former: null,
  };
  const journal = openSqliteJournal(folder.journal, systemClock, { reserve: noReserve });
  const sale = saleNumbered(1, { orderId: 'order-1', amountMinor: 1_250 });
  journal.append('1', sale.saleId, paid(sale));
  service.simulator.world.ledger.record({
    type: 'Payment',
    product: 'PointOfSale',
    merchantVat: credentials.merchantVat,
    paymentPointId: storeIds[0] as string,
    amountMinor: 1_250,
    currency: 'DKK',
    about: { merchantReference: 'order-1', posName: 'Check-out 1' },
  });
  await service.simulator.advance(86_400_000);
  const reader = openJournalReader(folder.journal);
  const recorded: unknown[] = [];
  const reconciliation = reconciliationHandlers({
    access: () => access,
    storePath: join(folder.path, 'reconciliation.sqlite'),
    journalPath: folder.journal,
    records: journal,
    reader: () => reader,
    laneNames: () => ({ '1': 'Check-out 1' }),
    downloads: new DownloadStore({ clock: systemClock, ids: systemIds }),
    clock: systemClock,
    log: silentLog,
  });
  const middleware = {
    mayCall: () => true,
    record: (...facts: unknown[]) => void recorded.push(facts),
    recordRefused() {},
  };
  open = {
    router: new Router({ handlers: reconciliation.handlers, middleware, log: silentLog }),
    recorded,
    close() {
      reconciliation.close();
      reader.close();
      journal.close();
    },
  };
});
afterEach(async () => {
  open.close();
  await service.simulator.stop();
  folder[Symbol.dispose]();
});

const ask = (name: string, asked: object, session: Session = manager) =>
  open.router.call(session, name, asked);

test('a period is opened, looked through, noted and exported from a thread of its own', async () => {
  expect(await ask('reconciliationOpen', { period })).toEqual({
    ok: true,
    value: { kind: 'ready', period, problem: null },
  });
  expect(await ask('reconciliationSummary', { period })).toMatchObject({
    ok: true,
    value: { rows: 2, counts: { matched: 1, fee: 1 } },
  });
  const rows = await ask('reconciliationRows', {
    period,
    filter: { ...all, category: 'matched' },
    sort: newest,
    from: 0,
    count: 100,
  });
  expect(rows).toMatchObject({
    ok: true,
    value: {
      total: 1,
      rows: [{ orderId: 'order-1', oursMinor: 1_250, bankMinor: 1_250, feeMinor: -25 }],
    },
  });
  const rowId = rows.ok ? (rows.value as { rows: { rowId: number }[] }).rows[0]?.rowId : null;

  expect(await ask('reconciliationNote', { subject: 'order-1', text: ' seen ' })).toEqual({
    ok: true,
    value: {},
  });
  expect(open.recorded).toEqual([[manager.manager, 'reconciliationNote', { subject: 'order-1' }]]);
  expect(await ask('reconciliationStory', { period, rowId })).toMatchObject({
    ok: true,
    value: {
      subject: 'order-1',
      bank: [{ kind: 'payment', feeMinor: -25 }],
      notes: [{ manager: 'Ana', text: 'seen' }],
      row: { notes: 1 },
    },
  });
  expect(await ask('reconciliationTransfers', { period, from: 0, count: 10 })).toMatchObject({
    ok: true,
    value: { total: 1, transfers: [{ addsUp: true }] },
  });

  const names = [
    'category',
    'kind',
    'time',
    'orderId',
    'lane',
    'oursAmount',
    'bankAmount',
    'fee',
    'difference',
    'currency',
    'transferReference',
    'transferTime',
    'test',
    'notes',
  ];
  const categories = ['matched', 'waiting', 'missing', 'bankOnly', 'differs', 'fee', 'elsewhere'];
  const kinds = [
    'payment',
    'refund',
    'transactionFee',
    'serviceFee',
    'returned',
    'adjustment',
    'other',
  ];
  const same = (words: readonly string[]): object =>
    Object.fromEntries(words.map((word) => [word, word]));
  const words = {
    name: 'Reconciliation',
    columns: same(names),
    categories: same(categories),
    kinds: same(kinds),
  };
  const exported = {
    period,
    sort: newest,
    format: 'csv',
    csv: { separator: ';', decimal: ',' },
    words,
  };
  expect(await ask('reconciliationExport', exported)).toMatchObject({
    ok: true,
    value: { name: 'Reconciliation 2026-11-15 – 2026-11-30.csv', type: 'text/csv' },
  });
});

test('without a key for the reports it is said so, and nobody is asked', async () => {
  access = null;
  expect(await ask('reconciliationOpen', { period })).toMatchObject({
    ok: false,
    code: 'notSetUp',
  });
});

test('a key that is not accepted is a problem that the period is shown with', async () => {
  access = access && { ...access, inUse: { ...access.inUse, apiKey: 'another' } as ReportsSource };
  expect(await ask('reconciliationOpen', { period })).toMatchObject({
    ok: true,
    value: { kind: 'ready', problem: 'refused' },
  });
});

test('a period that is not open is to be opened', async () => {
  expect(await ask('reconciliationSummary', { period })).toMatchObject({
    ok: false,
    code: 'notOpen',
  });
});

test.each([
  [{ from: '2026-11-30', to: '2026-11-15' }, 'period.to'],
  [{ from: '2025-01-01', to: '2026-02-01' }, 'period.to'],
  [{ from: '2026-02-30', to: '2026-03-01' }, 'period.from'],
])('%j is no period', async (asked, field) => {
  expect(await ask('reconciliationOpen', { period: asked })).toMatchObject({
    ok: false,
    code: 'invalid',
    field,
  });
});

test('a note without an author is refused, and so is an empty one', async () => {
  expect(
    await ask('reconciliationNote', { subject: 'order-1', text: 'seen' }, { manager: null }),
  ).toMatchObject({ ok: false, code: 'pinNeeded' });
  expect(await ask('reconciliationNote', { subject: 'order-1', text: '  ' })).toMatchObject({
    ok: false,
    code: 'invalid',
    field: 'text',
  });
});
