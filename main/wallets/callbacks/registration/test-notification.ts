/**
 * Tests the whole path of a callback: the service sends a test notification, which has to arrive in
 * the file (document 4, section 4).
 */
import { type Clock, sleep } from '../../../core/domain/clock.ts';
import type { StoredRecord } from '../callback-record.ts';
import type { CallbackReader } from '../sqlite-reader.ts';
import type { MerchantClient } from './merchants.ts';
import { isSameAddress } from './register.ts';

export interface TestOptions {
  readonly client: MerchantClient;
  /** Addresses of the webhooks in the settings. */
  readonly urls: readonly string[];
  readonly reader: CallbackReader;
  readonly clock: Clock;
}

/** Longer than the service waits for an answer. */
const timeoutMs = 30_000;
const lookEveryMs = 100;

/**
 * @returns the record that arrived; a sentence that says why none did
 * @throws WalletError: the service's reason, e.g. that it could not reach the address
 */
export async function tryNotification({
  client,
  urls,
  reader,
  clock,
}: TestOptions): Promise<StoredRecord | string> {
  const { webhooks } = await client.appPayments.listWebhooks({});
  const webhook = webhooks.find(({ url }) => urls.some((own) => isSameAddress(url, own)));
  if (webhook === undefined)
    return 'none of the webhooks in the settings (appPayments) is registered: register it first';
  const before = reader.lastSeq();
  await client.appPayments.publishTestNotification({ webhookId: webhook.webhookId });
  for (
    const giveUpAtMs = clock.monotonicMs() + timeoutMs;
    clock.monotonicMs() < giveUpAtMs;
    await sleep(clock, lookEveryMs)
  ) {
    const arrived = reader
      .since(before)
      .find(
        ({ record }) =>
          record.kind === 'appPayment' ||
          record.kind === 'notice' ||
          record.kind === 'paymentPoint' ||
          record.kind === 'transfer',
      );
    if (arrived !== undefined) return arrived;
  }
  const question = 'is the receiver running, with the settings and the key as they are now?';
  return `nothing arrived within ${timeoutMs / 1_000} seconds: ${question} Its log says whom it refused`;
}
