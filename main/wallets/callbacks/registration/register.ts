/**
 * Registers addresses and authentication of callbacks at the service (document 1, operations 1 to
 * 5; document 3, "Invoice callback authentication setup"; document 4, section 4).
 */
import { isDeepStrictEqual } from 'node:util';
import { outsideText } from '../../../core/domain/outside-text.ts';
import { isThisMachine, maskedAddress } from '../../../core/domain/service-address.ts';
import { SettingsError } from '../../../support/settings/settings-error.ts';
import type { SecretElsewhere } from '../../../core/domain/secret-elsewhere.ts';
import type { CallbackSettingsFile } from '../callback-settings.ts';
import { type Webhook, webhookEvents } from '../../v10/app-payments/webhook.ts';
import type { MerchantClient } from './merchants.ts';

export interface Registering {
  readonly settings: CallbackSettingsFile;
  /** The receiver's address, instead of that in the settings; null for the one in the settings. */
  readonly address: string | null;
  /** Which of the settings' merchants, from 0 on; null for all of them. */
  readonly merchant: number | null;
  /** Which of the settings' credentials, from 0 on; null for the only one. */
  readonly credential: number | null;
  /** Shows what is registered without changing it. */
  readonly showOnly: boolean;
  readonly lookUp: (secret: string | SecretElsewhere, where: string) => string;
  /** Writes the key of a webhook's signatures to the file that the settings name. */
  readonly keepKey: (file: string, key: string) => void;
  readonly open: (merchant: {
    readonly baseUrl: string;
    readonly apiKey: string;
  }) => MerchantClient;
  readonly say: (line: string) => void;
}

type Merchant = NonNullable<CallbackSettingsFile['catchUp']>[number];
type Scheme = NonNullable<CallbackSettingsFile['invoices']>[number];
/** The authentication of callbacks, with its secret. */
type Proof =
  | { readonly scheme: 'basic'; readonly userName: string; readonly password: string }
  | { readonly scheme: 'apiKey'; readonly apiKey: string }
  | {
      readonly scheme: 'oauth2';
      readonly clientId: string;
      readonly clientSecret: string;
      readonly scope?: string | undefined;
    };
type OwnWebhook = NonNullable<CallbackSettingsFile['appPayments']>[number] & {
  readonly where: string;
};

/** The registrations of one merchant, checked before the first request. */
interface Plan {
  readonly name: string;
  readonly merchant: Merchant;
  readonly client: MerchantClient;
  readonly subscriptions: Proof | null;
  readonly invoices: Proof | null;
  readonly webhook: OwnWebhook | null;
}

const receiverPaths = {
  subscriptions: '/callbacks/subscription-payments',
  agreements: '/callbacks/agreements',
  refunds: '/callbacks/refunds',
  invoices: '/callbacks/invoices',
  checkin: '/callbacks/checkin',
  token: '/oauth2/token',
} as const;

/**
 * Prints what is registered before and after. It can be called again: what is as wanted stays, and
 * a webhook is never created twice.
 * @throws SettingsError before anything is changed; WalletError, after which a part may be
 * registered, so that it has to be called again
 */
export async function register(registering: Registering): Promise<void> {
  const { settings, showOnly, say } = registering;
  const address = addressOf(registering);
  for (const plan of plansOf(registering)) {
    say(`${plan.name} at ${maskedAddress(plan.merchant.baseUrl)}`);
    // The webhook comes first, because it may show a mistake in the settings before anything is
    // changed.
    await forWebhook(plan, registering);
    await forSubscriptions(plan, address, registering);
    await forInvoices(plan, address, registering);
  }
  if (showOnly) return;
  if (settings.subscriptions !== undefined) {
    say(
      `  agreements: create each with ${address}${receiverPaths.agreements} as its success-callback and cancel-callback`,
    );
    say(
      `  refunds of subscription payments: request each with ${address}${receiverPaths.refunds} as its status_callback_url`,
    );
  }
  if (settings.checkin)
    say(
      `  check-ins: the service has no operation for them. Have its provider allow ${address}${receiverPaths.checkin}, and give points of sale the callbackAlias that it names`,
    );
}

function addressOf({ settings, address: chosen }: Registering): string {
  const address = chosen ?? settings.address;
  if (address === undefined)
    throw new SettingsError([
      'address: must be in the settings, or given with --address: where the service reaches the receiver',
    ]);
  const url = new URL(address);
  // Document 1, "Authentication", item 4. Only a simulated service calls an address of this
  // machine, and that at any port.
  if (url.port !== '' && !isThisMachine(url))
    throw new SettingsError([
      `address: must be on port 443, because the service calls no others than 80 and 443, got port ${url.port}`,
    ]);
  return url.href.replace(/\/+$/, '');
}

