/** The schemas of the wallet services that a counter can use, and of the secrets in them. */
import { z } from 'zod';
import { MerchantSerialNumber, MerchantVat } from '../../core/domain/field-rules.ts';
import { type Currency, currencies, v10Currencies } from '../../core/domain/money.ts';
import { type ServiceName, serviceNames } from '../../core/domain/sale.ts';
import { Secret } from '../../support/settings/secrets.ts';
import { serviceAddress } from '../../core/domain/service-address.ts';
import {
  type Country,
  countries,
  currencyOfCountry,
  epaymentEnvironments,
  epaymentService,
} from '../../core/domain/wallet-services.ts';

/** Those of each service, by the names of their settings. */
const secretFields = [
  'clientSecret',
  'reportingKey',
  'subscriptionKey',
  'secondSubscriptionKey',
] as const;
type SecretField = (typeof secretFields)[number];

const PointOfSaleService = z.strictObject({
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
    .enum(['generic', 'mobilepay'])
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
export type PointOfSaleService = z.infer<typeof PointOfSaleService>;

const inHeader = (what: string) =>
  z
    .string()
    .regex(
      /^[\x21-\x7e]{1,200}$/,
      `must be ${what}: up to 200 letters, digits and signs, without spaces`,
    );

const EpaymentService = z.strictObject({
  service: z
    .literal('epayment')
    .describe('The ePayment interface, with the keys of one sales unit.'),
  environment: z
    .enum(epaymentEnvironments)
    .describe(
      'production, or test: no real money moves, and every screen says so. Keys are of one of them.',
    ),
  country: z
    .enum(countries)
    .describe('Of the sales unit: its payments are in the currency of that country.'),
  clientId: inHeader('the client id (client_id) of the sales unit').describe(
    'Of the sales unit (client_id).',
  ),
  clientSecret: Secret,
  subscriptionKey: Secret.describe(
    'Ocp-Apim-Subscription-Key, the primary or the secondary one. As clientSecret.',
  ),
  secondSubscriptionKey: Secret.optional().describe(
    'The other one: used while the first is being replaced. As clientSecret.',
  ),
  merchantSerialNumber: MerchantSerialNumber.describe('Of the sales unit (MSN).'),
  code: z
    .enum(['picture', 'text'])
    .default('picture')
    .describe(
      "picture: each payment's code as the service draws it. text: drawn here; for whoever has the service's approval to do so.",
    ),
  baseUrl: serviceAddress
    .optional()
    .describe('Where the service is; left out: where the environment is. For a simulated service.'),
});
export type EpaymentService = z.infer<typeof EpaymentService>;

const EmbeddedSimulator = z.strictObject({
  simulator: z
    .literal(true)
    .describe('Embeds the simulated wallet service: for demonstrations and tests. No money moves.'),
  service: z
    .enum(serviceNames)
    .optional()
    .describe('Which of the simulated services takes the payments. Left out: v10.'),
});

export const Wallet = z.union([EmbeddedSimulator, EpaymentService, PointOfSaleService]);
export type WalletSettings = z.infer<typeof Wallet>;

export const FormerWallet = z.union([EpaymentService, PointOfSaleService]);
export type FormerWalletSettings = z.infer<typeof FormerWallet>;

type WithService = { readonly service?: ServiceName | undefined };

/** The interface by which payments are made. */
export const serviceOf = ({ service = 'v10' }: WithService): ServiceName => service;

type Addressed =
  | Pick<PointOfSaleService, 'service' | 'baseUrl'>
  | Pick<EpaymentService, 'service' | 'environment' | 'baseUrl'>;

/** Where the service is. */
export const addressOf = (wallet: Addressed): string =>
  wallet.service === 'epayment'
    ? (wallet.baseUrl ?? epaymentService.environments[wallet.environment])
    : wallet.baseUrl;

/** No real money moves, and certificates may be unchecked. */
export function isForTests(
  wallet:
    | { readonly simulator: true }
    | { readonly testService: boolean }
    | { readonly environment: string },
): boolean {
  if ('simulator' in wallet) return false;
  return 'testService' in wallet ? wallet.testService : wallet.environment === 'test';
}

/**
 * Those that the service takes; of the ePayment service the sales unit's own alone (document 5,
 * section 2.2).
 */
export const currenciesOf = (
  wallet: WithService & { readonly country?: Country },
): readonly Currency[] =>
  wallet.country !== undefined
    ? [currencyOfCountry[wallet.country]]
    : serviceOf(wallet) === 'v10'
      ? v10Currencies
      : currencies;

/** Everything else as it is. @param secret is given each by the name of its setting */
export function mapSecrets<Wallet extends object>(
  wallet: Wallet,
  secret: (secret: Secret, field: SecretField) => Secret,
): Wallet {
  const secrets: Partial<Record<SecretField, Secret | null>> = wallet;
  return Object.assign(
    { ...wallet },
    ...secretFields.map((field) =>
      secrets[field] == null ? {} : { [field]: secret(secrets[field], field) },
    ),
  );
}

/** The wallet once its secrets have been looked up. */
export type WithSecrets<Wallet> = Wallet extends object
  ? { [Field in keyof Wallet]: Field extends SecretField ? Ready<Wallet[Field]> : Wallet[Field] }
  : never;
type Ready<Value> = Value extends undefined ? undefined : string;

/** The secrets of a wallet that are there. */
export const secretsIn = (wallet: object): string[] => {
  const secrets: Partial<Record<SecretField, unknown>> = wallet;
  return secretFields.flatMap((field) =>
    typeof secrets[field] === 'string' ? secrets[field] : [],
  );
};
