/** The thread of the callback receiver that has the disk: wiring, no logic. */
import { parentPort, workerData } from 'node:worker_threads';
import { type Cancel, systemClock } from '../core/domain/clock.ts';
import { merchantAccess } from '../wallets/http/access.ts';
import { openAppPayments } from '../wallets/v10/app-payments/app-payments-client.ts';
import { openIntake } from '../wallets/callbacks/intake.ts';
import { serveIntake, type ThreadData } from '../wallets/callbacks/intake-thread.ts';
import { keepUp, type KeepUpOptions } from '../wallets/callbacks/keep-up.ts';
import { fallbackReads, type MerchantClients } from '../wallets/callbacks/fallback-reads.ts';
import type { CallbackSettings } from '../wallets/callbacks/callback-settings.ts';
import { openSqliteStore } from '../wallets/callbacks/sqlite-store.ts';
import { clientOf } from '../wallets/v10/typed-client.ts';
import { fetchHttp } from '../wallets/http/http.ts';
import { invoiceOperations } from '../wallets/v10/invoice/invoice-operations.ts';
import { profileNamed } from '../wallets/v10/v10-profile.ts';
import { openSubscriptions } from '../wallets/v10/subscriptions/subscriptions-client.ts';
import { Transport } from '../wallets/http/transport.ts';

if (parentPort === null) throw new Error('this is the entry of a thread');
serveIntake(parentPort, (log) => {
  // Given by `openIntakeThread`, from the same build.
  const { settings, path, sinceMs } = workerData as ThreadData;
  const store = openSqliteStore(path);
  const stopKeepingUp = openKeepUp({ settings, store, log, sinceMs });
  return {
    intake: openIntake({ settings, store, clock: systemClock, log }),
    close() {
      stopKeepingUp();
      store.close();
    },
  };
});

/** Asks for what was missed, in the background: callbacks are taken at once. */
function openKeepUp({
  settings,
  ...options
}: Omit<KeepUpOptions, 'reads' | 'clock'> & { settings: CallbackSettings }): Cancel {
  const merchants = (settings.catchUp ?? []).map(
    ({ baseUrl, apiKey, providerId, merchantId, appPayments }): MerchantClients => {
      const transport = new Transport({
        baseUrl,
        access: merchantAccess(apiKey),
        profile: profileNamed(settings.profile),
        send: fetchHttp,
        clock: systemClock,
        log: options.log,
      });
      return {
        subscriptions:
          providerId === undefined
            ? null
            : { client: openSubscriptions({ transport }), providerId },
        invoices:
          merchantId === undefined
            ? null
            : { client: clientOf(transport, invoiceOperations), merchantId },
        appPayments: appPayments ? openAppPayments({ transport, clock: systemClock }) : null,
      };
    },
  );
  return merchants.length === 0
    ? () => {}
    : keepUp({ reads: fallbackReads(merchants), clock: systemClock, ...options });
}
