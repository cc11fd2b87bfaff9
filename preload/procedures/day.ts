/**
 * A day's totals and its closing. Amounts are in minor units; days and hours are those of this
 * computer's clock.
 */
import { z } from 'zod';
import { DayText } from '../../main/core/domain/field-rules.ts';
import { currencies } from '../../main/core/domain/money.ts';
import { Problem, ShopOnPaper } from './lane.ts';
import { CsvForm, FileOffer, FileWord, procedure } from './procedure.ts';

const Currency = z.enum(currencies);
const Day = z.iso.date('must be a day such as 2026-11-21');
const laneId = z.string().max(12).nullable();

const Sum = z.object({ count: z.int().nonnegative(), sumMinor: z.int().nonnegative() });

const Moved = z.object({ payments: Sum, refunds: Sum });

const LaneTotals = Moved.extend({
  laneId: z.string(),
  name: z.string(),
  currency: Currency,
  /**
   * The part of these totals from test payments of setup and their refunds. Missing without test
   * payments, and in closings of earlier versions.
   */
  tests: Moved.optional(),
});
export type LaneTotals = z.infer<typeof LaneTotals>;

const HourTotals = z.object({
  laneId: z.string(),
  hourMs: z.number(),
  currency: Currency,
  payments: Sum,
  refunds: Sum,
});
export type HourTotals = z.infer<typeof HourTotals>;

/** Money that is not settled at the service, or needs a person. */
const OpenMoney = z.object({
  kind: z.enum(['sale', 'refund']),
  saleId: z.uuid(),
  orderId: z.string(),
  laneId: z.string(),
  atMs: z.number(),
  amountMinor: z.int().positive(),
  currency: Currency,
  /** The decision; null before it. */
  intent: z.enum(['capture', 'cancel', 'held']).nullable(),
  needsPerson: z.boolean(),
  /** Why it needs a person; missing when it does not, and in closings of earlier versions. */
  problem: Problem.optional(),
  /** The amount that the service says was captured, when it is not the one that was asked for. */
  movedMinor: z.int().nonnegative().optional(),
  /** Whether a till asked for the refund; false for all in closings of earlier versions. */
  byTill: z.boolean().default(false),
  /** Left out by earlier versions. */
  receiptNumber: z.int().optional(),
});
export type OpenMoney = z.infer<typeof OpenMoney>;

/** The closing report, which is never changed after it was printed. */
export const ClosingReport = z.object({
  lanes: z.array(LaneTotals),
  hours: z.array(HourTotals),
  open: z.array(OpenMoney),
  /** Left out by earlier versions. */
  shop: ShopOnPaper.default({ name: null, address: null, vat: null }),
  /** The address of the till that closed; missing when a manager did. */
  till: z.string().optional(),
  /**
   * The first and last receipt number, in the closing of one lane; missing when there was none, or
   * they are not known.
   */
  receipts: z.object({ first: z.int(), last: z.int() }).optional(),
});
export type ClosingReport = z.infer<typeof ClosingReport>;

/** Lanes are closed by themselves and all together, so that a payment can be in two reports. */
const Overlap = z.object({
  number: z.int().positive(),
  atMs: z.number(),
  /** null for all lanes together. */
  laneId,
  /** The totals of the lanes that both reports contain. */
  lanes: z.array(LaneTotals),
});
export type Overlap = z.infer<typeof Overlap>;

const Closing = ClosingReport.extend({
  /** Numbers begin at 1 and have no gaps. */
  number: z.int().positive(),
  atMs: z.number(),
  /** Earlier reports that have some of this money as well. */
  overlaps: z.array(Overlap),
  /** The manager; empty when a till closed. */
  by: z.string(),
  /** null for all lanes. */
  laneId,
  /** The end of the closing before; 0 for the first one. */
  fromMs: z.number(),
  /** The first moment after the period. */
  toMs: z.number(),
});
export type Closing = z.infer<typeof Closing>;

/** A row has the totals of one lane in one currency. */
export const DayColumn = z.enum([
  'report',
  'from',
  'to',
  'lane',
  'currency',
  'payments',
  'paymentsSum',
  'refunds',
  'refundsSum',
  'net',
  'testPayments',
  'testPaymentsSum',
  'testRefundsSum',
  'alsoIn',
]);
export type DayColumn = z.infer<typeof DayColumn>;

export const dayProcedures = {
  /** The payments and refunds of a day; of today for `day` null. */
  day: procedure({
    who: 'manager',
    input: z.object({ day: DayText.nullable(), laneId }),
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
      /**
       * The last closing of these lanes, at whose end the next one begins; null before the first
       * one.
       */
      lastClosing: z.object({ number: z.int(), toMs: z.number() }).nullable(),
      /** Earlier reports that the next one will have money in common with. */
      overlaps: z.array(Overlap),
    }),
    refusals: [],
  }),

  /**
   * Closes the period since the last closing with a numbered report. `paymentUnderWay`: a payment
   * is undecided, and belongs to neither period yet. `clockBehind`: this computer's clock is known
   * to be wrong, e.g. before the last closing.
   */
  closeDay: procedure({
    who: 'manager',
    input: z.object({ laneId }),
    output: Closing,
    refusals: ['paymentUnderWay', 'clockBehind'],
    records: ({ laneId: lane }) => ({ subject: lane }),
  }),

  /**
   * The closings, newest first. `before`: the number of the last one on the page before; null for
   * the first page.
   */
  closings: procedure({
    who: 'manager',
    input: z.object({ before: z.int().positive().nullable() }),
    output: z.object({
      closings: z.array(
        Closing.pick({
          number: true,
          atMs: true,
          by: true,
          laneId: true,
          fromMs: true,
          toMs: true,
          lanes: true,
          till: true,
          overlaps: true,
        }),
      ),
    }),
    refusals: [],
  }),

  closing: procedure({
    who: 'manager',
    input: z.object({ number: z.int().positive() }),
    output: Closing,
    refusals: [],
  }),

  /**
   * The totals of a day, or of a closing report, as a file for a spreadsheet. `words.name`: what
   * its name begins with.
   */
  dayExport: procedure({
    who: 'manager',
    input: z.object({
      of: z.union([
        z.object({ day: DayText.nullable(), laneId }),
        z.object({ number: z.int().positive() }),
      ]),
      csv: CsvForm,
      words: z.object({ name: FileWord, columns: z.record(DayColumn, FileWord) }),
    }),
    output: FileOffer,
    refusals: [],
    records: ({ of }) => of,
    readOnly: true,
  }),
} as const;
