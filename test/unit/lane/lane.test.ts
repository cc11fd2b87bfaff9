import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Journal, JournalWriteError } from '../../../main/journal/journal.ts';
import { openSqliteJournal } from '../../../main/journal/sqlite-journal.ts';
import { Lane } from '../../../main/lane/lane.ts';
import { systemIds } from '../../../main/primitives/ids.ts';
import { silentLog } from '../../../main/primitives/log.ts';
import type { SaleOutcome } from '../../../main/primitives/sale.ts';
import type { LaneDesk, Till } from '../../../main/till/port.ts';
import type { CreateAnswer, LookUpAnswer, OpenAnswer, PollAnswer, SettleAnswer, WalletCounter } from '../../../main/wallet/port.ts';
import { ManualClock, settled } from '../support/manual-clock.ts';
import { paymentId } from '../payment/support.ts';

/** Everything that leaves the lane, with what the journal on disk said at that moment. */
class World {
  readonly folder = mkdtempSync(join(tmpdir(), 'tillbeacon-lane-'));
  readonly clock = new ManualClock();
  readonly left: { what: string; onDisk: string[] }[] = [];
  diskWorks = true;
  openAnswer: OpenAnswer = { kind: 'open', posId: '905e0000-0000-4000-8000-000000000001', qr: 'qr' };
  createAnswer: CreateAnswer = { kind: 'created', paymentId };
  lookUpAnswer: LookUpAnswer = { kind: 'none' };
  pollAnswers: PollAnswer[] = [];
  settleAnswer: SettleAnswer = { kind: 'done' };
  tillAnswer: 'acknowledged' | 'notAcknowledged' = 'acknowledged';
  outcomes: SaleOutcome[] = [];
  desk!: LaneDesk;
  lane: Lane;
  readonly #journal: Journal;

  constructor(folder?: string) {
    if (folder !== undefined) this.folder = folder;
    this.#journal = openSqliteJournal(join(this.folder, 'journal.sqlite'), this.clock);
    const journal: Journal = {
      ...this.#journal,
      append: (...entry) => {
        if (!this.diskWorks) throw new JournalWriteError(new Error('disk I/O error'));
        this.#journal.append(...entry);
      },
    };
    const settings = { id: '1', name: 'Check-out 1', currency: 'DKK', flow: 'initiate', deadlineMs: 120_000 } as const;
    this.lane = new Lane({
      settings,
      till: this.#till(),
      wallet: this.#wallet(),
      journal,
      clock: this.clock,
      ids: systemIds,
      log: silentLog,
      changed: () => {},
    });
  }

  async open(): Promise<this> {
    await this.lane.start();
    return this;
  }

  whatLeft(): string[] {
    return this.left.map(({ what }) => what);
  }
  onDiskWhen(what: string): string[] | undefined {
    return this.left.find((one) => one.what === what)?.onDisk;
  }

  #leaves(what: string): void {
    const last = this.#journal.openSales('1').at(-1);
    this.left.push({ what, onDisk: last?.events.map(({ type }) => type) ?? [] });
  }

  #wallet(): WalletCounter {
    const settle = (what: string) => async (): Promise<SettleAnswer> => {
      this.#leaves(what);
      return this.settleAnswer;
    };
    return {
      open: async () => this.openAnswer,
      create: async () => {
        this.#leaves('create');
        return this.createAnswer;
      },
      ready: settle('ready'),
      lookUp: async () => {
        this.#leaves('lookUp');
        return this.lookUpAnswer;
      },
      clear: async () => ({ kind: 'done', cancelledPaymentIds: [] }),
      watch: () => ({ poll: (signal) => this.#poll(signal) }),
      watchCheckIn: () => ({ poll: async () => ({ kind: 'unknown', detail: 'nobody asks' }) }),
      capture: settle('capture'),
      cancel: settle('cancel'),
    };
  }

  /** The next answer a second later, as the service paces it; without one, nothing more is heard. */
  #poll(signal: AbortSignal): Promise<PollAnswer> {
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
      this.clock.after(1_000, () => {
        const answer = this.pollAnswers.shift();
        if (answer !== undefined) resolve(answer);
      });
    });
  }

  #till(): Till {
    return {
      address: 'tcp:127.0.0.1:1',
      open: async (desk) => {
        this.desk = desk;
      },
      close: async () => {},
      progress: () => {},
      offerPaid: async () => {
        this.#leaves('offerPaid');
        return this.tillAnswer;
      },
      conclude: (_sale, outcome) => {
        this.#leaves(outcome.paid ? 'paid' : 'notPaid');
        this.outcomes.push(outcome);
      },
    };
  }

  close(): void {
    this.#journal.close();
  }
}

