import type { createServer } from 'node:net';
import type { Clock } from '../domain/clock.ts';
import type { Log } from '../domain/log.ts';
import type { OpenSerialWire } from '../domain/wire.ts';
import type { Incidents } from './incidents.ts';
import type { Peer } from './peer.ts';
import type { LaneCommands, TillLink } from './port.ts';
import { keepSerialLine, type SerialLink } from './serial-line.ts';
import { type Framing, listenForTills, type Standing, type TcpLink } from './tcp-line.ts';

export type LineSettings =
  | { readonly transport: 'serial'; readonly path: string; readonly baudRate: number }
  | {
      readonly transport: 'tcp';
      readonly host: string;
      readonly port: number;
      /** Addresses and networks that may connect; all when it is missing. */
      readonly from?: readonly string[] | undefined;
    };

/** One till at its end of a line. */
interface TillSession {
  /** The sale or refund that it waits for. */
  readonly waitsFor: string | null;
}

/** At the end of a connection, of which a line over TCP may have some. */
interface ConnectedSession extends TillSession {
  readonly standing: Standing;
  received(message: Uint8Array): void;
  closed(): void;
}

interface About {
  readonly commands: LaneCommands;
  readonly clock: Clock;
  readonly log: Log;
}

/** A till's line, a cable or a port of TCP, and who speaks on it. */
export class TillLine<Of extends TillSession> {
  readonly #sessions = new Set<Of>();
  #line: { readonly address: string; close(): Promise<void> };

  constructor(settings: LineSettings) {
    const address = settings.transport === 'serial' ? `serial:${settings.path}` : `tcp:${settings.host}:${settings.port}`;
    this.#line = { address, close: async () => {} };
  }

  get address(): string {
    return this.#line.address;
  }

  sessionOf(id: string): Of | undefined {
    return [...this.#sessions].find((session) => session.waitsFor === id);
  }

  /** Resolves when the port has been tried once; from then on it is kept open. */
  async openSerial(
    session: Of,
    {
      commands,
      ...about
    }: About & { readonly port: { path: string; baudRate: number; stopBits: 1 | 2 }; readonly link: SerialLink; readonly open: OpenSerialWire },
  ): Promise<void> {
    this.#sessions.add(session);
    const serial = keepSerialLine({ ...about, state: (state) => commands.tillLink(state) });
    this.#line = serial;
    await serial.firstAttempt;
  }

  /** @throws when the address cannot be had */
  async openTcp(
    { host, port, from = [] }: Extract<LineSettings, { transport: 'tcp' }>,
    {
      commands,
      session: sessionFor,
      ...about
    }: About & {
      readonly framing: Framing;
      readonly incidents: Incidents;
      readonly session: (link: TcpLink, peer: Peer) => Of & ConnectedSession;
      readonly createTcpServer?: typeof createServer;
    },
  ): Promise<void> {
    const state = (): TillLink['state'] => (this.#sessions.size > 0 ? 'connected' : 'open');
    const tell = (): void => commands.tillLink({ state: state(), detail: null, heardAtMs: null });
    const connected = (link: TcpLink, peer: Peer) => {
      const session = sessionFor(link, peer);
      this.#sessions.add(session);
      tell();
      return {
        received: (message: Uint8Array) => session.received(message),
        get standing() {
          return session.standing;
        },
        closed: () => {
          this.#sessions.delete(session);
          session.closed();
          tell();
        },
      };
    };
    const listening = await listenForTills({ ...about, host, port, from, listener: { connected } });
    this.#line = { address: `tcp:${host}:${listening.port}`, close: listening.close };
    tell();
  }

  close(): Promise<void> {
    return this.#line.close();
  }
}
