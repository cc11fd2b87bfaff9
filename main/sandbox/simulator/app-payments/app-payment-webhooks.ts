/** Subscriptions to notifications of app payments, and their sending (document 4, section 4). */
import { backoffMs } from '../../../core/domain/backoff.ts';
import {
  type WebhookEvent,
  type WebhookNotification,
  webhookSignature,
} from '../../../wallets/v10/app-payments/webhook.ts';
import type { OperationBody } from '../../../wallets/http/operation.ts';
import type { createWebhook } from '../../../wallets/v10/app-payments/app-payments-operations.ts';
import { DependsOnOthers } from '../api-module.ts';
import type { Merchant } from '../merchant.ts';
import { type Callback, isDelivered } from '../outbox.ts';
import { ServiceError } from '../service-error.ts';
import type { World } from '../world.ts';
import {
  type AppPaymentRegistry,
  findPoint,
  type SimulatedWebhook,
} from './app-payment-registry.ts';
import { headerNames } from '../../../wallets/v10/v10-profile.ts';

/** "2xx within 10 s; 32 attempts (30 s doubling to 120 min, ~48 h)". */
const timeoutMs = 10_000;
const maxRetries = 31;
const retryDelaysMs = Array.from({ length: maxRetries }, (_, retry) =>
  backoffMs(retry, { firstMs: 30_000, maxMs: 120 * 60_000 }),
);

type About = OperationBody<typeof createWebhook>;

/**
 * @throws ServiceError 409 for a payment point that does not exist or belongs to another merchant
 */
export function subscribe(
  registry: AppPaymentRegistry,
  merchant: Merchant,
  about: About,
): SimulatedWebhook {
  return put(
    registry,
    merchant,
    { webhookId: registry.world.ids.uuid(), signatureKey: registry.world.ids.uuid() },
    about,
  );
}

export function resubscribe(
  registry: AppPaymentRegistry,
  webhook: SimulatedWebhook,
  about: About,
): SimulatedWebhook {
  return put(registry, webhook.merchant, webhook, about);
}

function put(
  registry: AppPaymentRegistry,
  merchant: Merchant,
  { webhookId, signatureKey }: { webhookId: string; signatureKey: string },
  { url, events, paymentPointId }: About,
) {
  const point = paymentPointId == null ? null : findPoint(registry, merchant, paymentPointId);
  const webhook = {
    webhookId,
    signatureKey,
    merchant,
    url: withSmallHost(url),
    events,
    paymentPointId: point?.paymentPointId ?? null,
  };
  registry.webhooks.set(webhookId, webhook);
  return webhook;
}

const withSmallHost = (url: string): string =>
  url.replace(/^\w+:\/\/[^/?#]+/, (origin) => origin.toLowerCase());

/** @throws ServiceError 404 */
export function findWebhook(
  registry: AppPaymentRegistry,
  merchant: Merchant,
  webhookId: string,
): SimulatedWebhook {
  const webhook = registry.webhooks.get(webhookId);
  if (webhook?.merchant.vat !== merchant.vat) throw new ServiceError(404, null, '');
  return webhook;
}

interface Happened {
  readonly merchantVat: string;
  readonly paymentPointId: string;
  readonly id: string;
  readonly reference?: string;
}

/** Notifies the merchant's webhooks that subscribe to the event. */
export function announce(
  registry: AppPaymentRegistry,
  event: WebhookEvent,
  { merchantVat, paymentPointId, id, reference }: Happened,
): void {
  const notification = notificationOf(registry.world, event, id, reference);
  for (const webhook of registry.webhooks.values()) {
    const wanted =
      webhook.events.includes(event) &&
      (webhook.paymentPointId == null || webhook.paymentPointId === paymentPointId);
    if (wanted && webhook.merchant.vat === merchantVat) send(registry.world, webhook, notification);
  }
}

/**
 * Sends the first of the webhook's events, with a random id. Refused (409) when the webhook does
 * not take it at once; it is repeated anyway.
 */
export function announceTest(
  { world }: AppPaymentRegistry,
  webhook: SimulatedWebhook,
): DependsOnOthers {
  const { promise, resolve } = Promise.withResolvers<ServiceError | null>();
  const onAnswer = (status: number | null): void => {
    const why = status === null ? 'it could not be reached' : `it answered ${status}`;
    resolve(
      isDelivered(status)
        ? null
        : new ServiceError(
            409,
            null,
            `The test notification did not arrive at the webhook: ${why}`,
          ),
    );
  };
  for (const event of webhook.events.slice(0, 1))
    send(
      world,
      webhook,
      notificationOf(world, event, world.ids.uuid(), 'Test notification'),
      onAnswer,
    );
  return new DependsOnOthers(promise);
}

function notificationOf(
  world: World,
  event: string,
  id: string,
  reference: string | undefined,
): WebhookNotification {
  const type = event.slice(0, event.indexOf('.'));
  return {
    notificationId: world.ids.uuid(),
    eventType: event,
    eventDate: world.at(),
    data: { id, type, ...(type === 'payment' ? { reference } : {}) },
  };
}

function send(
  world: World,
  { url, signatureKey }: SimulatedWebhook,
  notification: WebhookNotification,
  onAnswer?: Callback['onAnswer'],
): void {
  const body = JSON.stringify(notification);
  const headers = {
    [headerNames(world.profile).signature]: webhookSignature(signatureKey, url, body),
  };
  world.outbox.send({
    kind: `webhook ${notification.eventType}`,
    url,
    headers: () => headers,
    body,
    retryDelaysMs,
    timeoutMs,
    anyPort: true,
    ...(onAnswer && { onAnswer }),
  });
}
