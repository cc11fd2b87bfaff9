import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteJournal } from '../journal/sqlite-journal.ts';
import { type LaneSnapshot, progressOf } from '../lane/snapshot.ts';
import { noNotices } from '../domain/notices.ts';
import type { ServiceName } from '../domain/sale.ts';
import { beaconPhone, codePhone } from '../sandbox/demo/phone.ts';
import type { LaneSettings } from '../settings/schema.ts';
import type { TestCounter, TestProgress } from '../setup/setup-host.ts';
import { type CounterParts, openCounter, shownReference } from './counter.ts';
import { readerOnce } from './parts.ts';
import { ServiceMonitor } from '../wallet/http/service-monitor.ts';
import type { System } from './system.ts';

/** A counter with this lane over a simulated service of its own. Its journal is in a temporary folder: nothing of it reaches the shop's journal. */
export async function openTestCounter(settings: LaneSettings, changed: () => void, { clock, ids, log }: System): Promise<TestCounter> {
  const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-test-payment-'));
  const journalPath = join(folder, 'journal.sqlite');
  const journal = openSqliteJournal(journalPath, clock);
  const journalReader = readerOnce(journalPath);
  const removeJournal = (): void => {
    journalReader.close();
    journal.close();
    rmSync(folder, { recursive: true, force: true });
  };
  const parts: CounterParts = {
    clock,
    ids,
    log: log.child({ testPayment: true }),
    journal,
    journalReader,
    journalDamage: () => null,
    changed,
    serviceMonitor: new ServiceMonitor({ clock, log }),
    notices: noNotices,
    recreations: null,
    recordings: null,
    tillLanguages: null,
  };
  const options = { demo: true, booksPath: null, checksOff: null };
  const { till } = settings;
  // Setup tries tills on lines of their own.
  const lane = till.protocol === 'http' ? { ...settings, till: { protocol: till.protocol } } : { ...settings, till };
  // A lane of the service without stores.
  const service: ServiceName = settings.pointOfSale.storeId === undefined ? 'epayment' : 'v10';
  const counter = await openCounter({ wallet: { simulator: true, service }, lanes: [lane] }, parts, options).catch((error: unknown) => {
    removeJournal();
    throw error;
  });
  const { id: laneId } = settings;
  const [opened] = counter.lanes;
  const { demo, simulator } = counter;
  if (demo === null || simulator === null) throw new Error('a test counter is a demonstration');
  // Before that the lane would refuse the built-in till.
  await counter.ready;
  const phone =
    service === 'epayment'
      ? codePhone(() => shownReference(opened?.snapshot() ?? null), simulator)
      : beaconPhone(settings.pointOfSale.merchantPosId, simulator);
  return {
    progress: () => (opened === undefined ? null : progress(opened.snapshot())),
    pay: (amountMinor) => demo.pay(laneId, amountMinor),
    scan: async () => phone.use('scan'),
    approve: async () => phone.use('approve'),
    isCaptured: () =>
      service === 'epayment' ? simulator.hasCapturedEpayment : [...simulator.world.payments.values()].some(({ status }) => status === 'Captured'),
    async close() {
      await counter.close();
      removeJournal();
    },
  };
}

function progress({ current, result }: LaneSnapshot): TestProgress | null {
  if (result !== null) {
    const { amountMinor, currency, outcome } = result;
    return outcome.paid ? { step: 'paid', amountMinor, currency, reason: null } : { step: 'notPaid', amountMinor, currency, reason: outcome.reason };
  }
  if (current === null) return null;
  const { amountMinor, currency } = current.payment.sale;
  return { step: stepOf(progressOf(current.payment)), amountMinor, currency, reason: null };
}

/** @param told null: the till is being told, the outcome follows */
function stepOf(told: ReturnType<typeof progressOf>): TestProgress['step'] {
  switch (told) {
    case 'waitingForCustomer':
    case 'customerFound':
      return 'waitingForCustomer';
    case 'approveInApp':
    case null:
      return 'approveInApp';
    case 'contactingService':
    case 'cancelling':
      return 'askedByTill';
  }
}
