import { renameSync } from 'node:fs';
/** What the settings make: the wallet service and the lanes at it. Replaced as a whole when the settings change. */
import type { ServiceKind } from '../../preload/contract.ts';
import { type Demo, openDemo } from '../sandbox/demo/demo.ts';
import type { ServiceMonitor } from '../manager/health/service-monitor.ts';
import { openSerialWire } from '../devices/serial-port.ts';
import type { Journal } from '../journal/journal.ts';
import { Lane } from '../lane/lane.ts';
import type { DamageShown } from '../lane/snapshot.ts';
import type { Clock } from '../domain/clock.ts';
import type { Ids } from '../domain/ids.ts';
import type { Log } from '../domain/log.ts';
import type { Notices } from '../domain/notices.ts';
import type { ReadySettings } from '../settings/load.ts';
import type { Recreations } from '../setup/recreation.ts';
import type { Simulator } from '../sandbox/simulator/simulator.ts';
import { createZvtTill } from '../till/zvt/till.ts';
import { integratorAccess, type IntegratorAccessOptions } from '../wallet/v10/access.ts';
import { fetchHttp } from '../wallet/http/http.ts';
import { createPointOfSaleClient } from '../wallet/v10/point-of-sale/client.ts';
import { type Profile, profileNamed } from '../wallet/v10/profile.ts';
import { Transport } from '../wallet/http/transport.ts';
import { serviceKind, tellUnchecked } from './service-kind.ts';
import { terminalVersion } from './version.ts';

export interface Counter {
  readonly settings: ReadySettings;
  readonly lanes: readonly Lane[];
  readonly transport: Transport;
  readonly profile: Profile;
  readonly simulator: Simulator | null;
  readonly service: ServiceKind;
  readonly demo: Demo | null;
  /** Resolves when every lane takes payments; rejects when one never will. */
  readonly ready: Promise<void>;
  close(): Promise<void>;
}

export interface CounterOptions {
  readonly settings: ReadySettings;
  readonly journal: Journal;
  readonly demo: boolean;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly changed: (laneId: string) => void;
  readonly serviceWatch: ServiceMonitor;
  readonly notices: Notices;
  /** What switches the checks of certificates off; null: nothing does. */
  readonly checksOff: string | null;
  readonly journalDamage: () => DamageShown | null;
  /** Points of sale that are to be created anew; null: none. */
  readonly recreations: Recreations | null;
  /** Where the simulated service keeps its books, so that it outlives the process as a real one would; null: nowhere. */
  readonly simulatedBooks: string | null;
  /** See `LaneOptions`. */
  readonly leaveAfterMs?: number | undefined;
}

/** Listens to every till when it resolves; `ready` follows. @throws Error in plain words when a till's settings cannot work: nothing is open then */
export async function openCounter(options: CounterOptions): Promise<Counter> {
  const { settings, journal, clock, ids, log, journalDamage, recreations, leaveAfterMs } = options;
  const { transport, profile, simulator } = await openWallet(options);
  const lanes = settings.lanes.map((lane) => {
    const laneLog = log.child({ lane: lane.id });
    const { merchantPosId } = lane.pointOfSale;
    const atService = createPointOfSaleClient({ transport, profile, settings: lane.pointOfSale, clock, ids, log: laneLog });
    const wallet = recreations?.around(atService, { transport, profile, merchantPosId }) ?? atService;
    const till = createZvtTill({
      settings: lane.till,
      currency: lane.currency,
      laneName: lane.name,
      softwareVersion: terminalVersion,
      clock,
      log: laneLog,
      notices: options.notices,
      openSerialWire,
    });
    const { id, name, currency, flow, deadlineSeconds, checkInFirst } = lane;
    return new Lane({
      settings: { id, name, currency, flow, deadlineMs: deadlineSeconds * 1000, checkInFirst },
      till,
      wallet,
      journal,
      clock,
      ids,
      log,
      changed: () => options.changed(id),
      journalDamage,
      leaveAfterMs,
    });
  });
  const closeLanes = () => Promise.all(lanes.map((lane) => lane.close()));
  await Promise.all(lanes.map((lane) => lane.listen())).catch(async (error: unknown) => {
    await closeLanes();
    await simulator?.stop();
    throw error;
  });
  const ready = Promise.all(lanes.map((lane) => lane.enterService())).then(() => undefined);
  const demo = options.demo && simulator !== null ? openDemo({ lanes: demoLanes(lanes, settings), simulator }) : null;
  const stopDemo = demo?.subscribe(options.changed);
  const service = serviceKind(options);
  const stopTelling = service === 'testUnchecked' ? tellUnchecked(options) : () => {};
  return {
    settings,
    lanes,
    transport,
    profile,
    simulator,
    service,
    demo,
    ready,
    async close() {
      stopDemo?.();
      stopTelling();
      await Promise.all([closeLanes(), demo?.close()]);
      await simulator?.stop();
    },
  };
}

