import { openedFirst } from '../../main/counter/app/former-service.ts';
import { Lane } from '../../main/core/lane/lane.ts';
import type { LogLine, Log } from '../../main/core/domain/log.ts';
import { noNotices } from '../../main/core/domain/notices.ts';
import { silentLog } from '../../main/core/domain/log.ts';
import { Turns } from '../../main/core/domain/turns.ts';
import { createZvtTill } from '../../main/tills/zvt/till.ts';
import { ServiceMonitor } from '../../main/wallets/http/service-monitor.ts';
import type { MerchantPayments } from '../../main/core/lane/wallet-port.ts';
import type { Closings } from './day-book.ts';
import { type Disk, journalFor, type Written } from './disk.ts';
import type { Life } from './life.ts';
import type { Network } from './network.ts';
import type { Chance } from './random.ts';
import type { Stage } from './stage.ts';
import type { SimulatedLine } from './till-line.ts';
import type { ServiceName } from '../../main/core/domain/sale.ts';
import { settingsOf, walletsOf, type WalletParts } from './wallets.ts';

export interface Place {
  readonly laneId: string;
  readonly merchantPosId: string;
  readonly storeId: string;
  readonly flow: 'initiate' | 'prepare';
  readonly deadlineMs: number;
  readonly line: SimulatedLine;
}

export interface Daemon {
  readonly lanes: Lane[];
  readonly payments: MerchantPayments | null;
  /** Stops the check of every minute whether the service can be reached. */
  readonly stopAsking: () => void;
}

/** The daemon from its parts list, as `main/counter/app` puts it together, on simulated ports. */
export function bootDaemon(options: {
  life: Life;
  stage: Stage;
  chance: Chance;
  network: Network;
  disk: Disk;
  places: readonly Place[];
  /** The service that the shop uses. */
  service: ServiceName;
  /** The service that it used before, if any. */
  former?: ServiceName | undefined;
  written: (entry: Written) => void;
  /** Called when a lane's screens have changed. */
  changed: (laneId: string) => void;
  /** Without it, tills cannot close the daemon's days. */
  closings?: Closings;
}): Daemon {
  const {
    life,
    stage,
    chance,
    network,
    disk,
    places,
    service,
    former,
    written,
    changed,
    closings,
  } = options;
  const { clock } = life;
  // As the event loop's, without its limit in time, which stands still while a step is carried out.
  const turns = new Turns({ maxSteps: 16, nextTurn: (run) => void clock.after(0, run) });
  const ids = { uuid: () => chance.uuid() };
  const ofCalls = chance.fork();
  const log = stage.isTold ? toldLog(life, stage, 'daemon') : silentLog;
  const journal = journalFor(life, disk, stage, chance, written);
  const dayBook = closings?.over(journal, life);
  const monitor = new ServiceMonitor({ clock, log });
  const calls = { uuid: () => ofCalls.uuid() };
  const parts: WalletParts = {
    send: network.sendFor(life),
    clock,
    ids,
    ofCalls: calls,
    log,
    places,
  };
  const wallets = walletsOf[service]({ ...parts, send: monitor.watching(parts.send) });
  // As in `openWalletService`, whether the former service answers says nothing about the service
  // that takes payments.
  const formerWallets = former === undefined ? null : walletsOf[former](parts);
  const stopAsking = monitor.begin(wallets.presence);
  const lanes = places.map((place) => {
    const { laneId, deadlineMs, line } = place;
    // The newer service finds no customer before there is an amount: a change to it takes this with
    // it.
    const flow = service === 'v10' ? place.flow : 'initiate';
    const settings = settingsOf(place);
    const till = createZvtTill({
      settings:
        line.kind === 'serial'
          ? {
              protocol: 'zvt',
              transport: 'serial',
              path: `/dev/ttyS${laneId}`,
              baudRate: 9600,
              stopBits: 2,
              partialReversals: true,
            }
          : {
              protocol: 'zvt',
              transport: 'tcp',
              host: '127.0.0.1',
              port: 20_007,
              partialReversals: true,
            },
      currency: 'DKK',
      laneName: settings.name,
      beacons: settings.beaconTypes,
      softwareVersion: '1.2.3',
      clock,
      log,
      notices: noNotices,
      turns,
      openSerialWire:
        line.kind === 'serial'
          ? line.cable.openFor(life)
          : () => Promise.reject(new Error('there is no serial port')),
      ...(line.kind === 'tcp' && { createTcpServer: line.counter.serverFor(life) }),
    });
    return new Lane({
      settings: {
        id: laneId,
        name: settings.name,
        currency: 'DKK',
        flow,
        deadlineMs,
        beacons: settings.beaconTypes,
        plannedCaptureDelay: 'LessThan14Days',
      },
      till,
      wallet: wallets.counter(place),
      ...(formerWallets !== null && { formerWallet: openedFirst(formerWallets.counter(place)) }),
      service: monitor,
      journal,
      ...(dayBook && { dayBook }),
      clock,
      ids,
      log,
      changed: () => life.isAlive && changed(laneId),
    });
  });
  monitor.subscribe(() => {
    for (const lane of lanes) lane.serviceChanged();
  });
  return { lanes, payments: wallets.payments, stopAsking };
}

function toldLog(life: Life, stage: Stage, who: string): Log {
  const say =
    (level: string): LogLine =>
    (fields, message) => {
      if (life.isAlive && message !== 'payment' && message !== 'refund')
        stage.say(who, () => `${level}${message} ${JSON.stringify(fields)}`);
    };
  return {
    debug: () => {},
    info: say(''),
    warn: say('! '),
    error: say('!! '),
    child: () => toldLog(life, stage, who),
  };
}
