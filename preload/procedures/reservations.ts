/**
 * Reservations that are held for days, and a manager's decisions about them. Amounts are in minor
 * units.
 */
import { z } from 'zod';
import { currencies } from '../../main/core/domain/money.ts';
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
  /** When the reservation expires; null when the service did not say. */
  expiresAtMs: z.number().nullable(),
  /** Whether less than the amount can be captured, once. */
  partialCapturePossible: z.boolean(),
  /** Whether it expires within a day. */
  isEndingSoon: z.boolean(),
});
export type OpenReservation = z.infer<typeof OpenReservation>;

export const reservationProcedures = {
  /** The reservations of all lanes; those that expire first come first. */
  reservations: procedure({
    who: 'manager',
    input: z.object({}),
    output: z.object({ reservations: z.array(OpenReservation) }),
    refusals: [],
  }),

  /**
   * Captures all of a reservation or a part; the rest is released. When it is accepted, the
   * decision is on disk and is repeated until the service confirms it. A repeated call is the same
   * capture. `notHeld`: it was decided otherwise, or has expired.
   */
  captureReservation: procedure({
    who: 'manager',
    input: z.object({
      laneId,
      saleId: z.uuid(),
      amountMinor: z.int().positive('must be more than nothing'),
    }),
    output: z.object({}),
    refusals: [
      'notHeld',
      'amountTooSmall',
      'amountTooHigh',
      'wholeAmountOnly',
      'laneNotReady',
      'storageFailed',
    ],
    records: ({ saleId, amountMinor }) => ({ subject: saleId, amountMinor }),
  }),

  /** Releases all of a reservation. Refused as `captureReservation` is. */
  cancelReservation: procedure({
    who: 'manager',
    input: z.object({ laneId, saleId: z.uuid() }),
    output: z.object({}),
    refusals: [
      'notHeld',
      'amountTooSmall',
      'amountTooHigh',
      'wholeAmountOnly',
      'laneNotReady',
      'storageFailed',
    ],
    records: ({ saleId }) => ({ subject: saleId }),
  }),
} as const;
