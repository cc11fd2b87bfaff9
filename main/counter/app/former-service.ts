import type { PointOfSaleClient } from '../../core/lane/wallet-port.ts';
import type { OpenedProvider } from '../../wallets/wallet-provider.ts';

/**
 * A provider that takes no new payments: its points of sale are opened only when something has to
 * be looked up there.
 */
export const openedWhenAsked = (provider: OpenedProvider): OpenedProvider => ({
  ...provider,
  counterOf: (lane) => openedFirst(provider.counterOf(lane)),
});

/** As {@link openedWhenAsked}, for one lane. */
export function openedFirst(client: PointOfSaleClient): PointOfSaleClient {
  let isOpen = false;
  /**
   * A point of sale that cannot be opened is tried again with the next request; this one is
   * answered as unknown.
   */
  const first = async (): Promise<void> => {
    if (!isOpen) isOpen = (await client.open()).kind === 'open';
  };
  return {
    ...client,
    async lookUp(orderId) {
      await first();
      return client.lookUp(orderId);
    },
    async identify(request) {
      await first();
      return client.identify(request);
    },
    async listOpen(isOfInterest) {
      await first();
      return client.listOpen(isOfInterest);
    },
  };
}
