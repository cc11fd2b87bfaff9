/**
 * The ways to a counter's reports: the page's handlers, the thread that reconciles, and the ledger
 * of the embedded service over HTTP.
 */
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { reportsAccess } from '../../../../main/counter/app/reports-access.ts';
import {
  openWalletService,
  type WalletService,
} from '../../../../main/counter/app/wallet-service.ts';
import { systemClock } from '../../../../main/core/domain/clock.ts';
import { systemIds } from '../../../../main/core/domain/ids.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { openSqliteJournal } from '../../../../main/core/journal/sqlite-journal.ts';
import { reconciliationHandlers } from '../../../../main/counter/manager/reconciliation/reconciliation-handlers.ts';
import { dayMs, utcDay } from '../../../../main/counter/manager/reconciliation/period.ts';
import { DownloadStore } from '../../../../main/counter/server/download-store.ts';
import { Router } from '../../../../main/counter/server/router.ts';
import { parseSettings } from '../../../../main/counter/settings/load.ts';
import { ServiceMonitor } from '../../../../main/wallets/http/service-monitor.ts';
import { asked, Folder, noReserve, saleNumbered } from '../../core/journal/support.ts';
import { all, newest } from '../manager/reconciliation/reconciliation-support.ts';

const system = { clock: systemClock, ids: systemIds, log: silentLog };
const till = { protocol: 'zvt', transport: 'tcp', port: 0 };
const lane = {
  id: 'K1',
  name: 'Check-out 1',
  currency: 'DKK',
  pointOfSale: { merchantPosId: 'till-1', name: 'Check-out 1' },
  till,
};
const settings = parseSettings(
  { wallet: { simulator: true, service: 'epayment' }, lanes: [lane] },
  {},
);
const money = { amountMinor: 12_550, currency: 'DKK' } as const;
const anna = { manager: { managerId: '3d500000-0000-4000-8000-000000000001', name: 'Anna' } };

let folder: Folder;
let service: WalletService;
beforeEach(async () => {
  folder = new Folder();
  service = await openWalletService(
    settings,
    { ...system, serviceMonitor: new ServiceMonitor(system), recreations: null },
    null,
  );
});
afterEach(async () => {
  await service.simulator?.stop();
  folder[Symbol.dispose]();
});

/** Takes a payment at the service. */
async function paid(orderId: string): Promise<void> {
  const [here] = settings.lanes;
  if (here === undefined) throw new Error('the settings have a lane');
  const counter = service.inUse.counterOf(here);
  expect(
    await counter.create({ ...money, flow: 'initiate', orderId, idempotencyKey: systemIds.uuid() }),
  ).toMatchObject({ kind: 'created' });
  await fetch(`${service.simulator?.baseUrl}/simulator/epayment/approve`, {
    method: 'POST',
    body: JSON.stringify({ reference: orderId }),
  });
  expect(await counter.capture(orderId, money)).toEqual({ kind: 'done' });
}

test('with the ePayment service, the ledger of the sales unit is read and matched with the journal', async () => {
  const journal = openSqliteJournal(folder.journal, systemClock, { reserve: noReserve });
  const [ours, others] = ['K1-000001-5a1e0000', 'K7-000002-5a1e0000'];
  const sale = saleNumbered(1, {
    orderId: ours,
    laneId: 'K1',
    service: 'epayment',
    ...money,
    startedAtMs: Date.now(),
  });
  journal.append('K1', sale.saleId, [
    asked(sale),
    { type: 'created', paymentId: ours, status: 'initiated' },
    { type: 'captureIntended' },
    { type: 'tillAcknowledged' },
    { type: 'captured' },
  ]);
  await paid(ours);
  await paid(others);
  const [from, to] = [utcDay(Date.now() - dayMs), utcDay(Date.now() + dayMs)];
  const page = reconciliationHandlers({
    access: () => reportsAccess({ settings, ...service }),
    storePath: join(folder.path, 'reconciliation.sqlite'),
    journalPath: folder.journal,
    records: journal,
    reader: () => ({ reconciliationNotes: () => [] }),
    laneNames: () => ({ '1': 'Check-out 1' }),
    downloads: new DownloadStore(system),
    ...system,
  });
  const router = new Router({
    handlers: page.handlers,
    middleware: { mayCall: () => true, record() {}, recordRefused() {} },
    log: silentLog,
  });
  const period = { from, to };
  expect(await router.call(anna, 'reconciliationOpen', { period })).toEqual({
    ok: true,
    value: { kind: 'ready', period, problem: null },
  });
  expect(
    await router.call(anna, 'reconciliationRows', {
      period,
      filter: all,
      sort: newest,
      from: 0,
      count: 10,
    }),
  ).toMatchObject({
    ok: true,
    value: {
      total: 2,
      rows: expect.arrayContaining([
        expect.objectContaining({ orderId: ours, oursMinor: 12_550, bankMinor: 12_550 }),
        expect.objectContaining({ orderId: others, category: 'elsewhere', bankMinor: 12_550 }),
      ]),
    },
  });
  page.close();
  journal.close();
});

test('an embedded service that took payments before has reports once there is one', async () => {
  const pointOfSale = { ...lane.pointOfSale, storeId: '51070000-0000-4000-8000-000000000001' };
  const onV10 = parseSettings(
    { wallet: { simulator: true }, lanes: [{ ...lane, pointOfSale }] },
    {},
  );
  const both = await openWalletService(
    onV10,
    { ...system, serviceMonitor: new ServiceMonitor(system), recreations: null },
    null,
  );
  const former = () => reportsAccess({ settings: onV10, ...both })?.former;
  expect(former()).toBeNull();
  const [counter] = onV10.lanes.map((here) => both.former?.counterOf(here));
  await counter?.create({
    ...money,
    flow: 'initiate',
    orderId: 'K1-000001-5a1e0000',
    idempotencyKey: systemIds.uuid(),
  });
  expect(former()).toMatchObject({
    service: 'epayment',
    source: { baseUrl: both.simulator?.baseUrl },
  });
  await both.simulator?.stop();
});