const money = { amountMinor: 1234, currency: 'DKK' } as const;
const reserved: PollAnswer = { kind: 'seen', status: 'reserved', ...money };

let world: World;
beforeEach(async () => {
  world = await new World().open();
});
afterEach(() => {
  world.close();
  rmSync(world.folder, { recursive: true, force: true });
});

describe('intent is on disk before anything leaves', () => {
  test('on the way to "paid"', async () => {
    world.pollAnswers = [reserved];
    expect(world.desk.requestSale(money)).toMatchObject({ accepted: true });
    await world.clock.pass(2_000);
    expect(world.whatLeft()).toEqual(['create', 'offerPaid', 'paid', 'capture']);
    expect(world.onDiskWhen('create')).toEqual(['saleRequested']);
    expect(world.onDiskWhen('offerPaid')?.at(-1)).toBe('captureIntended');
    expect(world.onDiskWhen('paid')?.at(-1)).toBe('tillAcknowledged');
    expect(world.onDiskWhen('capture')?.at(-1)).toBe('tillAcknowledged');
  });

  test('on the way out', async () => {
    world.pollAnswers = [{ kind: 'seen', status: 'issuedToUser', ...money }];
    const answer = world.desk.requestSale(money);
    await settled();
    expect(answer.accepted && world.desk.abortSale(answer.sale.saleId)).toBe('aborting');
    await world.clock.pass(2_000);
    expect(world.whatLeft()).toEqual(['create', 'notPaid', 'cancel']);
    expect(world.onDiskWhen('notPaid')?.at(-1)).toBe('cancelIntended');
    expect(world.onDiskWhen('cancel')?.at(-1)).toBe('cancelIntended');
  });
});

describe('a disk that refuses', () => {
  test('at the till’s key: no sale, nothing leaves, and it works again when the disk does', async () => {
    world.diskWorks = false;
    expect(world.desk.requestSale(money)).toEqual({ accepted: false, reason: 'storageFailed' });
    await settled();
    expect(world.left).toEqual([]);
    expect(world.lane.snapshot().condition).toMatchObject({ kind: 'notReady', reason: 'storageFailed' });
    world.diskWorks = true;
    expect(world.desk.requestSale(money)).toMatchObject({ accepted: true });
    expect(world.lane.snapshot().condition).toEqual({ kind: 'open' });
  });

  test('when the money is reserved: the till is told nothing until the intent to capture can be written', async () => {
    world.pollAnswers = [reserved];
    world.desk.requestSale(money);
    await settled();
    world.diskWorks = false;
    await world.clock.pass(5_000);
    expect(world.whatLeft()).toEqual(['create']);
    world.diskWorks = true;
    await world.clock.pass(1_000);
    expect(world.whatLeft()).toEqual(['create', 'offerPaid', 'paid', 'capture']);
  });

  test('when the till has acknowledged: it hears no completion and nothing is captured until that can be written', async () => {
    world.pollAnswers = [reserved];
    let acknowledge: () => void = () => {};
    const till = Promise.withResolvers<'acknowledged'>();
    acknowledge = () => till.resolve('acknowledged');
    Object.defineProperty(world, 'tillAnswer', { get: () => till.promise });
    world.desk.requestSale(money);
    await world.clock.pass(1_000);
    world.diskWorks = false;
    acknowledge();
    await world.clock.pass(3_000);
    expect(world.whatLeft()).toEqual(['create', 'offerPaid']);
    world.diskWorks = true;
    await world.clock.pass(1_000);
    expect(world.whatLeft()).toEqual(['create', 'offerPaid', 'paid', 'capture']);
  });
});

