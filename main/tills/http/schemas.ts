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
  .describe('In minor units: 1234 is 12.34.');
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
    .describe('true: to be reserved, and captured or cancelled later.'),
  amountFollows: z
    .boolean(flagRule)
    .optional()
    .describe(
      'true: the amount is what is known so far, and is given with …/amount once the customer is found. On lanes whose flow is prepare.',
    ),
  lines: Lines.optional().describe(
    'What is bought: shown on the receipt in the customer’s app where the wallet service takes it (`receiptShown`), and otherwise left out. They cannot be changed.',
  ),
  minimumAge: MinimumAge.optional().describe(
    'Younger customers cannot pay: the service checks it. Refused where the service of the lane does not.',
  ),
}).superRefine(checkSum);

export const NewRefund = body({
  amountMinor: AmountMinor.describe('At most what is left of the payment.'),
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
    .describe('Waits so many seconds at most for the decision, and answers as soon as it is made.'),
});

const KnownOutcome = z
  .enum(moneyKnown)
  .describe(
    [
      'What is really known about the money.',
      'undecided: it may still end either way. reserved: at the service, until it is captured or cancelled.',
      'moving: decided, the service has not confirmed it yet. moved: the service has confirmed it.',
      'perhapsUnheard, perhapsApproved, releasing: decided against, and being cancelled until the service confirms that. notMoved: over, no money moved.',
      'lost, otherAmount, unseen, unasked: the service contradicts what was decided, or does not show it, and a person has to look into it; problem says which.',
    ].join(' '),
  );

const Problem = z
  .enum([...personProblems, ...refundProblems])
  .nullable()
  .describe(
    [
      'What a person has to see to in the portal of the service; null: nothing.',
      'captureLost: paid was told, and the reservation is gone. otherAmountCaptured: paid was told, and movedMinor was captured there instead.',
      'capturedUnasked: not paid was told, and money was taken. refundLost: refunded was told, and the service has cancelled it.',
      'refundUnseen: the service took the refund and does not show it: it may be refunded or not. paidOutUnasked: not refunded was told, and it was.',
    ].join(' '),
  );

export const ApiPayment = z.object({
  paymentId: z.uuid(),
  laneId: z.string(),
  orderId: z.string().describe('As the merchant’s portal and the bank’s report have it.'),
  status: z
    .enum(['pending', 'reserved', 'paid', 'notPaid'])
    .describe(
      'pending: undecided. reserved: to be captured or cancelled. paid and notPaid are decisions and never change into each other.',
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
    .describe('Of a pending payment: how far it is.'),
  reason: z.enum(notPaidReasons).nullable().describe('Of a payment that is not paid: why.'),
  money: KnownOutcome,
  problem: Problem,
  movedMinor: AmountMinor.nullable().describe(
    'What the service says was captured, where that is not amountMinor; null: nothing else is known.',
  ),
  amountMinor: AmountMinor.describe(
    'What is taken, or is to be taken: of a reservation that is captured in part, that part.',
  ),
  requestedMinor: AmountMinor.describe('What was asked for.'),
  currency: Currency,
  refundedMinor: z
    .int()
    .nonnegative()
    .describe(
      'By refunds that are decided as refunded. What is under way, cancelled or contested is not in it.',
    ),
  refundOpenMinor: z
    .int()
    .nonnegative()
    .describe(
      'By refunds whose end is not known: under way, being cancelled, or with a person. Until it is known, this cannot be refunded by another one.',
    ),
  receiptShown: z
    .boolean()
    .describe(
      'true: `lines` go with it to the customer’s app. false: it has none, or the service does not take them.',
    ),
  minimumAge: z.int().nullable().describe('As it was asked for.'),
  receiptNumber: z.int(),
  traceNumber: z.int(),
  startedAt: At,
  amountNeeded: z.boolean().describe('true: the customer is found, and …/amount is waited for.'),
  reservation: z
    .object({
      expiresAt: At.nullable().describe('null: the service did not say.'),
      partialCapturePossible: z.boolean(),
    })
    .nullable()
    .describe('Of a payment that is reserved.'),
  customer: z
    .object({ loyaltyIds: z.array(z.string()).nullable(), receiptToken: z.string().nullable() })
    .nullable()
    .describe(
      'What the customer shares with the shop; remembered until the lane’s next payment, and nowhere on disk.',
    ),
});
export type ApiPayment = z.infer<typeof ApiPayment>;

export const ApiRefund = z.object({
  refundId: z.string(),
  paymentId: z.uuid(),
  laneId: z.string(),
  status: z
    .enum(['pending', 'refunded', 'notRefunded'])
    .describe('refunded and notRefunded are decisions and never change into each other.'),
  reason: z.enum(notRefundedReasons).nullable().describe('Of a refund that is not done: why.'),
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
  reason: z.enum(notReadyReasons).nullable().describe('Of a lane that is not ready: why.'),
  qr: z
    .string()
    .nullable()
    .describe('What the QR code at this counter says: for a display of the till’s own.'),
  takesReservations: z.boolean(),
  paymentId: z.uuid().nullable().describe('The payment that is under way.'),
  refundId: z.string().nullable().describe('The refund that is under way.'),
});
export type ApiLane = z.infer<typeof ApiLane>;

export const Lanes = z.object({ lanes: z.array(ApiLane).describe('Those of this token: one.') });

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
        expiresAt: At.nullable().describe('null: the service did not say.'),
        endsSoon: z.boolean().describe('Less than a day is left.'),
        partialCapturePossible: z.boolean(),
        by: z.enum(['till', 'cashier']),
      }),
    )
    .describe('Held, and neither captured nor cancelled yet; oldest first.'),
});

const dayRule = 'must be a day such as 2026-11-21';
export const Day = z.strictObject({
  day: z.iso
    .date({ error: dayRule, abort: true })
    .refine(isDayOfUse, dayRule)
    .optional()
    .describe('In the calendar of the counter’s computer. Left out: today.'),
});

const Sum = z.object({ count: z.int().nonnegative(), sumMinor: z.int().nonnegative() });
export const Totals = z.object({
  laneId: z.string(),
  day: z.iso.date(),
  from: At,
  to: At.describe('The first moment after it.'),
  currency: Currency,
  payments: Sum.describe('Paid. Of a reservation what was captured, by the day of its capture.'),
  refunds: Sum,
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
    id: z.string().describe('To be sent as Last-Event-ID.'),
    event: z.enum(['payment', 'refund', 'lane']),
    data: z.union([ApiPayment, ApiRefund, ApiLane]),
  })
  .describe(
    'An event of the stream `text/event-stream`, whose data is the payment or refund as it stands now. Events of the lane have no id and are not repeated.',
  );
