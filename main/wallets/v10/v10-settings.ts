/** The settings of the point-of-sale interface, version 10, and what it asks of a lane's. */
import { z } from 'zod';
import { MerchantVat } from '../../core/domain/field-rules.ts';
import { serviceAddress } from '../../core/domain/service-address.ts';
import { Secret } from '../../support/settings/secrets.ts';
import type { CheckedLane, LaneIssue } from '../wallet-provider.ts';
import { profileNames } from './v10-profile.ts';

export const V10Settings = z.strictObject({
  service: z
    .literal('v10')
    .optional()
    .describe('The point-of-sale interface, version 10. Optional.'),
  baseUrl: serviceAddress.describe(
    'The address of the point-of-sale interface. The operations are below it.',
  ),
  authUrl: serviceAddress.describe('The address of the token service. /connect/token is below it.'),
  clientId: z
    .string()
    .min(1)
    .max(200)
    .describe('The client id. The provider sends it with the client secret.'),
  clientSecret: Secret,
  merchantVat: MerchantVat.describe(
    "The merchant's VAT number, with the country prefix and without a dash.",
  ),
  tokenFor: z
    .enum(['merchant', 'integrator'])
    .default('merchant')
    .describe(
      'merchant: the access token is valid for this merchant only. integrator: one token is valid for all merchants, and every call carries the VAT number.',
    ),
  profile: z
    .enum(profileNames)
    .default('generic')
    .describe('The names that this deployment of the service uses.'),
  reportingKey: Secret.optional().describe(
    "The merchant's API key for the reporting interface. The manager reconciles with the bank with it. A secret like clientSecret.",
  ),
  testService: z
    .boolean()
    .default(false)
    .describe(
      'true: this is a test service, and every screen says so. Only with true may the environment switch the checks of certificates off.',
    ),
  reportingUrl: serviceAddress
    .optional()
    .describe('The address of the reporting interface. Default: below baseUrl.'),
});
export type V10Settings = z.infer<typeof V10Settings>;

/** Each point of sale lies in a store. */
export const v10FormerLaneIssues = ({ pointOfSale }: CheckedLane): readonly LaneIssue[] =>
  pointOfSale.storeId === undefined
    ? [
        {
          path: 'pointOfSale.storeId',
          message: 'must be there: the point-of-sale interface needs it',
          input: undefined,
        },
      ]
    : [];

export function v10LaneIssues(lane: CheckedLane): readonly LaneIssue[] {
  const { sticker, scanner, customerTypesNumber } = lane;
  const issues = [...v10FormerLaneIssues(lane)];
  if (sticker !== undefined)
    issues.push({
      path: 'sticker',
      message:
        'must be left out with the point-of-sale interface: pointOfSale.beaconTypes and beaconId are its stickers',
      input: sticker,
    });
  if (customerTypesNumber)
    issues.push({
      path: 'customerTypesNumber',
      message:
        'must be false but with the ePayment interface and flow prepare: nobody is named otherwise',
      input: customerTypesNumber,
    });
  if (scanner !== undefined)
    issues.push({
      path: 'scanner',
      message:
        'must be left out with the point-of-sale interface: customers find the lane themselves',
      input: scanner,
    });
  return issues;
}
