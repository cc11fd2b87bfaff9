import type { ClosingTold, DayBook, DayTotalsTold } from '../../main/core/domain/day.ts';
import type { Clock } from '../../main/core/domain/clock.ts';
import { capturedMinorOf } from '../../main/core/settlement/reservation.ts';
import { type Journal, JournalWriteError } from '../../main/core/journal/journal.ts';
import type { Chance } from './random.ts';
import type { Life } from './life.ts';
import type { Stage } from './stage.ts';

/**
 * The closings of a shop, and what outlives the daemon of them: by the journal alone, one payment
 * after the other, so that it says the same over the journal in memory and the one in SQLite. What
 * the real one counts is tested by `test/unit/core/lane/closings-random.test.ts`.
 */
export class Closings {
  readonly #stage: Stage;
  readonly #chance: Chance;
  readonly #kept: { readonly laneId: string; readonly closing: ClosingTold }[] = [];
  readonly #counted = new Set<string>();

  constructor(stage: Stage, chance: Chance) {
    this.#stage = stage;
    this.#chance = chance;
  }

  /**
   * Checks what a till was told as closed, or what is in a closing. @returns null when nothing is
   * wrong
   */
  wrongIn(laneId: string, number: number, amountMinor: number): string | null {
    const kept = this.#kept.find(({ closing }) => closing.number === number);
    if (kept?.laneId !== laneId) return `closing ${number} was told, and is none of this lane`;
    const net = kept.closing.figures.reduce(
      (all, { payments, refunds }) => all + payments.sumMinor - refunds.sumMinor,
      0,
    );
    return amountMinor === Math.max(0, net)
      ? null
      : `closing ${number} was told with ${amountMinor}, and is of ${net}`;
  }

  over(journal: Journal, life: Life): DayBook {
    const { clock } = life;
    const last = (laneId: string): ClosingTold | null =>
      this.#kept.findLast((one) => one.laneId === laneId)?.closing ?? null;
    return {
      last,
      totals: (laneId) => this.#totals(journal, clock, laneId),
      receipts: () => [],
      ofTills: () =>
        this.#kept
          .map(({ laneId, closing }) => ({ ...closing, laneId, till: closing.till ?? '' }))
          .toReversed(),
      closing: (number) =>
        this.#kept.find(({ closing }) => closing.number === number)?.closing ?? null,
      close: (laneId, till) => {
        if (!life.survives('before a commit', 3 * this.#stage.weather.crash))
          throw new JournalWriteError(new Error('the process is dead'));
        if (this.#stage.fault(this.#chance, this.#stage.weather.diskFault))
          throw new JournalWriteError(new Error('disk I/O error'));
        const { traceNumber: _trace, ...told } = this.#totals(journal, clock, laneId);
        for (const { id } of this.#moved(journal, laneId)) this.#counted.add(id);
        const closing = { ...told, number: this.#kept.length + 1, atMs: clock.wallMs(), till };
        this.#kept.push({ laneId, closing });
        life.survives('after a commit', 3 * this.#stage.weather.crash);
        return closing;
      },
    };
  }

  #totals(journal: Journal, clock: Clock, laneId: string): DayTotalsTold {
    const moved = this.#moved(journal, laneId);
    const sum = (of: 'payments' | 'refunds') => {
      const ones = moved.filter((one) => one.of === of);
      return {
        count: ones.length,
        sumMinor: ones.reduce((all, { amountMinor }) => all + amountMinor, 0),
      };
    };
    const figures =
      moved.length === 0
        ? []
        : [{ currency: 'DKK' as const, payments: sum('payments'), refunds: sum('refunds') }];
    const { traceNumber } = journal.nextNumbers(laneId);
    return {
      fromMs: 0,
      toMs: clock.wallMs(),
      figures,
      receipts: null,
      reservations: [],
      unsettledCount: 0,
      traceNumber: traceNumber - 1,
    };
  }

  /** What was decided and is in no closing yet. */
  #moved(journal: Journal, laneId: string) {
    const sales = journal.newestSales(laneId, Number.MAX_SAFE_INTEGER);
    const paid = sales
      .filter(({ kind }) => kind === 'paid' || kind === 'capturing')
      .map((payment) => ({
        of: 'payments' as const,
        id: payment.sale.saleId,
        amountMinor: capturedMinorOf(payment),
      }));
    const refunded = sales
      .flatMap(({ sale }) => journal.refundsOf(sale.saleId))
      .filter(({ kind }) => kind === 'refunded' || kind === 'capturing')
      .map(({ request }) => ({
        of: 'refunds' as const,
        id: request.refundOrderId,
        amountMinor: request.amountMinor,
      }));
    return [...paid, ...refunded].filter(({ id }) => !this.#counted.has(id));
  }
}
