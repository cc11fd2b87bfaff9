import { ServiceRefusedError } from '../../wallets/http/errors.ts';
import type { Transport } from '../../wallets/http/transport.ts';
import type { Profile } from '../../wallets/v10/v10-profile.ts';
import * as operations from '../../wallets/v10/point-of-sale/point-of-sale-operations.ts';
import { isActive } from '../../wallets/v10/point-of-sale/point-of-sale-status.ts';

/**
 * Deletes a point of sale, only when all its reservations are settled (document 4, section 1.9,
 * step 7). Active payments, for which nobody waits, are cancelled. One that is gone already is
 * deleted too.
 * @returns the number of reservations: with any, the point of sale is still there
 * @throws as `Transport.call`
 */
export async function deletePointOfSale(
  transport: Transport,
  profile: Profile,
  posId: string,
): Promise<number> {
  try {
    const reservations = await reservationsAt(transport, profile, posId);
    if (reservations === 0) await transport.call(operations.deletePointOfSale, { posId });
    return reservations;
  } catch (error) {
    if (error instanceof ServiceRefusedError && (error.status === 404 || error.code === '1000'))
      return 0;
    throw error;
  }
}

async function reservationsAt(
  transport: Transport,
  profile: Profile,
  posId: string,
): Promise<number> {
  const { paymentIds } = await transport.call(operations.listPayments, { query: { posId } });
  let reserved = 0;
  for (const paymentId of paymentIds) {
    const { status } = await transport.call(operations.getPayment, { paymentId });
    if (isActive(profile, status)) await transport.call(operations.cancelPayment, { paymentId });
    else reserved += 1;
  }
  return reserved;
}
