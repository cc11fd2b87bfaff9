/** The requests and answers of the HTTP API. The descriptions are its documentation. */
import { z } from 'zod';
import { isDayOfUse } from '../../core/domain/local-time.ts';
import { currencies } from '../../core/domain/money.ts';
import {
  notPaidReasons,
  notReadyReasons,
  notRefundedReasons,
  personProblems,
  refundProblems,
} from '../../core/domain/reasons.ts';
import { checkSum, Lines, MinimumAge } from './lines.ts';
import { moneyKnown } from '../../core/domain/sale.ts';

/** The largest amount of ZVT, which has six BCD bytes for it. */
const maxAmountMinor = 999_999_999_999;
const amountRule = `must be a whole number of minor units from 1 to ${maxAmountMinor}`;
const AmountMinor = z
  .int(amountRule)
  .min(1, amountRule)
  .max(maxAmountMinor, amountRule)
  .describe('Amount in minor units: 1234 is 12.34.');
const Currency = z.enum(currencies, `must be one of ${currencies.join(', ')}`);
const objectRule = 'must be a JSON object';
/** A body that is not an object breaks `objectRule`; an unknown field keeps zod's message. */
const body = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: ({ code, message }) => (code === 'invalid_type' ? objectRule : message),
  });
const At = z.iso.datetime();

const flagRule = 'must be true or false';
export const NewPayment = body({
  amountMinor: AmountMinor,
  currency: Currency,
  reserve: z
    .boolean(flagRule)
    .optional()
    .describe('true: reserves the amount, to be captured or cancelled later.'),
  amountFollows: z
    .boolean(flagRule)
    .optional()
    .describe(
      'true: the amount is provisional. Send the final one with …/amount once the customer is found. Needs a lane whose flow is prepare.',
    ),
  lines: Lines.optional().describe(
    'The items of the sale. The customer’s app shows them on the receipt if the wallet service supports it (`receiptShown`). They cannot be changed later.',
  ),
  minimumAge: MinimumAge.optional().describe(
    'The service stops younger customers from paying. Refused on lanes whose service checks no age.',
  ),
}).superRefine(checkSum);

export const NewRefund = body({
  amountMinor: AmountMinor.describe('At most the part of the payment that is not refunded yet.'),
  currency: Currency,
});

export const Amount = body({ amountMinor: AmountMinor, currency: Currency });

export const Nothing = body({});

const waitMost = 30;
const waitRule = `must be a whole number of seconds from 0 to ${waitMost}`;
export const Wait = z.strictObject({
  wait: z.coerce
    .number(waitRule)
    .int(waitRule)
    .min(0, waitRule)
    .max(waitMost, waitRule)
    .default(0)
    .describe(
      'Maximum number of seconds to wait for the decision. The answer leaves as soon as the decision is made.',
    ),
});

const KnownOutcome = z
  .enum(moneyKnown)
  .describe(
    [
      'What is known about the money.',
      'undecided: it may still end either way. reserved: the service holds the amount until it is captured or cancelled.',
      'moving: decided, the service has not confirmed it yet. moved: the service has confirmed it.',
      'perhapsUnheard, perhapsApproved, releasing: decided as not paid; Tillbeacon cancels until the service confirms it. notMoved: ended, no money moved.',
      'lost, otherAmount, unseen, unasked: the service contradicts the decision, or does not show it. A person has to look into it; `problem` says what happened.',
    ].join(' '),
  );

const Problem = z
  .enum([...personProblems, ...refundProblems])
  .nullable()
  .describe(
    [
      'What a person has to clear up in the portal of the service. null: nothing.',
      'captureLost: the till was told paid, and the reservation is gone. otherAmountCaptured: the till was told paid, and the service captured movedMinor instead.',
      'capturedUnasked: the till was told not paid, and money was taken. refundLost: the till was told refunded, and the service cancelled the refund.',
      'refundUnseen: the service accepted the refund and does not show it: the money may be refunded or not. paidOutUnasked: the till was told not refunded, and the money was refunded.',
    ].join(' '),
  );

