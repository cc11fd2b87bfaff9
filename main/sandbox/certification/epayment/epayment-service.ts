/**
 * The service that a run certifies against: the embedded simulator, or a sales unit of the test
 * environment.
 */
import type { Clock } from '../../../core/domain/clock.ts';
import type { Ids } from '../../../core/domain/ids.ts';
import type { Currency } from '../../../core/domain/money.ts';
import type { SalesUnitKeys } from '../../../wallets/epayment/epayment-access.ts';
import type { HttpSend } from '../../../wallets/http/http.ts';
import { profileNamed } from '../../../wallets/v10/v10-profile.ts';
import { Simulator } from '../../simulator/simulator.ts';
import type { Operator } from '../customer.ts';
import type { FaultInjector } from '../driver.ts';

export interface EpaymentTarget {
  /** Name for people. */
  readonly called: string;
  readonly baseUrl: string;
  readonly keys: SalesUnitKeys;
  readonly currency: Currency;
  /** Phone of a test user, with the country code; null when a person approves. */
  readonly testPhone: string | null;
  /** Makes the service fail as prescribed; null when it fails by itself, or cannot be made to. */
  readonly faults: FaultInjector | null;
  /** Refuses a payment as its customer would; null when a person does. */
  readonly refuse: ((reference: string) => Promise<void>) | null;
  readonly operator: Operator | null;
  /** How long to wait for a state. */
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

export async function embeddedEpayment({
  clock,
  ids,
  send,
}: EmbeddedEpaymentOptions): Promise<EpaymentTarget> {
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
      await send(
        { method: 'POST', url: `${baseUrl}/simulator/epayment/reject`, headers: {}, body },
        AbortSignal.timeout(5_000),
      );
    },
    operator: null,
    patienceMs: simulatorPatienceMs,
    stop: () => simulator.stop(),
  };
}

/** A sales unit in the test environment. */
export function epaymentOf(
  unit: Pick<EpaymentTarget, 'baseUrl' | 'keys' | 'currency' | 'testPhone'>,
  operator: Operator | null,
): EpaymentTarget {
  return {
    ...unit,
    called: unit.baseUrl,
    faults: null,
    refuse: null,
    operator,
    patienceMs: personPatienceMs,
    stop: () => Promise.resolve(),
  };
}
