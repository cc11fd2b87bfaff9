/**
 * Callbacks of invoices, sent in batches by a job that runs every five seconds (interface document
 * 3, "Events").
 */
import { z } from 'zod';
import {
  type InvoiceCallback,
  InvoiceCallbacks,
} from '../../../wallets/v10/invoice/invoice-schemas.ts';
import type { Merchant } from '../merchant.ts';
import type { World } from '../world.ts';

const everyMs = 5_000;
const minuteMs = 60_000;
/**
 * "After 5 seconds; then 19 minutes, 39 minutes, 1 h 19 min, 2 h 39 min, 5 h 19 min, 10 h 39 min,
 * 21 h 19 min, each after the previous failed retry."
 */
const retryDelaysMs = [
  5_000,
  ...[19, 39, 79, 159, 319, 639, 1279].map((minutes) => minutes * minuteMs),
];
/** Not documented for invoices; the time-out of the other callbacks (document 4, section 4). */
const timeoutMs = 10_000;

interface Addressee {
  readonly callbackurl: string;
  /** The whole Authorization header. */
  readonly authorization: string;
}

interface CallbackJob {
  /** Sets the address together with its authentication. */
  readonly address: (merchant: Merchant, addressee: Addressee) => void;
  /** Drops callbacks for a merchant without an address, who can read the status instead. */
  readonly tell: (merchant: Merchant, callback: InvoiceCallback) => void;
}

export function callbackJob(world: World): CallbackJob {
  const addressees = new Map<string, Addressee>();
  let waiting = new Map<string, InvoiceCallback[]>();

  function run(): void {
    const batches = waiting;
    waiting = new Map();
    for (const [vat, callbacks] of batches) {
      const addressee = addressees.get(vat);
      if (addressee === undefined) continue;
      world.outbox.send({
        kind: 'invoice',
        url: addressee.callbackurl,
        headers: () => ({ authorization: (addressees.get(vat) ?? addressee).authorization }),
        body: JSON.stringify(z.encode(InvoiceCallbacks, callbacks)),
        retryDelaysMs,
        timeoutMs,
      });
    }
  }

  return {
    address: ({ vat }, addressee) => void addressees.set(vat, addressee),
    tell({ vat }, callback) {
      if (!addressees.has(vat)) return;
      if (waiting.size === 0) world.clock.atNextMultiple(everyMs, run);
      const callbacks = waiting.get(vat);
      if (callbacks === undefined) waiting.set(vat, [callback]);
      else callbacks.push(callback);
    },
  };
}
