/** The wallet services' clients, as the daemon puts them together, on the simulated network. */
import type { Clock } from '../../main/core/domain/clock.ts';
import type { Ids } from '../../main/core/domain/ids.ts';
import type { Log } from '../../main/core/domain/log.ts';
import { type ServiceName, serviceNames } from '../../main/core/domain/sale.ts';
import { epaymentCapabilities } from '../../main/wallets/epayment/point-of-sale/epayment-capabilities.ts';
import { createEpaymentClient } from '../../main/wallets/epayment/point-of-sale/epayment-client.ts';
import type { CodeForm } from '../../main/wallets/epayment/point-of-sale/payment-code.ts';
import { readEpaymentPresence } from '../../main/wallets/epayment/point-of-sale/epayment-presence.ts';
import {
  type SalesUnitKeys,
  salesUnitAccess,
} from '../../main/wallets/epayment/epayment-access.ts';
import { epaymentProfile } from '../../main/wallets/epayment/epayment-profile.ts';
import type { HttpSend } from '../../main/wallets/http/http.ts';
import { Transport } from '../../main/wallets/http/transport.ts';
import type { MerchantPayments, PointOfSaleClient } from '../../main/core/lane/wallet-port.ts';
import { integratorAccess } from '../../main/wallets/v10/v10-access.ts';
import { pointOfSaleCapabilities } from '../../main/wallets/v10/point-of-sale/point-of-sale-capabilities.ts';
import { createPointOfSaleClient } from '../../main/wallets/v10/point-of-sale/point-of-sale-client.ts';
import { createMerchantPayments } from '../../main/wallets/v10/point-of-sale/point-of-sale-merchant-payments.ts';
import { readPointOfSalePresence } from '../../main/wallets/v10/point-of-sale/point-of-sale-presence.ts';
import { profileNamed } from '../../main/wallets/v10/v10-profile.ts';
import type { Place } from './daemon.ts';
import { serviceUrl } from './network.ts';

/**
 * The service of a shop. With `change` it begins on one service and later changes to the other,
 * with the former one beside it.
 */
export const shopServices = [...serviceNames, 'change'] as const;
export type ShopService = (typeof shopServices)[number];
export const otherService = (name: ServiceName): ServiceName =>
  name === 'v10' ? 'epayment' : 'v10';

export const capabilitiesOf = {
  v10: pointOfSaleCapabilities,
  epayment: epaymentCapabilities,
} as const;

export const merchant = {
  clientId: 'tillbeacon',
  clientSecret: 'simulated-client-secret',
  merchantVat: 'DK90000028',
} as const;
export const profile = profileNamed('generic');
/** The keys of the sales unit that every simulated service has. */
export const unitKeys: SalesUnitKeys = {
  clientId: 'e9a70000-0000-4000-8000-000000123456',
  clientSecret: 'simulated-client-secret',
  subscriptionKeys: ['simulated-primary-subscription', 'simulated-secondary-subscription'],
  msn: '123456',
};
const system = { name: 'tillbeacon', version: '1.2.3', pluginName: 'zvt', pluginVersion: '1.2.3' };

export interface WalletParts {
  readonly send: HttpSend;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly ofCalls: Ids;
  readonly log: Log;
  readonly places: readonly Place[];
}

export interface Wallets {
  readonly presence: (signal: AbortSignal) => Promise<void>;
  readonly counter: (place: Place) => PointOfSaleClient;
  /** null when the service cannot list payments. */
  readonly payments: MerchantPayments | null;
}

export const settingsOf = ({ laneId, merchantPosId, storeId }: Place) =>
  ({
    merchantPosId,
    storeId,
    name: `Check-out ${laneId}`,
    beaconTypes: ['QR'],
    beaconId: null,
  }) as const;

export const walletsOf: Readonly<Record<ServiceName, (parts: WalletParts) => Wallets>> = {
  v10({ send, clock, ids, ofCalls, log, places }) {
    const wire = { profile, send, clock };
    const access = integratorAccess({
      ...wire,
      authUrl: serviceUrl,
      credentials: merchant,
      clientVersion: '1.2.3',
    });
    const transport = new Transport({ ...wire, baseUrl: serviceUrl, access, log, ids: ofCalls });
    return {
      presence: (signal) =>
        readPointOfSalePresence(transport, places[0]?.merchantPosId ?? '', signal),
      counter: (place) =>
        createPointOfSaleClient({
          transport,
          profile,
          settings: settingsOf(place),
          clock,
          ids,
          log,
        }),
      payments: createMerchantPayments({ transport, profile, clock }),
    };
  },
  epayment({ send, clock, ofCalls, log }) {
    const parts = { baseUrl: serviceUrl, send, clock, log };
    const transport = new Transport({
      ...parts,
      profile: epaymentProfile,
      access: salesUnitAccess({ ...parts, keys: unitKeys, system }),
      ids: ofCalls,
    });
    return {
      presence: (signal) => readEpaymentPresence(transport, signal),
      counter: (place) =>
        createEpaymentClient({
          ...parts,
          transport,
          settings: {
            msn: unitKeys.msn,
            description: settingsOf(place).name,
            codeForm: codeFormOf(place),
          },
        }),
      payments: null,
    };
  },
};

/** A shop draws its codes itself, or shows the service's pictures: of two lanes one does. */
const codeFormOf = ({ laneId }: Place): CodeForm => (laneId === '1' ? 'picture' : 'text');
