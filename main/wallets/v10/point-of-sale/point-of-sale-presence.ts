import type { Transport } from '../../http/transport.ts';
import { writeTimeoutMs } from '../v10-interfaces.ts';
import { listPointsOfSale } from './point-of-sale-operations.ts';

/**
 * The cheapest read that the documents have, sent once: the id of one point of sale. It waits as
 * long as a write, because the first request after a quiet time has a connection to make, which
 * over a mobile network takes longer than a read may.
 * @throws as `Transport.call`
 */
export async function readPointOfSalePresence(
  transport: Transport,
  merchantPosId: string,
  signal: AbortSignal,
): Promise<void> {
  await transport.call(
    { ...listPointsOfSale, timeoutMs: writeTimeoutMs },
    { query: { merchantPosId } },
    { signal, maxAttempts: 1 },
  );
}
