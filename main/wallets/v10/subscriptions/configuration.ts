/**
 * The merchant, and the address and credentials of callbacks (interface document 1, "Provider
 * configuration"; document 4, section 3.1).
 */
import { z } from 'zod';
import { atCallbackPort, HttpUrl, SecureUrl } from '../../http/addresses.ts';
import { replacing } from './subscription-fields.ts';

const text = z.string().nullish();
const Secret = z.string().min(1, 'must not be empty');

/** The names of these fields begin with a capital letter, unlike all others. */
export const SubscriptionMerchant = z.object({
  Id: z.string(),
  SubscriptionProviders: z
    .array(
      z.looseObject({
        SubscriptionProviderId: z.guid(),
        Name: text,
        HomepageUrl: text,
        Status: text,
        Address: text,
        ZipCode: text,
        City: text,
      }),
    )
    .nullish(),
});
export type SubscriptionMerchant = z.infer<typeof SubscriptionMerchant>;

/** `status`: 0, 2, 3 or 4, without a word what they mean. */
export const SubscriptionProvider = z.looseObject({
  credentials: z.object({ key: text, password: text, scheme: text, scope: text }).nullish(),
  payment_status_callback_url: text,
  name: text,
  status: z.int().nullish(),
});

export const UpdateProviderBody = z
  .array(replacing('/payment_status_callback_url', HttpUrl))
  .min(1, 'must hold a replacement');

/** Earlier versions of the simulator refused http. */
export const SecureUpdateProviderBody = z
  .array(replacing('/payment_status_callback_url', SecureUrl))
  .min(1);

export const paymentCallbackAtPort = atCallbackPort<z.infer<typeof UpdateProviderBody>>(
  (replacements) => replacements.map(({ value }, at) => ({ field: `${at}.value`, value })),
);

export const OAuth2Body = z.object({
  client_id: Secret,
  client_secret: Secret,
  token_url: HttpUrl,
  scope: text,
});
export const ApiKeyBody = z.object({ api_key: Secret });
export const BasicBody = z.object({ user_name: Secret, password: Secret });
