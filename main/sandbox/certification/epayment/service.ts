/** What is certified against: the embedded simulator, or the sales unit of the test environment whose keys are at hand. */
import { z } from 'zod';
import type { Clock } from '../../../domain/clock.ts';
import type { Ids } from '../../../domain/ids.ts';
import { type Currency, currencies } from '../../../domain/money.ts';
import { serviceAddress } from '../../../domain/service-address.ts';
import type { SalesUnitKeys } from '../../../wallet/epayment/access.ts';
import type { HttpSend } from '../../../wallet/http/http.ts';
import { profileNamed } from '../../../wallet/v10/profile.ts';
import { Simulator } from '../../simulator/simulator.ts';
import type { Operator } from '../customer.ts';
import type { FaultInjector } from '../harness.ts';

export interface EpaymentTarget {
  /** For people. */
  readonly called: string;
  readonly baseUrl: string;
  readonly keys: SalesUnitKeys;
  readonly currency: Currency;
  /** Of a test user, with the country code; null: none, and a person approves. */
  readonly testPhone: string | null;
  /** Makes the service fail as prescribed; null: it does that by itself, or not at all. */
  readonly faults: FaultInjector | null;
  /** Refuses a payment as its customer would; null: a person does. */
  readonly refuse: ((reference: string) => Promise<void>) | null;
  readonly operator: Operator | null;
  /** How long a state is waited for. */
  readonly patienceMs: number;
  stop(): Promise<void>;
}

const simulatorPatienceMs = 60_000;
/** A person has to find a phone. */
const personPatienceMs = 180_000;

export interface EmbeddedEpaymentOptions {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly send: HttpSend;
}

export async function embeddedEpayment({ clock, ids, send }: EmbeddedEpaymentOptions): Promise<EpaymentTarget> {
  const simulator = new Simulator({ profile: profileNamed('generic'), clock, ids });
  await simulator.start({ port: 0 });
  const { baseUrl } = simulator;
  return {
    called: 'the embedded simulator',
    baseUrl,
    keys: {
      clientId: 'e9a70000-0000-4000-8000-000000123456',
      clientSecret: 'simulated-client-secret',
      subscriptionKeys: ['simulated-primary-subscription'],
      msn: '123456',
    },
    currency: 'DKK',
    testPhone: '4520031801',
    faults: simulator.faults,
    async refuse(reference) {
      const body = JSON.stringify({ reference });
      await send({ method: 'POST', url: `${baseUrl}/simulator/epayment/reject`, headers: {}, body }, AbortSignal.timeout(5_000));
    },
    operator: null,
    patienceMs: simulatorPatienceMs,
    stop: () => simulator.stop(),
  };
}

const testEnvironment = 'https://apitest.vipps.no';

/** The keys of a sales unit for tests, as the portal shows them. */
export const KeysFile = z.strictObject({
  baseUrl: serviceAddress.default(testEnvironment),
  msn: z.string().regex(/^\d{4,10}$/, 'must be 4 to 10 digits'),
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  subscriptionKeys: z.tuple([z.string().min(1)], z.string().min(1)),
  currency: z.enum(currencies),
  testPhone: z
    .string()
    .regex(/^\d{9,15}$/, 'must be digits with the country code')
    .optional(),
});

const production = 'api.vipps.no';

/** @throws RangeError where customers' money would move */
export function epaymentOfKeys({ baseUrl, currency, testPhone, ...keys }: z.output<typeof KeysFile>, operator: Operator | null): EpaymentTarget {
  if (new URL(baseUrl).host === production) throw new RangeError('baseUrl: must be the test environment: payments are made and captured');
  return {
    called: baseUrl,
    baseUrl,
    keys,
    currency,
    testPhone: testPhone ?? null,
    faults: null,
    refuse: null,
    operator,
    patienceMs: personPatienceMs,
    stop: () => Promise.resolve(),
  };
}
