/** The clients of a merchant's interfaces that have callbacks. */
import { systemClock } from '../core/domain/clock.ts';
import { silentLog } from '../core/domain/log.ts';
import { merchantAccess } from '../wallet/http/access.ts';
import { fetchHttp } from '../wallet/http/http.ts';
import { Transport } from '../wallet/http/transport.ts';
import { type AppPayments, openAppPayments } from '../wallet/v10/app-payments/client.ts';
import { type Client, clientOf } from '../wallet/v10/client.ts';
import { invoiceOperations } from '../wallet/v10/invoice/operations.ts';
import { type ProfileName, profileNamed } from '../wallet/v10/profile.ts';
import { openSubscriptions, type Subscriptions } from '../wallet/v10/subscriptions/client.ts';

export interface MerchantClient {
  readonly subscriptions: Subscriptions;
  readonly invoices: Client<typeof invoiceOperations>;
  readonly appPayments: AppPayments;
}

export function merchantClient({
  baseUrl,
  apiKey,
  profile,
}: {
  baseUrl: string;
  apiKey: string;
  profile: ProfileName;
}): MerchantClient {
  // No log: an error ends the command, which prints it.
  const transport = new Transport({
    baseUrl,
    access: merchantAccess(apiKey),
    profile: profileNamed(profile),
    send: fetchHttp,
    clock: systemClock,
    log: silentLog,
  });
  return {
    subscriptions: openSubscriptions({ transport }),
    invoices: clientOf(transport, invoiceOperations),
    appPayments: openAppPayments({ transport, clock: systemClock }),
  };
}
