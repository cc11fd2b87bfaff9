import { createServer, type Socket } from 'node:net';
import { CappedMap } from '../../core/domain/capped-map.ts';
import { Budget } from '../../core/domain/budget.ts';
import type { Cancel, Clock } from '../../core/domain/clock.ts';
import { listenOn } from '../../core/domain/listening-port.ts';
import type { Log } from '../../core/domain/log.ts';
import { systemTurns, type Turns } from '../../core/domain/turns.ts';
import type { Incidents } from './incidents.ts';
import { PacedInput } from './paced-input.ts';
import { addressFilter, type Peer, tcpPeer } from './peer.ts';

/**
 * More than a counter's tills need. A further connection replaces the one that behaves least like a
 * till.
 */
const maxConnections = 16;
/** Connections that the system queues meanwhile. */
const maxSockets = 4 * maxConnections;
/** An address with more than these makes room first, so that the others keep theirs. */
const maxOfAddress = maxConnections / 4;
/**
 * `silent`: nothing was said yet. `proven`: it has sent the password, or acknowledged a payment. In
 * the order in which connections make room for another one; `waitsForResult` never does.
 */
export type Standing = 'silent' | 'speaks' | 'registered' | 'proven' | 'waitsForResult';

/** What a protocol's messages look like on a connection. */
export interface Framing {
  /**
   * What kind of connection begins with these bytes; null when more bytes are needed, of which a
   * few have to be enough.
   */
  recognise(head: Uint8Array, peer: string): Recognised | 'stranger' | null;
  /** How long the rest of a message may take. */
  readonly restWithinMs: number;
}

/** A till's connection. */
export interface Recognised {
  /** For the log. */
  readonly name: string;
  readonly stream: MessageStream;
  /** A message as it goes to the till. */
  framed(message: Uint8Array): Uint8Array;
  readonly tap: ConnectionTap | null;
}

export interface MessageStream {
  /**
   * The complete messages, however they were split; null when it cannot be said any more where one
   * begins.
   */
  push(chunk: Uint8Array): readonly Uint8Array[] | null;
  /** A message is incomplete. */
  readonly isInside: boolean;
}

/** Sees what goes over a connection, and neither holds it up nor fails. */
export interface ConnectionTap {
  bytes(from: 'till' | 'terminal', bytes: Uint8Array): void;
  closed(): void;
}

const maxLoggedHeadBytes = 32;
const roomOrder: readonly Standing[] = ['silent', 'speaks', 'registered', 'proven'];
/** Detects a till that was switched off without closing its connection. */
const keepAliveInitialDelay = 30_000;
/** Bounded, because a till that sends without reading must not fill the memory. */
const maxUnreadBytes = 65_536;

/**
 * Far more messages than a till sends, which waits for an answer after each. Answers that we wait
 * for cost nothing: our packets set their pace. The budget of an address bounds what a peer gains
 * by connecting again and again.
 */
const connectionBudget = { perSecond: 200, burst: 400 };
const addressBudget = { perSecond: 1_000, burst: 2_000, maxWaitMs: 50 };
/** A long message costs as much as several short ones. */
const bytesOfOne = 512;
/** A connection that exceeds its budget for this long does not belong to a till. */
const maxOverBudgetMs = 10_000;
/** Bounded, because a peer may have many addresses. */
const maxAddresses = 1_000;
/** As much as a till's longest packet has in practice. */
const pieceBytes = 1_024;

