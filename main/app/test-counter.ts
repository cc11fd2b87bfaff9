import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceMonitor } from '../manager/health/service-monitor.ts';
import { openSqliteJournal } from '../journal/sqlite-journal.ts';
import { type LaneSnapshot, progressOf } from '../lane/snapshot.ts';
import type { Clock } from '../domain/clock.ts';
import type { Ids } from '../domain/ids.ts';
import type { Log } from '../domain/log.ts';
import { noNotices } from '../domain/notices.ts';
import type { LaneSettings } from '../settings/schema.ts';
import type { TestCounter, TestProgress } from '../setup/setup-host.ts';
import { openCounter } from './counter.ts';

interface TestCounterOptions {
  readonly lane: LaneSettings;
  readonly changed: () => void;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

/** A counter with this lane over a simulated service of its own. Its journal is in a folder that goes with it: the books of the shop never hear of it. */
export async function openTestCounter({ lane: settings, changed, clock, ids, log }: TestCounterOptions): Promise<TestCounter> {
  const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-test-payment-'));
  const journal = openSqliteJournal(join(folder, 'journal.sqlite'), clock);
  const removeJournal = (): void => {
    journal.close();
    rmSync(folder, { recursive: true, force: true });
  };
  const counter = await openCounter({
    settings: { wallet: { simulator: true }, lanes: [settings] },
    journal,
    demo: true,
    clock,
    ids,
    log: log.child({ testPayment: true }),
    changed,
    serviceWatch: new ServiceMonitor(clock),
    notices: noNotices,
    checksOff: null,
    journalDamage: () => null,
    simulatedBooks: null,
    recreations: null,
  }).catch((error: unknown) => {
    removeJournal();
    throw error;
  });
  const { id: laneId } = settings;
  const [lane] = counter.lanes;
  const command = async (asked: Parameters<NonNullable<typeof counter.demo>['command']>[0]): Promise<void> => {
    const result = await counter.demo?.command(asked);
    if (result?.ok !== true) throw new Error(result?.message ?? 'there is no till');
  };
  // Only now can the built-in till be told that nothing is in its way.
  await counter.ready;
  return {
    progress: () => (lane === undefined ? null : progress(lane.snapshot())),
    pay: (amountMinor) => command({ type: 'demoTillPay', laneId, amountMinor }),
    scan: () => command({ type: 'demoPhone', laneId, action: 'scan' }),
    approve: () => command({ type: 'demoPhone', laneId, action: 'approve' }),
    isCaptured: () => [...(counter.simulator?.world.payments.values() ?? [])].some(({ status }) => status === 'Captured'),
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

/** null: it is being told, the outcome follows. */
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
