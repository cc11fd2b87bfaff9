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
    'Where the point-of-sale interface is; the operations are below it.',
  ),
  authUrl: serviceAddress.describe('Where the token service is; /connect/token is below it.'),
  clientId: z.string().min(1).max(200).describe('From the provider, with the client secret.'),
  clientSecret: Secret,
  merchantVat: MerchantVat.describe('With the country prefix, without a dash.'),
  tokenFor: z
    .enum(['merchant', 'integrator'])
    .default('merchant')
    .describe(
      'merchant: the access token is usable for this merchant only. integrator: one for all merchants; the VAT number goes with every call.',
    ),
  profile: z
    .enum(profileNames)
    .default('generic')
    .describe('The names that this deployment of the service uses.'),
  reportingKey: Secret.optional().describe(
    "The merchant's API key for the reporting interface: with it the manager reconciles with the bank. As clientSecret.",
  ),
  testService: z
    .boolean()
    .default(false)
    .describe(
      'true: a service for tests, and every screen says so. Only then may the environment switch the checks of certificates off.',
    ),
  reportingUrl: serviceAddress
    .optional()
    .describe('Where the reporting interface is, when that is not below baseUrl.'),
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
