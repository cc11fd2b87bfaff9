/** The list of providers. A new one is its folder, its line here, and its name in `ServiceName`. */
import type { z } from 'zod';
import type { ServiceName } from '../core/domain/sale.ts';
import { epaymentProvider } from './epayment/epayment-provider.ts';
import { v10Provider } from './v10/v10-provider.ts';
import type { WalletProvider } from './wallet-provider.ts';

const walletProviders = {
  epayment: epaymentProvider,
  v10: v10Provider,
} as const satisfies Record<ServiceName, { readonly settings: z.ZodType }>;

/** The settings of any provider. */
export type ProviderSettings = z.infer<(typeof walletProviders)[ServiceName]['settings']>;

/** Settings name their provider, so a provider gets settings of its own schema alone. */
const providers: Readonly<Record<ServiceName, WalletProvider<ProviderSettings>>> = walletProviders;

export const allProviders = Object.values(providers);

/** @param service missing in settings and records of earlier versions, which knew v10 alone */
export const providerOf = ({
  service = 'v10',
}: {
  readonly service?: ServiceName | undefined;
}): WalletProvider<ProviderSettings> => providers[service];
