import { z } from 'zod';
import generic from './profiles/generic.json' with { type: 'json' };
import mobilepay from './profiles/mobilepay.json' with { type: 'json' };
import type { Limits } from '../http/operation.ts';
import { idempotencyHeader } from '../http/transport.ts';
import type { InterfaceName } from './v10-interfaces.ts';

const Path = z.string().startsWith('/');

/**
 * What differs between deployments of the service in name only: data, not code.
 * `generic` carries the names of the interface documents and is the default.
 */
export const Profile = z.strictObject({
  name: z.string().min(1),
  /**
   * Before `Client-System-Version`, `Merchant-VAT-Number`, `Idempotency-Key`, and `Signature` of a
   * webhook.
   */
  headerPrefix: z.string().regex(/^[A-Za-z-]+-$/),
  /**
   * Below the base address, by interface. The point of sale may have another base address
   * (document 4, section 0).
   */
  paths: z.strictObject({
    pointOfSale: Path,
    sandbox: Path,
    appPayments: Path,
    subscriptions: Path,
    subscriptionsSandbox: Path,
    reporting: Path,
    invoice: Path,
  } satisfies Record<InterfaceName, z.ZodType>),
  /** Below `authUrl`. */
  tokenPath: z.string().startsWith('/'),
  /** The rel of the link to which a customer is sent (document 1, "Link object"). */
  linkRel: z.string().min(1),
  /** What a QR code says; `{beaconId}` stands for the beacon, never for the point of sale. */
  qrTemplate: z.string().includes('{beaconId}'),
  /**
   * The state in which the provider itself ended a payment or a refund: its name bears the brand.
   */
  cancelledByProvider: z.string().regex(/^CancelledBy\w+$/),
  /**
   * Where the documents contradict themselves. The wider value is the default: a request that the
   * service would take must not be stopped here.
   */
  limits: z.strictObject({
    /**
     * Limit of a subscription payment's due date. The text of decline code 50012 says 32 days, a
     * later change raised it to 126 (document 1, "Subscription payment request"; document 4,
     * section 3.3).
     */
    latestDueDateDays: z.int().positive(),
    /**
     * Limit of an app payment's description. Its text says 100, its schema 200 (document 3, "App
     * payment").
     */
    appDescriptionCharacters: z.int().positive(),
  }),
});
export type Profile = z.infer<typeof Profile>;

export const profileNames = ['generic', 'mobilepay'] as const;
export type ProfileName = (typeof profileNames)[number];

const profiles: Readonly<Record<ProfileName, Profile>> = {
  generic: Profile.parse(generic),
  mobilepay: Profile.parse(mobilepay),
};

export function profileNamed(name: ProfileName): Profile {
  return profiles[name];
}

export function headerNames(profile: Profile) {
  return {
    clientVersion: `${profile.headerPrefix}Client-System-Version`,
    merchantVat: `${profile.headerPrefix}Merchant-VAT-Number`,
    idempotencyKey: idempotencyHeader(profile),
    signature: `${profile.headerPrefix}Signature`,
  } as const;
}

export function qrPayload(profile: Profile, beaconId: string): string {
  return profile.qrTemplate.replace('{beaconId}', beaconId);
}

/** A limit among those that a rule is given. */
export function limitNamed(limits: Limits, name: keyof Profile['limits']): number {
  const limit = limits[name];
  if (limit === undefined) throw new Error(`the profile has no limit ${name}`);
  return limit;
}
