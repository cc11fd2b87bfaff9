/**
 * What each kind of callback looks like on the wire, and how it becomes a record. Unknown fields,
 * codes and statuses pass.
 */
import { z } from 'zod';
import { minorUnits } from '../../core/domain/money.ts';
import { CheckedInMessage, PaymentMessage } from '../epayment/webhooks/webhook-message.ts';
import { decimalText, majorAmount } from '../http/amounts.ts';
import { parseJson } from '../http/json.ts';
import { withoutBlanks } from '../v10/app-payments/webhook.ts';
import { insideStatus } from './lifecycle.ts';
import { type CallbackRecord, type Kind, scanned } from './callback-record.ts';

export type Reading =
  | { readonly kind: 'record'; readonly record: CallbackRecord }
  | { readonly kind: 'rejected'; readonly reason: string; readonly raw: string };
/** Reads one element of a callback's body into a record, or rejects it with a reason. */
export type Reader = (element: unknown) => Reading;

const Id = z.string().regex(/^[!-~]{1,64}$/, 'must be an identifier');
const OptionalId = Id.nullish();
const Status = z.string().regex(/^\s*\w[\w .-]{0,59}$/, 'must be the name of a status');
const Text = z.string().nullish();
/** Samples show both (document 4, section 3.3). */
const Code = z.union([z.string().max(20), z.int()], 'must be a number or a string').nullish();
const Amount = z
  .union([decimalText, majorAmount()], 'must be an amount with two decimals, e.g. "12.50"')
  .nullish();
/** Without a zone it is UTC, as in the documents' samples. */
const Instant = z.iso
  .datetime({
    offset: true,
    local: true,
    error: 'must be a date and time, e.g. 2026-01-31T10:00:00Z',
  })
  .nullish();

const common = {
  status: Status,
  status_text: Text,
  status_code: Code,
  external_id: Text,
  timestamp: Instant,
};
const PaymentCallback = z.object({
  ...common,
  payment_id: Id,
  agreement_id: OptionalId,
  amount: Amount,
  currency: Text,
  payment_type: Text,
});
const AgreementCallback = z.object({ ...common, agreement_id: Id });
const RefundCallback = z.object({
  ...common,
  refund_id: Id,
  payment_id: OptionalId,
  agreement_id: OptionalId,
  amount: Amount,
  currency: Text,
});
const InvoiceCallback = z.object({
  InvoiceId: Id,
  Status,
  Date: Instant,
  Sequence: z.int().nullish(),
  ErrorCode: Code,
  ErrorMessage: Text,
});
/**
 * Details beside the status. An invalid detail does not reject the record, whose `raw` keeps it.
 */
const InvoiceDetails = z.object({
  PaymentDate: Instant.catch(null),
  Links: z
    .array(z.object({ Rel: z.string(), Href: z.string() }))
    .nullish()
    .catch(null),
});
const Webhook = z.object({
  eventType: z.string().regex(/^[\w.-]{1,100}$/, 'must be the name of an event'),
  eventDate: Instant,
  data: z.object({ id: Id, reference: Text }),
});
const WithReference = z
  .object({ data: z.object({ reference: Text }).catch({}) })
  .catch({ data: {} });
const CheckIn = z.object({ PosId: Id, MerchantPosId: Text });

const nothing = {
  externalId: null,
  statusText: null,
  code: null,
  amountMinor: null,
  currency: null,
  atMs: null,
  sequence: null,
  agreementId: null,
  paymentId: null,
  paymentAtMs: null,
  links: [],
};
type RecordFields = Omit<CallbackRecord, 'raw' | keyof typeof nothing> & Partial<CallbackRecord>;

function reader<Wire>(schema: z.ZodType<Wire>, say: (wire: Wire) => RecordFields): Reader {
  return (element) => {
    const raw = JSON.stringify(element);
    const parsed = schema.safeParse(element);
    if (parsed.success) return { kind: 'record', record: { ...nothing, ...say(parsed.data), raw } };
    return { kind: 'rejected', reason: parsed.error.issues.map(reasonOf).join('; '), raw };
  };
}

function reasonOf(issue: z.core.$ZodIssue): string {
  const what = issue.path.join('.') || 'the record';
  return `${what} ${issue.code === 'invalid_type' ? `must be ${/^[aeio]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}` : issue.message}`;
}

const lower = (id: string | null | undefined): string | null => id?.toLowerCase() ?? null;
const orNull = (text: string | null | undefined): string | null => text || null;
const codeOf = (code: string | number | null | undefined): string | null =>
  code === null || code === undefined ? null : orNull(String(code).trim());
function instantMs(text: string | null | undefined): number | null {
  if (text === null || text === undefined) return null;
  const atMs = Date.parse(/(Z|[+-]\d{2}:?\d{2})$/.test(text) ? text : `${text}Z`);
  return Number.isNaN(atMs) ? null : atMs;
}