describe('the lane', () => {
  test('refuses what it cannot take, and says why', () => {
    expect(world.desk.requestSale({ amountMinor: 1, currency: 'EUR' })).toEqual({ accepted: false, reason: 'wrongCurrency' });
    expect(world.desk.requestSale({ amountMinor: 0, currency: 'DKK' })).toEqual({ accepted: false, reason: 'amountTooSmall' });
    expect(world.desk.requestSale({ amountMinor: 1.5, currency: 'DKK' })).toEqual({ accepted: false, reason: 'amountTooSmall' });
    expect(world.desk.requestSale({ amountMinor: 1_000_000_000_000, currency: 'DKK' })).toEqual({ accepted: false, reason: 'amountTooHigh' });
    expect(world.desk.requestSale(money)).toMatchObject({ accepted: true });
    expect(world.desk.requestSale(money)).toEqual({ accepted: false, reason: 'busy' });
  });

  test('takes the next sale while the capture of the last is still being repeated', async () => {
    world.pollAnswers = [reserved];
    world.settleAnswer = { kind: 'unknown', detail: 'no answer' };
    world.desk.requestSale(money);
    await world.clock.pass(1_000);
    expect(world.lane.snapshot()).toMatchObject({ current: null, unsettled: [{ intent: 'capture', amountMinor: 1234 }] });
    expect(world.desk.requestSale({ ...money, amountMinor: 99 })).toMatchObject({ accepted: true });
    world.settleAnswer = { kind: 'done' };
    await world.clock.pass(1_000);
    expect(world.lane.snapshot().unsettled).toEqual([]);
  });

  test('gives each sale an order id of its own and numbers that go on', () => {
    const orders = Array.from({ length: 3 }, () => {
      const answer = world.desk.requestSale(money);
      if (!answer.accepted) throw new Error(answer.reason);
      world.desk.tillLost(answer.sale.saleId);
      return answer.sale;
    });
    expect(new Set(orders.map(({ orderId }) => orderId)).size).toBe(3);
    expect(orders.map(({ receiptNumber }) => receiptNumber)).toEqual([1, 2, 3]);
    for (const { orderId } of orders) expect(orderId.length).toBeLessThanOrEqual(36);
  });

  test('ends a sale at its deadline, by the monotonic clock', async () => {
    world.pollAnswers = Array.from({ length: 200 }, () => ({ kind: 'seen', status: 'initiated', ...money }) as const);
    world.desk.requestSale(money);
    await world.clock.pass(119_999);
    expect(world.outcomes).toEqual([]);
    await world.clock.pass(2_000);
    expect(world.outcomes).toEqual([{ paid: false, reason: 'timedOut' }]);
  });

  test('does not open before the service has, and tells the till and the screens so', async () => {
    const closed = new World();
    closed.openAnswer = { kind: 'unreachable', detail: 'ECONNREFUSED' };
    const opening = closed.open();
    await settled();
    expect(closed.desk.readiness()).toBe('notReady');
    expect(closed.desk.requestSale(money)).toEqual({ accepted: false, reason: 'notReady' });
    expect(closed.lane.snapshot().condition).toEqual({ kind: 'notReady', reason: 'serviceUnreachable', detail: 'ECONNREFUSED' });
    closed.openAnswer = { kind: 'open', posId: 'p', qr: null };
    await closed.clock.pass(250);
    await opening;
    expect(closed.desk.readiness()).toBe('ready');
    closed.close();
    rmSync(closed.folder, { recursive: true, force: true });
  });

  test('after a restart settles what was open before it takes anything new', async () => {
    world.desk.requestSale(money);
    await settled();
    world.close();
    const again = new World(world.folder);
    again.pollAnswers = [reserved];
    const opening = again.open();
    await settled();
    expect(again.desk.requestSale(money)).toEqual({ accepted: false, reason: 'notReady' });
    expect(again.lane.snapshot().condition).toMatchObject({ reason: 'settlingOpenPayments' });
    await again.clock.pass(1_000);
    await opening;
    expect(again.whatLeft()).toEqual(['notPaid', 'cancel']);
    expect(again.desk.lastSale()).toMatchObject({ outcome: { paid: false, reason: 'interrupted' } });
    expect(again.desk.requestSale(money)).toMatchObject({ accepted: true });
    world = again;
  });
});
