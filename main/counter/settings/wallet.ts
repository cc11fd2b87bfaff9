/** The settings of the wallet providers that a counter can use, and the secrets in them. */
import { z } from 'zod';
import type { Currency } from '../../core/domain/money.ts';
import { type ServiceName, serviceNames } from '../../core/domain/sale.ts';
import { type Secret } from '../../support/settings/secrets.ts';
import { allProviders, providerOf, type ProviderSettings } from '../../wallets/wallet-providers.ts';

const EmbeddedSimulator = z.strictObject({
  simulator: z
    .literal(true)
    .describe('Embeds the simulated wallet service: for demonstrations and tests. No money moves.'),
  service: z
    .enum(serviceNames)
    .optional()
    .describe('The simulated service that takes the payments. Default: v10.'),
});

const providerSettings = allProviders.map(({ settings }) => settings);

export const Wallet = z.union([EmbeddedSimulator, ...providerSettings]);
export type WalletSettings = z.infer<typeof Wallet>;

export const FormerWallet = z.union(providerSettings);
export type FormerWalletSettings = ProviderSettings;

type WithService = { readonly service?: ServiceName | undefined };

/** The interface by which payments are made. */
export const serviceOf = ({ service = 'v10' }: WithService): ServiceName => service;

/** Where the provider is. */
export const addressOf = (wallet: ProviderSettings): string => providerOf(wallet).addressOf(wallet);

/** Whether no real money moves, and certificates may be unchecked. */
export const isForTests = (wallet: WalletSettings): boolean =>
  !('simulator' in wallet) && providerOf(wallet).isForTests(wallet);

/** The currencies in which lanes can be paid. */
export const currenciesOf = (wallet: WalletSettings): readonly Currency[] =>
  'simulator' in wallet ? providerOf(wallet).currencies : providerOf(wallet).currenciesOf(wallet);

const secretFields = [
  ...new Set(
    allProviders.flatMap(({ credentials }) =>
      credentials.flatMap(({ field, isSecret }) => (isSecret ? [field] : [])),
    ),
  ),
];

/** Everything else as it is. @param secret is given each by the name of its setting */
export function mapSecrets<Wallet extends object>(
  wallet: Wallet,
  secret: (secret: Secret, field: string) => Secret,
): Wallet {
  const secrets: Partial<Record<string, Secret | null>> = { ...wallet };
  return Object.assign(
    { ...wallet },
    ...secretFields.map((field) =>
      secrets[field] == null ? {} : { [field]: secret(secrets[field], field) },
    ),
  );
}

/** The secrets of a wallet that are there. */
export const secretsIn = (wallet: object): string[] => {
  const secrets: Partial<Record<string, unknown>> = { ...wallet };
  return secretFields.flatMap((field) =>
    typeof secrets[field] === 'string' ? secrets[field] : [],
  );
};
