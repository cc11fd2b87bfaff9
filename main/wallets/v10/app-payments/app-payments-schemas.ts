/**
 * The records of app payments, under the interface's own names (interface document 3, "App
 * payment", "Payment point" and "App refund"; document 4, section 4). Amounts are minor units on
 * the wire too.
 */
import { z } from 'zod';
import { minorAmount } from '../../http/amounts.ts';
import { maxPageSize } from '../../http/pages.ts';

const maxInt32 = 2_147_483_647;
const Amount = minorAmount({ min: 1, max: maxInt32 });
const Reference = z.string().max(64, 'has more than 64 characters');
/** The profile may allow fewer for a payment: see the rule of `initiateAppPayment`. */
const Description = z.string().max(200, 'has more than 200 characters').nullish();
const IdempotencyKey = z.guid('must be a UUID');
const Id = z.guid('must be a UUID');
const DateTime = z.iso.datetime({
  offset: true,
  error: 'must be a date-time, e.g. 2026-11-21T09:00:00Z',
});

const appPaymentStates = [
  'initiated',
  'reserved',
  'captureStarted',
  'captured',
  'cancelledByMerchant',
  'cancelledByUser',
  'cancelledBySystem',
] as const;
export type AppPaymentState = (typeof appPaymentStates)[number];

export const InitiateAppPaymentBody = z.object({
  amount: Amount,
  idempotencyKey: IdempotencyKey,
  paymentPointId: Id,
  /** Address of the shop's page (`https:`) or app (any scheme). */
  redirectUri: z
    .string()
    .max(2000, 'has more than 2000 characters')
    .refine((uri) => URL.canParse(uri), 'must be a URI')
    .meta({ format: 'uri' }),
  reference: Reference,
  description: Description,
  customerPhoneNumber: z
    .string()
    .max(15, 'has more than 15 characters')
    .regex(/^(\+?[1-9]\d*)?$/, 'must be a phone number in international form, e.g. +4520031801')
    .nullish(),
});

export const InitiateAppPaymentAnswer = z.looseObject({ paymentId: z.guid() });

const redirectFieldEnd = 'AppRedirectUri';

/**
 * Where the user is sent to pay. The name of the field bears the brand (document 4, section 4), so
 * only its end is known; null without one.
 */
export function appRedirectUri(answer: z.infer<typeof InitiateAppPaymentAnswer>): string | null {
  for (const [name, value] of Object.entries(answer))
    if (name.endsWith(redirectFieldEnd) && typeof value === 'string') return value;
  return null;
}

/** The whole name of that field: the brand is the one in the names of the headers. */
export function appRedirectField({ headerPrefix }: { readonly headerPrefix: string }): string {
  return lowerFirst(headerPrefix.replace(/^X-/, '').replaceAll('-', '')) + redirectFieldEnd;
}

/**
 * How a user came back to the shop's `redirectUri` (document 4, section 4). A hint only: what
 * counts is the state of the payment.
 */
export function returnStatus(returnedTo: string): 'successful' | 'failed' | 'rejected' | null {
  const status = URL.parse(returnedTo)?.searchParams.get('status');
  return status === 'successful' || status === 'failed' || status === 'rejected' ? status : null;
}

export const AppPayment = z.object({
  paymentId: z.guid(),
  amount: minorAmount(),
  description: z.string().nullish(),
  paymentPointId: z.guid(),
  reference: z.string().nullish(),
  redirectUri: z.string().nullish(),
  /** Kept as text: a state that the documents do not know must not stop a payment. */
  state: z.string().min(1),
  initiatedOn: z.string(),
  lastUpdatedOn: z.string().nullish(),
  merchantId: z.string().nullish(),
  isoCurrencyCode: z.string().nullish(),
  paymentPointName: z.string().nullish(),
});
export type AppPayment = z.infer<typeof AppPayment>;

