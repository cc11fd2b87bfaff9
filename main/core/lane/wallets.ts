import type { ServiceName } from '../domain/sale.ts';
import type { PointOfSaleClient } from './wallet-port.ts';

/**
 * The clients of a lane: of the service in use, and of the one before it, as long as something of
 * that may be open or refunded.
 */
export interface Wallets {
  readonly wallet: PointOfSaleClient;
  /** The service before the present one; missing when there was no change. */
  readonly formerWallet?: PointOfSaleClient | undefined;
}

/**
 * The client of the service at which something was begun: no other is ever asked about it.
 * @param service as the journal has it. Left out: v10, as by every version that knew no other
 * @returns null: the settings no longer have it
 */
export function walletOf(
  { wallet, formerWallet }: Wallets,
  { service = 'v10' }: { readonly service?: ServiceName },
): PointOfSaleClient | null {
  return [wallet, formerWallet].find((one) => one?.service === service) ?? null;
}
