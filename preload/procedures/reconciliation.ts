/**
 * A manager's reconciliation with the reporting interface. A period is opened, which reads and
 * matches it, and is then read row by row.
 */
import { z } from 'zod';
import { DayText, freeText } from '../../main/core/domain/field-rules.ts';
import { maxNoteLength, maxPeriodDays, reconciliationCategories } from './plain.ts';
import { CsvForm, FileWord, FileOffer, procedure } from './procedure.ts';

const dayMs = 86_400_000;
const maxRowsPerPage = 500;

const daysOf = ({ from, to }: { from: string; to: string }): number =>
  (Date.parse(to) - Date.parse(from)) / dayMs + 1;
/** Days of this counter's calendar. The period includes both. */
export const Period = z
  .object({ from: DayText, to: DayText })
  .refine((period) => daysOf(period) >= 1, {
    path: ['to'],
    message: 'must not be before the first day',
  })
  .refine((period) => daysOf(period) <= maxPeriodDays, {
    path: ['to'],
    message: 'must be within a year of the first day',
  });
export type Period = z.infer<typeof Period>;

/**
 * matched: bank and journal agree. waiting: paid, and not in a transfer yet. missing: paid, and not
 * in a transfer although it should be. bankOnly: not in the journal, or without money there.
 * differs: with different amounts. fee: a fee of the service; that of one payment is in the
 * payment's row. elsewhere: of another counter of the same shop.
 */
export const Category = z.enum(reconciliationCategories);
export type Category = z.infer<typeof Category>;
/** `lookAt` stands for missing, bankOnly and differs. */
export const CategoryFilter = z.enum(['all', 'lookAt', ...Category.options]);
export type CategoryFilter = z.infer<typeof CategoryFilter>;

export const RowKind = z.enum([
  'payment',
  'refund',
  'transactionFee',
  'serviceFee',
  'returned',
  'adjustment',
  'other',
]);
export type RowKind = z.infer<typeof RowKind>;

export const Filter = z.object({
  category: CategoryFilter,
  transferId: z.string().max(100).nullable(),
  /** Part of an order id. */
  text: z.string().trim().max(64),
});
export type Filter = z.infer<typeof Filter>;

export const Sort = z.object({
  by: z.enum(['time', 'amount', 'order', 'category']),
  descending: z.boolean(),
});
export type Sort = z.infer<typeof Sort>;

const minor = z.int();
const Counted = z.object({ count: z.int().nonnegative(), bankMinor: minor, oursMinor: minor });

/**
 * Why the reports could not be read again, so that older ones are shown. `unreachable`: no answer.
 * `refused`: the key is not accepted, or lacks the right to read reports. `unexpected`: the answer
 * could not be read.
 */
export const ReadProblem = z.enum(['unreachable', 'refused', 'unexpected']);
export type ReadProblem = z.infer<typeof ReadProblem>;

/**
 * As `ReadProblem`, for the service that was used before the present one. `noKey`: the settings
 * have no key for its reports.
 */
export const FormerProblem = z.enum([...ReadProblem.options, 'noKey']);
export type FormerProblem = z.infer<typeof FormerProblem>;

export const JobState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('idle') }),
  /** `totalTransfers` is null while it is not known. */
  z.object({
    kind: z.literal('reading'),
    period: Period,
    doneTransfers: z.int(),
    totalTransfers: z.int().nullable(),
    transactions: z.int(),
  }),
  z.object({ kind: z.literal('matching'), period: Period }),
  z.object({ kind: z.literal('ready'), period: Period, problem: ReadProblem.nullable() }),
  z.object({ kind: z.literal('cancelled'), period: Period }),
  z.object({ kind: z.literal('failed'), period: Period, detail: z.string() }),
]);
export type JobState = z.infer<typeof JobState>;

export const CurrencySummary = z.object({
  currency: z.string(),
  transfers: z.int().nonnegative(),
  /** The sum of the transfers to the bank, after fees. */
  transferredMinor: minor,
  /**
   * The rows that are in a transfer, with refunds and fees as negative amounts. With
   * `unexplainedMinor` they add up to `transferredMinor`.
   */
  payments: z.object({ count: z.int().nonnegative(), minor }),
  refunds: z.object({ count: z.int().nonnegative(), minor }),
  fees: z.object({ count: z.int().nonnegative(), minor }),
  others: z.object({ count: z.int().nonnegative(), minor }),
  /** The differences of transfers whose transactions do not add up to them. */
  unexplainedMinor: minor,
  categories: z.record(Category, Counted),
});
export type CurrencySummary = z.infer<typeof CurrencySummary>;

export const Summary = z.object({
  period: Period,
  problem: ReadProblem.nullable(),
  /** Also null when the period has no payments of that service. */
  formerProblem: FormerProblem.nullable(),
  /** When the oldest part of the period was read; null when nothing was ever read. */
  asOfMs: z.number().nullable(),
  rows: z.int().nonnegative(),
  counts: z.record(Category, z.int().nonnegative()),
  /** Empty when nothing happened. */
  currencies: z.array(CurrencySummary),
});
export type Summary = z.infer<typeof Summary>;

export const Transfer = z.object({
  transferId: z.string(),
  reference: z.string().nullable(),
  atMs: z.number(),
  totalMinor: minor,
  currency: z.string(),
  transactions: z.int().nonnegative(),
  feesMinor: minor,
  lookAt: z.int().nonnegative(),
  /** Whether its transactions add up to it. */
  addsUp: z.boolean(),
});
export type Transfer = z.infer<typeof Transfer>;

