import type { createServer } from 'node:net';
import { Budget } from '../../core/domain/budget.ts';
import type { Cancel, Clock } from '../../core/domain/clock.ts';
import type { Log } from '../../core/domain/log.ts';
import type { SerialPortSettings } from '../../core/domain/serial-format.ts';
import type { Turns } from '../../core/domain/turns.ts';
import type { OpenSerialWire } from '../../core/domain/wire.ts';
import type { Incidents } from './incidents.ts';
import type { Peer } from './peer.ts';
import type { LaneCommands, TillLink } from '../../core/lane/till-port.ts';
import { keepSerialLine, type SerialLink } from './serial-line.ts';
import { type ConnectionListener, type Framing, listenForTills, type TcpLink } from './tcp-line.ts';

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
type ConnectedSession = TillSession & ConnectionListener;

interface About {
  readonly commands: LaneCommands;
  readonly clock: Clock;
  readonly log: Log;
  /** The event loop's, or the simulation's. */
  readonly turns?: Turns;
}

/**
 * How many lines of a kind a till's line may log in a minute: a payment each second, and no flood.
 */
export const maxLinesOfTill = 60;
/**
 * How often the screens are told that tills have come and gone. Somebody who connects in a loop
 * must not keep them busy.
 */
const linkBudget = { perSecond: 2, burst: 20 };

/** A till's line, a cable or a port of TCP, and who speaks on it. */
export class TillLine<Of extends TillSession> {
  readonly #sessions = new Set<Of>();
  #line: { readonly address: string; close(): Promise<void> };

  constructor(settings: LineSettings) {
    const address =
      settings.transport === 'serial'
        ? `serial:${settings.path}`
        : `tcp:${settings.host}:${settings.port}`;
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
    }: About & {
      readonly port: SerialPortSettings;
      readonly link: SerialLink;
      readonly open: OpenSerialWire;
    },
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
    const linkReporter = linkTeller(commands, about.clock, () =>
      this.#sessions.size > 0 ? 'connected' : 'open',
    );
    const connected = (link: TcpLink, peer: Peer): ConnectionListener => {
      const session = sessionFor(link, peer);
      this.#sessions.add(session);
      linkReporter.tell();
      return {
        get standing() {
          return session.standing;
        },
        costOf: (message) => session.costOf?.(message) ?? 1,
        received: (message) => session.received(message),
        closed: () => {
          this.#sessions.delete(session);
          session.closed();
          linkReporter.tell();
        },
      };
    };
    const listening = await listenForTills({ ...about, host, port, from, listener: { connected } });
    const close = (): Promise<void> => {
      linkReporter.end();
      return listening.close();
    };
    this.#line = { address: `tcp:${host}:${listening.port}`, close };
    linkReporter.tell();
  }

  close(): Promise<void> {
    return this.#line.close();
  }
}

/** Tells the lane of a change of the link: at once, unless there were many. */
function linkTeller(
  commands: LaneCommands,
  clock: Clock,
  state: () => TillLink['state'],
): { tell(): void; end(): void } {
  const budget = new Budget(linkBudget);
  let lastState: TillLink['state'] | null = null;
  let cancel: Cancel | null = null;
  const tellNow = (): void => {
    cancel = null;
    if (state() === lastState) return;
    lastState = state();
    commands.tillLink({ state: lastState, detail: null, heardAtMs: null });
  };
  return {
    tell() {
      if (cancel !== null || state() === lastState) return;
      const waitMs = budget.take(1, clock.monotonicMs());
      if (waitMs === 0) tellNow();
      else cancel = clock.after(waitMs, tellNow);
    },
    end: () => cancel?.(),
  };
}
