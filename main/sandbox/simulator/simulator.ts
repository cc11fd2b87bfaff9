import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { z } from 'zod';
import type { Cancel, Clock } from '../../core/domain/clock.ts';
import { listenOn } from '../../core/domain/listening-port.ts';
import type { Ids } from '../../core/domain/ids.ts';
import { currencies } from '../../core/domain/money.ts';
import type { ServiceName } from '../../core/domain/sale.ts';
import { Faults } from './faults.ts';
import { httpApp, isOfHttpApp } from './http-app.ts';
import { serviceListener } from './service-listener.ts';
import { firstKeys } from './epayment/epayment-registry.ts';
import { performPhoneAction, type PhoneAction } from './point-of-sale/point-of-sale-api.ts';
import type { Policy } from './policy.ts';
import { replayEvent } from './replay.ts';
import { type LoggedRequest, RequestLog } from './request-log.ts';
import { ServiceEngine } from './service-engine.ts';
import { World } from './world.ts';
import type { WorldEvent, WorldEventLog } from './world-event.ts';
import type { Profile } from '../../wallets/v10/v10-profile.ts';

/** The payment as the customer's app shows it. */
const ScannedEpayment = z.object({
  reference: z.string(),
  amount: z.int(),
  currency: z.enum(currencies),
  state: z.string(),
});
type ScannedEpayment = z.infer<typeof ScannedEpayment>;

/** An event log on disk. */
interface StoredEvents extends WorldEventLog {
  readonly namesStores: boolean;
  replay(happen: (event: WorldEvent) => void): void;
  close(): void;
}

export interface SimulatorOptions {
  readonly profile: Profile;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Two stores by default. */
  readonly storeIds?: readonly string[];
  readonly policy?: Partial<Policy>;
  /**
   * Records all events, so that the next start restores the state. `clock` and `ids` are then the
   * log's own.
   */
  readonly eventLog?: StoredEvents;
}

/** The same at every start, so that settings stay valid. */
const defaultCredentials = {
  clientId: 'tillbeacon',
  clientSecret: 'simulated-client-secret',
  merchantVat: 'DK90000028',
} as const;
const defaultStoreIds = [
  '51070000-0000-4000-8000-000000000001',
  '51070000-0000-4000-8000-000000000002',
];

/** The whole wallet service on one port of this machine. */
export class Simulator {
  readonly world: World;
  readonly faults: Faults;
  readonly credentials = defaultCredentials;
  /** The keys of the ePayment service's sales unit. */
  readonly salesUnit = firstKeys;
  readonly #service: ServiceEngine;
  readonly #server: Server;
  readonly #requests = new RequestLog();
  readonly #pauses = new Set<Cancel>();
  readonly #eventLog: StoredEvents | null;
  #baseUrl = '';

