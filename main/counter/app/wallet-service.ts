import { renameSync, statSync } from 'node:fs';
import { messageOf } from '../../core/domain/errors.ts';
import type { Monitoring } from '../monitoring/monitoring.ts';
import type { Simulator } from '../../sandbox/simulator/simulator.ts';
import type { ReadySettings, ReadyFormerWallet } from '../settings/load.ts';
import { serviceOf } from '../settings/wallet.ts';
import type { Recreations } from '../setup/recreation.ts';
import { fetchHttp } from '../../wallets/http/http.ts';
import type { ServiceMonitor } from '../../wallets/http/service-monitor.ts';
import { profileNamed } from '../../wallets/v10/profile.ts';
import { openedWhenAsked } from './former-service.ts';
import type { OpenedService, ServiceNetwork } from './opened-service.ts';
import type { System } from './system.ts';

/** The wallet services that the settings name. */
export interface WalletService {
  /** The service that takes payments. */
  readonly inUse: OpenedService;
  /**
   * The previous service, which settles and refunds the payments that were begun there. null when
   * the settings name none.
   */
  readonly former: OpenedService | null;
  /** null for a real service. */
  readonly simulator: Simulator | null;
}

interface WalletServiceOptions extends System {
  readonly serviceMonitor: ServiceMonitor;
  readonly recreations: Recreations | null;
  readonly monitoring?: Pick<Monitoring, 'serviceCalled'>;
}

/**
 * @param booksPath where a simulated service keeps its state, so that it survives the process; null
 * when it does not
 */
export async function openWalletService(
  settings: ReadySettings,
  options: WalletServiceOptions,
  booksPath: string | null,
): Promise<WalletService> {
  const { serviceMonitor, monitoring, recreations, ...system } = options;
  const observe = monitoring === undefined ? {} : { observe: monitoring.serviceCalled };
  const network: ServiceNetwork = {
    ...system,
    ...observe,
    send: serviceMonitor.watching(fetchHttp),
  };
  // Its reachability says nothing about the service that takes payments.
  const besides: ServiceNetwork = { ...system, ...observe, send: fetchHttp };
  const { wallet, formerWallet } = settings;
  if ('simulator' in wallet) {
    const simulator = await openSimulator(settings, options, booksPath);
    await simulator.start({ port: 0 });
    const { baseUrl, authUrl, credentials, salesUnit } = simulator;
    const [{ v10Service }, { epaymentService }] = await Promise.all([
      import('./v10-service.ts'),
      import('./epayment-service.ts'),
    ]);
    const both = (of: ServiceNetwork, again: Recreations | null) => ({
      v10: () =>
        v10Service(
          { baseUrl, authUrl, profile: profileNamed(simulatedProfile), credentials },
          of,
          again,
        ),
      epayment: () =>
        epaymentService({ baseUrl, keys: salesUnit, codeForm: 'picture' }, of, settings),
    });
    const name = serviceOf(wallet);
    const other = name === 'v10' ? 'epayment' : 'v10';
    // A demonstration of one service may have begun payments at the other one before.
    const isOtherPossible =
      other === 'epayment' ||
      settings.lanes.every(({ pointOfSale }) => pointOfSale.storeId !== undefined);
    return {
      inUse: both(network, recreations)[name](),
      former: isOtherPossible ? openedWhenAsked(both(besides, null)[other]()) : null,
      simulator,
    };
  }
  // Each is loaded where it is needed: most counters have one.
  const open = async (
    of: ReadyFormerWallet,
    on: ServiceNetwork,
    again: Recreations | null,
  ): Promise<OpenedService> => {
    if (of.service === 'epayment') {
      const { epaymentService, salesUnitOf } = await import('./epayment-service.ts');
      return epaymentService(salesUnitOf(of), on, settings);
    }
    const { v10Service } = await import('./v10-service.ts');
    const { baseUrl, authUrl, profile, tokenFor, ...credentials } = of;
    return v10Service(
      { baseUrl, authUrl, profile: profileNamed(profile), credentials, tokenFor },
      on,
      again,
    );
  };
  const former =
    formerWallet === undefined ? null : openedWhenAsked(await open(formerWallet, besides, null));
  return { inUse: await open(wallet, network, recreations), former, simulator: null };
}

const simulatedProfile = 'generic';
const simulatedPollDelayMs = 1_000;
/** So much is replayed in some seconds, in which no till can pay. */
const maxBooksBytes = 100_000_000;

async function openSimulator(
  settings: ReadySettings,
  { clock, ids, log }: System,
  path: string | null,
): Promise<Simulator> {
  // Loaded on demand: a shop's daemon does not need it.
  const { Simulator } = await import('../../sandbox/simulator/simulator.ts');
  const storeIds = settings.lanes.flatMap(({ pointOfSale }) => pointOfSale.storeId ?? []);
  const about = {
    profile: profileNamed(simulatedProfile),
    ...(storeIds.length > 0 && { storeIds }),
    policy: { pollDelayInMs: simulatedPollDelayMs },
  };
  if (path === null) return new Simulator({ ...about, clock, ids });
  const { WorldEventFile } = await import('../../sandbox/simulator/world-event-file.ts');
  const { NotKeptError } = await import('../../sandbox/simulator/world-event.ts');
  const withBooks = (): Simulator => {
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > maxBooksBytes)
      throw new RangeError('they have become too long');
    const books = new WorldEventFile({
      path,
      clock,
      profile: simulatedProfile,
      pollDelayInMs: simulatedPollDelayMs,
      seed: null,
    });
    return new Simulator({ ...about, clock: books, ids: books, eventLog: books });
  };
  try {
    return withBooks();
  } catch (error) {
    // The stored books are readable; only the latest change could not be written.
    if (error instanceof NotKeptError) throw error;
    // A demonstration goes on: no real money is lost.
    log.warn(
      { path, detail: messageOf(error) },
      'the books of the simulated service could not be replayed: starting with empty ones',
    );
    renameSync(path, `${path}.unreadable`);
    return withBooks();
  }
}
