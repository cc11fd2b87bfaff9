/**
 * The service that a run certifies against: the embedded simulator in certification mode, or the
 * one that the settings name.
 */
import { z } from 'zod';
import type { Clock } from '../../core/domain/clock.ts';
import type { Ids } from '../../core/domain/ids.ts';
import { Simulator } from '../simulator/simulator.ts';
import type { HttpSend } from '../../wallets/http/http.ts';
import { parseAnswer } from '../../wallets/http/json.ts';
import type { HarnessOptions } from './harness.ts';
import { type ProfileName, profileNamed } from '../../wallets/v10/v10-profile.ts';
import type { ClientCredentials } from '../../wallets/v10/v10-token.ts';
import type { Witness } from './case.ts';
import type { Operator } from './customer.ts';

export interface CertificationTarget
  extends Pick<
    HarnessOptions,
    | 'baseUrl'
    | 'authUrl'
    | 'credentials'
    | 'tokenFor'
    | 'profile'
    | 'faults'
    | 'operator'
    | 'patienceMs'
  > {
  /** Name for people. */
  readonly called: string;
  /** Asked after the last case; null when the service does not tell. */
  witness(): Promise<Witness | null>;
  stop(): Promise<void>;
}

/** Short, so that a whole run takes a minute at most. */
const simulatedPollDelayMs = 200;
/**
 * Longer than a creation with a time-out and a 500 takes, so that polling still sees the refund as
 * Initiated.
 */
const refundReservationMs = 4_000;
const simulatorPatienceMs = 20_000;
/** What the settings of a counter say about a point-of-sale service, its secrets looked up. */
interface PointOfSaleService extends ClientCredentials {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly profile: ProfileName;
  readonly tokenFor: 'merchant' | 'integrator';
  readonly testService: boolean;
}

/** A person has to find a phone. */
const sandboxPatienceMs = 180_000;

export interface EmbeddedOptions {
  readonly storeIds: readonly string[];
  readonly clock: Clock;
  readonly ids: Ids;
  readonly send: HttpSend;
}

export async function embeddedService({
  storeIds,
  clock,
  ids,
  send,
}: EmbeddedOptions): Promise<CertificationTarget> {
  const profile = profileNamed('generic');
  const simulator = new Simulator({
    profile,
    clock,
    ids,
    storeIds,
    policy: { pollDelayInMs: simulatedPollDelayMs, refundReservationMs },
  });
  await simulator.start({ port: 0 });
  return {
    called: 'the embedded simulator, in certification mode',
    baseUrl: simulator.baseUrl,
    authUrl: simulator.authUrl,
    credentials: simulator.credentials,
    tokenFor: 'merchant',
    profile,
    faults: simulator.faults,
    operator: null,
    patienceMs: simulatorPatienceMs,
    async witness() {
      const { violations } = State.parse(simulator.state());
      const url = `${simulator.baseUrl}/simulator/requests`;
      const log = await send(
        { method: 'GET', url, headers: {}, body: null },
        AbortSignal.timeout(5_000),
      );
      return {
        violations,
        arrived: Requests.parse(parseAnswer(log.body)).map(
          ({ method, path }) => `${method} ${path}`,
        ),
      };
    },
    stop: () => simulator.stop(),
  };
}

const State = z.object({ violations: z.record(z.string(), z.number()) });
const Requests = z.array(z.object({ method: z.string(), path: z.string() }));

export function serviceOfSettings(
  wallet: PointOfSaleService,
  operator: Operator | null,
  checksOff: string | null = null,
): CertificationTarget {
  const { baseUrl, authUrl, profile, tokenFor, testService } = wallet;
  const { clientId, clientSecret, merchantVat } = wallet;
  const isTest = testService
    ? `, a service for tests${checksOff === null ? '' : ` whose certificates are not checked (${checksOff})`}`
    : '';
  return {
    called: baseUrl + isTest,
    baseUrl,
    authUrl,
    credentials: { clientId, clientSecret, merchantVat },
    tokenFor,
    profile: profileNamed(profile),
    faults: null,
    operator,
    patienceMs: sandboxPatienceMs,
    witness: () => Promise.resolve(null),
    stop: () => Promise.resolve(),
  };
}
