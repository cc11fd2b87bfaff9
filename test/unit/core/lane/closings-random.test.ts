import { expect, test } from 'vitest';
import type { ClosingTold } from '../../../../main/core/domain/day.ts';
import { capturedMinorOf } from '../../../../main/core/settlement/reservation.ts';
import { chosen } from '../../../support/long.ts';
import { Chance } from '../../../simulation/random.ts';
import { money, reserved, World } from './support.ts';

const till = 'serial:/dev/ttyUSB0';
const shops = 6;
const steps = 40;

/** A day book in real SQLite and a lane, with random acts between two closings. */
class Shop {
  world = new World(undefined, { plannedCaptureDelay: 'LessThan14Days' });
  readonly closings: ClosingTold[] = [];
  readonly #chance: Chance;
  #actions = 0;

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  async step(): Promise<void> {
    const { commands, clock, lane, journal } = this.world;
    const chance = this.#chance;
    const amountMinor = chance.between(1, 100_000);
    const seen = {
      ...reserved,
      amountMinor,
      expiresAtMs: clock.wallMs() + 7 * 86_400_000,
      partialCapturePossible: true,
    };
    this.world.tillAnswer = chance.is(0.85) ? 'acknowledged' : 'notAcknowledged';
    this.world.settleAnswer = chance.is(0.85)
      ? { kind: 'done' }
      : { kind: 'unknown', detail: 'no answer' };
    const receiptNumber = chance.between(1, journal.nextNumbers('1').receiptNumber);
    switch (chance.between(0, 9)) {
      case 0:
      case 1:
      case 2:
        this.world.pollAnswers = [
          chance.is(0.8) ? seen : { ...reserved, status: 'cancelledByUser' },
        ];
        commands.requestSale({ ...money, amountMinor });
        break;
      case 3:
        this.world.pollAnswers = [seen];
        commands.requestSale({ ...money, amountMinor, reserve: true });
        break;
      case 4: {
        const answer = commands.requestBooking({
          receiptNumber,
          traceNumber: null,
          what: { kind: 'used', amountMinor: null },
          currency: null,
        });
        if (answer.accepted) commands.endBooking(answer.booking, chance.is(0.8));
        break;
      }
      case 5:
        this.world.refundPollAnswers = [{ kind: 'seen', status: 'reserved' }];
        commands.requestRefund({
          receiptNumber,
          amountMinor: chance.is(0.5) ? null : chance.between(1, 5_000),
          currency: 'DKK',
        });
        break;
      case 6: {
        this.world.refundPollAnswers = [{ kind: 'seen', status: 'reserved' }];
        const actionId = `a3c70000-0000-4000-8000-${String((this.#actions += 1)).padStart(12, '0')}`;
        lane.refundByManager({
          actionId,
          sale: { receiptNumber },
          amountMinor: 1,
          note: null,
          name: 'Anna',
        });
        break;
      }
      case 7: {
        const answer = commands.closeDay(till);
        if (answer.closed) this.closings.push(answer.closing);
        break;
      }
      default:
        // A day is closed whatever is undecided.
        if (chance.is(0.3)) this.closings.push(this.world.dayBook.close('1', till));
        else if (chance.is(0.2)) return this.#restart();
    }
    await clock.pass(chance.one([0, 0, 500, 1_000, 5_000]));
  }

  async #restart(): Promise<void> {
    const { folder } = this.world;
    this.world.close();
    this.world = new World(folder, { plannedCaptureDelay: 'LessThan14Days' });
    void this.world.lane.start();
    await this.world.clock.pass(this.#chance.one([0, 2_000]));
  }

  /** Decides everything that can be decided. */
  async end(): Promise<void> {
    this.world.settleAnswer = { kind: 'done' };
    await this.world.clock.pass(600_000);
    expect(this.world.lane.isUndecided).toBe(false);
    this.closings.push(this.world.dayBook.close('1', till));
  }

  /** The sums, derived from the events alone. */
  moved() {
    const all = this.world.journal.newestSales('1', 10_000);
    const paid = all.filter(({ kind }) => kind === 'paid' || kind === 'capturing');
    const refunded = all
      .flatMap(({ sale }) => this.world.journal.refundsOf(sale.saleId))
      .filter(({ kind }) => kind === 'refunded' || kind === 'capturing');
    return {
      payments: { count: paid.length, sumMinor: sum(paid.map(capturedMinorOf)) },
      refunds: {
        count: refunded.length,
        sumMinor: sum(refunded.map(({ request }) => request.amountMinor)),
      },
    };
  }
}

const sum = (amounts: readonly number[]): number => amounts.reduce((all, one) => all + one, 0);
const together = (closings: readonly ClosingTold[], what: 'payments' | 'refunds') => {
  const parts = closings.flatMap(({ figures }) => figures.map((figure) => figure[what]));
  return {
    count: sum(parts.map(({ count }) => count)),
    sumMinor: sum(parts.map(({ sumMinor }) => sumMinor)),
  };
};

test('each payment and refund is in one closing, whatever comes between: the closings add up to the journal, and follow each other', async () => {
  const seed = chosen(2 ** 31, 'closings');
  let moved = 0;
  for (let each = 0; each < shops; each += 1) {
    const shop = new Shop(new Chance(seed + each));
    await shop.world.open();
    for (let step = 0; step < steps; step += 1) await shop.step();
    await shop.end();
    const { closings } = shop;
    const books = shop.moved();
    expect({
      seed: seed + each,
      payments: together(closings, 'payments'),
      refunds: together(closings, 'refunds'),
    }).toEqual({ seed: seed + each, ...books });
    for (const [at, { number, fromMs, receipts }] of closings.entries()) {
      expect([number, fromMs]).toEqual([at + 1, closings[at - 1]?.toMs ?? 0]);
      const before = closings.slice(0, at).findLast((one) => one.receipts !== null);
      if (receipts !== null) expect(receipts.first).toBe((before?.receipts?.last ?? 0) + 1);
    }
    moved += books.payments.count + books.refunds.count;
    shop.world.remove();
  }
  expect(moved).toBeGreaterThan(shops);
});
