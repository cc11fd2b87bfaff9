/** Notifications of app payments on their way to the shops that subscribed to them (document 4, section 4). */
import { type WebhookEvent, type WebhookNotification, webhookSignature } from '../../../wallet/v10/app-payments/webhook.ts';
import type { OperationBody } from '../../../wallet/http/operation.ts';
import type { createWebhook } from '../../../wallet/v10/app-payments/operations.ts';
import { headerNames } from '../../../wallet/v10/profile.ts';
import { type Merchant, ServiceError, type World } from '../world.ts';
import { type Book, findPoint, type Subscribed } from './book.ts';

/** "2xx within 10 s; 32 attempts (30 s doubling to 120 min, ~48 h)". */
const timeoutMs = 10_000;
const mostRetries = 31;
const retryDelaysMs = Array.from({ length: mostRetries }, (_, retry) => Math.min(120 * 60_000, 30_000 * 2 ** retry));

type About = OperationBody<typeof createWebhook>;

/** @throws ServiceError 409 for a payment point that there is not, or that is another merchant's */
export function subscribe(book: Book, merchant: Merchant, about: About): Subscribed {
  return put(book, merchant, { webhookId: book.world.ids.uuid(), signatureKey: book.world.ids.uuid() }, about);
}

export function resubscribe(book: Book, webhook: Subscribed, about: About): Subscribed {
  return put(book, webhook.merchant, webhook, about);
}

function put(book: Book, merchant: Merchant, { webhookId, signatureKey }: { webhookId: string; signatureKey: string }, { url, events, paymentPointId }: About) {
  const point = paymentPointId == null ? null : findPoint(book, merchant, paymentPointId);
  const webhook = { webhookId, signatureKey, merchant, url: withSmallHost(url), events, paymentPointId: point?.paymentPointId ?? null };
  book.webhooks.set(webhookId, webhook);
  return webhook;
}

const withSmallHost = (url: string): string => url.replace(/^\w+:\/\/[^/?#]+/, (origin) => origin.toLowerCase());

/** @throws ServiceError 404 */
export function findWebhook(book: Book, merchant: Merchant, webhookId: string): Subscribed {
  const webhook = book.webhooks.get(webhookId);
  if (webhook?.merchant.vat !== merchant.vat) throw new ServiceError(404, null, '');
  return webhook;
}

interface Happened {
  readonly merchantVat: string;
  readonly paymentPointId: string;
  readonly id: string;
  readonly reference?: string;
}

/** Tells every webhook of the merchant that wants to know. */
export function announce(book: Book, event: WebhookEvent, { merchantVat, paymentPointId, id, reference }: Happened): void {
  const notification = notificationOf(book.world, event, id, reference);
  for (const webhook of book.webhooks.values()) {
    const wanted = webhook.events.includes(event) && (webhook.paymentPointId == null || webhook.paymentPointId === paymentPointId);
    if (wanted && webhook.merchant.vat === merchantVat) send(book.world, webhook, notification);
  }
}

/** Of the first event that the webhook is for, about nothing that there is. */
export function announceTest(book: Book, webhook: Subscribed): void {
  send(book.world, webhook, notificationOf(book.world, webhook.events[0] as WebhookEvent, book.world.ids.uuid(), 'Test notification'));
}

function notificationOf(world: World, event: WebhookEvent, id: string, reference: string | undefined): WebhookNotification {
  const type = event.split('.', 1)[0] as string;
  return { notificationId: world.ids.uuid(), eventType: event, eventDate: world.at(), data: { id, type, ...(type === 'payment' ? { reference } : {}) } };
}

function send(world: World, { url, signatureKey }: Subscribed, notification: WebhookNotification): void {
  const body = JSON.stringify(notification);
  const headers = { [headerNames(world.profile).signature]: webhookSignature(signatureKey, url, body) };
  world.outbox.send({ kind: `webhook ${notification.eventType}`, url, headers: () => headers, body, retryDelaysMs, timeoutMs });
}
