import { systemIds } from '../../../../main/core/domain/ids.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { Simulator } from '../../../../main/sandbox/simulator/simulator.ts';
import type { Policy } from '../../../../main/sandbox/simulator/policy.ts';
import { integratorAccess } from '../../../../main/wallets/v10/v10-access.ts';
import { fetchHttp, type HttpRequest, type HttpSend } from '../../../../main/wallets/http/http.ts';
import { createPointOfSaleClient } from '../../../../main/wallets/v10/point-of-sale/point-of-sale-client.ts';
import type {
  PaymentSettings,
  PointOfSaleSettings,
} from '../../../../main/wallets/v10/point-of-sale/point-of-sale-settings.ts';
import type { PointOfSaleClient } from '../../../../main/core/lane/wallet-port.ts';
import { type Profile, profileNamed } from '../../../../main/wallets/v10/v10-profile.ts';
import { Transport } from '../../../../main/wallets/http/transport.ts';
import { impatient, steadyClock } from '../../support/steady-clock.ts';

export const phone = '+4520031801';

/** The clock for a client whose time limits are ten times shorter. */
const impatientClock = impatient(steadyClock, 10);

/** The client against the simulator, over real HTTP. */
export interface Bench {
  readonly simulator: Simulator;
  readonly transport: Transport;
  readonly counter: PointOfSaleClient;
  /** Every request that was sent, including the one for the token. */
  readonly sent: HttpRequest[];
  counterNamed(
    merchantPosId: string,
    settings?: Partial<PointOfSaleSettings>,
    payments?: PaymentSettings,
  ): PointOfSaleClient;
  beaconId(): string;
  close(): Promise<void>;
}

export async function openBench({
  policy = {},
  profile = profileNamed('generic'),
}: {
  policy?: Partial<Policy>;
  profile?: Profile;
} = {}): Promise<Bench> {
  const simulator = new Simulator({
    profile,
    clock: steadyClock,
    ids: systemIds,
    policy: { pollDelayInMs: 100, ...policy },
  });
  await simulator.start({ port: 0 });
  const sent: HttpRequest[] = [];
  const send: HttpSend = (request, signal) => {
    sent.push(request);
    return fetchHttp(request, signal);
  };
  const { baseUrl, authUrl, credentials } = simulator;
  const transport = new Transport({
    baseUrl,
    access: integratorAccess({
      authUrl,
      credentials,
      clientVersion: '1.2.3',
      profile,
      send,
      clock: impatientClock,
    }),
    profile,
    send,
    clock: impatientClock,
    log: silentLog,
  });
  const counterNamed: Bench['counterNamed'] = (merchantPosId, about = {}, payments = {}) =>
    createPointOfSaleClient({
      transport,
      profile,
      settings: {
        merchantPosId,
        storeId: simulator.storeIds[0] as string,
        name: 'Check-out 1',
        beaconTypes: ['QR'],
        beaconId: null,
        ...about,
      },
      payments,
      clock: steadyClock,
      ids: systemIds,
      log: silentLog,
    });
  return {
    simulator,
    transport,
    counter: counterNamed('shop-1-lane-1'),
    sent,
    counterNamed,
    beaconId: () => [...simulator.world.pointsOfSale.values()][0]?.beaconId as string,
    close: () => simulator.stop(),
  };
}
