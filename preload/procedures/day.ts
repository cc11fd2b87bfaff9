/** A day's totals and its closing. Amounts are minor units; days and hours are the shop's, as this computer's clock has them. */
import { z } from 'zod';
import { currencies } from '../../main/domain/money.ts';
import { Problem, ShopOnPaper } from './lane.ts';
import { procedure } from './procedure.ts';

const Currency = z.enum(currencies);
const Day = z.iso.date('must be a day such as 2026-11-21');
const laneId = z.string().max(12).nullable();

const Sum = z.object({ count: z.int().nonnegative(), sumMinor: z.int().nonnegative() });

const LaneTotals = z.object({ laneId: z.string(), name: z.string(), currency: Currency, payments: Sum, refunds: Sum });
export type LaneTotals = z.infer<typeof LaneTotals>;

const HourTotals = z.object({ laneId: z.string(), hourMs: z.number(), currency: Currency, payments: Sum, refunds: Sum });
export type HourTotals = z.infer<typeof HourTotals>;

/** Not settled at the service, or in need of a person. */
const OpenMoney = z.object({
  kind: z.enum(['sale', 'refund']),
  saleId: z.uuid(),
  orderId: z.string(),
  laneId: z.string(),
  atMs: z.number(),
  amountMinor: z.int().positive(),
  currency: Currency,
  /** What was decided about it; null while there is nothing. */
  intent: z.enum(['capture', 'cancel', 'held']).nullable(),
  needsPerson: z.boolean(),
  /** Why it needs a person, if it does. Missing in closings of earlier versions. */
  problem: Problem.optional(),
  /** What the service says was captured, where that is not what was asked for. */
  movedMinor: z.int().nonnegative().optional(),
  /** A refund that a till asked for. Closings of earlier versions do not say so of any. */
  byTill: z.boolean().default(false),
  /** Left out by earlier versions. */
  receiptNumber: z.int().optional(),
});
export type OpenMoney = z.infer<typeof OpenMoney>;

/** The report as it was printed; it is never changed. */
export const ClosingReport = z.object({
  lanes: z.array(LaneTotals),
  hours: z.array(HourTotals),
  open: z.array(OpenMoney),
  /** Left out by earlier versions. */
  shop: ShopOnPaper.default({ name: null, address: null, vat: null }),
  /** The address of the till that closed; missing when a manager did. */
  till: z.string().optional(),
  /** The receipt numbers that were given, in a closing of one lane; missing when there were none, or they are not known. */
  receipts: z.object({ first: z.int(), last: z.int() }).optional(),
});
export type ClosingReport = z.infer<typeof ClosingReport>;

const Closing = ClosingReport.extend({
  /** Numbers begin at 1 and have no gaps. */
  number: z.int().positive(),
  atMs: z.number(),
  /** The manager; empty when a till closed. */
  by: z.string(),
  /** null for all lanes. */
  laneId,
  /** Where the one before ended; 0: it is the first. */
  fromMs: z.number(),
  /** The first moment after it. */
  toMs: z.number(),
});
export type Closing = z.infer<typeof Closing>;

export const dayProcedures = {
  /** What was asked for on that day; today when none is given. */
  day: procedure({
    who: 'manager',
    input: z.object({ day: Day.nullable(), laneId }),
    output: z.object({
      day: Day,
      today: Day,
      fromMs: z.number(),
      toMs: z.number(),
      lanes: z.array(LaneTotals),
      hours: z.array(HourTotals),
      open: z.array(OpenMoney),
      /** The number of the newest closing of any lane; 0 before the first one. */
      newestClosing: z.int().nonnegative(),
      /** Where the next closing of these lanes begins; null before the first one. */
      lastClosing: z.object({ number: z.int(), toMs: z.number() }).nullable(),
    }),
    refusals: [],
  }),

  /**
   * Numbers and keeps what was asked for since the last closing. `paymentUnderWay`: one is undecided (`busy` money belongs to neither day);
   * `clockBehind`: this computer's clock is before the last closing.
   */
  closeDay: procedure({
    who: 'manager',
    input: z.object({ laneId }),
    output: Closing,
    refusals: ['paymentUnderWay', 'clockBehind'],
    records: ({ laneId: lane }) => ({ subject: lane }),
  }),

  /** Newest first; `before` the number of the last one on the page before. */
  closings: procedure({
    who: 'manager',
    input: z.object({ before: z.int().positive().nullable() }),
    output: z.object({
      closings: z.array(Closing.pick({ number: true, atMs: true, by: true, laneId: true, fromMs: true, toMs: true, lanes: true, till: true })),
    }),
    refusals: [],
  }),

  closing: procedure({ who: 'manager', input: z.object({ number: z.int().positive() }), output: Closing, refusals: [] }),
} as const;
