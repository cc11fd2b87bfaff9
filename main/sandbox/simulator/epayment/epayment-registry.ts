/** The state of the simulated ePayment service (document 5, sections 1 to 4). */
import type { Cancel } from '../../../core/domain/clock.ts';
import type { Currency } from '../../../core/domain/money.ts';
import type { Phone } from '../phone.ts';
import { ServiceError } from '../service-error.ts';
import type { World } from '../world.ts';

export interface SalesUnit {
  readonly msn: string;
  readonly name: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly subscriptionKeys: readonly string[];
  readonly currency: Currency;
  /** Whether the sales unit's product is active (403 otherwise). */
  isActive: boolean;
  /** Whether the payout account is verified (5060 otherwise). */
  isVerified: boolean;
  /** Whether it is approved for PUSH_MESSAGE (5080 otherwise). */
  mayPush: boolean;
  mayCaptureParts: boolean;
  mayLiveLong: boolean;
  /** false while the sales unit may not refund (5100). */
  mayRefund: boolean;
  /** Whether the portal has revoked the keys: tokens, old ones too, and keys are refused (401). */
  areKeysRevoked: boolean;
  /** How the host of the codes' pictures answers. */
  codePictures: 'shown' | 'noImage' | 'silent';
}

export type EpaymentState = 'CREATED' | 'AUTHORIZED' | 'ABORTED' | 'EXPIRED' | 'TERMINATED';
export type EventName = EpaymentState | 'CANCELLED' | 'CAPTURED' | 'REFUNDED';

export interface SimulatedEvent {
  readonly name: EventName;
  readonly pspReference: string;
  readonly amountMinor: number;
  /** ISO 8601. */
  readonly at: string;
  /** null when the change was not requested by the interface. */
  readonly idempotencyKey: string | null;
  readonly success: boolean;
}

export interface SimulatedEpayment {
  readonly unit: SalesUnit;
  readonly reference: string;
  readonly pspReference: string;
  readonly userFlow: string;
  readonly amountMinor: number;
  readonly currency: Currency;
  readonly metadata: Readonly<Record<string, string>> | null;
  /** The receipt's lines; null when the shop sent none. */
  readonly receipt: object | null;
  /** What the shop wants to know of the customer, such as `name email`; null when nothing. */
  readonly scope: string | null;
  /** The customer's minimum age in years; 0 when everybody may pay. */
  readonly minAge: number;
  /** The code's text, and the format and width of its picture; null without a code. */
  readonly code: { readonly text: string; readonly format: string; readonly size: number } | null;
  state: EpaymentState;
  /** The phone that a request went to, or that approved; null before. */
  phone: Phone | null;
  /** Whether the customer is approving at this moment. A cancel is then refused (6250). */
  isApproving: boolean;
  /** How many of the next changes are answered 423. */
  locks: number;
  /** The code with which captures are refused; null when they are not. */
  captureRefusal: '6260' | '6280' | null;
  capturedMinor: number;
  cancelledMinor: number;
  refundedMinor: number;
  /** Whether the reservation has expired (6100) and was not cancelled (6070). */
  hasRunOut: boolean;
  /** Monotonic. */
  authorizedAtMs: number;
  readonly events: SimulatedEvent[];
  /** Stops the timer that ends the present state. */
  cancelTimer: Cancel;
}

export interface CallbackCode {
  readonly unit: SalesUnit;
  readonly merchantQrId: string;
  locationDescription: string;
}

export interface Registration {
  readonly id: string;
  readonly secret: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly unit: SalesUnit;
}

export interface CheckIn {
  readonly unit: SalesUnit;
  readonly phone: Phone;
  /** Monotonic. */
  readonly atMs: number;
}

export interface Epayments {
  readonly world: World;
  /** Sales units by serial number. */
  readonly units: Map<string, SalesUnit>;
  /** Payments by serial number and reference. */
  readonly payments: Map<string, SimulatedEpayment>;
  /** Codes by serial number and id. */
  readonly callbackCodes: Map<string, CallbackCode>;
  readonly registrations: Map<string, Registration>;
  /** Check-ins by their token. */
  readonly checkIns: Map<string, CheckIn>;
  /** Phone numbers that belong to no customer. */
  readonly strangers: Set<string>;
  /** Ages in years by phone number; other customers are adults. */
  readonly ages: Map<string, number>;
}

/** The same at every start, so that settings stay valid. */
const firstUnit: SalesUnit = {
  msn: '123456',
  name: 'The Corner Shop',
  clientId: 'e9a70000-0000-4000-8000-000000000001',
  clientSecret: 'simulated-client-secret',
  subscriptionKeys: ['simulated-primary-subscription', 'simulated-secondary-subscription'],
  currency: 'DKK',
  isActive: true,
  isVerified: true,
  mayPush: false,
  mayCaptureParts: false,
  mayLiveLong: false,
  mayRefund: true,
  areKeysRevoked: false,
  codePictures: 'shown',
};

const clientIdOf = (msn: string): string =>
  `${firstUnit.clientId.slice(0, -10)}${msn.padStart(10, '0')}`;

/** The keys of the first sales unit, as a counter needs them. */
export const firstKeys = {
  clientId: clientIdOf(firstUnit.msn),
  clientSecret: firstUnit.clientSecret,
  subscriptionKeys: ['simulated-primary-subscription', 'simulated-secondary-subscription'],
  msn: firstUnit.msn,
} as const;

export function openEpayments(world: World): Epayments {
  const epayments: Epayments = {
    world,
    units: new Map(),
    payments: new Map(),
    callbackCodes: new Map(),
    registrations: new Map(),
    checkIns: new Map(),
    strangers: new Set(),
    ages: new Map(),
  };
  putUnit(epayments, {});
  return epayments;
}

/** Adds a sales unit, or changes one. Its client id is derived from its serial number. */
export function putUnit({ units }: Epayments, about: Partial<SalesUnit>): SalesUnit {
  const msn = about.msn ?? firstUnit.msn;
  const before = units.get(msn) ?? { ...firstUnit, clientId: clientIdOf(msn) };
  // Changed in place, because tokens, payments and registrations refer to it.
  const unit = Object.assign(before, about, { msn });
  units.set(msn, unit);
  return unit;
}

/** The text of a till's code. */
export const contentOf = ({ msn }: SalesUnit, merchantQrId: string): string =>
  `https://qr.vipps.no/simulated/${msn}/${merchantQrId}`;

export const keyOf = ({ msn }: SalesUnit, name: string): string => `${msn}/${name}`;

/** @throws ServiceError 404, also for the payment of another sales unit */
export function findEpayment(
  { payments }: Epayments,
  unit: SalesUnit,
  reference: string,
): SimulatedEpayment {
  const payment = payments.get(keyOf(unit, reference));
  if (payment === undefined)
    throw new ServiceError(404, '5090', 'There is no payment with this reference');
  return payment;
}

export const digitsOf = (phoneNumber: string): string => phoneNumber.replaceAll(/\D/g, '');

export function checkDigits(
  { strangers, ages, world }: Epayments,
  digits: string,
  minAge = 0,
): Phone {
  if (!/^\d{10,15}$/.test(digits))
    throw new ServiceError(400, '4070', 'The phone number needs its country code');
  if (strangers.has(digits) || (ages.get(digits) ?? 99) < minAge)
    throw new ServiceError(400, '7010', 'This customer may not pay here');
  return world.phoneByNumber(`+${digits}`);
}
