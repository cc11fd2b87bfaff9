import { renameSync, statSync } from 'node:fs';
import { messageOf } from '../../core/domain/errors.ts';
import type { Monitoring } from '../monitoring/monitoring.ts';
import type { Simulator } from '../../sandbox/simulator/simulator.ts';
import type { ReadySettings, ReadyFormerWallet } from '../settings/load.ts';
import { serviceOf } from '../settings/wallet.ts';
import type { Recreations } from '../setup/recreation.ts';
import { fetchHttp } from '../../wallets/http/http.ts';
import type { ServiceMonitor } from '../../wallets/http/service-monitor.ts';
import { profileNamed } from '../../wallets/v10/v10-profile.ts';
import type { OpenedProvider, ProviderNetwork } from '../../wallets/wallet-provider.ts';
import { allProviders, providerOf } from '../../wallets/wallet-providers.ts';
import type { ServiceName } from '../../core/domain/sale.ts';
import { openedWhenAsked } from './former-service.ts';
import { simulatedProfile, simulatedWallets } from './simulated-wallet.ts';
import type { System } from './system.ts';
import { terminalVersion } from './version.ts';

/** The providers that the settings name. */
export interface WalletService {
  /** The provider that takes payments. */
  readonly inUse: OpenedProvider;
  /**
   * The previous service, which settles and refunds the payments that were begun there. null when
   * the settings name none.
   */
  readonly former: OpenedProvider | null;
  /** null for a real provider. */
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
  const { wallet, formerWallet } = settings;
  const own: ProviderNetwork = {
    ...system,
    ...observe,
    clientVersion: terminalVersion,
    send: serviceMonitor.watching(fetchHttp),
    recreations,
  };
  // The former provider's reachability says nothing about the one that takes payments.
  const aside: ProviderNetwork = { ...own, send: fetchHttp, recreations: null };
  const open = (of: ReadyFormerWallet, network: ProviderNetwork): Promise<OpenedProvider> =>
    providerOf(of).open(of, network, settings);
  const openFormer = async (of: ReadyFormerWallet | undefined): Promise<OpenedProvider | null> =>
    of === undefined ? null : openedWhenAsked(await open(of, aside));
  if (!('simulator' in wallet))
    return {
      inUse: await open(wallet, own),
      former: await openFormer(formerWallet),
      simulator: null,
    };
  const simulator = await openSimulator(settings, options, booksPath);
  await simulator.start({ port: 0 });
  const simulated = (name: ServiceName): ReadyFormerWallet => simulatedWallets[name](simulator);
  const name = serviceOf(wallet);
  // A demonstration of one provider may have begun payments at another one before.
  const other = allProviders.find(
    (provider) =>
      provider.name !== name &&
      settings.lanes.every((lane) => provider.formerLaneIssues(lane).length === 0),
  );
  return {
    inUse: await open(simulated(name), own),
    former: await openFormer(other && simulated(other.name)),
    simulator,
  };
}

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
