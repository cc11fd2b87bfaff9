import { createServer, type Server, type Socket } from 'node:net';
import type { Cancel, Clock } from '../../domain/clock.ts';
import type { Log } from '../../domain/log.ts';
import { hex } from './packets.ts';
import type { Incidents } from './incidents.ts';
import { type ApduLink, type ApduListener, type Sent, t3Ms } from './link.ts';
import { addressFilter, type Peer, tcpPeer } from './peer.ts';
import type { LineTap, WireTap } from './recorder.ts';
import type { Standing } from './session.ts';
import { type ApduSource, framed, framingOf, sourceOf, type TcpFraming } from './tcp-framing.ts';
import { listeningPort } from '../../domain/listening-port.ts';

/** More than a counter's tills need. A further connection replaces the one that behaves least like a till. */
const mostConnections = 16;
/** Connections that the system queues meanwhile. */
const mostSockets = 4 * mostConnections;
const firstBytesTold = 32;
const roomOrder: readonly Standing[] = ['silent', 'speaks', 'registered'];
/** Detects a till that was switched off without closing its connection. */
const keepAliveInitialDelay = 30_000;
/** Bounded, because a till that sends without reading must not fill the memory. */
const mostUnreadBytes = 65_536;

/** One till's connection. */
class TcpLink implements ApduLink {
  readonly #socket: Socket;
  /** As the till frames its own; nothing is sent before it has spoken. */
  framing: TcpFraming = 'bare';
  tap: LineTap | null = null;
  constructor(socket: Socket) {
    this.#socket = socket;
  }
  isUp(): boolean {
    return !this.#socket.destroyed;
  }
  send(apdu: Uint8Array, sent: (how: Sent) => void = () => {}): void {
    if (this.#socket.writableLength > mostUnreadBytes) this.#socket.destroy();
    if (this.#socket.destroyed || this.#socket.writableEnded) sent({ delivered: false, copies: 0 });
    else {
      const bytes = framed(this.framing, apdu);
      this.tap?.bytes('terminal', bytes);
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
  /** Called for each connection; returns the listener of its packets. */
  connected(link: ApduLink, peer: Peer): ApduListener & { readonly standing: Standing; closed(): void };
}

/**
 * Listens where tills look for a terminal (ZVT PA00P016, section 2.2): APDUs, bare or behind their length, reassembled however
 * they were split.
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
  incidents: Incidents;
  /** Sees what goes over each connection that is a till's. */
  tap?: WireTap | null;
  /** node:net's, or the simulation's. */
  createTcpServer?: typeof createServer;
}): Promise<{ port: number; close: () => Promise<void> }> {
  const { host, port, clock, log, listener, incidents, tap = null, createTcpServer = createServer } = options;
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
    let stream: ApduSource | null = null;
    /** Bytes of which it is not known yet how they are framed; fewer than five. */
    let head = Buffer.alloc(0);
    const connection: Connection = { peer, heardMs: clock.monotonicMs(), standing: () => (stream === null ? 'silent' : session.standing) };
    let cancelT3: Cancel | null = null;
    const endT3 = (): void => {
      cancelT3?.();
      cancelT3 = null;
    };
    connections.set(socket, connection);
    const boundRest = (): void => {
      cancelT3 ??= clock.after(t3Ms, () => {
        log.warn({ from }, 'the rest of a packet never came: the connection is closed');
        socket.destroy();
      });
    };
    /** @returns null until it is known to be a till */
    const recognised = (chunk: Buffer): ApduSource | null => {
      head = Buffer.concat([head, chunk]);
      const framing = framingOf(head);
      if (framing === 'stranger') {
        incidents.tell('tillStranger', peer, `it began with ${printable(head.subarray(0, firstBytesTold))}`);
        socket.destroy();
      }
      if (framing === null) boundRest();
      if (framing === null || framing === 'stranger') return null;
      // A peer that only connects or is not a till is not logged, because there may be thousands.
      log.info({ from, framing }, 'a till has connected');
      link.framing = framing;
      link.tap = tap?.(from, framing) ?? null;
      return sourceOf(framing);
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
      link.tap?.bytes('till', bytes);
      const apdus = stream.push(bytes);
      if (apdus === null) {
        log.warn({ from }, 'the length before a packet is not that of the packet: the connection is closed');
        socket.destroy();
        return;
      }
      // T3 is for the whole packet, so that single bytes do not keep a connection open.
      if (apdus.length > 0) endT3();
      for (const apdu of apdus) if (!socket.destroyed) session.received(apdu);
      if (stream.insideApdu && !socket.destroyed) boundRest();
    });
    socket.on('close', () => {
      endT3();
      connections.delete(socket);
      if (stream !== null) log.info({ from }, 'the till has disconnected');
      link.tap?.closed();
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
  return /^[\x20-\x7e\r\n]+$/.test(text) ? JSON.stringify(text) : hex(bytes);
}
