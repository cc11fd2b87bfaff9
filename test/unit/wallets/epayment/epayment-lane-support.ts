/**
 * A real lane on the ePayment service: its journal on disk, the client, and the simulated service
 * over real HTTP.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { systemIds } from '../../../../main/core/domain/ids.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import type { RefundOutcome, PaymentOutcome } from '../../../../main/core/domain/sale.ts';
import { unnamedShop } from '../../../../main/core/domain/shop.ts';
import { openJournalReader } from '../../../../main/core/journal/reader.ts';
import { openSqliteJournal } from '../../../../main/core/journal/sqlite-journal.ts';
import { Lane, type LaneSettings } from '../../../../main/core/lane/lane.ts';
import { Closings } from '../../../../main/counter/manager/day/day-book.ts';
import type { LaneCommands, OfferAnswer } from '../../../../main/core/lane/till-port.ts';
import type { EpaymentCounterSettings } from '../../../../main/wallets/epayment/point-of-sale/epayment-client.ts';
import { noReserve } from '../../core/journal/support.ts';
import { SteadyClock } from '../../support/steady-clock.ts';
import { openEpaymentBench } from './epayment-support.ts';

export const money = { amountMinor: 12_550, currency: 'DKK' } as const;
/** Milliseconds of the lane and the service in one real millisecond. */
export const speed = 20;

export type EpaymentLane = Awaited<ReturnType<typeof openEpaymentLane>>;

export const until = <Seen>(check: () => Seen) =>
  vi.waitFor(check, { timeout: 10_000, interval: 20 });

/** @param times how much faster than real time */
export async function openEpaymentLane(
  about: Partial<LaneSettings> = {},
  times = speed,
  counter: Partial<EpaymentCounterSettings> = {},
) {
  const clock = new SteadyClock(times);
  const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-epayment-'));
  const bench = await openEpaymentBench(clock);
  const journal = openSqliteJournal(join(folder, 'journal.sqlite'), clock, { reserve: noReserve });
  const settings = {
    id: 'K1',
    name: 'Check-out 1',
    currency: 'DKK',
    flow: 'initiate',
    beacons: ['QR'],
    deadlineMs: 30_000,
    ...about,
  } as const;
  const till = {
    answer: 'acknowledged' as OfferAnswer,
    outcomes: [] as PaymentOutcome[],
    refundOutcomes: [] as RefundOutcome[],
    /** The captured amount at the service at the moment when the till is told "paid". */
    capturedWhenOffered: [] as number[],
  };
  let commands: LaneCommands | null = null;
  const lane = new Lane({
    settings,
    till: {
      address: 'tcp:127.0.0.1:1',
      open: async (of) => void (commands = of),
      close: async () => {},
      progress: () => {},
      offerPaid: async () => {
        till.capturedWhenOffered.push((await bench.payment()).captured);
        return till.answer;
      },
      offerRefunded: async () => 'acknowledged',
      conclude: (_sale, outcome) => void till.outcomes.push(outcome),
      concludeRefund: (_refund, outcome) => void till.refundOutcomes.push(outcome),
    },
    wallet: bench.counterWith(counter),
    service: { awaySinceMs: null, unansweredMs: () => null },
    journal,
    dayBook: new Closings({
      reader: () => openJournalReader(join(folder, 'journal.sqlite')),
      journal,
      lanes: () => [settings],
      shop: () => unnamedShop,
      clock,
    }),
    clock,
    ids: systemIds,
    log: silentLog,
    changed: () => {},
  });
  const asked = (): LaneCommands => {
    if (commands === null) throw new Error('the lane has opened no till');
    return commands;
  };
  const opened = {
    clock,
    folder,
    bench,
    journal,
    lane,
    till,
    get commands() {
      return asked();
    },
    begin() {
      const answer = asked().requestSale(money);
      if (!answer.accepted) throw new Error(answer.reason);
      return answer.sale;
    },
    isThere: () => until(() => bench.payment()),
    async pay() {
      const sale = opened.begin();
      // Nobody can approve before; and an approved payment has no code any more.
      await until(() => expect(lane.snapshot().current?.code).toMatchObject({ kind: 'picture' }));
      const { reference } = await opened.isThere();
      await bench.act('approve', { reference });
      await until(async () =>
        expect(await bench.payment()).toMatchObject({ captured: money.amountMinor }),
      );
      return sale;
    },
    async close() {
      await lane.close();
      await bench.close();
      journal.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return opened;
}