export const CaptureAppPaymentBody = z.object({ amount: Amount });
export const CancelByKeyBody = z.object({ idempotencyKey: IdempotencyKey });
export const SimulateConfirmationBody = z.object({ paymentSourceId: Id, userId: Id });

export const PaymentPoint = z.object({
  paymentPointId: z.guid(),
  paymentPointName: z.string().nullish(),
  /** `created` or `active` (document 4, section 4). */
  state: z.string(),
});
export type PaymentPoint = z.infer<typeof PaymentPoint>;

export const IssueAppRefundBody = z.object({
  amount: minorAmount({ min: 1 }),
  idempotencyKey: IdempotencyKey,
  paymentId: Id,
  reference: Reference,
  description: Description,
});

export const IssueAppRefundAnswer = z.object({
  refundId: z.guid(),
  paymentId: z.guid().nullish(),
  amount: minorAmount().nullish(),
  description: z.string().nullish(),
  reference: z.string().nullish(),
  createdOn: z.string().nullish(),
  /** The amount that can still be refunded. */
  remainingAmount: minorAmount().nullish(),
});

export const AppRefund = z.object({
  refundId: z.guid(),
  paymentId: z.guid(),
  amount: minorAmount(),
  description: z.string().nullish(),
  reference: z.string().nullish(),
  createdOn: z.string(),
  paymentPointId: z.guid().nullish(),
  merchantId: z.string().nullish(),
  isoCurrencyCode: z.string().nullish(),
});
export type AppRefund = z.infer<typeof AppRefund>;

/** Interface document 3, "Limits". */
export const defaultPageSize = 100;
const PageSize = z
  .int('must be a whole number')
  .min(1, 'must be at least 1')
  .max(maxPageSize, `must be at most ${maxPageSize}`)
  .optional();
const PageNumber = z
  .int('must be a whole number')
  .min(1, 'must be at least 1')
  .max(maxInt32)
  .optional();

export const AppPaymentsQuery = z.object({
  paymentPointId: Id.optional(),
  pageNumber: PageNumber,
  pageSize: PageSize,
  stateFilter: z.array(z.enum(appPaymentStates)).optional(),
  /** Both dates are compared with `initiatedOn`. */
  startDate: DateTime.optional(),
  endDate: DateTime.optional(),
});

/** "Smaller values replaced by 1" (interface document 3, "App payments"). */
export const PaymentPointsQuery = z.object({
  pageNumber: z.int('must be a whole number').max(maxInt32).optional(),
  pageSize: PageSize,
});

export const AppRefundsQuery = z.object({
  paymentId: Id.optional(),
  paymentPointId: Id.optional(),
  pageNumber: PageNumber,
  pageSize: PageSize,
  createdBefore: DateTime.optional(),
  createdAfter: DateTime.optional(),
});

const Page = z.object({ pageSize: z.int().nullish(), nextPageNumber: z.int().nullish() });
export const AppPaymentsPage = Page.extend({ payments: z.array(capitalised(AppPayment)) });
export const PaymentPointsPage = Page.extend({ paymentPoints: z.array(capitalised(PaymentPoint)) });
export const AppRefundsPage = Page.extend({ refunds: z.array(AppRefund) });

/**
 * In lists the names of the fields begin with a capital letter (interface document 3, "App
 * payment"); inside they are the same record as a single one. Read with small letters too.
 */
function capitalised<Shape extends z.ZodRawShape>(record: z.ZodObject<Shape>) {
  const wire = z.looseObject(renamed(record.shape, upperFirst)).partial();
  return z.codec(wire, record, {
    // The record's own names, which the compiler cannot follow; the record's schema judges them
    // next.
    decode: (listed) => renamed(listed, lowerFirst) as z.input<typeof record>,
    encode: (single) => renamed(single, upperFirst),
  });
}

function renamed<Value>(
  fields: Readonly<Record<string, Value>>,
  rename: (name: string) => string,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [rename(name), value]));
}
function upperFirst(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
