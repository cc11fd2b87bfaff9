/** The schema of a callback receiver's settings file. */
import { z } from 'zod';
import { networkSettings } from '../../core/domain/network-settings.ts';
import { SecretElsewhere, secretElsewhereSays } from '../../core/domain/secret-elsewhere.ts';
import { serviceAddress, wholeAddress } from '../../core/domain/service-address.ts';
import { merchantQrIdPattern, merchantQrIdRule } from '../../core/domain/stickers.ts';
import { profileNames } from '../v10/v10-profile.ts';

const Secret = z.union([z.string().min(1), SecretElsewhere]).describe(`${secretElsewhereSays}.`);

const Basic = z.strictObject({
  scheme: z.literal('basic'),
  userName: z.string().regex(/^[^:]+$/, 'must not be empty and not hold a colon'),
  password: Secret,
});
const ApiKey = z.strictObject({ scheme: z.literal('apiKey'), apiKey: Secret });
/** RFC 6749, section 3.3. */
const scopePattern = /^[!#-[\]-~]+(?: [!#-[\]-~]+)*$/;
const OAuth2 = z.strictObject({
  scheme: z.literal('oauth2'),
  clientId: z.string().regex(/^[^:]+$/, 'must not be empty and not hold a colon'),
  clientSecret: Secret,
  scope: z
    .string()
    .regex(
      scopePattern,
      'must be words with one blank between them, without quotes and backslashes',
    )
    .optional()
    .describe('The scope that the service asks our token endpoint for. Without it, none.'),
});
/**
 * Several are valid at once: one for each merchant, or the old and the new one while they change.
 */
const Credentials = z
  .array(z.discriminatedUnion('scheme', [Basic, ApiKey, OAuth2]))
  .min(1, 'must hold at least one credential')
  .max(1_000, 'must hold at most 1000 credentials');

const Merchant = z
  .strictObject({
    baseUrl: serviceAddress.describe('Where the interfaces are.'),
    apiKey: Secret.describe('Of the merchant.'),
    providerId: z.guid('must be a UUID').optional().describe('Of subscriptions.'),
    merchantId: z.guid('must be a UUID').optional().describe('Of invoices.'),
    appPayments: z.boolean().default(false),
  })
  .refine(
    ({ providerId, merchantId, appPayments }) =>
      providerId !== undefined || merchantId !== undefined || appPayments,
    {
      message: 'must name at least one of providerId, merchantId and appPayments',
    },
  );

const Follower = z.strictObject({
  token: Secret.describe(
    'Sent as "Authorization: Bearer …": 32 to 200 letters, digits and . _ ~ + / = -.',
  ),
  stickers: z
    .array(z.string().regex(merchantQrIdPattern, merchantQrIdRule))
    .min(1, 'must name at least one sticker')
    .max(1_000, 'must name at most 1000 stickers')
    .describe('The ids of its stickers (merchantQrId, or the beacon id). It is told of no others.'),
});

export const CallbackSettingsFile = z
  .strictObject({
    $schema: z.string().optional(),
    listen: z
      .strictObject({
        host: z
          .string()
          .min(1)
          .default('127.0.0.1')
          .describe(
            'The address to listen on; a reverse proxy with TLS stands in front, at port 443.',
          ),
        port: z.int().min(0).max(65_535).default(4_170).describe('The port. 0: any free port.'),
      })
      .prefault({}),
    address: serviceAddress
      .optional()
      .describe(
        'Where the service reaches this receiver: the address of the proxy in front. For registering it there.',
      ),
    profile: z
      .enum(profileNames)
      .default('generic')
      .describe('The names that this deployment of the service uses.'),
    subscriptions: Credentials.optional().describe(
      'What callbacks of subscriptions authenticate with.',
    ),
    invoices: Credentials.optional().describe('What callbacks of invoices authenticate with.'),
    appPayments: z
      .array(z.strictObject({ url: wholeAddress, signatureKey: Secret }))
      .min(1, 'must hold at least one webhook')
      .max(100, 'must hold at most 100 webhooks')
      .optional()
      .describe("The webhooks, each as the service's record of it says."),
    catchUp: z
      .array(Merchant)
      .min(1, 'must hold at least one merchant')
      .max(1_000, 'must hold at most 1000 merchants')
      .optional()
      .describe(
        'Whom to ask, and with which key, for what callbacks would have said while they could not arrive.',
      ),
    epayment: z
      .array(z.strictObject({ url: wholeAddress, secret: Secret }))
      .min(1, 'must hold at least one webhook')
      .max(100, 'must hold at most 100 webhooks')
      .optional()
      .describe(
        'The webhooks of the ePayment service: the address as it was registered, and the secret that was told then.',
      ),
    followers: z
      .array(Follower)
      .min(1, 'must hold at least one follower')
      .max(1_000, 'must hold at most 1000 followers')
      .optional()
      .describe(
        'The counters that ask here (/follow) for scans of their stickers, each with a token of its own.',
      ),
    network: networkSettings(Secret)
      .optional()
      .describe('How this receiver reaches the internet, where that is not plain.'),
    checkin: z.boolean().default(false).describe('Take check-in notifications. Nobody signs them.'),
  })
  .refine(
    ({ subscriptions, invoices, appPayments, epayment, checkin }) =>
      Boolean(subscriptions ?? invoices ?? appPayments ?? epayment ?? checkin),
    {
      message:
        'must name at least one of subscriptions, invoices, appPayments, epayment and checkin',
    },
  )
  .refine(({ followers, epayment }) => followers === undefined || epayment !== undefined, {
    path: ['followers'],
    message: 'need epayment: scans of stickers come from that service alone',
  });

export type CallbackSettingsFile = z.infer<typeof CallbackSettingsFile>;

type WithSecrets<T> = T extends SecretElsewhere
  ? never
  : T extends object
    ? { [Key in keyof T]: WithSecrets<T[Key]> }
    : T;
/** Settings whose secrets have been looked up. */
export type CallbackSettings = WithSecrets<CallbackSettingsFile>;

/** @param lookUp what stands where, and its path in the settings, e.g. `invoices.0.apiKey` */
export function withSecrets(
  settings: CallbackSettingsFile,
  lookUp: (secret: SecretElsewhere, path: string) => string,
): CallbackSettings {
  const replaced = (value: unknown, path: readonly string[]): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value))
      return value.map((one, index) => replaced(one, [...path, String(index)]));
    const elsewhere = SecretElsewhere.safeParse(value);
    if (elsewhere.success) return lookUp(elsewhere.data, path.join('.'));
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, replaced(one, [...path, name])]),
    );
  };
  // Same shape, with a string for each secret: a walk over values loses the type.
  return replaced(settings, []) as CallbackSettings;
}
