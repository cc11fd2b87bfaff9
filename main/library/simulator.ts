/**
 * `tillbeacon/simulator`: the simulated wallet service as a test kit. It serves every interface
 * over HTTP on this machine.
 */
import { z } from 'zod';
import { systemClock } from '../core/domain/clock.ts';
import { systemIds } from '../core/domain/ids.ts';
import { httpClient } from '../support/http-client.ts';
import { type ProfileName, profileNamed } from '../wallets/v10/v10-profile.ts';
import type { FaultPlan } from '../sandbox/simulator/faults.ts';
import type { LoggedRequest } from '../sandbox/simulator/request-log.ts';
import { seededIds } from '../sandbox/simulator/seeded-ids.ts';
import { Simulator } from '../sandbox/simulator/simulator.ts';

export type { Fault, FaultPlan } from '../sandbox/simulator/faults.ts';
export type { LoggedRequest } from '../sandbox/simulator/request-log.ts';

export interface SimulatorStart {
  /** Any free port when it is missing or 0. */
  readonly port?: number;
  /** The names that the service uses in paths and headers; `generic` when left out. */
  readonly profile?: ProfileName;
  /** The delay in milliseconds that the service asks for between two polls; 100 when left out. */
  readonly pollDelayInMs?: number;
  /** Makes the identifiers the same in every run. */
  readonly seed?: number;
  /** The ids of the stores that exist; two when left out. */
  readonly storeIds?: readonly string[];
}

/**
 * A customer's phone with the wallet app. `code` is the text of a point of sale's QR code, or the
 * id of its beacon. Each method rejects when the app would not offer it, e.g. without a payment to
 * approve.
 */
export interface SimulatedPhone {
  checkIn(code: string): Promise<void>;
  /** Approves the payment at that point of sale, where the phone is checked in. */
  accept(code: string): Promise<void>;
  refuse(code: string): Promise<void>;
  /** Ends the check-in. */
  leave(code: string): Promise<void>;
}

export interface RunningSimulator {
  /** Address of all interfaces and of the token endpoint. */
  readonly baseUrl: string;
  readonly authUrl: string;
  /** The integrator's credentials, for the point-of-sale interface. */
  readonly credentials: {
    readonly clientId: string;
    readonly clientSecret: string;
    readonly merchantVat: string;
  };
  /** The merchant's key, for the other interfaces. */
  readonly apiKey: string;
  readonly storeIds: readonly string[];
  /** @param phoneNumber in international form; the phone appears when it is first used */
  phone(phoneNumber?: string): SimulatedPhone;
  /** Replaces the planned faults. Rejects when an operation or a kind does not exist. */
  planFaults(plan: FaultPlan): Promise<void>;
  clearFaults(): Promise<void>;
  /**
   * Calls a test endpoint, e.g. `act('invoice/create', { … })`: see `POST /simulator/…` in
   * docs/simulator.md. Rejects with the reason of a refusal.
   */
  act(action: string, body: object): Promise<unknown>;
  /**
   * Moves the service's clock ahead and runs everything that becomes due. Callbacks are delivered
   * before it resolves.
   */
  advance(ms: number): Promise<void>;
  /**
   * The service's state: payments, refunds, agreements and so on, and the counts of broken rules
   * under `violations`.
   */
  state(): Promise<Readonly<Record<string, unknown>>>;
  /** The last 10,000 requests to the service, oldest first. */
  requests(): Promise<readonly LoggedRequest[]>;
  stop(): Promise<void>;
}

const defaultPollDelayInMs = 100;
const defaultPhoneNumber = '+4520031801';
const Refusal = z.object({ message: z.string() });

/** Rejects when the port is taken. */
export async function startSimulator(options: SimulatorStart = {}): Promise<RunningSimulator> {
  const {
    port = 0,
    profile = 'generic',
    pollDelayInMs = defaultPollDelayInMs,
    seed,
    storeIds,
  } = options;
  const simulator = new Simulator({
    profile: profileNamed(profile),
    clock: systemClock,
    ids: seed === undefined ? systemIds : seededIds(seed),
    policy: { pollDelayInMs },
    ...(storeIds !== undefined && { storeIds }),
  });
  await simulator.start({ port });
  const { baseUrl, authUrl, credentials } = simulator;
  const apiKey = simulator.world.merchants.get(credentials.merchantVat)?.apiKey;
  if (apiKey === undefined)
    throw new Error(`the simulator has no merchant ${credentials.merchantVat}`);

  // Over HTTP, like tests that start `npm run simulator` as a separate process.
  async function control(
    method: 'get' | 'post' | 'delete',
    path: string,
    json?: unknown,
  ): Promise<unknown> {
    const response = await httpClient(`${baseUrl}/simulator/${path}`, {
      method,
      ...(json !== undefined && { json }),
    });
    if (response.ok) return response.json();
    const refusal = Refusal.safeParse(await response.json().catch(() => null));
    throw new Error(
      `${path}: ${refusal.data?.message ?? `the simulator answered ${response.status}`}`,
    );
  }

  return {
    baseUrl,
    authUrl,
    credentials,
    apiKey,
    storeIds: simulator.storeIds,
    phone(phoneNumber = defaultPhoneNumber) {
      const does = (action: string) => async (code: string) => {
        const beaconId = URL.parse(code)?.searchParams.get('id') ?? code;
        await control('post', `phone/${action}`, { beaconId, phoneNumber });
      };
      return {
        checkIn: does('checkin'),
        accept: does('accept'),
        refuse: does('refuse'),
        leave: does('leave'),
      };
    },
    planFaults: async (plan) => void (await control('post', 'faults', plan)),
    clearFaults: async () => void (await control('delete', 'faults')),
    act: (action, body) => control('post', action, body),
    advance: async (ms) => void (await control('post', 'clock', { advanceMs: ms })),
    state: async () => z.record(z.string(), z.unknown()).parse(await control('get', 'state')),
    requests: async () => simulator.requests(),
    stop: () => simulator.stop(),
  };
}
