/** The settings of the ePayment interface, and what it asks of a lane's. */
import { z } from 'zod';
import { MerchantSerialNumber } from '../../core/domain/field-rules.ts';
import { serviceAddress } from '../../core/domain/service-address.ts';
import { stickerRule } from '../../core/domain/stickers.ts';
import {
  countries,
  epaymentEnvironments,
  epaymentService,
} from '../../core/domain/wallet-services.ts';
import { Secret } from '../../support/settings/secrets.ts';
import type { CheckedLane, LaneIssue } from '../wallet-provider.ts';

const inHeader = (what: string) =>
  z
    .string()
    .regex(
      /^[\x21-\x7e]{1,200}$/,
      `must be ${what}: up to 200 letters, digits and signs, without spaces`,
    );

export const EpaymentSettings = z.strictObject({
  service: z
    .literal('epayment')
    .describe('The ePayment interface, with the keys of one sales unit.'),
  environment: z
    .enum(epaymentEnvironments)
    .describe(
      'production, or test. In test no real money moves, and every screen says so. Each key belongs to one environment.',
    ),
  country: z
    .enum(countries)
    .describe('The country of the sales unit. Payments are in its currency.'),
  clientId: inHeader('the client id (client_id) of the sales unit').describe(
    'The client_id of the sales unit.',
  ),
  clientSecret: Secret,
  subscriptionKey: Secret.describe(
    'The Ocp-Apim-Subscription-Key, primary or secondary. A secret like clientSecret.',
  ),
  secondSubscriptionKey: Secret.optional().describe(
    'The other subscription key, used while the first is being replaced. A secret like clientSecret.',
  ),
  merchantSerialNumber: MerchantSerialNumber.describe(
    'The merchant serial number (MSN) of the sales unit.',
  ),
  code: z
    .enum(['picture', 'text'])
    .default('picture')
    .describe(
      "picture: the service draws each payment's code. text: this counter draws it, which needs the service's approval.",
    ),
  baseUrl: serviceAddress
    .optional()
    .describe(
      'The address of the service, for a simulated one. Default: the address of the environment.',
    ),
});
export type EpaymentSettings = z.infer<typeof EpaymentSettings>;

export const epaymentAddress = ({
  baseUrl,
  environment,
}: Pick<EpaymentSettings, 'baseUrl' | 'environment'>): string =>
  baseUrl ?? epaymentService.environments[environment];

/**
 * Every secret is sent in a header. A character that no header can carry would fail each call with
 * an English message of the platform.
 */
export const epaymentSecretRule = {
  pattern: /^[\x21-\x7e]{1,1000}$/,
  message: 'must be up to 1000 letters, digits and signs, without spaces',
};

/** Customers read it beside the amount (document 5, section 2.2). */
const minDescriptionCharacters = 3;

export function epaymentLaneIssues(
  {
    flow,
    checkInFirst,
    restrictions,
    pointOfSale,
    sticker,
    scanner,
    customerTypesNumber,
  }: CheckedLane,
  hasReceiver: boolean,
): readonly LaneIssue[] {
  const issues: LaneIssue[] = [];
  const issue = (path: string, message: string, input: unknown): number =>
    issues.push({ path, message, input });
  if (customerTypesNumber && flow !== 'prepare')
    issue(
      'customerTypesNumber',
      'must be false but with the ePayment interface and flow prepare: nobody is named otherwise',
      customerTypesNumber,
    );
  if (scanner !== undefined && flow !== 'prepare')
    issue(
      'flow',
      'must be prepare with a scanner: the customer is found first, then the amount',
      flow,
    );
  if (sticker !== undefined && !hasReceiver) issue('sticker', stickerRule, sticker);
  if (sticker !== undefined && flow !== 'prepare')
    issue(
      'flow',
      'must be prepare with a sticker: the customer is found first, then the amount',
      flow,
    );
  const withInterface = 'with the ePayment interface';
  if (checkInFirst && sticker === undefined)
    issue(
      'checkInFirst',
      `must be false ${withInterface} where the lane has no sticker: each payment has a code of its own`,
      checkInFirst,
    );
  if (restrictions !== undefined)
    issue('restrictions', `must be left out ${withInterface}: it takes every card`, restrictions);
  if (pointOfSale.name.length < minDescriptionCharacters)
    issue(
      'pointOfSale.name',
      `must have at least ${minDescriptionCharacters} characters ${withInterface}`,
      pointOfSale.name,
    );
  return issues;
}
