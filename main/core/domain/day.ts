import type { Currency } from './money.ts';
import type { FinishedBooking, FinishedRefund, FinishedPayment } from './sale.ts';

/** What a till is told of its lane's day. */
export interface DayTold {
  /** Where the closing before ended; 0: there was none. */
  readonly fromMs: number;
  /** The first moment after it; of totals: now. */
  readonly toMs: number;
  readonly figures: readonly DayFigures[];
  /**
   * The receipt numbers that were given, also to failed payments; null when there were none or they
   * are not known. They start again after the largest.
   */
  readonly receipts: { readonly first: number; readonly last: number } | null;
  /** Held at the service; they stay open. */
  readonly reservations: readonly DayReservation[];
  /** How much else is not confirmed by the service yet, or needs a person. */
  readonly unsettledCount: number;
}

export interface DayTotalsTold extends DayTold {
  /** The last one that was given at this lane; 0: none. */
  readonly traceNumber: number;
}

export interface ClosingTold extends DayTold {
  /** The report's number. */
  readonly number: number;
  readonly atMs: number;
  /** The address of the till that closed; null when a manager did. */
  readonly till: string | null;
}

/** A closing that a till made. */
export interface ClosingOfTill extends ClosingTold {
  readonly laneId: string;
  readonly till: string;
}

export interface DayFigures extends DayMoved {
  readonly currency: Currency;
  /** The part that is test payments of setup, and refunds of them; missing where there are none. */
  readonly tests?: DayMoved | undefined;
}

interface DayMoved {
  readonly payments: DaySum;
  readonly refunds: DaySum;
}

interface DaySum {
  readonly count: number;
  readonly sumMinor: number;
}

export interface DayReservation {
  /** null in closings of an earlier version, which did not record it. */
  readonly receiptNumber: number | null;
  readonly orderId: string;
  readonly amountMinor: number;
  readonly currency: Currency;
}

/**
 * The closings of lanes, as a till uses them. A manager's are the same ones: they have one series
 * of numbers, and each of a lane begins where the last one ended.
 */
export interface DayBook {
  /**
   * Never refuses. What is undecided is counted by a later one. @param till its address @throws
   * JournalWriteError when nothing was written
   */
  close(laneId: string, till: string): ClosingTold;
  /** What a closing would say now. */
  totals(laneId: string): DayTotalsTold;
  last(laneId: string): ClosingTold | null;
  /** What tills have closed since then at any lane, newest first. */
  ofTills(sinceMs: number): readonly ClosingOfTill[];
  closing(number: number): ClosingTold | null;
  /** What tills did under these receipt numbers, in their order: of each number the latest. */
  receipts(
    laneId: string,
    first: number,
    last: number,
  ): readonly (FinishedPayment | FinishedRefund | FinishedBooking)[];
}
