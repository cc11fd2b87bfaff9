/** The schemas of the wallet services that a counter can use, and of the secrets in them. */
import { z } from 'zod';
import { MerchantSerialNumber, MerchantVat, TillPassword } from '../../core/domain/field-rules.ts';
import { type Currency, currencies, v10Currencies } from '../../core/domain/money.ts';
import { type ServiceName, serviceNames } from '../../core/domain/sale.ts';
import { Secret, secretThat } from '../../support/settings/secrets.ts';
import { serviceAddress } from '../../core/domain/service-address.ts';
import {
  type Country,
  countries,
  currencyOfCountry,
  epaymentEnvironments,
  epaymentService,
} from '../../core/domain/wallet-services.ts';

/**
 * The password that is set in a till. Elsewhere or sealed, it is held to its rule once it has been
 * looked up.
 */
export const SecretTillPassword = secretThat(
  TillPassword,
  'The password that is set in the till, six digits. Commands with another one are refused. Default: any password is accepted. ',
);

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
    .enum(['generic', 'mobilepay'])
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
export type EpaymentService = z.infer<typeof EpaymentService>;

const EmbeddedSimulator = z.strictObject({
  simulator: z
    .literal(true)
    .describe('Embeds the simulated wallet service: for demonstrations and tests. No money moves.'),
  service: z
    .enum(serviceNames)
    .optional()
    .describe('The simulated service that takes the payments. Default: v10.'),
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
