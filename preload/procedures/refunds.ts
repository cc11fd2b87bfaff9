/**
 * A manager's refunds: finding a payment, its history, and refunding it. Amounts are in minor
 * units.
 */
import { z } from 'zod';
import { freeText } from '../../main/core/domain/field-rules.ts';
import { currencies } from '../../main/core/domain/money.ts';
import { serviceText } from '../../main/core/domain/service-text.ts';
import { notPaidReasons, notRefundedReasons } from '../../main/core/domain/reasons.ts';
import { maxReceiptNumber } from '../../main/core/domain/receipt-number.ts';
import { Claimant, ShopOnPaper } from './lane.ts';
import { procedure } from './procedure.ts';

const receiptRange = `must be from 1 to ${maxReceiptNumber}`;

const Currency = z.enum(currencies);
const laneId = z.string().max(12);

/**
 * States of the settlement machine. `open`: not decided yet. `held`: reserved, to be captured or
 * cancelled later. `elsewhere`: a captured payment of another counter, taken over for its refunds.
 */
export const SaleState = z.enum([
  'open',
  'capturing',
  'cancelling',
  'paid',
  'notPaid',
  'needsPerson',
  'held',
  'elsewhere',
]);
export type SaleState = z.infer<typeof SaleState>;
export const RefundState = z.enum([
  'open',
  'capturing',
  'cancelling',
  'refunded',
  'notRefunded',
  'needsPerson',
]);
export type RefundState = z.infer<typeof RefundState>;

const SaleSummary = z.object({
  saleId: z.uuid(),
  laneId,
  /** When the payment was asked for; for another counter's payment, when it was found. */
  atMs: z.number(),
  amountMinor: z.int().positive(),
  currency: Currency,
  state: SaleState,
  /**
   * The amount that is captured or being captured. It may be less than `amountMinor` for a
   * reservation; null before a capture.
   */
  capturedMinor: z.int().positive().nullable(),
  /** 0 for another counter's payment, whose number is not known. */
  receiptNumber: z.int(),
  orderId: z.string(),
  /** The service's id; null when no payment was created there, as far as is known. */
  paymentId: z.string().nullable(),
  /**
   * Sum of the refunds that are decided, without those that are under way, being cancelled or
   * contested.
   */
  refundedMinor: z.int().nonnegative(),
  /** The part of `refundedMinor` that tills asked for. */
  refundedAtTillMinor: z.int().nonnegative(),
  /** Set for a test payment of setup. */
  isTest: z.literal(true).optional(),
});
export type SaleSummary = z.infer<typeof SaleSummary>;

const StoryLine = z.object({
  atMs: z.number(),
  /** null for the payment's own event. */
  refundOrderId: z.string().nullable(),
  /** The name of the journal's event. The screen has words for each. */
  event: z.string(),
  /** The event's reason or state, as in the contract; null without one. */
  reason: z.string().nullable(),
  /** A text of the service or the system, for support. */
  detail: z.string().nullable(),
  /**
   * With `personNeeded`: the amount that the service says was captured, when it is not the one that
   * was asked for.
   */
  movedMinor: z.int().nonnegative().optional(),
  /** The new amount, where an event changes the payment's. */
  amountMinor: z.int().positive().optional(),
});
export type StoryLine = z.infer<typeof StoryLine>;

const RefundOfSale = z.object({
  refundOrderId: z.string(),
  /** The lane of the refund. Not the payment's when that lane was removed. */
  laneId,
  atMs: z.number(),
  amountMinor: z.int().positive(),
  currency: Currency,
  state: RefundState,
  /** Why no money goes back; null for other refunds. */
  reason: z.enum(notRefundedReasons).nullable(),
  receiptNumber: z.int(),
  /** The manager's name; null when a till asked for it. */
  by: z.string().nullable(),
  /** The till's address; null when no till asked for it, or it is not known. */
  from: z.string().nullable(),
  note: z.string().nullable(),
  /** Whether the refund is undecided, and can be cancelled. */
  canCancel: z.boolean(),
});
export type RefundOfSale = z.infer<typeof RefundOfSale>;