function demoLanes(lanes: readonly Lane[], settings: ReadySettings) {
  return settings.lanes.map(({ id, currency, pointOfSale }, index) => ({
    id,
    currency,
    merchantPosId: pointOfSale.merchantPosId,
    get address() {
      return (lanes[index] as Lane).address;
    },
  }));
}

async function openWallet(options: CounterOptions): Promise<{ transport: Transport; profile: Profile; simulator: Simulator | null }> {
  const { settings, clock, log, serviceWatch } = options;
  type Service = Pick<IntegratorAccessOptions, 'authUrl' | 'credentials' | 'profile' | 'tokenFor'> & { readonly baseUrl: string };
  const open = ({ baseUrl, profile, ...about }: Service): Transport => {
    const network = { profile, send: serviceWatch.watching(fetchHttp), clock };
    return new Transport({ ...network, baseUrl, access: integratorAccess({ ...network, ...about, clientVersion: terminalVersion }), log });
  };
  if (!('simulator' in settings.wallet)) {
    const { baseUrl, authUrl, profile: name, tokenFor, ...credentials } = settings.wallet;
    const profile = profileNamed(name);
    return { transport: open({ baseUrl, authUrl, profile, credentials, tokenFor }), profile, simulator: null };
  }
  const profile = profileNamed(simulatedProfile);
  const simulator = await openSimulator(options);
  await simulator.start({ port: 0 });
  const { baseUrl, authUrl, credentials } = simulator;
  return { transport: open({ baseUrl, authUrl, profile, credentials }), profile, simulator };
}

const simulatedProfile = 'generic';
const simulatedPollDelayMs = 1_000;

async function openSimulator({ settings, clock, ids, log, simulatedBooks: path }: CounterOptions): Promise<Simulator> {
  // Loaded only where it is wanted: a shop's daemon has no use for it.
  const { Simulator } = await import('../sandbox/simulator/simulator.ts');
  const about = {
    profile: profileNamed(simulatedProfile),
    storeIds: settings.lanes.map(({ pointOfSale }) => pointOfSale.storeId),
    policy: { pollDelayInMs: simulatedPollDelayMs },
  };
  if (path === null) return new Simulator({ ...about, clock, ids });
  const { BooksFile } = await import('../sandbox/simulator/books-file.ts');
  const withBooks = (): Simulator => {
    const books = new BooksFile({ path, clock, profile: simulatedProfile, pollDelayInMs: simulatedPollDelayMs, seed: null });
    return new Simulator({ ...about, clock: books, ids: books, chronicle: books });
  };
  try {
    return withBooks();
  } catch (error) {
    // A demonstration goes on all the same; so much is lost that nobody pays for it.
    log.warn({ path, detail: (error as Error).message }, 'the books of the simulated service cannot be read: it begins anew');
    renameSync(path, `${path}.unreadable`);
    return withBooks();
  }
}
