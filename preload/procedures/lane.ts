/** What views and procedures both say of a lane and its money. */
import { z } from 'zod';
import { currencies } from '../../main/domain/money.ts';
import { personProblems, refundProblems } from '../../main/domain/reasons.ts';
import { unsettledKnown } from '../../main/domain/sale.ts';

export { moneyKnown } from '../../main/domain/sale.ts';

/** `amountMinor`: øre or cents. */
export const Amount = z.object({ amountMinor: z.int().nonnegative(), currency: z.enum(currencies) });

/** The head of receipts and closing reports; null for what is not set. */
export const ShopOnPaper = z.object({ name: z.string().nullable(), address: z.string().nullable(), vat: z.string().nullable() });
export type ShopOnPaper = z.infer<typeof ShopOnPaper>;

/** Who asked for a sale: the till, or the cashier by hand. */
export const Claimant = z.enum(['till', 'cashier']);

/** What a person has to see to. */
export const Problem = z.enum([...personProblems, ...refundProblems]);
export type Problem = z.infer<typeof Problem>;

/** Money whose end is decided but not yet confirmed by the service. Stays on the cashier's screen until it is. */
export const Unsettled = Amount.extend({
  kind: z.enum(['sale', 'refund']),
  /** Also the correlation id of all its calls to the service. */
  saleId: z.uuid(),
  intent: z.enum(['capture', 'cancel']),
  known: z.enum(unsettledKnown),
  /** The refund's own, or the sale's. */
  orderId: z.string(),
  /** true: the service has refused for good and a person must act (see `orderId` in the provider's portal). */
  needsPerson: z.boolean(),
  /** What the service says was captured, where that is not what was asked for. */
  movedMinor: z.int().nonnegative().optional(),
  /** When it was decided, by the daemon's wall clock. */
  sinceMs: z.number(),
});

/** simulated: no money moves. test: the settings name a test service. testUnchecked: a test service whose certificates are not checked. */
export const ServiceKind = z.enum(['real', 'simulated', 'test', 'testUnchecked']);
export type ServiceKind = z.infer<typeof ServiceKind>;
