/**
 * Webhooks: what a shop subscribes to, what it is then sent, and how it knows who sent it (document
 * 4, section 4).
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { SecureUrl } from '../../http/addresses.ts';

export const webhookEvents = [
  'payment.reserved',
  'payment.cancelled_by_user',
  'payment.expired',
  'paymentpoint.activated',
  'transfer.succeeded',
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** What creates a webhook, and replaces one. */
export const WebhookBody = z.object({
  url: SecureUrl,
  events: z
    .array(z.enum(webhookEvents))
    .min(1, 'must name an event')
    .refine((events) => new Set(events).size === events.length, 'names an event twice'),
  /** Only what happens at this payment point; of all when absent. */
  paymentPointId: z.guid('must be a UUID').nullish(),
});

export const Webhook = z.object({
  webhookId: z.guid(),
  /**
   * The address as the signature is made over it: the service writes scheme and host in lower case.
   */
  url: z.string(),
  events: z.array(z.string()),
  signatureKey: z.string(),
  paymentPointId: z.guid().nullish(),
});
export type Webhook = z.infer<typeof Webhook>;

/**
 * What arrives. Event types that the documents do not know are kept; order is not guaranteed, and
 * one may arrive twice.
 */
export const WebhookNotification = z.object({
  notificationId: z.string().min(1),
  eventType: z.string().min(1),
  eventDate: z.string(),
  data: z.object({
    /** Id of the payment, payment point or transfer. */
    id: z.string().min(1),
    type: z.string(),
    reference: z.string().nullish(),
  }),
});
export type WebhookNotification = z.infer<typeof WebhookNotification>;

/**
 * What a signature is made over, beside the address: the same for all bodies that differ in blanks,
 * also within texts and names.
 */
export const withoutBlanks = (text: string): string => text.replaceAll(/\s/g, '');

/**
 * @param body as it arrived; @returns its signature by the key of a webhook, and the webhook's own
 * url, as the service's record of it says
 */
export function webhookSigner(body: string): (signatureKey: string, url: string) => string {
  const content = Buffer.from(withoutBlanks(body));
  return (signatureKey, url) =>
    createHmac('sha1', signatureKey).update(url).update(content).digest('base64');
}

export function webhookSignature(signatureKey: string, url: string, body: string): string {
  return webhookSigner(body)(signatureKey, url);
}

/** @param signature of the header `headerNames(profile).signature` */
export function signatureIsGood(
  signature: string | null | undefined,
  signatureKey: string,
  url: string,
  body: string,
): boolean {
  const expected = Buffer.from(webhookSignature(signatureKey, url, body));
  const received = Buffer.from(signature ?? '');
  return received.length === expected.length && timingSafeEqual(received, expected);
}
