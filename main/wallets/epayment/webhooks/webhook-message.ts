/**
 * What the service tells a registered address, and how it is known that the service said it
 * (document 5, sections 4.1 to 4.3).
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { OutsideText } from '../../answer-values.ts';

const paymentEvents = [
  'created',
  'aborted',
  'expired',
  'cancelled',
  'captured',
  'refunded',
  'authorized',
  'terminated',
] as const;
export const epaymentEventNames = paymentEvents.map(
  (event) => `epayments.payment.${event}.v1` as const,
);
export const checkedInEvent = 'user.checked-in.v1';

/** `name` and further fields may be new ones. Doubles come: the same `pspReference` and `name`. */
export const PaymentMessage = z.object({
  msn: OutsideText,
  reference: OutsideText,
  pspReference: OutsideText,
  name: OutsideText,
  amount: z.object({ currency: OutsideText, value: z.int() }),
  timestamp: OutsideText,
  idempotencyKey: OutsideText.nullish(),
  success: z.boolean().meta({ description: 'false: an attempt that failed' }),
});

/** A customer scanned the code of a till. Older texts call `msn` `merchantSerialNumber`. */
export const CheckedInMessage = z.object({
  customerToken: z.string().min(1),
  merchantQrId: OutsideText,
  msn: OutsideText.nullish(),
  merchantSerialNumber: OutsideText.nullish(),
  initiatedAt: OutsideText,
});

/**
 * The signed parts of a message. `host` and `path` are those of the registered address: a proxy may
 * have changed those of the request.
 */
export interface Signed {
  /** The path with the query. */
  readonly path: string;
  readonly host: string;
  /** The date as in `x-ms-date`. */
  readonly date: string;
  readonly body: Uint8Array;
}

const scheme = 'HMAC-SHA256 SignedHeaders=x-ms-date;host;x-ms-content-sha256&Signature=';

export const contentHash = (body: Uint8Array): string =>
  createHash('sha256').update(body).digest('base64');

/** @param secret used as it is written: it looks like base64 and is not decoded */
export function signatureOf(secret: string, { path, host, date, body }: Signed): string {
  return createHmac('sha256', secret)
    .update(`POST\n${path}\n${date};${host};${contentHash(body)}`)
    .digest('base64');
}

export const authorizationOf = (secret: string, signed: Signed): string =>
  scheme + signatureOf(secret, signed);

/**
 * Headers by lower-case name. Web servers like to strip the first spelling of the signature, so
 * that the service sends it twice.
 */
export type WebhookHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** The document names no window; a repetition is signed anew, with a new date. */
const maxSkewMs = 5 * 60_000;

/**
 * Why a message is not from the service; null: it is.
 * @param registered the address as it was registered
 * @param nowMs by the wall clock
 */
export function signatureProblem(
  { headers, body }: { readonly headers: WebhookHeaders; readonly body: Uint8Array },
  {
    secret,
    registered,
    nowMs,
  }: { readonly secret: string; readonly registered: string; readonly nowMs: number },
): 'noDate' | 'oldDate' | 'wrongContent' | 'noSignature' | 'wrongSignature' | null {
  const date = only(headers['x-ms-date']);
  const sentMs = Date.parse(date ?? '');
  if (date === null || Number.isNaN(sentMs)) return 'noDate';
  if (Math.abs(nowMs - sentMs) > maxSkewMs) return 'oldDate';
  if (only(headers['x-ms-content-sha256']) !== contentHash(body)) return 'wrongContent';
  const signatures = [headers['authorization'], headers['x-vipps-authorization']]
    .map(only)
    .filter((value) => value?.startsWith(scheme) === true);
  if (signatures.length === 0) return 'noSignature';
  const { host, pathname, search } = new URL(registered);
  const expected = Buffer.from(
    authorizationOf(secret, { path: pathname + search, host, date, body }),
  );
  const isGood = signatures.some((value) => {
    const bytes = Buffer.from(value ?? '');
    return bytes.length === expected.length && timingSafeEqual(bytes, expected);
  });
  return isGood ? null : 'wrongSignature';
}

const only = (value: string | string[] | undefined): string | null =>
  typeof value === 'string' ? value : null;
