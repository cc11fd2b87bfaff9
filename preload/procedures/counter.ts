/** What a cashier does at a lane, and what the visitor of a demonstration does with its till and phone. */
import { z } from 'zod';
import { longestOrderText } from '../../main/domain/service-text.ts';
import { customerRefusals } from '../../main/domain/named-customer.ts';
import { procedure } from './procedure.ts';

const laneId = z.string().max(36);
const Done = z.object({});

const DemoKey = z.enum(['register', 'abort', 'status', 'refund', 'repeatReceipt', 'endOfDay', 'diagnosis', 'logOff']);
export type DemoKey = z.infer<typeof DemoKey>;
const DemoPhoneAction = z.enum(['scan', 'approve', 'refuse', 'walkAway']);
export type DemoPhoneAction = z.infer<typeof DemoPhoneAction>;

export const counterProcedures = {
  /** `tooLate`: the sale is past cancelling. */
  cancelSale: procedure({
    who: 'anyone',
    input: z.object({ laneId, saleId: z.uuid() }),
    output: Done,
    refusals: ['unknownLane', 'unknownSale', 'tooLate'],
  }),

  /** Ends the wait for a cancel that stays unanswered. `tooEarly`: it may still be answered. */
  leaveSale: procedure({
    who: 'anyone',
    input: z.object({ laneId, saleId: z.uuid() }),
    output: Done,
    refusals: ['unknownLane', 'unknownSale', 'tooLate', 'tooEarly'],
  }),

  /**
   * A payment when the till cannot start one. However often it arrives with this `actionId`, it is one payment; the id becomes its `saleId`.
   * `actionUsed`: the id was for another payment.
   */
  payByHand: procedure({
    who: 'anyone',
    input: z.object({
      laneId,
      actionId: z.uuid(),
      amountMinor: z.int().nonnegative(),
      orderText: z.string().max(longestOrderText).nullable(),
      /** To be reserved, and captured or cancelled later by a manager. */
      reserve: z.boolean().default(false),
    }),
    output: Done,
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
   * Of a payment by hand whose customer was found before the amount was sent: keeps the amount or changes it, and sends it. However often it
   * arrives, it is sent once. `amountFixed`: it cannot be changed, or not now.
   */
  agreeAmount: procedure({
    who: 'anyone',
    input: z.object({ laneId, saleId: z.uuid(), amountMinor: z.int().nonnegative() }),
    output: Done,
    refusals: ['unknownLane', 'unknownSale', 'amountTooSmall', 'amountTooHigh', 'amountFixed', 'storageFailed'],
  }),

  /**
   * Names the customer of the payment under way, or of the next one; null: nobody any more. What was scanned is passed on as a whole. What only the service
   * can refuse, the view tells. `alreadyAsked`: the request is on its way to a phone. `noneNamed`: customers are not named at this lane.
   */
  nameCustomer: procedure({
    who: 'anyone',
    input: z.object({
      laneId,
      by: z.union([z.strictObject({ scanned: z.string().max(1_000) }), z.strictObject({ phoneNumber: z.string().max(40) })]).nullable(),
    }),
    output: Done,
    refusals: ['unknownLane', 'noneNamed', 'alreadyAsked', ...customerRefusals],
  }),

  /**
   * A customer types their own number, at the customer's screen of that lane and nowhere else, while a payment waits for its customer. `noneNamed`: not at
   * this lane or screen. `alreadyAsked`: somebody is named, or too many numbers were typed.
   */
  typeNumber: procedure({
    who: 'anyone',
    input: z.object({ laneId, phoneNumber: z.string().max(40) }),
    output: Done,
    refusals: ['unknownLane', 'noneNamed', 'alreadyAsked', 'wrongNumber'],
  }),

  demoTill: procedure({ who: 'anyone', input: z.object({ laneId, key: DemoKey }), output: Done, refusals: ['unknownLane', 'notInDemo'] }),
  demoTillPay: procedure({
    who: 'anyone',
    input: z.object({ laneId, amountMinor: z.int().min(0).max(999_999_999_999) }),
    output: Done,
    refusals: ['unknownLane', 'notInDemo'],
  }),
  /** Whether the embedded service answers nobody. */
  demoFreeze: procedure({ who: 'anyone', input: z.object({ laneId, frozen: z.boolean() }), output: Done, refusals: ['unknownLane', 'notInDemo'] }),
  demoPhone: procedure({ who: 'anyone', input: z.object({ laneId, action: DemoPhoneAction }), output: Done, refusals: ['unknownLane', 'notInDemo'] }),
} as const;

type CounterProcedures = typeof counterProcedures;
export type CounterProcedureName = keyof CounterProcedures;
/** What the counter's screens have words for. */
export type CounterRefusal = CounterProcedures[keyof CounterProcedures]['refusals'][number] | 'busy' | 'invalid' | 'failed';