export const Row = z.object({
  rowId: z.int(),
  category: Category,
  kind: RowKind,
  atMs: z.number(),
  orderId: z.string().nullable(),
  laneId: z.string().nullable(),
  posName: z.string().nullable(),
  currency: z.string(),
  /** The amount as it moves the merchant's account: refunds and fees are negative. */
  oursMinor: minor.nullable(),
  bankMinor: minor.nullable(),
  /** The service's fee for it, not included in `bankMinor`. */
  feeMinor: minor,
  transferReference: z.string().nullable(),
  transferAtMs: z.number().nullable(),
  /** Whether it is a test payment of setup, or a refund of one. */
  isTest: z.boolean(),
  notes: z.int().nonnegative(),
});
export type Row = z.infer<typeof Row>;

/** One line of the service's report. */
const BankLine = z.object({
  kind: RowKind,
  atMs: z.number(),
  amountMinor: minor,
  feeMinor: minor,
  currency: z.string(),
  transferReference: z.string().nullable(),
  transferAtMs: z.number().nullable(),
  posName: z.string().nullable(),
  label: z.string().nullable(),
});

export const RowStory = z.object({
  row: Row,
  /** The id to which notes are attached. */
  subject: z.string(),
  /** The sale in the journal (see `saleStory`); null when the journal has none. */
  saleId: z.uuid().nullable(),
  paymentId: z.string().nullable(),
  bank: z.array(BankLine),
  notes: z.array(
    z.object({ number: z.int(), atMs: z.number(), manager: z.string(), text: z.string() }),
  ),
});
export type RowStory = z.infer<typeof RowStory>;

/** The columns of an export, whose titles are in the manager's language. */
export const ExportColumn = z.enum([
  'category',
  'kind',
  'time',
  'orderId',
  'lane',
  'oursAmount',
  'bankAmount',
  'fee',
  'difference',
  'currency',
  'transferReference',
  'transferTime',
  'test',
  'notes',
]);
export type ExportColumn = z.infer<typeof ExportColumn>;
/**
 * `notOpen`: the period is not open any more, e.g. because another screen opened one, and has to be
 * opened again.
 */
const ofOpened = ['notOpen', 'notSetUp'] as const;

export const reconciliationProcedures = {
  /**
   * Begins to read and match a period, and stops reading another one. Answers within a second, with
   * `ready` when everything was read before.
   */
  reconciliationOpen: procedure({
    who: 'manager',
    /** `again`: also reads again what was read before and can no longer change. */
    input: z.object({ period: Period, again: z.boolean().default(false) }),
    output: JobState,
    refusals: ['notSetUp'],
  }),
  reconciliationState: procedure({
    who: 'manager',
    input: z.object({}),
    output: z.object({
      job: JobState,
      exported: z.object({ rows: z.int(), of: z.int() }).nullable(),
    }),
    refusals: ['notSetUp'],
  }),
  reconciliationCancel: procedure({
    who: 'manager',
    input: z.object({ what: z.enum(['reading', 'export']) }),
    output: z.object({}),
    refusals: ['notSetUp'],
  }),
  reconciliationSummary: procedure({
    who: 'manager',
    input: z.object({ period: Period }),
    output: Summary,
    refusals: ofOpened,
  }),
  /** Newest first. */
  reconciliationTransfers: procedure({
    who: 'manager',
    input: z.object({
      period: Period,
      from: z.int().nonnegative(),
      count: z.int().min(1).max(maxRowsPerPage),
    }),
    output: z.object({ total: z.int(), transfers: z.array(Transfer) }),
    refusals: ofOpened,
  }),
  /** Rows from place `from` on, in the order of `sort`. */
  reconciliationRows: procedure({
    who: 'manager',
    input: z.object({
      period: Period,
      filter: Filter,
      sort: Sort,
      from: z.int().nonnegative(),
      count: z.int().min(1).max(maxRowsPerPage),
    }),
    output: z.object({ total: z.int(), rows: z.array(Row) }),
    refusals: ofOpened,
  }),
  reconciliationStory: procedure({
    who: 'manager',
    input: z.object({ period: Period, rowId: z.int() }),
    output: RowStory,
    refusals: ofOpened,
  }),
  reconciliationNote: procedure({
    who: 'manager',
    input: z.object({
      subject: z.string().min(1).max(200),
      text: freeText(maxNoteLength),
    }),
    output: z.object({}),
    refusals: [],
    records: ({ subject }) => ({ subject }),
  }),
  /**
   * Exports every row of the period, without the filter. `separator` and `decimal` are those of the
   * manager's spreadsheet. `cancelled`: ended with `reconciliationCancel`.
   */
  reconciliationExport: procedure({
    who: 'manager',
    input: z.object({
      period: Period,
      sort: Sort,
      format: z.enum(['csv', 'xlsx']),
      csv: CsvForm,
      words: z.object({
        name: FileWord,
        columns: z.record(ExportColumn, FileWord),
        categories: z.record(Category, FileWord),
        kinds: z.record(RowKind, FileWord),
      }),
    }),
    output: FileOffer,
    refusals: [...ofOpened, 'cancelled'],
    records: ({ period: { from, to }, format }) => ({ from, to, format }),
  }),
} as const;
