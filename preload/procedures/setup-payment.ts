/** A payment through a lane in use and its real service: the last proof that everything works. */
import { z } from 'zod';
import { currencies } from '../../main/domain/money.ts';
import { procedure } from './procedure.ts';
import { serviceProcedures } from './setup-service.ts';

const laneId = z.string().max(12);

export const paymentProcedures = {
  /**
   * Starts it as a payment by hand, with `actionId` as its `saleId`: the lane's view shows how it goes on, `cancelSale` cancels it. At a service for tests
   * 1.00; at any other the smallest amount that there is. However often it arrives with one `actionId`, it is one payment. `laneNotReady`: the lane
   * takes no payments, or its journal cannot be written. `notHere`: the service is simulated.
   */
  payForTest: procedure({
    who: 'installer',
    input: z.object({ laneId, actionId: z.uuid() }),
    output: z.object({ amountMinor: z.int().positive(), currency: z.enum(currencies) }),
    refusals: ['laneNotReady'],
    records: ({ laneId: subject, actionId }) => ({ subject, actionId }),
  }),

  /**
   * A user of the sandbox checks in at the lane's beacon, or approves the payment there. Only at a service for tests, otherwise `notTestService`.
   * Refused like every procedure that asks the service, see `setup-service.ts`.
   */
  useTestPhone: procedure({
    who: 'installer',
    input: z.object({ laneId, does: z.enum(['checkIn', 'approve']) }),
    output: z.object({ phoneNumber: z.string() }),
    refusals: ['notTestService', 'secretMissing', ...serviceProcedures.findStores.refusals],
  }),

  /**
   * Gives all of a payment back that `payForTest` started since this start of the daemon; `actionId` becomes its `refundOrderId`, the lane's view shows how
   * it goes on. Others are a manager's. `refundRefused`: not now, `message` says why.
   */
  refundTest: procedure({
    who: 'installer',
    input: z.object({ laneId, saleId: z.uuid(), actionId: z.uuid() }),
    output: z.object({}),
    refusals: ['refundRefused'],
    records: ({ saleId, actionId }) => ({ subject: saleId, actionId }),
  }),
} as const;
