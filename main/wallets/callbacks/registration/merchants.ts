/** The clients of a merchant's interfaces that have callbacks. */
import { systemClock } from '../../../core/domain/clock.ts';
import { silentLog } from '../../../core/domain/log.ts';
import { merchantAccess } from '../../http/access.ts';
import { fetchHttp } from '../../http/http.ts';
import { Transport } from '../../http/transport.ts';
import { type AppPayments, openAppPayments } from '../../v10/app-payments/app-payments-client.ts';
import { type Client, clientOf } from '../../v10/typed-client.ts';
import { invoiceOperations } from '../../v10/invoice/invoice-operations.ts';
import { type ProfileName, profileNamed } from '../../v10/v10-profile.ts';
import {
  openSubscriptions,
  type Subscriptions,
} from '../../v10/subscriptions/subscriptions-client.ts';

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
