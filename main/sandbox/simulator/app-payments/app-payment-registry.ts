/** The service's state of app payments (interface document 3, "Resources and their fields"). */
import type { Cancel } from '../../../core/domain/clock.ts';
import type { AppPaymentState } from '../../../wallets/v10/app-payments/app-payments-schemas.ts';
import type { Webhook } from '../../../wallets/v10/app-payments/webhook.ts';
import type { Merchant } from '../merchant.ts';
import type { Phone } from '../phone.ts';
import { ServiceError } from '../service-error.ts';
import type { World } from '../world.ts';

export interface Point {
  readonly paymentPointId: string;
  readonly merchant: Merchant;
  readonly name: string;
  state: 'created' | 'active';
  /** For refunds, in minor units. Unlimited unless a test says otherwise. */
  balanceMinor: number;
}

export interface SimulatedAppPayment {
  readonly paymentId: string;
  readonly idempotencyKey: string;
  readonly point: Point;
  readonly amountMinor: number;
  readonly reference: string;
  readonly description: string | null;
  readonly redirectUri: string;
  /** What the merchant gave: it prefills the landing page. */
  readonly customerPhoneNumber: string | null;
  state: AppPaymentState;
  readonly history: { readonly state: AppPaymentState; readonly at: string }[];
  /** The phone that approved it; null before, and for a sandbox user without a phone number. */
  phone: Phone | null;
  /** How many of the next captures are answered 500, so that their outcome is not known. */
  hangingCaptures: number;
  capturedMinor: number;
  /** Monotonic. */
  capturedAtMs: number;
  refundedMinor: number;
  /** Stops the timer that ends the present state. */
  cancelTimer: Cancel;
}

export interface SimulatedAppRefund {
  readonly refundId: string;
  readonly payment: SimulatedAppPayment;
  readonly amountMinor: number;
  readonly reference: string;
  readonly description: string | null;
  readonly createdOn: string;
  readonly remainingMinor: number;
}

export interface SimulatedWebhook extends Webhook {
  readonly merchant: Merchant;
}

export interface AppPaymentRegistry {
  readonly world: World;
  readonly points: Map<string, Point>;
  readonly payments: Map<string, SimulatedAppPayment>;
  readonly refunds: Map<string, SimulatedAppRefund>;
  readonly webhooks: Map<string, SimulatedWebhook>;
  /** The latest payment of each merchant and idempotency key. */
  readonly paymentByKey: Map<string, SimulatedAppPayment>;
}

export const openRegistry = (world: World): AppPaymentRegistry => ({
  world,
  points: new Map(),
  payments: new Map(),
  refunds: new Map(),
  webhooks: new Map(),
  paymentByKey: new Map(),
});

/** A refusal with one of the codes of document 4, section 4. */
export const conflict = (code: string, message: string): ServiceError =>
  new ServiceError(409, code, message);

export const keyOf = (merchant: Merchant, idempotencyKey: string): string =>
  `${merchant.vat}|${idempotencyKey.toLowerCase()}`;

export function addPoint(
  registry: AppPaymentRegistry,
  about: Pick<Point, 'paymentPointId' | 'merchant'> & Partial<Point>,
): Point {
  const point: Point = {
    name: about.merchant.name,
    state: 'active',
    balanceMinor: Number.POSITIVE_INFINITY,
    ...about,
  };
  registry.points.set(point.paymentPointId, point);
  return point;
}

/**
 * Id of the first merchant's point; those of the others count up from it. The same at every start,
 * so that settings stay valid.
 */
const firstPointId = 'a9900000-0000-4000-8000-000000000001';

/** Every merchant has at least one point, which is made when it is first asked for. */
export function allPoints(registry: AppPaymentRegistry): Point[] {
  for (const [index, merchant] of [...registry.world.merchants.values()].entries()) {
    const paymentPointId = firstPointId.slice(0, -12) + String(index + 1).padStart(12, '0');
    if (!registry.points.has(paymentPointId)) addPoint(registry, { paymentPointId, merchant });
  }
  return [...registry.points.values()];
}

/** @throws ServiceError 409 when there is none, or it is another merchant's */
export function findPoint(
  registry: AppPaymentRegistry,
  merchant: Merchant | null,
  paymentPointId: string,
): Point {
  const point = allPoints(registry).find(
    (one) => one.paymentPointId === paymentPointId.toLowerCase(),
  );
  if (point === undefined)
    throw conflict('payment_point_not_found', 'There is no such payment point');
  return owned(merchant, point.merchant, point);
}

/**
 * @param merchant null for any @throws ServiceError 409 when there is none, or it is another
 * merchant's
 */
export function findPayment(
  registry: AppPaymentRegistry,
  merchant: Merchant | null,
  paymentId: string,
): SimulatedAppPayment {
  const payment = registry.payments.get(paymentId.toLowerCase());
  if (payment === undefined) throw conflict('payment_not_found', 'There is no such payment');
  return owned(merchant, payment.point.merchant, payment);
}

function owned<Thing>(asking: Merchant | null, owner: Merchant, thing: Thing): Thing {
  if (asking !== null && asking.vat !== owner.vat)
    throw conflict('unauthorized_access', 'It belongs to another merchant');
  return thing;
}
