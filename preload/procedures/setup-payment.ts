/** A test payment through a lane in use and its service, which shows that everything works. */
import { z } from 'zod';
import { currencies } from '../../main/core/domain/money.ts';
import { procedure } from './procedure.ts';
import { serviceProcedures } from './setup-service.ts';

const laneId = z.string().max(12);

const CheckInTestState = z.object({
  /**
   * waiting: nobody is checked in yet. occupied: somebody was checked in before the test began, and
   * still is. checkedIn: a phone came, at `atMs`. nobody: none came in time. neverFree: whoever was
   * there before never left. unanswered: the service does not answer. busy: a payment began at the
   * lane. stopped: it was ended, or its page was gone for half a minute.
   */
  state: z.enum([
    'none',
    'waiting',
    'occupied',
    'checkedIn',
    'nobody',
    'neverFree',
    'unanswered',
    'busy',
    'stopped',
  ]),
  laneId: z.string().nullable(),
  atMs: z.number().nullable(),
  /** Until it ends by itself; 0 when it is over. */
  remainingMs: z.int().nonnegative(),
});
export type CheckInTestState = z.infer<typeof CheckInTestState>;

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
   * Only at a service for tests, otherwise `notTestService`. At the embedded simulator its phone
   * checks in. Refused as every procedure that asks the service, see `setup-service.ts`.
   */
  useTestPhone: procedure({
    who: 'installer',
    input: z.object({ laneId, does: z.enum(['checkIn', 'approve']) }),
    output: z.object({ phoneNumber: z.string() }),
    refusals: ['notTestService', 'secretMissing', ...serviceProcedures.findStores.refusals],
  }),

  /**
   * Waits up to two minutes for a phone that checks in at the lane, without a payment. Another test
   * that runs is ended. `laneNotReady`: the lane is not open. `checkInNeedsPayment`: customers can
   * check in there only when there is an amount. `notHere`: the service cannot be asked.
   */
  startCheckInTest: procedure({
    who: 'installer',
    input: z.object({ laneId }),
    output: CheckInTestState,
    refusals: ['laneNotReady', 'checkInNeedsPayment'],
  }),
  /** Each call keeps the test running. */
  checkInTestState: procedure({
    who: 'installer',
    input: z.object({}),
    output: CheckInTestState,
    refusals: [],
  }),
  stopCheckInTest: procedure({
    who: 'installer',
    input: z.object({}),
    output: z.object({}),
    refusals: [],
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
