/** A lane whose customers are named: its journal on disk, the ePayment client, and the simulated service over real HTTP. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { systemIds } from '../../../main/domain/ids.ts';
import { silentLog } from '../../../main/domain/log.ts';
import type { SaleOutcome } from '../../../main/domain/sale.ts';
import { unnamedShop } from '../../../main/domain/shop.ts';
import { openJournalReader } from '../../../main/journal/reader.ts';
import { openSqliteJournal } from '../../../main/journal/sqlite-journal.ts';
import { Lane, type LaneOptions } from '../../../main/lane/lane.ts';
import { Closings } from '../../../main/manager/day/day-book.ts';
import type { LaneCommands } from '../../../main/till/port.ts';
import type { EpaymentCounterSettings } from '../../../main/wallet/epayment/point-of-sale/client.ts';
import { SteadyClock } from '../support/steady-clock.ts';
import { openEpaymentBench } from './epayment-support.ts';

export const money = { amountMinor: 12_550, currency: 'DKK' } as const;
/** So many milliseconds of the lane and the service in one of the log's. */
const speed = 20;

export type EpaymentLane = Awaited<ReturnType<typeof openEpaymentLane>>;

/** Not started yet; its sales unit may send requests to phones. */
export async function openEpaymentLane(about: Partial<LaneOptions['settings']>, counter: Partial<EpaymentCounterSettings> = {}) {
  const clock = new SteadyClock(speed);
  const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-epayment-'));
  const bench = await openEpaymentBench(clock);
  const journal = openSqliteJournal(join(folder, 'journal.sqlite'), clock);
  const settings = { id: 'K1', name: 'Check-out 1', currency: 'DKK', flow: 'prepare', beacons: ['QR'], deadlineMs: 300_000, ...about } as const;
  const reader = () => openJournalReader(join(folder, 'journal.sqlite'));
  const outcomes: SaleOutcome[] = [];
  let commands: LaneCommands | null = null;
  const lane = new Lane({
    settings,
    till: {
      address: 'tcp:127.0.0.1:1',
      open: async (of) => void (commands = of),
      close: async () => {},
      progress: () => {},
      offerPaid: async () => 'acknowledged',
      offerRefunded: async () => 'acknowledged',
      conclude: (_sale, outcome) => void outcomes.push(outcome),
      concludeRefund() {},
    },
    wallet: bench.counterWith(counter),
    service: { awaySinceMs: null, unansweredMs: () => null },
    journal,
    dayBook: new Closings({ reader, journal, lanes: () => [settings], shop: () => unnamedShop, clock }),
    clock,
    ids: systemIds,
    log: silentLog,
    changed: () => {},
  });
  const till = (): LaneCommands => {
    if (commands === null) throw new Error('the lane is not open');
    return commands;
  };
  await bench.act('set-sales-unit', { msn: '123456', mayPush: true });
  return {
    clock,
    folder,
    bench,
    journal,
    lane,
    /** What the till was told. */
    outcomes,
    begin() {
      const answer = till().requestSale(money);
      if (!answer.accepted) throw new Error(answer.reason);
      return answer.sale;
    },
    abort: (saleId: string) => till().abortSale(saleId),
    async close(): Promise<void> {
      await lane.close();
      await bench.close();
      journal.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export const until = <Seen>(check: () => Seen) => vi.waitFor(check, { timeout: 10_000, interval: 10 });
