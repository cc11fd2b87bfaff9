/**
 * The records of the invoice interface, under its own names (interface document 3, "Invoice
 * callback record" and "Invoice callback authentication setup"; document 4, section 6).
 */
import { z } from 'zod';

const Url = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });
const RequiredText = z.string().min(1, 'must be given');

export const BasicAuthBody = z.object({
  username: RequiredText,
  password: RequiredText,
  callbackurl: Url,
});
export type BasicAuthBody = z.infer<typeof BasicAuthBody>;

/** The key is a whole `Authorization` header, so it must be able to be one. */
export const ApiKeyAuthBody = z.object({
  ApiKey: z
    .string()
    .regex(
      /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/,
      'must be printable ASCII without space around it: it becomes a header',
    ),
  callbackurl: Url,
});
export type ApiKeyAuthBody = z.infer<typeof ApiKeyAuthBody>;

/** Kept as text: case varies (document 4, section 6). {@link invoiceStatus} reads it. */
const Status = z.string().min(1);

const InvoiceStatusRecord = z.object({ InvoiceId: z.guid(), Status });
/**
 * The interface's example writes the names with capitals, its description with small letters:
 * either is read.
 */
export const InvoiceStatusAnswer = z.codec(
  z.union([InvoiceStatusRecord, z.object({ invoiceId: z.guid(), status: Status })]),
  InvoiceStatusRecord,
  {
    decode: (said) =>
      'invoiceId' in said ? { InvoiceId: said.invoiceId, Status: said.status } : said,
    encode: (record) => record,
  },
);

const Links = z.array(z.object({ Rel: z.string(), Href: z.string() }));

/**
 * Callbacks arrive out of order and again: `Sequence` and `Date` tell the real order (interface
 * document 3, "States and transitions").
 */
export const InvoiceCallback = z.object({
  InvoiceId: z.guid(),
  Status,
  /** Date of the change. */
  Date: z.string(),
  /** From 0, with gaps: not all events are sent. */
  Sequence: z.int().nonnegative(),
  /** Only with the status accepted. */
  PaymentDate: z.string().nullish(),
  /** Only with the status invalid. */
  ErrorCode: z.union([z.int(), z.string()]).nullish(),
  ErrorMessage: z.string().nullish(),
  /** Only with the status Created, for a link that was made in a batch. */
  Links: Links.nullish(),
});
export type InvoiceCallback = z.infer<typeof InvoiceCallback>;

/** The body of a callback. */
export const InvoiceCallbacks = z.array(InvoiceCallback);

const statuses = [
  'created',
  'invalid',
  'accepted',
  'paid',
  'rejected',
  'expired',
  'canceled',
] as const;
export type InvoiceStatus = (typeof statuses)[number];

/** Reads a status in any case, `canceled` also with two l; null for an undocumented one. */
export function invoiceStatus(text: string): InvoiceStatus | null {
  const lower = text.toLowerCase().replace('cancelled', 'canceled');
  return statuses.find((status) => status === lower) ?? null;
}