const SaleStory = z.object({
  sale: SaleSummary,
  by: Claimant,
  /** The till's address, as in `RefundOfSale`. */
  from: z.string().nullable(),
  laneName: z.string(),
  shop: ShopOnPaper,
  /** Why it is not paid; null for other payments. */
  reason: z.enum(notPaidReasons).nullable(),
  story: z.array(StoryLine),
  /** Oldest first. */
  refunds: z.array(RefundOfSale),
  /** What can still be refunded, however the unsettled refunds end. */
  leftMinor: z.int().nonnegative(),
  /**
   * What other counters have refunded of another counter's payment, as of the last answer of the
   * service; null for a payment of this counter.
   */
  refundedElsewhereMinor: z.int().nonnegative().nullable(),
  /** For how many days the provider of the payment refunds it. */
  refundDays: z.int().positive(),
  /** The last moment at which the provider refunds; null when only the service knows. */
  refundableUntilMs: z.number().nullable(),
  /**
   * Why nothing can be refunded; null when something can. `paymentOpen`: it is not settled, or
   * contested, whether money was taken. `held`: reserved, and neither captured nor cancelled yet.
   * `refundOpen`: all that is left is in unsettled refunds.
   */
  notRefundable: z
    .enum([
      'notPaid',
      'paymentOpen',
      'held',
      'allRefunded',
      'refundOpen',
      'tooOld',
      'laneNotReady',
      'serviceUnreachable',
    ])
    .nullable(),
  /** The sum of the refunds whose outcome is not known. */
  openMinor: z.int().nonnegative(),
  /**
   * Minutes until the unsettled refunds should be settled; null without unsettled refunds, or when
   * one of them needs a person.
   */
  askAgainMinutes: z.int().positive().nullable(),
});
export type SaleStory = z.infer<typeof SaleStory>;

/** The last characters of an order id of this or another counter. */
const ending = (what: string) =>
  z.string().min(4, `must be at least the last 4 characters of ${what}`).max(36);

/** The service's id of a payment: a UUID, or a reference. */
const paymentId = z.string().regex(/^[a-zA-Z0-9-]{8,64}$/, 'must be the whole id of a payment');
/** A UUID for a point of sale, a number for a sales unit. */
const posId = z.string().max(36);

/** A captured payment at the service. */
const PaymentAtService = z.object({
  paymentId,
  orderId: z.string(),
  posId,
  amountMinor: z.int().positive(),
  currency: Currency,
  /** Sum of the refunds that are not cancelled, from all counters. */
  refundedMinor: z.int().nonnegative(),
  /** The sale in this counter's journal; null when it is not known here. */
  saleId: z.uuid().nullable(),
});
export type PaymentAtService = z.infer<typeof PaymentAtService>;

