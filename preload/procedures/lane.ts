/** Declarations of a lane and its money that views and procedures share. */
import { z } from 'zod';
import { currencies } from '../../main/core/domain/money.ts';
import { personProblems, refundProblems } from '../../main/core/domain/reasons.ts';
import { unsettledKnown } from '../../main/core/domain/sale.ts';

export { moneyKnown } from '../../main/core/domain/sale.ts';

/** `amountMinor` is in øre or cents. */
export const Amount = z.object({
  amountMinor: z.int().nonnegative(),
  currency: z.enum(currencies),
});

/** The head of receipts and closing reports; null for what is not set. */
export const ShopOnPaper = z.object({
  name: z.string().nullable(),
  address: z.string().nullable(),
  vat: z.string().nullable(),
  /** No real money moves here, and its papers say so. */
  isTest: z.literal(true).optional(),
});
export type ShopOnPaper = z.infer<typeof ShopOnPaper>;

/** The origin of a sale: the till, or the cashier with a manual payment. */
export const Claimant = z.enum(['till', 'cashier']);

/** Why a payment or refund needs a person. */
export const Problem = z.enum([...personProblems, ...refundProblems]);
export type Problem = z.infer<typeof Problem>;

/**
 * Money that is decided but not yet confirmed by the service. It is shown to the cashier until it
 * is.
 */
export const Unsettled = Amount.extend({
  kind: z.enum(['sale', 'refund']),
  /** Also the correlation id of its requests to the service. */
  saleId: z.uuid(),
  intent: z.enum(['capture', 'cancel']),
  known: z.enum(unsettledKnown),
  /** The order id of the refund or the sale. */
  orderId: z.string(),
  /**
   * true: the service has refused for good and a person must act (see `orderId` in the provider's
   * portal).
   */
  needsPerson: z.boolean(),
  /** The amount that the service says was captured, when it is not the one that was asked for. */
  movedMinor: z.int().nonnegative().optional(),
  /** When it was decided, by the daemon's wall clock. */
  sinceMs: z.number(),
});

/**
 * simulated: no money moves. test: the settings name a test service. testUnchecked: a test service
 * whose certificates are not checked.
 */
export const ServiceKind = z.enum(['real', 'simulated', 'test', 'testUnchecked']);
export type ServiceKind = z.infer<typeof ServiceKind>;
