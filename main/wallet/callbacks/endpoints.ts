/** Which callback arrives where, and how each is read. */
import type { CallbackSettings } from './settings.ts';
import { type Reader, readAgreement, readCheckIn, readInvoice, readRefund, readSubscriptionPayment, readWebhook } from './readers.ts';
import type { Credential, SignedWebhook } from './credentials.ts';

/** How a sender shows that it may. */
export type Admission =
  | { readonly by: 'header'; readonly credentials: readonly Credential[] }
  | { readonly by: 'signature'; readonly webhooks: readonly SignedWebhook[] }
  | { readonly by: 'nothing' };

export interface Endpoint {
  readonly read: Reader;
  readonly admission: Admission;
}

/** By path; an interface that is not in the settings has none. */
export function endpointsOf({ subscriptions, invoices, appPayments, checkin }: CallbackSettings): Map<string, Endpoint> {
  const endpoints = new Map<string, Endpoint>();
  if (subscriptions !== undefined) {
    const admission: Admission = { by: 'header', credentials: subscriptions };
    endpoints.set('/callbacks/subscription-payments', { read: readSubscriptionPayment, admission });
    endpoints.set('/callbacks/agreements', { read: readAgreement, admission });
    endpoints.set('/callbacks/refunds', { read: readRefund, admission });
  }
  if (invoices !== undefined) endpoints.set('/callbacks/invoices', { read: readInvoice, admission: { by: 'header', credentials: invoices } });
  if (appPayments !== undefined) endpoints.set('/callbacks/app-payments', { read: readWebhook, admission: { by: 'signature', webhooks: appPayments } });
  if (checkin) endpoints.set('/callbacks/checkin', { read: readCheckIn, admission: { by: 'nothing' } });
  return endpoints;
}
