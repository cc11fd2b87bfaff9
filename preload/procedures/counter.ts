/** Procedures of the cashier at a lane, and of the demonstration's till and phone. */
import { z } from 'zod';
import { languages } from '../../main/core/domain/languages.ts';
import { maxOrderTextLength } from '../../main/core/domain/service-text.ts';
import { customerRefusals } from '../../main/core/domain/named-customer.ts';
import { procedure } from './procedure.ts';

const laneId = z.string().max(36);
/** The screen's, which the demo's till tells the terminal when it registers. */
const language = z.enum(languages);
const Done = z.object({});

const DemoKey = z.enum([
  'register',
  'abort',
  'status',
  'refund',
  'repeatReceipt',
  'endOfDay',
  'diagnosis',
  'logOff',
]);
export type DemoKey = z.infer<typeof DemoKey>;
const DemoPhoneAction = z.enum(['scan', 'approve', 'refuse', 'walkAway']);
export type DemoPhoneAction = z.infer<typeof DemoPhoneAction>;

export const counterProcedures = {
  /** Cancels a sale. `tooLate`: it can no longer be cancelled. */
  cancelSale: procedure({
    who: 'anyone',
    input: z.object({ laneId, saleId: z.uuid() }),
    output: Done,
    refusals: ['unknownLane', 'unknownSale', 'tooLate'],
  }),

  /**
   * Ends the wait for a cancel that the service does not answer. `tooEarly`: it may still answer.
   */
  leaveSale: procedure({
    who: 'anyone',
    input: z.object({ laneId, saleId: z.uuid() }),
    output: Done,
    refusals: ['unknownLane', 'unknownSale', 'tooLate', 'tooEarly'],
  }),

  /**
   * Starts a manual payment, for when the till cannot. Repeated calls with the same `actionId` are
   * one payment, whose `saleId` is derived from the id. `actionUsed`: the id was used for another
   * payment.
   */
  payByHand: procedure({
    who: 'anyone',
    input: z.object({
      laneId,
      actionId: z.uuid(),
      amountMinor: z.int().nonnegative(),
      orderText: z.string().max(maxOrderTextLength).nullable(),
      /** To be reserved, and captured or cancelled later by a manager. */
      reserve: z.boolean().default(false),
    }),
    output: z.object({ saleId: z.uuid() }),
    refusals: [
      'unknownLane',
      'notReady',
      'serviceUnreachable',
      'amountTooSmall',
      'amountTooHigh',
      'noReservations',
      'orderText',
      'actionUsed',
      'storageFailed',
    ],
  }),

  /**
   * Keeps or changes the amount of a manual payment whose customer was found first, and sends it.
   * Repeated calls send it once. `amountFixed`: it cannot be changed, or not now.
   */
  agreeAmount: procedure({
    who: 'anyone',
    input: z.object({ laneId, saleId: z.uuid(), amountMinor: z.int().nonnegative() }),
    output: Done,
    refusals: [
      'unknownLane',
      'unknownSale',
      'amountTooSmall',
      'amountTooHigh',
      'amountFixed',
      'storageFailed',
    ],
  }),

  /**
   * Names the customer of the payment under way, or of the next one; `by` null: nobody any more. A
   * scanned text is passed on unchanged. A refusal by the service is in the view. `alreadyAsked`:
   * the request was sent to a phone. `noneNamed`: customers are not named at this lane.
   */
  nameCustomer: procedure({
    who: 'anyone',
    input: z.object({
      laneId,
      by: z
        .union([
          z.strictObject({ scanned: z.string().max(1_000) }),
          z.strictObject({ phoneNumber: z.string().max(40) }),
        ])
        .nullable(),
    }),
    output: Done,
    refusals: ['unknownLane', 'noneNamed', 'alreadyAsked', ...customerRefusals],
  }),

  /**
   * A customer's own telephone number, only at the customer's screen of the lane while a payment
   * waits for its customer. `noneNamed`: not possible at this lane or screen. `alreadyAsked`:
   * somebody is named, or too many numbers were typed.
   */
  typeNumber: procedure({
    who: 'anyone',
    input: z.object({ laneId, phoneNumber: z.string().max(40) }),
    output: Done,
    refusals: ['unknownLane', 'noneNamed', 'alreadyAsked', 'wrongNumber'],
  }),

  demoTill: procedure({
    who: 'anyone',
    input: z.object({ laneId, key: DemoKey, language }),
    output: Done,
    refusals: ['unknownLane', 'notInDemo'],
  }),
  demoTillPay: procedure({
    who: 'anyone',
    input: z.object({ laneId, amountMinor: z.int().min(0).max(999_999_999_999), language }),
    output: Done,
    refusals: ['unknownLane', 'notInDemo'],
  }),
  /** Makes the embedded service answer no request, or answer again. */
  demoFreeze: procedure({
    who: 'anyone',
    input: z.object({ laneId, frozen: z.boolean() }),
    output: Done,
    refusals: ['unknownLane', 'notInDemo'],
  }),
  demoPhone: procedure({
    who: 'anyone',
    input: z.object({ laneId, action: DemoPhoneAction }),
    output: Done,
    refusals: ['unknownLane', 'notInDemo'],
  }),
} as const;

type CounterProcedures = typeof counterProcedures;
export type CounterProcedureName = keyof CounterProcedures;
/** The refusals for which the counter's screens have words. */
export type CounterRefusal =
  | CounterProcedures[keyof CounterProcedures]['refusals'][number]
  | 'busy'
  | 'invalid'
  | 'failed';
