/** What setup asks the wallet service about, with the wallet of the draft. */
import { z } from 'zod';
import { procedure } from './procedure.ts';
import { BeaconId, countries, MerchantBrandId, MerchantLocationId, MerchantPosId, MerchantVat, SalesUnitAsked, ServiceAsked, Store } from './setup-fields.ts';

/** Refusals of any request over https. */
export const networkRefusals = ['hostNotFound', 'connectionRefused', 'noAnswer', 'certificateWrong', 'certificatesUnchecked', 'clockWrong', 'notTls'] as const;
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
 * The real reason why the service did not do it. `field` is the address or value to look at where that is known. `facts.host` is who was asked.
 *
 * hostNotFound: no such name, or no network. connectionRefused: nobody listens there. noAnswer: nothing came in time. certificateWrong: not for this name, or
 * from
 * nobody that this machine trusts (facts.detail). certificatesUnchecked: this machine checks none (facts.detail), and nobody was asked: that is for test
 * services.
 * clockWrong: this machine's clock is off (facts.seconds, positive: ahead; 0: not known by how much, the certificate is not valid at this time). notTls: that
 * port does not speak https. wrongAddress: somebody answered who is not this service (facts.status).
 * clientRefused: the client id or the secret is wrong (facts.status). merchantRefused: the credentials are right, and not allowed
 * for this merchant (facts.status, facts.code). versionRefused: this version of Tillbeacon is blocked (facts.code). serviceFailing: it answers with errors of
 * its own (facts.status). keysRefused: the keys of a sales unit are wrong, or of the other environment (facts.status). salesUnitRefused: the keys are right,
 * and not of
 * this sales unit, or it may not use the service (facts.status). salesUnitClosed: it takes no payments, or captures them by itself. refused: anything else
 * that the service says no to (facts.status, facts.code, `message`).
 */
const serviceRefusals = [...commonServiceRefusals, ...salesUnitRefusals] as const;

const FoundPointOfSale = z.object({
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
   * Fetches an access token with these credentials, now, and, with a merchant, shows it to the service. `clientSecret` null: the one that the
   * daemon has. Passing is remembered for a draft with the same values (`provenAtMs`). `clockOffSeconds`: how far this machine's clock is ahead of the
   * service's.
   */
  testCredentials: procedure({
    who: 'installer',
    input: z.object({ wallet: ServiceAsked, merchantVat: MerchantVat.nullable() }),
    output: z.object({ expiresInSeconds: z.number(), clockOffSeconds: z.number().nullable(), stores: z.int().nonnegative().nullable() }),
    refusals: ['secretMissing', ...serviceRefusals],
  }),

  /**
   * Fetches an access token with these keys, now, and shows it to the service; in production, reads the sales unit back. Passing is remembered as of
   * `testCredentials`.
   * `name`, `country`: of the sales unit; null: the service does not say, as in its test environment.
   */
  testSalesUnit: procedure({
    who: 'installer',
    input: z.object({ wallet: SalesUnitAsked }),
    output: z.object({ name: z.string().nullable(), country: z.enum(countries).nullable(), clockOffSeconds: z.number().nullable() }),
    refusals: ['secretMissing', ...serviceRefusals],
  }),

  /** The stores of a merchant, or the one of a brand and location. Empty: none. `incomplete`: the wallet is not filled in yet. */
  findStores: procedure({
    who: 'installer',
    input: z.object({
      merchantVat: MerchantVat,
      at: z.object({ merchantBrandId: MerchantBrandId, merchantLocationId: MerchantLocationId }).nullable(),
    }),
    output: z.object({ stores: z.array(Store) }),
    refusals: ['incomplete', ...serviceRefusals],
  }),

  /**
   * The points of sale that there are: by your own number, by the beacon of a sticker, or all of the chosen store (at most 100). A beacon of another merchant
   * is not found. `incomplete`: wallet and store are not filled in yet.
   */
  findPointsOfSale: procedure({
    who: 'installer',
    input: z.discriminatedUnion('by', [
      z.object({ by: z.literal('merchantPosId'), merchantPosId: MerchantPosId }),
      z.object({ by: z.literal('beaconId'), beaconId: BeaconId }),
      z.object({ by: z.literal('store') }),
    ]),
    output: z.object({ pointsOfSale: z.array(FoundPointOfSale) }),
    refusals: ['incomplete', ...serviceRefusals],
  }),
} as const;

export type FoundPointOfSale = z.infer<typeof FoundPointOfSale>;
export type ServiceRefusal = (typeof serviceRefusals)[number];
