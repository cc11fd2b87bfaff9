/** Reservations that are held for days: which are open, and what a manager decides about them. Amounts are minor units. */
import { z } from 'zod';
import { currencies } from '../../main/domain/money.ts';
import { Claimant } from './lane.ts';
import { procedure } from './procedure.ts';

const laneId = z.string().max(12);

export const OpenReservation = z.object({
  saleId: z.uuid(),
  laneId,
  laneName: z.string(),
  orderId: z.string(),
  receiptNumber: z.int(),
  amountMinor: z.int().positive(),
  currency: z.enum(currencies),
  by: Claimant,
  startedAtMs: z.number(),
  /** The service lets it lapse then; null when it did not say when. */
  expiresAtMs: z.number().nullable(),
  /** Less than the amount can be captured, once. */
  partialCapturePossible: z.boolean(),
  /** Less than a day is left. */
  isEndingSoon: z.boolean(),
});
export type OpenReservation = z.infer<typeof OpenReservation>;

export const reservationProcedures = {
  /** The reservations of all lanes; those that end first come first. */
  reservations: procedure({ who: 'manager', input: z.object({}), output: z.object({ reservations: z.array(OpenReservation) }), refusals: [] }),

  /**
   * Captures all of it or less; the rest is released. Accepted: it is decided, on disk, and carried through. Sent again, it is the same capture.
   * `notHeld`: it was decided otherwise, or has expired.
   */
  captureReservation: procedure({
    who: 'manager',
    input: z.object({ laneId, saleId: z.uuid(), amountMinor: z.int().positive('must be more than nothing') }),
    output: z.object({}),
    refusals: ['notHeld', 'amountTooSmall', 'amountTooHigh', 'wholeAmountOnly', 'laneNotReady', 'storageFailed'],
    records: ({ saleId, amountMinor }) => ({ subject: saleId, amountMinor }),
  }),

  /** Gives all of it back to the customer. As `captureReservation`. */
  cancelReservation: procedure({
    who: 'manager',
    input: z.object({ laneId, saleId: z.uuid() }),
    output: z.object({}),
    refusals: ['notHeld', 'amountTooSmall', 'amountTooHigh', 'wholeAmountOnly', 'laneNotReady', 'storageFailed'],
    records: ({ saleId }) => ({ subject: saleId }),
  }),
} as const;
