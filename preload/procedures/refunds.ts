/** A manager's refunds: finding a payment, its history, refunding it. Amounts are minor units. */
import { z } from 'zod';
import { currencies } from '../../main/domain/money.ts';
import { notPaidReasons, notRefundedReasons } from '../../main/domain/reasons.ts';
import { Claimant } from './lane.ts';
import { procedure } from './procedure.ts';

const Currency = z.enum(currencies);
const laneId = z.string().max(12);

/** States of the settlement machine; `open`: everything before a decision. */
export const SaleState = z.enum(['open', 'capturing', 'cancelling', 'paid', 'notPaid', 'needsPerson']);
export type SaleState = z.infer<typeof SaleState>;
export const RefundState = z.enum(['open', 'capturing', 'cancelling', 'refunded', 'notRefunded', 'needsPerson']);
export type RefundState = z.infer<typeof RefundState>;

const FoundSale = z.object({
  saleId: z.uuid(),
  laneId,
  /** When the till asked. */
  atMs: z.number(),
  amountMinor: z.int().positive(),
  currency: Currency,
  state: SaleState,
  receiptNumber: z.int(),
  orderId: z.string(),
  /** The service's; null: none was created, as far as is known. */
  paymentId: z.string().nullable(),
  /** By refunds that are decided: what is under way, being cancelled or in dispute is not among it. */
  refundedMinor: z.int().nonnegative(),
  /** Of these, by refunds that a till asked for. */
  refundedAtTillMinor: z.int().nonnegative(),
});
export type FoundSale = z.infer<typeof FoundSale>;

const StoryLine = z.object({
  atMs: z.number(),
  /** null: the payment's own. */
  refundOrderId: z.string().nullable(),
  /** The journal's event; the screen has words for each. */
  event: z.string(),
  /** Of an event that has one: a reason or a state in the contract's words. */
  reason: z.string().nullable(),
  /** The service's or the system's own words, for support. */
  detail: z.string().nullable(),
  /** Of an event that changes the payment's amount. */
  amountMinor: z.int().positive().optional(),
});
export type StoryLine = z.infer<typeof StoryLine>;

const RefundOfSale = z.object({
  refundOrderId: z.string(),
  atMs: z.number(),
  amountMinor: z.int().positive(),
  currency: Currency,
  state: RefundState,
  /** Why not; only of a refund that ends without money going back. */
  reason: z.enum(notRefundedReasons).nullable(),
  receiptNumber: z.int(),
  /** The manager's name; null: asked for at the till. */
  by: z.string().nullable(),
  /** The till's address; null: not of a till, or not known. */
  from: z.string().nullable(),
  note: z.string().nullable(),
  /** Not decided yet: it can be cancelled. */
  canCancel: z.boolean(),
});
export type RefundOfSale = z.infer<typeof RefundOfSale>;

const SaleStory = z.object({
  sale: FoundSale,
  by: Claimant,
  /** As of a refund. */
  from: z.string().nullable(),
  laneName: z.string(),
  /** As customers know it; null: not set. */
  shopName: z.string().nullable(),
  /** Why not; only of a payment that ended without money. */
  reason: z.enum(notPaidReasons).nullable(),
  story: z.array(StoryLine),
  /** Oldest first. */
  refunds: z.array(RefundOfSale),
  /** What can still be refunded, whatever becomes of the refunds that are not settled. */
  leftMinor: z.int().nonnegative(),
  /** The last moment at which the service refunds (90 days). */
  refundableUntilMs: z.number(),
  /**
   * Why nothing can be refunded; null: it can. `paymentOpen`: whether money was taken is not settled, or contested. `refundOpen`: all that is left
   * is in refunds that are not settled.
   */
  notRefundable: z.enum(['notPaid', 'paymentOpen', 'allRefunded', 'refundOpen', 'tooOld', 'laneNotReady']).nullable(),
  /** Until the refunds that are not settled should be; null: there is none, or a person must see to one. */
  askAgainMinutes: z.int().positive().nullable(),
});
export type SaleStory = z.infer<typeof SaleStory>;

export const refundProcedures = {
  /** Newest first. All that is given must fit; nothing given: every payment. */
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
        .regex(/-\d{6}/, 'must be an order id, at least up to its number')
        .optional(),
      orderIdEnding: z
        .string()
        .max(36)
        .regex(/[0-9a-f]{8}$/i, 'must be at least the last 8 characters of an order id')
        .optional(),
      receiptNumber: z.int().min(1, 'must be from 1 to 9999').max(9999, 'must be from 1 to 9999').optional(),
      paymentIdEnding: z
        .string()
        .regex(/^[0-9a-fA-F-]{4,36}$/, 'must be the last 4 or more characters of the payment id')
        .optional(),
      saleId: z.uuid().optional(),
      /** `next` of the answer before. */
      after: z.string().max(40).nullable().default(null),
    }),
    output: z.object({ sales: z.array(FoundSale), next: z.string().nullable() }),
    refusals: [],
  }),

  saleStory: procedure({ who: 'manager', input: z.object({ saleId: z.uuid() }), output: SaleStory, refusals: [] }),

  /**
   * One `actionId`, one refund, however often this arrives. Accepted: it is on disk; how it goes on, `saleStory` says.
   * `amountTooHigh`: facts.leftMinor, facts.currency. `refundOpen`: facts.askAgainMinutes, unless a person must see to it.
   * `actionUsed`: it was for another amount or payment before.
   */
  refund: procedure({
    who: 'manager',
    input: z.object({
      actionId: z.uuid(),
      saleId: z.uuid(),
      amountMinor: z.int().positive('must be more than nothing'),
      note: z.string().trim().min(1, 'must say why').max(200, 'has more than 200 characters'),
    }),
    output: z.object({ refundOrderId: z.string() }),
    refusals: ['notPaid', 'paymentOpen', 'allRefunded', 'refundOpen', 'amountTooHigh', 'tooOld', 'actionUsed', 'laneNotReady', 'storageFailed'],
    records: ({ actionId, saleId, amountMinor, note }) => ({ subject: saleId, actionId, amountMinor, note }),
  }),

  cancelRefund: procedure({
    who: 'manager',
    input: z.object({ laneId, refundOrderId: z.string().max(36) }),
    output: z.object({}),
    refusals: ['tooLate'],
    records: ({ refundOrderId }) => ({ subject: refundOrderId }),
  }),
} as const;