const commonOf = (
  wire:
    | z.output<typeof AgreementCallback>
    | z.output<typeof PaymentCallback>
    | z.output<typeof RefundCallback>,
) => ({
  status: insideStatus(wire.status),
  statusText: orNull(wire.status_text),
  code: codeOf(wire.status_code),
  externalId: orNull(wire.external_id),
  atMs: instantMs(wire.timestamp),
});

/** Document 4, section 3.3. */
export const readSubscriptionPayment = reader(PaymentCallback, (wire) => ({
  ...commonOf(wire),
  kind: wire.payment_type?.toLowerCase() === 'oneoff' ? 'oneOff' : 'payment',
  subjectId: wire.payment_id.toLowerCase(),
  amountMinor: wire.amount ?? null,
  currency: orNull(wire.currency),
  agreementId: lower(wire.agreement_id),
}));

export const readAgreement = reader(AgreementCallback, (wire) => ({
  ...commonOf(wire),
  kind: 'agreement',
  subjectId: wire.agreement_id.toLowerCase(),
}));

export const readRefund = reader(RefundCallback, (wire) => ({
  ...commonOf(wire),
  kind: 'refund',
  subjectId: wire.refund_id.toLowerCase(),
  amountMinor: wire.amount ?? null,
  currency: orNull(wire.currency),
  agreementId: lower(wire.agreement_id),
  paymentId: lower(wire.payment_id),
}));

/** Document 3, "Invoice callback record". */
export const readInvoice = reader(InvoiceCallback, (wire) => ({
  kind: 'invoice',
  subjectId: wire.InvoiceId.toLowerCase(),
  status: insideStatus(wire.Status),
  statusText: orNull(wire.ErrorMessage),
  code: codeOf(wire.ErrorCode),
  atMs: instantMs(wire.Date),
  sequence: wire.Sequence ?? null,
}));

/**
 * Details from a record as it came: they are stored only there, so that records of earlier versions
 * have them too.
 */
export function invoiceDetails(raw: unknown): Pick<CallbackRecord, 'paymentAtMs' | 'links'> {
  const { PaymentDate, Links } = InvoiceDetails.catch({}).parse(raw);
  return {
    paymentAtMs: instantMs(PaymentDate),
    links: (Links ?? []).map(({ Rel, Href }) => ({ rel: Rel, href: Href })),
  };
}

const kindOfEvent: Readonly<Record<string, Kind>> = {
  payment: 'appPayment',
  paymentpoint: 'paymentPoint',
  transfer: 'transfer',
};

/**
 * Document 4, section 4. `payment.cancelled_by_user` is the state `cancelledByUser` of the payment.
 */
const readSignedWebhook = reader(Webhook, ({ eventType, eventDate, data }) => {
  const [about = '', ...what] = eventType.toLowerCase().split('.');
  return {
    kind: kindOfEvent[about] ?? 'notice',
    subjectId: data.id.toLowerCase(),
    status: what.join('.').replaceAll('_', '') || about,
    externalId: orNull(data.reference),
    atMs: instantMs(eventDate),
  };
});

/**
 * Reads the signed text, without white space. An attacker who adds blanks to a captured message
 * cannot make a second record of it. The reference alone keeps its blanks, because a merchant's
 * reference may have some.
 */
export const readWebhook: Reader = (element) => {
  const raw = JSON.stringify(element);
  const reading = readSignedWebhook(parseJson(withoutBlanks(raw)));
  if (reading.kind === 'rejected') return { ...reading, raw };
  const { data } = WithReference.parse(element);
  return {
    kind: 'record',
    record: { ...reading.record, externalId: data.reference ?? reading.record.externalId, raw },
  };
};

/**
 * Document 5, sections 3.3 and 4.2: what happened to a payment, or that a customer stands at a
 * till. Both only trigger a read of the payment, which decides. A failed attempt does not change
 * the payment's state.
 */
export const readEpayment: Reader = (element) => {
  const isCheckIn = CheckedInMessage.safeParse(element).success;
  return isCheckIn ? readEpaymentCheckIn(element) : readPaymentMessage(element);
};

const readEpaymentCheckIn = reader(CheckedInMessage, ({ merchantQrId, initiatedAt }) => ({
  kind: 'checkin',
  subjectId: merchantQrId,
  status: scanned,
  atMs: instantMs(initiatedAt),
}));

const readPaymentMessage = reader(
  PaymentMessage,
  ({ reference, pspReference, name, amount, timestamp, success }) => ({
    kind: 'epayment',
    subjectId: reference,
    status: success ? name.toLowerCase() : `${name.toLowerCase()}failed`,
    externalId: pspReference,
    amountMinor: minorUnits(amount.value),
    currency: amount.currency,
    atMs: instantMs(timestamp),
  }),
);

/** Document 4, section 1.14. Check-ins are unsigned, so they only trigger a look-up. */
export const readCheckIn = reader(CheckIn, ({ PosId, MerchantPosId }) => ({
  kind: 'checkin',
  subjectId: PosId.toLowerCase(),
  status: 'checkedin',
  externalId: orNull(MerchantPosId),
}));