function plansOf({
  settings,
  merchant: chosen,
  credential,
  showOnly,
  lookUp,
  open,
}: Registering): Plan[] {
  const { catchUp: merchants = [], appPayments = [] } = settings;
  if (merchants.length === 0)
    throw new SettingsError([
      'catchUp: must name the merchant whose callbacks are registered, with its key; for the ePayment service give --counter',
    ]);
  if (chosen !== null && chosen >= merchants.length)
    throw new SettingsError([
      `--merchant: must be one of the ${merchants.length} in catchUp, got ${chosen + 1}`,
    ]);
  // The webhooks in the settings belong to the merchants with app payments, in their order.
  let webhooks = 0;
  return merchants
    .map((merchant, index) => {
      const ofThis = merchant.appPayments ? webhooks++ : -1;
      return { merchant, index, ofThis };
    })
    .filter(({ index }) => chosen === null || index === chosen)
    .map(({ merchant, index, ofThis }) => {
      const proof = (name: 'subscriptions' | 'invoices', wanted: boolean): Proof | null =>
        showOnly || !wanted ? null : proofOf(name, settings[name], credential, lookUp);
      const own = appPayments[ofThis];
      return {
        name: `merchant ${index + 1}`,
        merchant,
        client: open({
          baseUrl: merchant.baseUrl,
          apiKey: lookUp(merchant.apiKey, `catchUp.${index}.apiKey`),
        }),
        subscriptions: proof('subscriptions', merchant.providerId !== undefined),
        invoices: proof('invoices', merchant.merchantId !== undefined),
        webhook: own === undefined ? null : { ...own, where: `appPayments.${ofThis}` },
      };
    });
}

function proofOf(
  name: 'subscriptions' | 'invoices',
  schemes: readonly Scheme[] | undefined,
  chosen: number | null,
  lookUp: Registering['lookUp'],
): Proof | null {
  if (schemes === undefined) return null;
  if (chosen === null && schemes.length > 1)
    throw new SettingsError([
      `--credential: must say which of the ${schemes.length} in ${name} the service is to use`,
    ]);
  const index = chosen ?? 0;
  const scheme = schemes[index];
  if (scheme === undefined)
    throw new SettingsError([
      `--credential: must be one of the ${schemes.length} in ${name}, got ${index + 1}`,
    ]);
  const where = `${name}.${index}`;
  switch (scheme.scheme) {
    case 'basic':
      return { ...scheme, password: lookUp(scheme.password, `${where}.password`) };
    case 'apiKey':
      return { ...scheme, apiKey: lookUp(scheme.apiKey, `${where}.apiKey`) };
    case 'oauth2':
      if (name === 'invoices')
        throw new SettingsError([
          `${where}.scheme: must be basic or apiKey: the service knows no other for invoices, got oauth2`,
        ]);
      return { ...scheme, clientSecret: lookUp(scheme.clientSecret, `${where}.clientSecret`) };
  }
}

async function forSubscriptions(
  { merchant: { providerId }, client, subscriptions: proof }: Plan,
  address: string,
  { showOnly, say }: Registering,
): Promise<void> {
  if (providerId === undefined) return;
  const registered = async (): Promise<string> => {
    const { credentials, payment_status_callback_url: url } =
      await client.subscriptions.getSubscriptionProvider({ providerId });
    // The other fields are not printed: it is not documented which of them is the secret.
    return `${printable(url) ?? 'no address'}, ${printable(credentials?.scheme) ?? 'no authentication'}`;
  };
  say(`  subscriptions, ${showOnly ? 'registered' : 'before'}: ${await registered()}`);
  if (showOnly) return;
  if (proof === null)
    return say('  subscriptions: the settings have no credentials for them, left as it is');
  // The authentication comes first, because the receiver refuses callbacks without it.
  if (proof.scheme === 'basic')
    await client.subscriptions.setCallbackBasic({
      providerId,
      body: { user_name: proof.userName, password: proof.password },
    });
  if (proof.scheme === 'apiKey')
    await client.subscriptions.setCallbackApiKey({ providerId, body: { api_key: proof.apiKey } });
  if (proof.scheme === 'oauth2')
    await client.subscriptions.setCallbackOAuth2({
      providerId,
      body: {
        client_id: proof.clientId,
        client_secret: proof.clientSecret,
        token_url: `${address}${receiverPaths.token}`,
        ...(proof.scope !== undefined && { scope: proof.scope }),
      },
    });
  const value = `${address}${receiverPaths.subscriptions}`;
  await client.subscriptions.updateSubscriptionProvider({
    providerId,
    body: [{ op: 'replace', path: '/payment_status_callback_url', value }],
  });
  say(`  subscriptions, now: ${await registered()}`);
}

