import { createServer, type Server, type Socket } from 'node:net';
import type { Cancel, Clock } from '../domain/clock.ts';
import type { Log } from '../domain/log.ts';
import type { Incidents } from './incidents.ts';
import { addressFilter, type Peer, tcpPeer } from './peer.ts';
import { listeningPort } from '../domain/listening-port.ts';

/** More than a counter's tills need. A further connection replaces the one that behaves least like a till. */
const mostConnections = 16;
/** Connections that the system queues meanwhile. */
const mostSockets = 4 * mostConnections;
/**
 * `silent`: nothing was said yet. `proven`: it has sent the password, or acknowledged a payment. In the order in which connections make room for another
 * one; `waitsForResult` never does.
 */
export type Standing = 'silent' | 'speaks' | 'registered' | 'proven' | 'waitsForResult';

/** What a protocol's messages look like on a connection. */
export interface Framing {
  /** What kind of connection begins with these bytes; null when more bytes are needed, of which a few have to be enough. */
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
  /** The complete messages, however they were split; null when it cannot be said any more where one begins. */
  push(chunk: Uint8Array): readonly Uint8Array[] | null;
  /** A message is incomplete. */
  readonly isInside: boolean;
}

/** Sees what goes over a connection, and neither holds it up nor fails. */
export interface ConnectionTap {
  bytes(from: 'till' | 'terminal', bytes: Uint8Array): void;
  closed(): void;
}

const firstBytesTold = 32;
const roomOrder: readonly Standing[] = ['silent', 'speaks', 'registered', 'proven'];
/** Detects a till that was switched off without closing its connection. */
const keepAliveInitialDelay = 30_000;
/** Bounded, because a till that sends without reading must not fill the memory. */
const mostUnreadBytes = 65_536;

