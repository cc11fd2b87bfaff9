/** The parts list: settings → lanes, screens, demo. The one place that knows every room. */
import { join } from 'node:path';
import { openDemo } from '../demo/demo.ts';
import { openSerialWire } from '../hardware/serial-port.ts';
import type { JournalDamage } from '../journal/journal.ts';
import { openSqliteJournal } from '../journal/sqlite-journal.ts';
import { Lane } from '../lane/lane.ts';
import type { DamageShown } from '../lane/snapshot.ts';
import type { Clock } from '../primitives/clock.ts';
import type { Ids } from '../primitives/ids.ts';
import type { Log } from '../primitives/log.ts';
import { startScreensServer } from '../screens/server.ts';
import type { ScreensDesk } from '../screens/door.ts';
import type { ReadySettings } from '../settings/load.ts';
import type { LaneSettings } from '../settings/schema.ts';
import type { Simulator } from '../simulator/simulator.ts';
import { createZvtTill } from '../till/zvt/till.ts';
import { integratorAccess, type IntegratorAccessOptions } from '../wallet/access.ts';
import { fetchHttp } from '../wallet/http.ts';
import { createPointOfSaleCounter } from '../wallet/point-of-sale/counter.ts';
import { type Profile, profileNamed } from '../wallet/profile.ts';
import { Transport } from '../wallet/transport.ts';
import { openDataFolder } from './data-folder.ts';
import { createScreensDesk } from './screens-desk.ts';
import { terminalVersion } from './version.ts';

export interface TerminalOptions {
  readonly settings: ReadySettings;
  readonly dataFolder: string;
  /** Where browsers find the screens; null: only Electron's windows show them. */
  readonly screens: { readonly port: number; readonly nextFreeIfTaken: boolean; readonly rendererFolder: string } | null;
  /** Adds a till and a phone to play with; needs the embedded simulator. */
  readonly demo: boolean;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

export interface Terminal {
  readonly desk: ScreensDesk;
  /** e.g. `http://127.0.0.1:4180`. */
  readonly screensUrl: string | null;
  /** Where the embedded simulator answers; null when the wallet service is a real one. */
  readonly simulatorUrl: string | null;
  /** In the order of the settings; addresses are exact. */
  lanes(): { id: string; till: string }[];
  /** Resolves when every lane takes payments. */
  readonly ready: Promise<void>;
  /** Within two seconds, whatever is in flight. */
  close(): Promise<void>;
}

/** @throws Error in plain words when it can never work: the data folder, a TCP port, the screens' port */
export async function startTerminal(options: TerminalOptions): Promise<Terminal> {
  const { settings, clock, ids, log } = options;
  const folder = openDataFolder(options.dataFolder, clock);
  const listeners = new Set<(laneId: string) => void>();
  let journalDamage: DamageShown | null = null;
  const damaged = (damage: JournalDamage): void => {
    tellDamage(damage, log);
    journalDamage = { repaired: damage.repaired, lostSales: damage.lost.length };
    for (const { id } of settings.lanes) for (const listener of listeners) listener(id);
  };
  const journal = openSqliteJournal(folder.journal, clock, { checkSlowly: true, damaged });
  const { transport, profile, simulator } = await openWallet(options);
  const lanes = settings.lanes.map((lane) => {
    const laneLog = log.child({ lane: lane.id });
    const wallet = createPointOfSaleCounter({ transport, profile, settings: lane.pointOfSale, clock, ids, log: laneLog });
    const till = createZvtTill({
      settings: lane.till,
      currency: lane.currency,
      laneName: lane.name,
      softwareVersion: terminalVersion,
      clock,
      log: laneLog,
      openSerialWire,
    });
    const changed = (): void => {
      for (const listener of listeners) listener(lane.id);
    };
    const { id, name, currency, flow, deadlineSeconds } = lane;
    return new Lane({
      settings: { id, name, currency, flow, deadlineMs: deadlineSeconds * 1000 },
      till,
      wallet,
      journal,
      clock,
      ids,
      log,
      changed,
      journalDamage: () => journalDamage,
    });
  });
  const starting = lanes.map((lane) => lane.start());
  const demo = options.demo && simulator !== null ? openDemo({ lanes: demoLanes(lanes, settings), simulator }) : null;
  const desk = createScreensDesk({ lanes, demo, listeners });
  const closeEverything = async (): Promise<void> => {
    await Promise.all([...lanes.map((lane) => lane.close()), demo?.close(), server?.close()]);
    await simulator?.stop();
    journal.close();
    folder.close();
  };
  const server = options.screens && (await startScreensServer({ ...options.screens, host: '127.0.0.1', desk, log }));
  return {
    desk,
    screensUrl: server?.url ?? null,
    simulatorUrl: simulator?.baseUrl ?? null,
    lanes: () => lanes.map((lane) => ({ id: lane.id, till: lane.address })),
    ready: Promise.all(starting).then(() => undefined),
    close: closeEverything,
  };
}

function tellDamage({ lost, ...damage }: JournalDamage, log: Log): void {
  const what = damage.repaired ? 'the journal was damaged and is repaired' : 'the journal is damaged: a restart repairs it';
  log.error({ ...damage, lost: lost.length }, what);
  for (const sale of lost) log.error({ ...sale }, 'a person must look for this sale at the service: its story was lost');
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

async function openWallet({ settings, clock, ids, log }: TerminalOptions): Promise<{ transport: Transport; profile: Profile; simulator: Simulator | null }> {
  type Service = Pick<IntegratorAccessOptions, 'authUrl' | 'credentials' | 'profile' | 'tokenFor'> & { readonly baseUrl: string };
  const open = ({ baseUrl, profile, ...about }: Service): Transport => {
    const network = { profile, send: fetchHttp, clock };
    return new Transport({ ...network, baseUrl, access: integratorAccess({ ...network, ...about, clientVersion: terminalVersion }), log });
  };
  if (!('simulator' in settings.wallet)) {
    const { baseUrl, authUrl, profile: name, tokenFor, ...credentials } = settings.wallet;
    const profile = profileNamed(name);
    return { transport: open({ baseUrl, authUrl, profile, credentials, tokenFor }), profile, simulator: null };
  }
  // Loaded only where it is wanted: a shop's daemon has no use for it.
  const { Simulator } = await import('../simulator/simulator.ts');
  const profile = profileNamed('generic');
  const simulator = new Simulator({ profile, clock, ids, storeIds: settings.lanes.map((lane: LaneSettings) => lane.pointOfSale.storeId) });
  await simulator.start({ port: 0 });
  const { baseUrl, authUrl, credentials } = simulator;
  return { transport: open({ baseUrl, authUrl, profile, credentials }), profile, simulator };
}

/** Beside the built daemon, in a checkout and in a package alike. */
export function rendererFolderBeside(entryFolder: string): string {
  return join(entryFolder, '..', 'renderer');
}
