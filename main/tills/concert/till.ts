import type { createServer } from 'node:net';
import { boundedLog } from '../../core/domain/bounded-log.ts';
import type { Clock } from '../../core/domain/clock.ts';
import type { Log } from '../../core/domain/log.ts';
import type { Notices } from '../../core/domain/notices.ts';
import type { SerialPortSettings } from '../../core/domain/serial-format.ts';
import type { OpenSerialWire } from '../../core/domain/wire.ts';
import { Incidents } from '../line/incidents.ts';
import { isOfThisMachineAlone } from '../../core/domain/this-machine.ts';
import type { LaneCommands, Till } from '../../core/lane/till-port.ts';
import { type LineSettings, maxLinesOfTill, TillLine } from '../line/till-line.ts';
import { SerialSession } from './serial-session.ts';
import { concertFraming } from './tcp-framing.ts';
import { TcpSession } from './tcp-session.ts';
import { ConcertTerminal } from './terminal.ts';

export type ConcertSettings = { readonly protocol: 'concert' } & (
  | (SerialPortSettings & { readonly transport: 'serial' })
  | Extract<LineSettings, { transport: 'tcp' }>
);

export interface ConcertOptions {
  readonly settings: ConcertSettings;
  readonly clock: Clock;
  readonly log: Log;
  readonly notices: Notices;
  readonly openSerialWire: OpenSerialWire;
  /** Replaces `createServer` of node:net in the simulation, which has no network. */
  readonly createTcpServer?: typeof createServer;
}

/** The terminal's side of Concert (Caisse-AP) for one till. */
export function createConcertTill(options: ConcertOptions): Till {
  const { settings, clock } = options;
  const log = boundedLog(options.log, { clock, maxLines: maxLinesOfTill });
  const line = new TillLine<TcpSession | SerialSession>(settings);
  let terminal: ConcertTerminal | null = null;

  function openSerial(
    terminal: ConcertTerminal,
    port: Extract<ConcertSettings, { transport: 'serial' }>,
  ): Promise<void> {
    const session = new SerialSession(terminal, line.address);
    return line.openSerial(session, {
      commands: terminal.commands,
      port,
      link: session.link,
      open: options.openSerialWire,
      clock,
      log,
    });
  }

  async function openTcp(
    terminal: ConcertTerminal,
    network: Extract<ConcertSettings, { transport: 'tcp' }>,
  ): Promise<void> {
    const { commands, incidents } = terminal;
    const { createTcpServer } = options;
    await line.openTcp(network, {
      commands,
      framing: concertFraming,
      incidents,
      clock,
      log,
      session: (link, peer) => new TcpSession(terminal, link, peer),
      ...(createTcpServer && { createTcpServer }),
    });
    if (!isOfThisMachineAlone(network.host) && (network.from ?? []).length === 0)
      log.warn(
        { address: line.address },
        'other machines reach the port of the till, and till.from is not set',
      );
  }

  return {
    get address() {
      return line.address;
    },
    open(commands: LaneCommands) {
      terminal = new ConcertTerminal({
        commands,
        clock,
        log,
        incidents: new Incidents({ ...options, log }),
      });
      return settings.transport === 'serial'
        ? openSerial(terminal, settings)
        : openTcp(terminal, settings);
    },
    async close() {
      await line.close();
      log.close();
    },
    // The protocol has no message for progress.
    progress: () => {},
    offerPaid: async (sale) => line.sessionOf(sale.saleId)?.offer(sale) ?? 'notAcknowledged',
    conclude(sale, outcome) {
      const result = terminal?.ended(sale, outcome);
      if (result !== undefined) line.sessionOf(sale.saleId)?.conclude(result);
    },
    // A till of this protocol cannot begin a refund.
    offerRefunded: async () => 'notAcknowledged',
    concludeRefund: () => {},
  };
}