/** One till's connection. */
export class TcpLink {
  readonly #socket: Socket;
  /** null until the till has spoken; nothing is sent before. */
  till: Recognised | null = null;
  constructor(socket: Socket) {
    this.#socket = socket;
  }
  isUp(): boolean {
    return !this.#socket.destroyed;
  }
  /** @param sent runs once, when the system has taken the bytes or never will; that the till has them is not known */
  send(message: Uint8Array, sent: (how: { readonly delivered: boolean; readonly copies: number }) => void = () => {}): void {
    if (this.#socket.writableLength > mostUnreadBytes) this.#socket.destroy();
    if (this.#socket.destroyed || this.#socket.writableEnded) sent({ delivered: false, copies: 0 });
    else {
      const bytes = this.till?.framed(message) ?? message;
      this.till?.tap?.bytes('terminal', bytes);
      this.#socket.write(bytes, (error) => sent({ delivered: !error, copies: 1 }));
    }
  }
  unanswered(): void {
    this.#socket.destroy();
  }
  close(): void {
    this.#socket.destroy();
  }
}

interface Connection {
  readonly peer: Peer;
  readonly standing: () => Standing;
  /** The last activity, by the monotonic clock. */
  heardMs: number;
}

export interface TcpListener {
  /** Called for each connection; returns the listener of its messages. */
  connected(link: TcpLink, peer: Peer): { received(message: Uint8Array): void; readonly standing: Standing; closed(): void };
}

/**
 * Listens where tills look for a terminal. What is no till is hung up on, and what never ends, or is not wanted, cannot keep tills out.
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
}): Promise<{ port: number; close: () => Promise<void> }> {
  const { host, port, clock, log, listener, framing, incidents, createTcpServer = createServer } = options;
  const mayConnect = addressFilter(options.from);
  const connections = new Map<Socket, Connection>();
  const server = createTcpServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay }, (socket) => serve(socket));
  server.maxConnections = mostSockets;

  /** @returns false when every connection waits for the result of a payment or refund */
  function makeRoom(): boolean {
    if (connections.size < mostConnections) return true;
    const rank = ({ standing }: Connection): number => roomOrder.indexOf(standing());
    const [least] = [...connections]
      .filter(([, connection]) => rank(connection) >= 0)
      .sort(([, one], [, other]) => rank(one) - rank(other) || one.heardMs - other.heardMs);
    if (least === undefined) return false;
    const [socket, { peer, standing }] = least;
    incidents.log({ from: peer.name, standing: standing() }, 'all places for tills are taken: this connection makes room for a new one');
    connections.delete(socket);
    socket.destroy();
    return true;
  }

  function serve(socket: Socket): void {
    const peer = tcpPeer(socket.remoteAddress, socket.remotePort);
    const from = peer.name;
    socket.on('error', (error) => log.warn({ from, detail: error.message }, 'the connection to the till failed'));
    if (!mayConnect(peer.address)) {
      incidents.tell('tillAddressRefused', peer, `till.from names ${options.from.join(', ')}`);
      socket.destroy();
      return;
    }
    if (!makeRoom()) {
      incidents.log({ from }, 'all places for tills are taken by payments: this connection is closed');
      socket.destroy();
      return;
    }
    const link = new TcpLink(socket);
    const session = listener.connected(link, peer);
    let stream: MessageStream | null = null;
    /** Bytes of which it is not known yet how they are framed. */
    let head = Buffer.alloc(0);
    const connection: Connection = { peer, heardMs: clock.monotonicMs(), standing: () => (stream === null ? 'silent' : session.standing) };
    let cancelRest: Cancel | null = null;
    const endRest = (): void => {
      cancelRest?.();
      cancelRest = null;
    };
    connections.set(socket, connection);
    const boundRest = (): void => {
      cancelRest ??= clock.after(framing.restWithinMs, () => {
        log.warn({ from }, 'the rest of a packet never came: the connection is closed');
        socket.destroy();
      });
    };
    /** @returns null until it is known to be a till */
    const recognised = (chunk: Buffer): MessageStream | null => {
      head = Buffer.concat([head, chunk]);
      const till = framing.recognise(head, from);
      if (till === 'stranger') {
        incidents.tell('tillStranger', peer, `it began with ${printable(head.subarray(0, firstBytesTold))}`);
        socket.destroy();
      }
      if (till === null) boundRest();
      if (till === null || till === 'stranger') return null;
      // A peer that only connects or is not a till is not logged, because there may be thousands.
      log.info({ from, framing: till.name }, 'a till has connected');
      link.till = till;
      return till.stream;
    };
    socket.on('data', (chunk) => {
      let bytes = chunk;
      if (stream === null) {
        stream = recognised(chunk);
        if (stream === null) return;
        bytes = head;
        head = Buffer.alloc(0);
      }
      connection.heardMs = clock.monotonicMs();
      link.till?.tap?.bytes('till', bytes);
      const messages = stream.push(bytes);
      if (messages === null) {
        log.warn({ from }, 'the length before a packet is not that of the packet: the connection is closed');
        socket.destroy();
        return;
      }
      // For the whole message, so that single bytes do not keep a connection open.
      if (messages.length > 0) endRest();
      for (const message of messages) if (!socket.destroyed) session.received(message);
      if (stream.isInside && !socket.destroyed) boundRest();
    });
    socket.on('close', () => {
      endRest();
      connections.delete(socket);
      if (stream !== null) log.info({ from }, 'the till has disconnected');
      link.till?.tap?.closed();
      session.closed();
    });
  }

  await listening(server, host, port);
  return {
    port: listeningPort(server),
    close() {
      for (const socket of connections.keys()) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'another program already listens there' : error.message;
      reject(new Error(`the till cannot be listened to on ${host}:${port}: ${why}`, { cause: error }));
    });
    server.listen(port, host, () => {
      server.removeAllListeners('error');
      resolve();
    });
  });
}

/** Printable text as it is, so that a person recognises it; other bytes in hex. */
function printable(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString('latin1');
  return /^[\x20-\x7e\r\n]+$/.test(text) ? JSON.stringify(text) : Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(' ');
}
