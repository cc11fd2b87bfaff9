/** A test payment through a lane in use and its service, which shows that everything works. */
import { z } from 'zod';
import { currencies } from '../../main/core/domain/money.ts';
import { procedure } from './procedure.ts';
import { serviceProcedures } from './setup-service.ts';

const laneId = z.string().max(12);

export const paymentProcedures = {
  /**
   * Starts a manual payment, whose `saleId` is derived from `actionId`. The lane's view shows its
   * progress, and `cancelSale` cancels it. The amount is 1.00 at a service for tests, and elsewhere
   * the smallest possible one. Repeated calls with the same `actionId` are one payment.
   * `laneNotReady`: the lane takes no payments, or its journal cannot be written. `notHere`: the
   * service is simulated.
   */
  payForTest: procedure({
    who: 'installer',
    input: z.object({ laneId, actionId: z.uuid() }),
    output: z.object({
      saleId: z.uuid(),
      amountMinor: z.int().positive(),
      currency: z.enum(currencies),
    }),
    refusals: ['laneNotReady'],
    records: ({ laneId: subject, actionId }) => ({ subject, actionId }),
  }),

  /**
   * Makes a test user of the sandbox check in at the lane's beacon, or approve the payment there.
   * Only at a service for tests, otherwise `notTestService`. Refused as every procedure that asks
   * the service, see `setup-service.ts`.
   */
  useTestPhone: procedure({
    who: 'installer',
    input: z.object({ laneId, does: z.enum(['checkIn', 'approve']) }),
    output: z.object({ phoneNumber: z.string() }),
    refusals: ['notTestService', 'secretMissing', ...serviceProcedures.findStores.refusals],
  }),

  /**
   * Refunds all of a payment that `payForTest` started since this start of the daemon; other
   * payments are refunded by a manager. Its `refundOrderId` is derived from `actionId`, and the
   * lane's view shows its progress. `refundRefused`: not possible now, see `message`.
   */
  refundTest: procedure({
    who: 'installer',
    input: z.object({ laneId, saleId: z.uuid(), actionId: z.uuid() }),
    output: z.object({ refundOrderId: z.string() }),
    refusals: ['refundRefused'],
    records: ({ saleId, actionId }) => ({ subject: saleId, actionId }),
  }),
} as const;
