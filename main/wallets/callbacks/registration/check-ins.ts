/**
 * Shows to which notification service check-ins go: by the alias that a point of sale has since its
 * creation (document 4, section 1.14).
 */
import { outsideText } from '../../../core/domain/outside-text.ts';
import type { Client } from '../../v10/typed-client.ts';
import type { pointOfSaleOperations } from '../../v10/point-of-sale/point-of-sale-operations.ts';

interface Lane {
  readonly id: string;
  readonly name: string;
  readonly pointOfSale: { readonly merchantPosId: string };
}

/**
 * Prints the alias of each lane's point of sale. Changes nothing.
 * @throws WalletError
 */
export async function sayCheckInAliases(
  client: Client<typeof pointOfSaleOperations>,
  lanes: readonly Lane[],
  say: (line: string) => void,
): Promise<void> {
  for (const { id, name: laneName, pointOfSale } of lanes) {
    const { posIds } = await client.listPointsOfSale({
      query: { merchantPosId: pointOfSale.merchantPosId },
    });
    const aliases = await Promise.all(
      posIds.map(async (posId) => (await client.getPointOfSale({ posId })).callbackAlias),
    );
    const words = aliases.map((alias) =>
      alias == null || alias === ''
        ? 'no callbackAlias: the service tells nobody of check-ins'
        : `callbackAlias ${outsideText(alias)}`,
    );
    say(
      `  check-ins, lane ${id} (${outsideText(laneName)}): ${words.join(', ') || 'no point of sale at the service yet'}`,
    );
  }
}