export const refundProcedures = {
  /** Payments that match all given fields, newest first. */
  findSales: procedure({
    who: 'manager',
    input: z.object({
      laneId: laneId.optional(),
      amountMinor: z.int().positive().optional(),
      fromMs: z.number().optional(),
      /** The first moment after the period. */
      toMs: z.number().optional(),
      orderIdBeginning: z
        .string()
        .max(36)
        .min(3, 'must be at least the first 3 characters of an order id')
        .optional(),
      orderIdEnding: ending('an order id').optional(),
      /** The end of the order id of one of the payment's refunds. */
      refundOrderIdEnding: ending("a refund's order id").optional(),
      receiptNumber: z.int().min(1, receiptRange).max(maxReceiptNumber, receiptRange).optional(),
      paymentIdEnding: z
        .string()
        .regex(/^[0-9a-fA-F-]{4,36}$/, 'must be the last 4 or more characters of the payment id')
        .optional(),
      saleId: z.uuid().optional(),
      /** `next` of the answer before. */
      after: z.string().max(40).nullable().default(null),
    }),
    output: z.object({ sales: z.array(SaleSummary), next: z.string().nullable() }),
    refusals: [],
  }),

  saleStory: procedure({
    who: 'manager',
    input: z.object({ saleId: z.uuid() }),
    output: SaleStory,
    refusals: [],
  }),

  /**
   * Starts a refund. Repeated calls with the same `actionId` are one refund. When it is accepted,
   * it is on disk; `saleStory` shows its progress. `amountTooHigh`: facts.leftMinor,
   * facts.currency. `refundOpen`: facts.openMinor, and facts.askAgainMinutes unless a person is
   * needed. `actionUsed`: the id was used for another amount or payment. `serviceSilent`: the
   * service could not be asked what is left of another counter's payment.
   */
  refund: procedure({
    who: 'manager',
    input: z.object({
      actionId: z.uuid(),
      saleId: z.uuid(),
      amountMinor: z.int().positive('must be more than nothing'),
      note: freeText(200, 'must say why'),
    }),
    output: z.object({ refundOrderId: z.string() }),
    refusals: [
      'notPaid',
      'paymentOpen',
      'held',
      'allRefunded',
      'refundOpen',
      'amountTooHigh',
      'tooOld',
      'actionUsed',
      'laneNotReady',
      'serviceUnreachable',
      'storageFailed',
      'serviceSilent',
    ],
    records: ({ actionId, saleId, amountMinor, note }) => ({
      subject: saleId,
      actionId,
      amountMinor,
      note,
    }),
  }),

  /** The points of sale of this counter's stores, including those of other counters. */
  pointsOfSaleAtService: procedure({
    who: 'manager',
    input: z.object({}),
    output: z.object({ pointsOfSale: z.array(z.object({ posId, name: z.string() })) }),
    refusals: ['serviceSilent'],
  }),

  /**
   * By order id or payment id: that payment, also when it is in the journal. By point of sale: the
   * payments that are not in the journal, in pages. Their order is the service's, which is not
   * documented and has no times.
   */
  findAtService: procedure({
    who: 'manager',
    input: z.union([
      z.strictObject({
        orderId: z
          .string()
          .min(1, 'must not be empty')
          .max(36, 'has more than 36 characters')
          .regex(serviceText, 'holds a character that no order id has'),
      }),
      z.strictObject({ paymentId }),
      z.strictObject({ posId: z.uuid(), after: z.int().nonnegative() }),
    ]),
    /** `next`: the `after` of the next page; null on the last page. */
    output: z.object({ payments: z.array(PaymentAtService), next: z.int().nullable() }),
    refusals: ['serviceSilent'],
  }),

  /**
   * Takes a payment over into the journal, so that it can be refunded here. A payment that is in
   * the journal is not changed. `notCaptured`: there is nothing to refund. `laneNotReady`: no lane
   * of its currency takes payments.
   */
  takeOverPayment: procedure({
    who: 'manager',
    input: z.object({ paymentId }),
    output: z.object({ saleId: z.uuid() }),
    refusals: ['notCaptured', 'laneNotReady', 'storageFailed', 'serviceSilent'],
    records: ({ paymentId }) => ({ subject: paymentId }),
  }),

  /**
   * Records what the manager found in the portal about a refund that the service took and does not
   * show (`refundUnseen`). This is final. `tooLate`: the service shows it meanwhile.
   */
  refundFoundInPortal: procedure({
    who: 'manager',
    input: z.object({ laneId, refundOrderId: z.string().max(36), refunded: z.boolean() }),
    output: z.object({}),
    refusals: ['tooLate', 'storageFailed'],
    records: ({ refundOrderId, refunded }) => ({ subject: refundOrderId, refunded }),
  }),

  cancelRefund: procedure({
    who: 'manager',
    input: z.object({ laneId, refundOrderId: z.string().max(36) }),
    output: z.object({}),
    refusals: ['tooLate'],
    records: ({ refundOrderId }) => ({ subject: refundOrderId }),
  }),
} as const;
