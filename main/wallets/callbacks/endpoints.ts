/** Each endpoint: its path, authentication, limits and reader. */
import type { CallbackSettings } from './callback-settings.ts';
import {
  type Reader,
  readAgreement,
  readCheckIn,
  readEpayment,
  readInvoice,
  readRefund,
  readSubscriptionPayment,
  readWebhook,
} from './readers.ts';
import type { Credential, DatedWebhook, SignedWebhook } from './credentials.ts';
import type { ShapeLimits } from './body-shape.ts';

/** How a sender authenticates. */
export type Admission =
  | { readonly by: 'header'; readonly credentials: readonly Credential[] }
  | { readonly by: 'signature'; readonly webhooks: readonly SignedWebhook[] }
  | { readonly by: 'datedSignature'; readonly webhooks: readonly DatedWebhook[] }
  | { readonly by: 'nothing' };

export interface Endpoint {
  readonly read: Reader;
  readonly admission: Admission;
  readonly limits: ShapeLimits & {
    readonly bytes: number;
    /** How many bodies may wait for the disk. */
    readonly waiting: number;
  };
}

/** From a sender that has not authenticated yet; the service's records have a few hundred bytes. */
export const strangersBytes = 16 * 1024;
/**
 * The service's have three levels at most: an invoice with its list of links (document 3, "Invoice
 * callback record").
 */
const depth = 32;
/**
 * The documents allow 1000 subscriptions (document 1, "Limits"), and as many invoices as a batch
 * can create: 2000 (document 4, section 6).
 */
const batch = { bytes: 5 * 1024 * 1024, records: 10_000, depth, waiting: Number.POSITIVE_INFINITY };
const webhook = { bytes: strangersBytes, records: 100, depth, waiting: Number.POSITIVE_INFINITY };
const checkIn = { bytes: strangersBytes, records: 1, depth, waiting: 20 };

/** The endpoints by path; an interface that is not in the settings has none. */
export function endpointsOf({
  subscriptions,
  invoices,
  appPayments,
  checkin,
  epayment,
}: CallbackSettings): Map<string, Endpoint> {
  const endpoints = new Map<string, Endpoint>();
  if (subscriptions !== undefined) {
    const admission: Admission = { by: 'header', credentials: subscriptions };
    endpoints.set('/callbacks/subscription-payments', {
      read: readSubscriptionPayment,
      admission,
      limits: batch,
    });
    endpoints.set('/callbacks/agreements', { read: readAgreement, admission, limits: batch });
    endpoints.set('/callbacks/refunds', { read: readRefund, admission, limits: batch });
  }
  if (invoices !== undefined)
    endpoints.set('/callbacks/invoices', {
      read: readInvoice,
      admission: { by: 'header', credentials: invoices },
      limits: batch,
    });
  if (appPayments !== undefined)
    endpoints.set('/callbacks/app-payments', {
      read: readWebhook,
      admission: { by: 'signature', webhooks: appPayments },
      limits: webhook,
    });
  if (checkin)
    endpoints.set('/callbacks/checkin', {
      read: readCheckIn,
      admission: { by: 'nothing' },
      limits: checkIn,
    });
  if (epayment !== undefined)
    endpoints.set('/callbacks/epayment', {
      read: readEpayment,
      admission: { by: 'datedSignature', webhooks: epayment },
      limits: webhook,
    });
  return endpoints;
}
