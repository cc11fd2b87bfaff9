/**
 * Registrations for events, and their messages with both spellings of the signature (document 5,
 * section 4).
 */
import {
  authorizationOf,
  checkedInEvent,
  contentHash,
} from '../../../wallets/epayment/webhooks/webhook-message.ts';
import { ServiceError } from '../service-error.ts';
import type { Caller } from './auth.ts';
import type {
  Epayments,
  Registration,
  SalesUnit,
  SimulatedEpayment,
  SimulatedEvent,
} from './epayment-registry.ts';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
/**
 * Attempts 1 to 4 two seconds apart, then a minute, two, hourly until the 29th, daily until a week
 * has passed (section 4.4).
 */
const retryDelaysMs = [
  ...[2, 2, 2, 60, 120].map((seconds) => seconds * secondMs),
  ...Array.from({ length: 23 }, () => hourMs),
  ...Array.from({ length: 6 }, () => 24 * hourMs),
];
const timeoutMs = 10 * secondMs;
const maxPerEvent = 25;

export function register(
  epayments: Epayments,
  { unit }: Caller,
  url: string,
  events: readonly string[],
): Registration {
  const own = ofUnit(epayments, unit);
  for (const event of events) {
    const most = event === checkedInEvent ? 1 : maxPerEvent;
    if (own.filter((one) => one.events.includes(event)).length >= most)
      throw new ServiceError(409, null, `There are registrations enough for ${event}`);
  }
  const { ids } = epayments.world;
  const registration = {
    id: ids.uuid(),
    secret: Buffer.from(ids.uuid()).toString('base64'),
    url,
    events,
    unit,
  };
  epayments.registrations.set(registration.id, registration);
  return registration;
}

export const ofUnit = ({ registrations }: Epayments, unit: SalesUnit): Registration[] =>
  [...registrations.values()].filter((one) => one.unit === unit);

export function unregister(epayments: Epayments, { unit }: Caller, id: string): void {
  if (epayments.registrations.get(id)?.unit !== unit)
    throw new ServiceError(404, null, 'There is no such registration');
  epayments.registrations.delete(id);
}

export function announce(
  epayments: Epayments,
  payment: SimulatedEpayment,
  event: SimulatedEvent,
): void {
  const { unit, reference, currency } = payment;
  const { name, pspReference, amountMinor, at, idempotencyKey, success } = event;
  const amount = { currency, value: amountMinor };
  tell(epayments, unit, `epayments.payment.${name.toLowerCase()}.v1`, {
    msn: unit.msn,
    reference,
    pspReference,
    name,
    amount,
    timestamp: at,
    idempotencyKey,
    success,
  });
}

/** Sends a message to the sales unit's webhooks that are registered for the event. */
export function tell(
  { world, ...epayments }: Epayments,
  unit: SalesUnit,
  event: string,
  message: object,
): void {
  const body = JSON.stringify(message);
  for (const { id, secret, url, events } of ofUnit({ world, ...epayments }, unit)) {
    if (!events.includes(event)) continue;
    world.outbox.send({
      kind: `webhook ${event}`,
      url,
      body,
      headers: () =>
        signedHeaders(new Date(world.clock.wallMs()), { id, secret, url }, Buffer.from(body)),
      retryDelaysMs,
      timeoutMs,
      anyPort: true,
    });
  }
}

/** Made for each attempt, because the date is signed. The HTTP client sets `host`. */
function signedHeaders(
  at: Date,
  { id, secret, url }: Pick<Registration, 'id' | 'secret' | 'url'>,
  body: Buffer,
): Record<string, string> {
  const { host, pathname, search } = new URL(url);
  const date = at.toUTCString();
  const authorization = authorizationOf(secret, { path: pathname + search, host, date, body });
  return {
    'x-ms-date': date,
    'x-ms-content-sha256': contentHash(body),
    authorization,
    'x-vipps-authorization': authorization,
    'webhook-id': id,
    'user-agent': 'Vipps MobilePay/1.0 Webhooks/1.0',
  };
}