export const ApiPayment = z.object({
  paymentId: z.uuid(),
  laneId: z.string(),
  orderId: z.string().describe('The id in the merchant’s portal and in the bank’s report.'),
  status: z
    .enum(['pending', 'reserved', 'paid', 'notPaid'])
    .describe(
      'pending: undecided. reserved: waits to be captured or cancelled. paid and notPaid are final.',
    ),
  progress: z
    .enum([
      'contactingService',
      'waitingForCustomer',
      'customerFound',
      'approveInApp',
      'cancelling',
    ])
    .nullable()
    .describe('The step that a pending payment has reached.'),
  reason: z.enum(notPaidReasons).nullable().describe('Why the payment is not paid.'),
  money: KnownOutcome,
  problem: Problem,
  movedMinor: AmountMinor.nullable().describe(
    'The captured amount that the service reports, if it differs from amountMinor. null: no difference is known.',
  ),
  amountMinor: AmountMinor.describe(
    'The amount of the payment. After a partial capture: the captured part.',
  ),
  requestedMinor: AmountMinor.describe('The amount of the request.'),
  currency: Currency,
  refundedMinor: z
    .int()
    .nonnegative()
    .describe(
      'Sum of the refunds that are decided as refunded. It excludes refunds that are open, cancelled or contested.',
    ),
  refundOpenMinor: z
    .int()
    .nonnegative()
    .describe(
      'Sum of the refunds whose outcome is open: under way, being cancelled, or waiting for a person. Another refund cannot use this part.',
    ),
  receiptShown: z
    .boolean()
    .describe(
      'true: the customer’s app gets `lines`. false: the payment has none, or the service does not support them.',
    ),
  minimumAge: z.int().nullable().describe('The minimum age of the request.'),
  receiptNumber: z.int(),
  traceNumber: z.int(),
  startedAt: At,
  amountNeeded: z
    .boolean()
    .describe('true: the customer is found, and the payment waits for …/amount.'),
  reservation: z
    .object({
      expiresAt: At.nullable().describe('null: the service did not name a time.'),
      partialCapturePossible: z.boolean(),
    })
    .nullable()
    .describe('The reservation; null unless the payment is reserved.'),
  customer: z
    .object({ loyaltyIds: z.array(z.string()).nullable(), receiptToken: z.string().nullable() })
    .nullable()
    .describe(
      'Data that the customer shares with the shop. Tillbeacon keeps it in memory until the lane’s next payment, and never on disk.',
    ),
});
export type ApiPayment = z.infer<typeof ApiPayment>;

export const ApiRefund = z.object({
  refundId: z.string(),
  paymentId: z.uuid(),
  laneId: z.string(),
  status: z
    .enum(['pending', 'refunded', 'notRefunded'])
    .describe('pending: undecided. refunded and notRefunded are final.'),
  reason: z.enum(notRefundedReasons).nullable().describe('Why nothing was refunded.'),
  money: KnownOutcome,
  problem: Problem,
  amountMinor: AmountMinor,
  currency: Currency,
  by: z.enum(['till', 'manager']),
  receiptNumber: z.int(),
  traceNumber: z.int(),
  startedAt: At,
});
export type ApiRefund = z.infer<typeof ApiRefund>;

export const Refunds = z.object({ refunds: z.array(ApiRefund).describe('Oldest first.') });

export const ApiLane = z.object({
  laneId: z.string(),
  name: z.string(),
  currency: Currency,
  state: z.enum(['ready', 'busy', 'notReady']),
  reason: z.enum(notReadyReasons).nullable().describe('Why the lane is not ready.'),
  qr: z
    .string()
    .nullable()
    .describe('The content of the lane’s QR code, for a display of the till’s own.'),
  takesReservations: z.boolean(),
  paymentId: z.uuid().nullable().describe('The payment in progress.'),
  refundId: z.string().nullable().describe('The refund in progress.'),
});
export type ApiLane = z.infer<typeof ApiLane>;

export const Lanes = z.object({
  lanes: z.array(ApiLane).describe('The lane of this token, as a list of one.'),
});

export const Reservations = z.object({
  reservations: z
    .array(
      z.object({
        paymentId: z.uuid(),
        orderId: z.string(),
        amountMinor: AmountMinor,
        currency: Currency,
        receiptNumber: z.int(),
        startedAt: At,
        expiresAt: At.nullable().describe('null: the service did not name a time.'),
        endsSoon: z.boolean().describe('true: the reservation ends within a day.'),
        partialCapturePossible: z.boolean(),
        by: z.enum(['till', 'cashier']),
      }),
    )
    .describe('Reservations that are neither captured nor cancelled, oldest first.'),
});

const dayRule = 'must be a day such as 2026-11-21';
export const Day = z.strictObject({
  day: z.iso
    .date({ error: dayRule, abort: true })
    .refine(isDayOfUse, dayRule)
    .optional()
    .describe('A day in the calendar of the counter’s computer. Default: today.'),
});

const Sum = z.object({ count: z.int().nonnegative(), sumMinor: z.int().nonnegative() });
const Moved = z.object({
  payments: Sum.describe(
    'Payments of the day. A reservation counts with its captured amount, on the day of the capture.',
  ),
  refunds: Sum,
});
export const Totals = z.object({
  laneId: z.string(),
  day: z.iso.date(),
  from: At,
  to: At.describe('The first moment after the day.'),
  currency: Currency,
  ...Moved.shape,
  tests: Moved.optional().describe(
    'The part of these totals from test payments of setup. Missing when there are none.',
  ),
  open: z
    .int()
    .nonnegative()
    .describe(
      'Payments and refunds that the service has not confirmed yet, and reservations that are held.',
    ),
});
export type Totals = z.infer<typeof Totals>;

export const Event = z
  .object({
    id: z.string().describe('The value to send as Last-Event-ID.'),
    event: z.enum(['payment', 'refund', 'lane']),
    data: z.union([ApiPayment, ApiRefund, ApiLane]),
  })
  .describe(
    'An event of the stream `text/event-stream`. Its data is the current state of the payment, refund or lane. Events of the lane have no id and are not repeated.',
  );
