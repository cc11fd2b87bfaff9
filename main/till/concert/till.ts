import type { createServer } from 'node:net';
import type { Clock } from '../../domain/clock.ts';
import type { Log } from '../../domain/log.ts';
import type { Notices } from '../../domain/notices.ts';
import type { OpenSerialWire } from '../../domain/wire.ts';
import { Incidents } from '../incidents.ts';
import { isOfThisMachineAlone } from '../peer.ts';
import type { LaneCommands, Till } from '../port.ts';
import { keepSerialLine } from '../serial-line.ts';
import { listenForTills } from '../tcp-line.ts';
import { SerialSession } from './serial-session.ts';
import { TcpSession } from './tcp-session.ts';
import { Terminal } from './terminal.ts';
import { records } from './v3.ts';

export type ConcertSettings = { readonly protocol: 'concert' } & (
  | { readonly transport: 'serial'; readonly path: string; readonly baudRate: number; readonly stopBits: 1 | 2 }
  | {
      readonly transport: 'tcp';
      readonly host: string;
      readonly port: number;
      /** Addresses and networks that may connect; left out: all. */
      readonly from?: readonly string[] | undefined;
    }
);

export interface ConcertOptions {
  readonly settings: ConcertSettings;
  readonly clock: Clock;
  readonly log: Log;
  readonly notices: Notices;
  readonly openSerialWire: OpenSerialWire;
  /** Of node:net, unless there is no network. */
  readonly createTcpServer?: typeof createServer;
}

/** A till that speaks Concert (Caisse-AP) to us, the terminal. */
export function createConcertTill(options: ConcertOptions): Till {
  const { settings, clock, log } = options;
  const sessions = new Set<TcpSession | SerialSession>();
  let line: { readonly address: string; close(): Promise<void> } = {
    address: settings.transport === 'serial' ? `serial:${settings.path}` : `tcp:${settings.host}:${settings.port}`,
    close: async () => {},
  };
  let terminal: Terminal | null = null;
  const sessionOf = (id: string): TcpSession | SerialSession | undefined => [...sessions].find((session) => session.waitsFor === id);

  async function openSerial(terminal: Terminal, port: Extract<ConcertSettings, { transport: 'serial' }>): Promise<void> {
    const session = new SerialSession(terminal, line.address);
    sessions.add(session);
    const { link } = session;
    const serial = keepSerialLine({
      port,
      link,
      open: options.openSerialWire,
      clock,
      log,
      state: (state) => terminal.commands.tillLink(state),
    });
    line = serial;
    await serial.firstAttempt;
  }

  async function openTcp(terminal: Terminal, { host, port, from = [] }: Extract<ConcertSettings, { transport: 'tcp' }>): Promise<void> {
    const tell = (): void => terminal.commands.tillLink({ state: sessions.size > 0 ? 'connected' : 'open', detail: null, heardAtMs: null });
    const listening = await listenForTills({
      host,
      port,
      from,
      framing: records,
      incidents: terminal.incidents,
      clock,
      log,
      ...(options.createTcpServer && { createTcpServer: options.createTcpServer }),
      listener: {
        connected(link, peer) {
          const session = new TcpSession(terminal, link, peer);
          sessions.add(session);
          tell();
          return {
            received: (record) => session.received(record),
            get standing() {
              return session.standing;
            },
            closed() {
              sessions.delete(session);
              session.closed();
              tell();
            },
          };
        },
      },
    });
    const address = `tcp:${host}:${listening.port}`;
    if (!isOfThisMachineAlone(host) && from.length === 0) log.warn({ address }, 'other machines reach the port of the till, and till.from is not set');
    line = { address, close: listening.close };
    tell();
  }

  return {
    get address() {
      return line.address;
    },
    open(commands: LaneCommands) {
      terminal = new Terminal({ commands, clock, log, incidents: new Incidents(options) });
      return settings.transport === 'serial' ? openSerial(terminal, settings) : openTcp(terminal, settings);
    },
    close: () => line.close(),
    // The protocol has no words for progress.
    progress: () => {},
    offerPaid: async (sale) => sessionOf(sale.saleId)?.offer(sale) ?? 'notAcknowledged',
    conclude(sale, outcome) {
      const told = terminal?.ended(sale, outcome);
      if (told !== undefined) sessionOf(sale.saleId)?.conclude(told);
    },
    // No refund begins here.
    offerRefunded: async () => 'notAcknowledged',
    concludeRefund: () => {},
  };
}
