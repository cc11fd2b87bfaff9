/** Procedures of setup that ask the wallet service, with the wallet of the draft. */
import { z } from 'zod';
import { proxyProblems } from '../../main/core/domain/network-settings.ts';
import { procedure } from './procedure.ts';
import {
  BeaconId,
  countries,
  MerchantBrandId,
  MerchantLocationId,
  MerchantPosId,
  MerchantVat,
  SalesUnitInput,
  ServiceInput,
  Store,
} from './setup-fields.ts';

/** Refusals of any request over https. */
export const networkRefusals = [
  'hostNotFound',
  'connectionRefused',
  'noAnswer',
  'certificateWrong',
  'certificatesUnchecked',
  'clockWrong',
  'notTls',
  ...proxyProblems,
] as const;
/** Refusals of any wallet service. */
export const commonServiceRefusals = [
  ...networkRefusals,
  'wrongAddress',
  'clientRefused',
  'merchantRefused',
  'versionRefused',
  'serviceFailing',
  'refused',
] as const;
export const salesUnitRefusals = ['keysRefused', 'salesUnitRefused', 'salesUnitClosed'] as const;
/**
 * Why the service did not do it. `field` is the address or value to check, when that is known.
 * `facts.host` is the host that was asked.
 *
 * hostNotFound: no such name, or no network. connectionRefused: nothing listens there. noAnswer:
 * nothing came in time. certificateWrong: the certificate is not for this name, or this machine
 * does not trust its issuer (facts.detail). certificatesUnchecked: this machine checks no
 * certificates (facts.detail), so no request was sent; that is allowed for test services only.
 * clockWrong: this machine's clock is off (facts.seconds, positive when ahead; 0 when it is only
 * known that the certificate is not valid at this time). notTls: the port does not speak https.
 * proxyAway, proxyLogin, proxyRefused: the proxy let the request through to nobody (facts.detail).
 * wrongAddress: another server than this service answered (facts.status). clientRefused: the client
 * id or the secret is wrong (facts.status). merchantRefused: the credentials are right, but not
 * allowed for this merchant (facts.status, facts.code). versionRefused: this version of Tillbeacon
 * is blocked (facts.code). serviceFailing: the service answers with errors of its own
 * (facts.status). keysRefused: the keys of a sales unit are wrong, or those of the other
 * environment (facts.status). salesUnitRefused: the keys are right, but those of another sales
 * unit, or this one may not use the service (facts.status). salesUnitClosed: the sales unit takes
 * no payments, or captures them by itself. refused: any other refusal of the service (facts.status,
 * facts.code, `message`).
 */
const serviceRefusals = [...commonServiceRefusals, ...salesUnitRefusals] as const;

const PresentPointOfSale = z.object({
  posId: z.guid(),
  merchantPosId: z.string(),
  name: z.string(),
  storeId: z.guid(),
  beaconTypes: z.array(z.string()),
  beaconId: z.string().nullable(),
  requirePaymentBeforeCheckin: z.boolean(),
  callbackAlias: z.string().nullable(),
  /** null when no lane of this counter uses it. */
  laneId: z.string().nullable(),
});

export const serviceProcedures = {
  /**
   * Fetches an access token with these credentials and, with a merchant, uses it at the service.
   * `clientSecret` null: the one that the daemon has. A success is kept for a draft with the same
   * values (`provenAtMs`). `clockOffSeconds`: how far this machine's clock is ahead of the
   * service's. A `reportingKey` that is typed is tried at the reporting interface.
   * `reportingKeyRefused`: that interface does not accept it (facts.host).
   */
  testCredentials: procedure({
    who: 'installer',
    input: z.object({ wallet: ServiceInput, merchantVat: MerchantVat.nullable() }),
    output: z.object({
      expiresInSeconds: z.number(),
      clockOffSeconds: z.number().nullable(),
      stores: z.int().nonnegative().nullable(),
    }),
    refusals: ['secretMissing', 'reportingKeyRefused', ...serviceRefusals],
  }),

  /**
   * Fetches an access token with these keys and uses it at the service; in production it also reads
   * the sales unit. A success is kept as by `testCredentials`. `name` and `country` are those of
   * the sales unit; null when the service does not say, as in its test environment.
   */
  testSalesUnit: procedure({
    who: 'installer',
    input: z.object({ wallet: SalesUnitInput }),
    output: z.object({
      name: z.string().nullable(),
      country: z.enum(countries).nullable(),
      clockOffSeconds: z.number().nullable(),
    }),
    refusals: ['secretMissing', ...serviceRefusals],
  }),

  /**
   * The stores of a merchant, or the one of a brand and location. `incomplete`: the wallet is not
   * filled in yet.
   */
  findStores: procedure({
    who: 'installer',
    input: z.object({
      merchantVat: MerchantVat,
      at: z
        .object({ merchantBrandId: MerchantBrandId, merchantLocationId: MerchantLocationId })
        .nullable(),
    }),
    output: z.object({ stores: z.array(Store) }),
    refusals: ['incomplete', ...serviceRefusals],
  }),

  /**
   * Existing points of sale: by the shop's own number, by the beacon of a sticker, or all of the
   * chosen store (at most 100). Beacons of other merchants are not found. `incomplete`: wallet and
   * store are not filled in yet.
   */
  findPointsOfSale: procedure({
    who: 'installer',
    input: z.discriminatedUnion('by', [
      z.object({ by: z.literal('merchantPosId'), merchantPosId: MerchantPosId }),
      z.object({ by: z.literal('beaconId'), beaconId: BeaconId }),
      z.object({ by: z.literal('store') }),
    ]),
    output: z.object({ pointsOfSale: z.array(PresentPointOfSale) }),
    refusals: ['incomplete', ...serviceRefusals],
  }),
} as const;

export type PresentPointOfSale = z.infer<typeof PresentPointOfSale>;
export type ServiceRefusal = (typeof serviceRefusals)[number];
