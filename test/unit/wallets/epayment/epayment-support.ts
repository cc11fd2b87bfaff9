import { z } from 'zod';
import { systemIds } from '../../../../main/core/domain/ids.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { Simulator } from '../../../../main/sandbox/simulator/simulator.ts';
import {
  type SalesUnitKeys,
  salesUnitAccess,
} from '../../../../main/wallets/epayment/epayment-access.ts';
import {
  createEpaymentClient,
  type EpaymentCounterSettings,
} from '../../../../main/wallets/epayment/point-of-sale/epayment-client.ts';
import { epaymentProfile } from '../../../../main/wallets/epayment/epayment-profile.ts';
import { fetchHttp, type HttpRequest, type HttpSend } from '../../../../main/wallets/http/http.ts';
import { Transport } from '../../../../main/wallets/http/transport.ts';
import type { PointOfSaleClient } from '../../../../main/core/lane/wallet-port.ts';
import { profileNamed } from '../../../../main/wallets/v10/v10-profile.ts';
import type { Clock } from '../../../../main/core/domain/clock.ts';
import { impatient, steadyClock } from '../../support/steady-clock.ts';

export const keys: SalesUnitKeys = {
  clientId: 'e9a70000-0000-4000-8000-000000123456',
  clientSecret: 'simulated-client-secret',
  subscriptionKeys: ['simulated-primary-subscription'],
  msn: '123456',
};
const system = { name: 'tillbeacon', version: '1.2.3', pluginName: 'zvt', pluginVersion: '1.2.3' };

const State = z.object({
  epayments: z.array(
    z.object({
      reference: z.string(),
      state: z.string(),
      amount: z.int(),
      captured: z.int(),
      cancelled: z.int(),
      refunded: z.int(),
      code: z.string().nullable(),
      events: z.array(
        z.object({
          name: z.string(),
          amount: z.int(),
          success: z.boolean(),
          idempotencyKey: z.string().nullable(),
        }),
      ),
    }),
  ),
});
type SeenPayment = z.infer<typeof State>['epayments'][number];

/** The ePayment client against the simulator, over real HTTP. */
export interface EpaymentBench {
  readonly simulator: Simulator;
  readonly transport: Transport;
  readonly counter: PointOfSaleClient;
  /** Every request that was sent, including the one for the token. */
  readonly sent: HttpRequest[];
  counterWith(
    settings?: Partial<EpaymentCounterSettings>,
    of?: { keys?: SalesUnitKeys; clock?: Clock },
  ): PointOfSaleClient;
  /**
   * An act of a phone's owner, the portal or a test, by `POST /simulator/epayment/…`. Rejects when
   * it is refused.
   */
  act(name: string, body: object): Promise<Record<string, unknown>>;
  payments(): Promise<readonly SeenPayment[]>;
  /** The only payment, or the newest. */
  payment(): Promise<SeenPayment>;
  close(): Promise<void>;
}

/**
 * @param time of the service, and of the client; left out: real time, in which the client is
 * impatient
 */
export async function openEpaymentBench(time: Clock | null = null): Promise<EpaymentBench> {
  const simulator = new Simulator({
    profile: profileNamed('generic'),
    clock: time ?? steadyClock,
    ids: systemIds,
  });
  await simulator.start({ port: 0 });
  const { baseUrl } = simulator;
  const sent: HttpRequest[] = [];
  const send: HttpSend = (request, signal) => {
    sent.push(request);
    return fetchHttp(request, signal);
  };
  const clock = time ?? impatient(steadyClock, 10);
  const transportOf = (of: SalesUnitKeys) => {
    const parts = { baseUrl, send, clock, log: silentLog };
    return new Transport({
      ...parts,
      profile: epaymentProfile,
      access: salesUnitAccess({ ...parts, keys: of, system }),
    });
  };
  const transport = transportOf(keys);
  const counterWith: EpaymentBench['counterWith'] = (settings = {}, of = {}) =>
    createEpaymentClient({
      transport: of.keys === undefined ? transport : transportOf(of.keys),
      baseUrl,
      settings: {
        msn: keys.msn,
        description: 'Bakery at the Corner, till K1',
        codeForm: 'picture',
        ...settings,
      },
      send,
      clock: of.clock ?? time ?? steadyClock,
      log: silentLog,
    });
  const ask = async (path: string, init: RequestInit = {}): Promise<unknown> => {
    const response = await fetch(`${baseUrl}/simulator/${path}`, init);
    const body: unknown = await response.json();
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(body)}`);
    return body;
  };
  const payments = async () => State.parse(await ask('state')).epayments;
  return {
    simulator,
    transport,
    counter: counterWith(),
    sent,
    counterWith,
    act: async (name, body) =>
      z
        .record(z.string(), z.unknown())
        .parse(await ask(`epayment/${name}`, { method: 'POST', body: JSON.stringify(body) })),
    payments,
    async payment() {
      const last = (await payments()).at(-1);
      if (last === undefined) throw new Error('there is no payment');
      return last;
    },
    close: () => simulator.stop(),
  };
}