async function forInvoices(
  { merchant: { merchantId }, client, invoices: proof }: Plan,
  address: string,
  { showOnly, say }: Registering,
): Promise<void> {
  if (merchantId === undefined) return;
  say(`  invoices, ${showOnly ? 'registered' : 'before'}: the service does not tell`);
  if (showOnly) return;
  if (proof === null)
    return say('  invoices: the settings have no credentials for them, left as it is');
  const callbackurl = `${address}${receiverPaths.invoices}`;
  if (proof.scheme === 'basic')
    await client.invoices.setInvoiceCallbackBasicAuth({
      merchantId,
      body: { username: proof.userName, password: proof.password, callbackurl },
    });
  if (proof.scheme === 'apiKey')
    await client.invoices.setInvoiceCallbackApiKey({
      merchantId,
      body: { ApiKey: proof.apiKey, callbackurl },
    });
  say(`  invoices, now: ${callbackurl}, ${proof.scheme}`);
}

async function forWebhook(
  { merchant, client, webhook: own }: Plan,
  { showOnly, say, lookUp, keepKey }: Registering,
): Promise<void> {
  if (!merchant.appPayments) return;
  const webhooks = async (): Promise<readonly Webhook[]> =>
    (await client.appPayments.listWebhooks({})).webhooks;
  const before = await webhooks();
  sayWebhooks(before, showOnly ? 'registered' : 'before', say);
  if (showOnly) return;
  if (own === null)
    return say(
      '  app payments: the settings have no webhook for this merchant (appPayments), left as it is',
    );
  const found = before.find(
    ({ url, paymentPointId }) => paymentPointId == null && isSameAddress(url, own.url),
  );
  const keyFile =
    typeof own.signatureKey === 'object' && 'file' in own.signatureKey
      ? own.signatureKey.file
      : null;
  // Without a file for the key the receiver could not check signatures, unless the settings have
  // the key already.
  if (
    keyFile === null &&
    found?.signatureKey !== lookUp(own.signatureKey, `${own.where}.signatureKey`)
  )
    throw new SettingsError([
      `${own.where}.signatureKey: must be { "file": "PATH" }, so that the key that the service makes up can be kept there, or the key of the webhook that is registered`,
    ]);
  const body = { url: own.url, events: [...webhookEvents] };
  const { signatureKey, url } = await put(client, found, body);
  sayWebhooks(await webhooks(), 'now', say);
  if (keyFile !== null) {
    keepKey(keyFile, signatureKey);
    say(`  app payments: the key of the signatures is in ${keyFile}; restart a running receiver`);
  }
  // The signature is made over the address as the service writes it.
  if (url !== own.url)
    throw new SettingsError([
      `${own.where}.url: must be as the service writes it, ${printable(url)}, got ${maskedAddress(own.url)}`,
    ]);
}

type WebhookBody = Parameters<MerchantClient['appPayments']['createWebhook']>[0]['body'];

/**
 * Changes the webhook that exists, because a second one at the same address would send everything
 * twice.
 */
async function put(
  { appPayments }: MerchantClient,
  found: Webhook | undefined,
  body: WebhookBody,
): Promise<Webhook> {
  if (found === undefined) return appPayments.createWebhook({ body });
  const isAsWanted = isDeepStrictEqual(found.events.toSorted(), body.events.toSorted());
  return isAsWanted ? found : appPayments.updateWebhook({ webhookId: found.webhookId, body });
}

function sayWebhooks(webhooks: readonly Webhook[], when: string, say: Registering['say']): void {
  if (webhooks.length === 0) say(`  app payments, ${when}: no webhook`);
  for (const { url, events, paymentPointId } of webhooks)
    say(
      `  app payments, ${when}: ${printable(url)}, ${printable(events.join(' '))}${paymentPointId == null ? '' : `, of payment point ${printable(paymentPointId)}`}`,
    );
}

export const isSameAddress = (one: string, other: string): boolean =>
  URL.parse(one)?.href === URL.parse(other)?.href;

/**
 * Makes a text of the service safe to print: without control characters, and with tokens in
 * addresses masked.
 */
const printable = (text: string | null | undefined): string | null =>
  text == null || text === '' ? null : outsideText(maskedAddress(text));