  constructor(options: SimulatorOptions) {
    this.world = new World(options);
    this.#eventLog = options.eventLog ?? null;
    const { clientId, clientSecret, merchantVat } = this.credentials;
    this.world.clients.set(clientId, { clientId, clientSecret, integratorId: 'the integrator' });
    const { eventLog, storeIds = defaultStoreIds } = options;
    const addStores = (): void => {
      for (const storeId of storeIds)
        if (!this.world.stores.has(storeId.toLowerCase()))
          this.world.openStore({ storeId, merchantVat });
    };
    if (eventLog?.namesStores !== true) addStores();
    this.#service = new ServiceEngine(this.world);
    this.faults = new Faults(this.#service.operations.map(({ name }) => name));
    eventLog?.replay((event) => replayEvent(this.#service, event));
    addStores();
    this.world.adoptRules();
    this.world.outbox.resume();
    const about = { service: this.#service, faults: this.faults, requests: this.#requests };
    const app = getRequestListener(
      httpApp({ ...about, advance: (ms) => this.advance(ms), state: () => this.state() }).fetch,
    );
    const serve = serviceListener({
      ...about,
      pause: (ms) => this.#pause(ms),
      jump: (ms) => this.jump(ms),
    });
    this.#server = createServer({ keepAliveTimeout: 30_000 }, (incoming, outgoing) => {
      const url = URL.parse(incoming.url ?? '', 'http://simulator');
      if (url === null) outgoing.writeHead(400).end();
      else if (isOfHttpApp(url.pathname)) void app(incoming, outgoing);
      else serve({ incoming, outgoing, url });
    });
  }

  /** The token endpoint is at the same address. */
  get baseUrl(): string {
    return this.#baseUrl;
  }
  get authUrl(): string {
    return this.#baseUrl;
  }
  get storeIds(): string[] {
    return [...this.world.stores.keys()];
  }

  /** @throws ListenError */
  async start({ port, host = '127.0.0.1' }: { port: number; host?: string }): Promise<void> {
    const served = await listenOn(this.#server, 'the simulator cannot be served', { host, port });
    this.#baseUrl = `http://${host}:${served}`;
  }

  /** Requests and callbacks that are still under way are dropped. */
  async stop(): Promise<void> {
    this.world.clock.stop();
    this.world.outbox.stop();
    for (const cancel of this.#pauses) cancel();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
    this.#eventLog?.close();
  }

  /** The body of `GET /simulator/state`. */
  state(): object {
    return {
      ...Object.assign({}, ...this.#service.modules.map((module) => module.state())),
      violations: this.#service.ruleChecker.violations,
    };
  }

  /** The requests to the service, oldest first. */
  requests(): LoggedRequest[] {
    return this.#requests.since(0);
  }

  /** An action of the customer in the app, at a beacon. @throws ServiceError */
  phone(action: PhoneAction, beaconId: string, phoneNumber: string): void {
    this.world.eventLog.record(
      () => ({ kind: 'door', name: `phone/${action}`, body: { beaconId, phoneNumber } }),
      () => performPhoneAction(this.world, action, beaconId, phoneNumber),
    );
  }

  /**
   * What the app shows of a payment whose code was scanned. @throws ServiceError when there is no
   * such payment
   */
  seeEpayment(reference: string): ScannedEpayment {
    return ScannedEpayment.parse(this.#testEndpoint('epayment/scan')({ reference }));
  }

  /** The customer's answer to an ePayment. @throws ServiceError */
  answerEpayment(action: 'approve' | 'reject', reference: string, phoneNumber: string): void {
    const name = `epayment/${action}`;
    const body = { reference, phoneNumber };
    this.world.eventLog.record(
      () => ({ kind: 'door', name, body }),
      () => this.#testEndpoint(name)(body),
    );
  }

  /** Whether a payment was ever asked for there. */
  hasPaymentsOf(service: ServiceName): boolean {
    return (service === 'epayment' ? this.#service.epayments : this.world).payments.size > 0;
  }

  get hasCapturedEpayment(): boolean {
    return [...this.#service.epayments.payments.values()].some(
      ({ capturedMinor }) => capturedMinor > 0,
    );
  }

  #testEndpoint(name: string): (body: unknown) => unknown {
    const endpoint = this.#service.testEndpoints.get(name);
    if (endpoint === undefined) throw new Error(`there is no ${name}`);
    return endpoint;
  }

  /**
   * Moves the clock ahead and runs everything that becomes due. Resolves when all callbacks are
   * answered, or their addresses do not answer.
   */
  async advance(ms: number): Promise<void> {
    const { clock, outbox } = this.world;
    const settled = outbox.settledInMove();
    await settled();
    await clock.advance(ms, settled);
    await settled();
  }

  /** As `advance`; a negative jump puts back only the wall clock. */
  async jump(ms: number): Promise<void> {
    if (ms > 0) await this.advance(ms);
    else this.world.clock.shiftWall(ms);
  }

  #pause(ms: number): Promise<void> {
    if (ms === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = this.world.clock.after(ms, () => {
        this.#pauses.delete(cancel);
        resolve();
      });
      this.#pauses.add(cancel);
    });
  }
}
