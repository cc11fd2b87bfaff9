/**
 * Writes the first settings of a receiver: with the ids that the service has for the merchant's
 * key, and with random secrets.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isThisMachine } from '../../../core/domain/service-address.ts';
import { SettingsError } from '../../../support/settings/settings-error.ts';
import { writeFileAtomically } from '../../../support/atomic-file.ts';
import { makeFolder } from '../../../support/make-folder.ts';
import type { ProfileName } from '../../v10/v10-profile.ts';
import type { CallbackSettingsFile } from '../callback-settings.ts';
import type { MerchantClient } from './merchants.ts';

export interface NewSettings {
  /** Path of the file, which must not exist yet. */
  readonly path: string;
  readonly address: string;
  readonly service: string;
  readonly profile: ProfileName;
  readonly apiKey: string;
  readonly client: MerchantClient;
}

/** Files for the secrets beside the settings, readable by this user alone. */
const secretFiles = {
  merchant: 'merchant-key',
  subscriptions: 'subscriptions-password',
  invoices: 'invoices-key',
  appPayments: 'webhook-key',
} as const;

/** @throws SettingsError when one of the files exists already; WalletError; errors of the disk */
export async function writeNewSettings({
  path,
  address,
  service,
  profile,
  apiKey,
  client,
}: NewSettings): Promise<void> {
  const folder = dirname(path);
  for (const name of [path, ...Object.values(secretFiles).map((file) => join(folder, file))])
    if (existsSync(name))
      throw new SettingsError([
        `--settings: must name a file that is not there yet when it is to be written, in a folder without secrets of others: ${name} is there`,
      ]);
  const { Id: merchantId, SubscriptionProviders: providers } =
    await client.subscriptions.getSubscriptionMerchant({});
  const providerId = providers?.[0]?.SubscriptionProviderId;
  const to = new URL(address);
  const secret = (): string => randomBytes(24).toString('base64url');
  const settings: Omit<CallbackSettingsFile, 'listen'> & {
    readonly listen: Partial<CallbackSettingsFile['listen']>;
  } = {
    address: to.href.replace(/\/$/, ''),
    // A receiver that is called at this machine has no proxy in front of it, so it listens at the
    // port of its address.
    listen: isThisMachine(to) && to.port !== '' ? { port: Number(to.port) } : {},
    profile,
    ...(providerId === undefined
      ? {}
      : {
          subscriptions: [
            {
              scheme: 'basic' as const,
              userName: 'wallet',
              password: { file: secretFiles.subscriptions },
            },
          ],
        }),
    invoices: [{ scheme: 'apiKey', apiKey: { file: secretFiles.invoices } }],
    appPayments: [
      {
        url: `${to.href.replace(/\/$/, '')}/callbacks/app-payments`,
        signatureKey: { file: secretFiles.appPayments },
      },
    ],
    catchUp: [
      {
        baseUrl: service,
        apiKey: { file: secretFiles.merchant },
        ...(providerId === undefined ? {} : { providerId }),
        merchantId,
        appPayments: true,
      },
    ],
    checkin: false,
  };
  makeFolder(folder, 0o700);
  writeFileAtomically(join(folder, secretFiles.merchant), `${apiKey}\n`);
  if (providerId !== undefined)
    writeFileAtomically(join(folder, secretFiles.subscriptions), `${secret()}\n`);
  writeFileAtomically(join(folder, secretFiles.invoices), `${secret()}\n`);
  writeFileAtomically(path, `${JSON.stringify(settings, null, 2)}\n`);
}
