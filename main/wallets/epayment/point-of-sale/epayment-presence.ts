import type { Transport } from '../../http/transport.ts';
import { getEpayment } from '../payments/payments-operations.ts';
import { saysThereIsNone } from './epayment-answers.ts';

/** A reference that no payment has, because order ids end with a part of a sale's id. */
const nobodysReference = 'tillbeacon-no-such-payment';

/**
 * The cheapest read there is, sent once: of a payment that does not exist. That the service does
 * not know it shows that keys, sales unit and way are right.
 * @throws as `Transport.call`
 */
export async function readEpaymentPresence(
  transport: Transport,
  signal?: AbortSignal,
): Promise<void> {
  try {
    await transport.call(
      getEpayment,
      { reference: nobodysReference },
      { maxAttempts: 1, ...(signal !== undefined && { signal }) },
    );
  } catch (error) {
    if (!saysThereIsNone(error)) throw error;
  }
}
