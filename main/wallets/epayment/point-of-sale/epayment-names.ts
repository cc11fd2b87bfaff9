/** Our names for payments, and for what is asked about them. */
import { createHash } from 'node:crypto';

const minCharacters = 8;

/**
 * The name under which a payment is created: its order id, in the characters that the service
 * takes. An order id ends with a part of the sale's own id, so no two have the same; the order text
 * as it was typed is in the payment's metadata.
 */
export const referenceOf = (orderId: string): string =>
  orderId.replaceAll(/[^a-zA-Z0-9-]/g, '-').padEnd(minCharacters, '-');

/**
 * The idempotency key of a change: always the same for the same request, also after a restart, and
 * another one after each refusal, because a refusal sticks to its key (document 5, section 2.7).
 */
export function changeKey(reference: string, change: string, refusals: number): string {
  const hash = createHash('sha256').update(`${reference} ${change}`).digest('hex').slice(0, 32);
  return refusals === 0 ? hash : `${hash}-${refusals}`;
}

/**
 * How long we assume that the service remembers a key; the documents do not say (document 5,
 * section 10).
 */
export const keyTrustedMs = 23 * 60 * 60_000;

/**
 * The service gives refunds no ids. The reference of the payment and the key of the request
 * identify a refund.
 */
export const refundIdOf = (reference: string, idempotencyKey: string): string =>
  `${reference}/${idempotencyKey}`;

export function partsOfRefundId(refundId: string): {
  readonly reference: string;
  readonly idempotencyKey: string;
} {
  const at = refundId.indexOf('/');
  return { reference: refundId.slice(0, at), idempotencyKey: refundId.slice(at + 1) };
}
