import { renameSync, statSync } from 'node:fs';
import type { Monitoring } from '../monitoring/monitoring.ts';
import type { Simulator } from '../sandbox/simulator/simulator.ts';
import type { ReadySettings } from '../settings/load.ts';
import { integratorAccess, type IntegratorAccessOptions } from '../wallet/v10/access.ts';
import { fetchHttp } from '../wallet/http/http.ts';
import type { ServiceMonitor } from '../wallet/http/service-monitor.ts';
import { type Profile, profileNamed } from '../wallet/v10/profile.ts';
import { Transport } from '../wallet/http/transport.ts';
import type { System } from './system.ts';
import { terminalVersion } from './version.ts';
import { messageOf } from '../domain/errors.ts';
import { silentLog } from '../domain/log.ts';

/** The wallet service that the settings name. */
export interface WalletService {
  readonly transport: Transport;
  /** The same, for the reads that only ask whether the service is there: these are not logged one by one. */
  readonly presence: Transport;
  readonly profile: Profile;
  /** null: it is a real one. */
  readonly simulator: Simulator | null;
}

interface WalletServiceOptions extends System {
  readonly serviceMonitor: ServiceMonitor;
  readonly monitoring?: Pick<Monitoring, 'serviceCalled'>;
}

/** @param booksPath where a simulated service keeps its state, so that it survives the process; null: nowhere */
export async function openWalletService(settings: ReadySettings, options: WalletServiceOptions, booksPath: string | null): Promise<WalletService> {
  const { clock, log, serviceMonitor, monitoring } = options;
  type Service = Pick<IntegratorAccessOptions, 'authUrl' | 'credentials' | 'profile' | 'tokenFor'> & { readonly baseUrl: string };
  const open = ({ baseUrl, profile, ...about }: Service): Pick<WalletService, 'transport' | 'presence'> => {
    const network = { profile, send: serviceMonitor.watching(fetchHttp), clock };
    const access = integratorAccess({ ...network, ...about, clientVersion: terminalVersion });
    const parts = { ...network, baseUrl, access, ...(monitoring !== undefined && { observe: monitoring.serviceCalled }) };
    return { transport: new Transport({ ...parts, log }), presence: new Transport({ ...parts, log: silentLog }) };
  };
  if (!('simulator' in settings.wallet)) {
    const { baseUrl, authUrl, profile: name, tokenFor, ...credentials } = settings.wallet;
    const profile = profileNamed(name);
    return { ...open({ baseUrl, authUrl, profile, credentials, tokenFor }), profile, simulator: null };
  }
  const profile = profileNamed(simulatedProfile);
  const simulator = await openSimulator(settings, options, booksPath);
  await simulator.start({ port: 0 });
  const { baseUrl, authUrl, credentials } = simulator;
  return { ...open({ baseUrl, authUrl, profile, credentials }), profile, simulator };
}

const simulatedProfile = 'generic';
const simulatedPollDelayMs = 1_000;
/** Replayed in some seconds, while no till can pay. */
const mostBooksBytes = 100_000_000;

async function openSimulator(settings: ReadySettings, { clock, ids, log }: System, path: string | null): Promise<Simulator> {
  // Loaded on demand: a shop's daemon does not need it.
  const { Simulator } = await import('../sandbox/simulator/simulator.ts');
  const about = {
    profile: profileNamed(simulatedProfile),
    storeIds: settings.lanes.map(({ pointOfSale }) => pointOfSale.storeId),
    policy: { pollDelayInMs: simulatedPollDelayMs },
  };
  if (path === null) return new Simulator({ ...about, clock, ids });
  const { WorldEventFile } = await import('../sandbox/simulator/world-event-file.ts');
  const { NotKeptError } = await import('../sandbox/simulator/world-event.ts');
  const withBooks = (): Simulator => {
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > mostBooksBytes) throw new RangeError('they have become too long');
    const books = new WorldEventFile({ path, clock, profile: simulatedProfile, pollDelayInMs: simulatedPollDelayMs, seed: null });
    return new Simulator({ ...about, clock: books, ids: books, eventLog: books });
  };
  try {
    return withBooks();
  } catch (error) {
    // Nothing is wrong with what is kept already.
    if (error instanceof NotKeptError) throw error;
    // A demonstration goes on: what is lost is no real money.
    log.warn({ path, detail: messageOf(error) }, 'the books of the simulated service cannot be replayed: it begins anew');
    renameSync(path, `${path}.unreadable`);
    return withBooks();
  }
}