/** One till's connection. */
export class TcpLink {
  readonly #socket: Socket;
  /** null until the till has spoken; nothing is sent before. */
  till: Recognised | null = null;
  /** Whether we have closed it, and obey nothing any more that it has sent. */
  isGivenUp = false;
  constructor(socket: Socket) {
    this.#socket = socket;
  }
  isUp(): boolean {
    return !this.#socket.destroyed;
  }
  /**
   * @param sent runs once, when the system has taken the bytes or never will; that the till has
   * them is not known
   */
  send(
    message: Uint8Array,
    sent: (how: { readonly delivered: boolean; readonly copies: number }) => void = () => {},
  ): void {
    if (this.#socket.writableLength > maxUnreadBytes) this.close();
    if (this.#socket.destroyed || this.#socket.writableEnded) sent({ delivered: false, copies: 0 });
    else {
      const bytes = this.till?.framed(message) ?? message;
      this.till?.tap?.bytes('terminal', bytes);
      this.#socket.write(bytes, (error) => sent({ delivered: !error, copies: 1 }));
    }
  }
  unanswered(): void {
    this.close();
  }
  /**
   * Closes our half of the connection. The other half is read until the till or `close` closes it.
   */
  endAnswers(): void {
    this.#socket.end();
  }
  close(): void {
    this.isGivenUp = true;
    this.#socket.destroy();
  }
}

interface Connection {
  readonly peer: Peer;
  readonly link: TcpLink;
  readonly standing: () => Standing;
  /** The last activity, by the monotonic clock. */
  heardMs: number;
}

/** What listens to the messages of a connection. */
export interface ConnectionListener {
  readonly standing: Standing;
  /**
   * What it takes to obey the message, compared with a short one that is answered from memory; 0
   * for an answer that we wait for. 1 by default.
   */
  costOf?(message: Uint8Array): number;
  received(message: Uint8Array): void;
  closed(): void;
}

export interface TcpListener {
  /** Called for each connection. */
  connected(link: TcpLink, peer: Peer): ConnectionListener;
}

/**
 * Listens on the port where tills look for a terminal. It closes the connections of other peers:
 * neither endless nor unwanted connections can keep tills out.
 * @throws when the address cannot be had
 */
export async function listenForTills(options: {
  host: string;
  port: number;
  clock: Clock;
  log: Log;
  listener: TcpListener;
  /** Addresses and networks that may connect; empty: all. */
  from: readonly string[];
  framing: Framing;
  incidents: Incidents;
  /** node:net's, or the simulation's. */
  createTcpServer?: typeof createServer;
  /** The event loop's, or the simulation's. */
  turns?: Turns;
}): Promise<{ port: number; close: () => Promise<void> }> {
  const {
    host,
    port,
    clock,
    log,
    listener,
    framing,
    incidents,
    createTcpServer = createServer,
    turns = systemTurns,
  } = options;
  const mayConnect = addressFilter(options.from);
  const connections = new Set<Connection>();
  const budgets = new CappedMap<string, Budget>(maxAddresses);
  const server = createTcpServer(
    { noDelay: true, keepAlive: true, keepAliveInitialDelay },
    (socket) => serve(socket),
  );
  server.maxConnections = maxSockets;

  function budgetOf(address: string): Budget {
    const budget = budgets.get(address) ?? new Budget(addressBudget);
    budgets.set(address, budget);
    return budget;
  }

  /** @returns false when every connection waits for the result of a payment or refund */
  function makeRoom(): boolean {
    if (connections.size < maxConnections) return true;
    const all = [...connections];
    const countOf = ({ peer }: Connection): number =>
      all.filter((other) => other.peer.address === peer.address).length;
    const rank = ({ standing }: Connection): number => roomOrder.indexOf(standing());
    const [least] = all
      .map((connection) => ({ connection, count: countOf(connection), rank: rank(connection) }))
      .filter(({ rank }) => rank >= 0)
      .toSorted(
        (one, other) =>
          Number(other.count > maxOfAddress) - Number(one.count > maxOfAddress) ||
          one.rank - other.rank ||
          other.count - one.count ||
          one.connection.heardMs - other.connection.heardMs,
      );
    if (least === undefined) return false;
    const { link, peer, standing } = least.connection;
    incidents.log(
      { from: peer.name, standing: standing() },
      'all places for tills are taken: this connection makes room for a new one',
    );
    connections.delete(least.connection);
    link.close();
    return true;
  }

  function serve(socket: Socket): void {
    const peer = tcpPeer(socket.remoteAddress, socket.remotePort);
    const from = peer.name;
    socket.on('error', (error) =>
      log.warn({ from, detail: error.message }, 'the connection to the till failed'),
    );
    if (!mayConnect(peer.address)) {
      incidents.tell('tillAddressRefused', peer, `till.from names ${options.from.join(', ')}`);
      socket.destroy();
      return;
    }
    if (!makeRoom()) {
      incidents.log(
        { from },
        'all places for tills are taken by payments: this connection is closed',
      );
      socket.destroy();
      return;
    }
    const link = new TcpLink(socket);
    const session = listener.connected(link, peer);
    let stream: MessageStream | null = null;
    /** Bytes of which it is not known yet how they are framed. */
    let head = Buffer.alloc(0);
    const standing = (): Standing => (stream === null ? 'silent' : session.standing);
    const connection: Connection = { peer, link, standing, heardMs: clock.monotonicMs() };
    let cancelRest: Cancel | null = null;
    const endRest = (): void => {
      cancelRest?.();
      cancelRest = null;
    };
    connections.add(connection);
    const boundRest = (): void => {
      cancelRest ??= clock.after(framing.restWithinMs, () => {
        log.warn({ from }, 'the rest of a packet never came: the connection is closed');
        link.close();
      });
    };
    /** @returns null until it is known to be a till */
    const recognised = (piece: Uint8Array): MessageStream | null => {
      head = Buffer.concat([head, piece]);
      const till = framing.recognise(head, from);
      if (till === 'stranger') {
        incidents.tell(
          'tillStranger',
          peer,
          `it began with ${printable(head.subarray(0, maxLoggedHeadBytes))}`,
        );
        link.close();
      }
      if (till === null) boundRest();
      if (till === null || till === 'stranger') return null;
      // A peer that only connects or is not a till is not logged, because there may be thousands.
      log.info({ from, framing: till.name }, 'a till has connected');
      link.till = till;
      return till.stream;
    };
    const split = (piece: Uint8Array): readonly Uint8Array[] => {
      let bytes = piece;
      if (stream === null) {
        stream = recognised(piece);
        if (stream === null) return [];
        bytes = head;
        head = Buffer.alloc(0);
      }
      connection.heardMs = clock.monotonicMs();
      link.till?.tap?.bytes('till', bytes);
      const messages = stream.push(bytes);
      if (messages === null) {
        log.warn(
          { from },
          'the length before a packet is not that of the packet: the connection is closed',
        );
        link.close();
        return [];
      }
      // For the whole message, so that single bytes do not keep a connection open.
      if (messages.length > 0) endRest();
      return messages;
    };
    const budget = new Budget(connectionBudget);
    let overBudgetSinceMs: number | null = null;
    const delayMs = (message: Uint8Array): number => {
      const amount = Math.ceil(message.length / bytesOfOne) * (session.costOf?.(message) ?? 1);
      if (amount === 0) return 0;
      const nowMs = clock.monotonicMs();
      const sharedMs = budgetOf(peer.address).take(amount, nowMs);
      const ownMs = budget.take(amount, nowMs);
      if (ownMs > 0) overBudget(nowMs);
      return Math.max(ownMs, sharedMs);
    };
    const overBudget = (nowMs: number): void => {
      overBudgetSinceMs ??= nowMs;
      if (nowMs - overBudgetSinceMs < maxOverBudgetMs || session.standing === 'waitsForResult')
        return incidents.log(
          { from },
          'a connection sends more than a till does: its messages wait',
        );
      incidents.tell(
        'tillStranger',
        peer,
        `it sent more than a till does for ${maxOverBudgetMs / 1_000} s`,
      );
      link.close();
    };
    const onIdle = (): void => {
      overBudgetSinceMs = null;
      if (link.isGivenUp) return;
      if (stream?.isInside) boundRest();
      socket.resume();
    };
    const take = (message: Uint8Array): void => {
      if (!link.isGivenUp) session.received(message);
    };
    const input = new PacedInput({ turns, clock, pieceBytes, split, take, delayMs, onIdle });
    socket.on('data', (chunk) => {
      input.push(chunk);
      // Bounded memory: nothing more is read before this is taken.
      if (!input.isIdle) socket.pause();
    });
    socket.on('close', () => {
      endRest();
      // Process the bytes that came before the till hung up: they may acknowledge a result. The
      // connection keeps its place meanwhile.
      if (link.isGivenUp) input.close();
      input.finish(() => {
        endRest();
        connections.delete(connection);
        if (stream !== null) log.info({ from }, 'the till has disconnected');
        link.till?.tap?.closed();
        session.closed();
      });
    });
  }

  return {
    port: await listenOn(server, 'the till cannot be listened to', { host, port }),
    close() {
      for (const { link } of connections) link.close();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Text unchanged, so that a person recognises it; other bytes in hex. */
function printable(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString('latin1');
  return /^[\x20-\x7e\r\n]+$/.test(text)
    ? JSON.stringify(text)
    : Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(' ');
}
