/**
 * An HTTP server that no peer can keep busy. Node parses at once everything that a connection
 * sends, thousands of pipelined requests in a row, and everybody else in the process waits. Here
 * all connections of a thread together bring one small piece, or have one request begun, in a turn
 * of the event loop. Each connection has a budget. A new connection takes the place of the one that
 * has shown the least.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { Budget } from '../core/domain/budget.ts';
import { type Clock, systemClock } from '../core/domain/clock.ts';
import { listeningPort, listenOn } from '../core/domain/listening-port.ts';
import type { Log } from '../core/domain/log.ts';
import { hostPort } from '../core/domain/host-port.ts';
import { Turns } from '../core/domain/turns.ts';

/**
 * Shared by all HTTP servers of a thread. Each carries out one step in a turn of the loop:
 * connections that have shown something do not wait behind those that have not. The lines of tills
 * have turns of their own.
 */
export const httpTurns = {
  ofStrangers: new Turns({ maxSteps: 1 }),
  ofTrusted: new Turns({ maxSteps: 1 }),
} as const;

/** From a connection that has shown nothing: about twenty of the shortest requests. */
const strangerPieceBytes = 512;
const trustedPieceBytes = 8_192;
/** How long a connection without a place may read its 503. */
const refusedMs = 1_000;

interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

export interface ConnectionLimits {
  readonly perAddress: number;
  readonly all: number;
  readonly bytes: Rate;
  /** Requests, and frames of a WebSocket. */
  readonly messages: Rate;
}

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface PacedServerOptions {
  /** Name of the server, for the log. */
  readonly name: string;
  readonly limits: ConnectionLimits;
  /** null for HTTP without encryption. */
  readonly tls: Certificate | null;
  /** How long a connection may be silent. Default: two minutes. */
  readonly silentMs?: number;
  /** Called for one request in a turn, and for the requests of a connection one after the other. */
  readonly onRequest: (request: IncomingMessage, response: ServerResponse) => unknown;
  readonly onUpgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  readonly log: Pick<Log, 'warn'>;
  readonly clock?: Clock;
}

/** How long headers may take, the handshake of TLS before them, and a whole request. */
const headersMs = 10_000;
const requestMs = 15_000;
const defaultSilentMs = 120_000;
/** How often Node looks for connections that have taken too long. */
const checkEveryMs = 1_000;

const tlsOf = ({ cert, key }: Certificate) => ({ cert, key, minVersion: 'TLSv1.2' }) as const;

/** The other end's address without its port, e.g. `127.0.0.1`. */
export const addressOf = ({
  remoteAddress = '',
}: {
  readonly remoteAddress?: string | undefined;
}): string => remoteAddress.replace(/^::ffff:/, '');
/** The other end's address, e.g. `127.0.0.1:53122`. */
export const endOf = (socket: {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
}): string => hostPort(addressOf(socket), socket.remotePort ?? 0);

export class PacedServer {
  readonly #server: Server | TlsServer;
  readonly #connections: Connections;
  /** As an error begins: the server cannot be served. */
  readonly #unserved: string;

  constructor(options: PacedServerOptions) {
    const { tls, onUpgrade, silentMs = defaultSilentMs } = options;
    this.#unserved = `${options.name} cannot be served`;
    const timeouts = {
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: checkEveryMs,
    };
    this.#server =
      tls === null
        ? createServer(timeouts)
        : createTlsServer({ ...timeouts, ...tlsOf(tls), handshakeTimeout: headersMs });
    this.#server.timeout = silentMs;
    this.#connections = new Connections(this.#server, options);
    this.#server.on('request', (request, response) => {
      connectionOf(request).inTurn(response, () => void options.onRequest(request, response));
    });
    if (onUpgrade !== undefined) this.#server.on('upgrade', onUpgrade);
  }

  get port(): number {
    return listeningPort(this.#server);
  }

  /** @throws ListenError */
  async listen(port: number, host: string): Promise<void> {
    await listenOn(this.#server, this.#unserved, { host, port });
  }

  /** For new connections. @throws when it cannot be used */
  useCertificate(certificate: Certificate): void {
    (this.#server as TlsServer).setSecureContext(tlsOf(certificate));
  }

  /** The connection is not closed for a new one until the returned function is called. */
  hold(request: IncomingMessage): () => void {
    return this.#connections.hold(connectionOf(request));
  }

  /**
   * The connection has shown that it is of use. It keeps its place longer than those that have not.
   */
  know(request: IncomingMessage): void {
    this.#connections.know(connectionOf(request).place);
  }

  /** Whether the connection is or was held. */
  isTrusted(request: IncomingMessage): boolean {
    return connectionOf(request).place.isTrusted;
  }

  /** Counts a frame of an upgraded connection. */
  charge(request: IncomingMessage): void {
    connectionOf(request).charge();
  }

  /** @param graceMs how long answers that are under way have */
  close(graceMs = 0): Promise<void> {
    const cut = (): void => {
      this.#server.closeAllConnections();
      this.#connections.destroyAll();
    };
    return new Promise((resolve) => {
      const cancel = graceMs === 0 ? cut : systemClock.after(graceMs, cut);
      this.#server.close(() => {
        if (graceMs > 0) cancel();
        resolve();
      });
      if (graceMs === 0) cut();
      else this.#server.closeIdleConnections();
    });
  }
}

// Node's type says Socket. The server was given a Connection, see below.
const connectionOf = ({ socket }: IncomingMessage): Connection => socket as Duplex as Connection;

/** The connections of a server, and which of them leaves when there are too many. */
class Connections {
  readonly #options: PacedServerOptions;
  readonly #serve: (socket: Duplex) => void;
  readonly #places = new Set<Place>();
  readonly #perAddress = new Map<string, number>();
  /**
   * Those that may be closed for a new one: first what has shown nothing, then what has been silent
   * longest.
   */
  readonly #strangers = new Set<Place>();
  readonly #idle = new Set<Place>();

  constructor(server: Server | TlsServer, options: PacedServerOptions) {
    this.#options = options;
    // Beyond that the system drops connections unanswered.
    server.maxConnections = options.limits.all * 2;
    const event = options.tls === null ? 'connection' : 'secureConnection';
    const [serve] = server.listeners(event);
    server.removeAllListeners(event);
    this.#serve = (socket) => void serve?.call(server, socket);
    if (options.tls === null)
      server.on('connection', (socket: Socket) => this.#connect(this.#placeFor(socket), socket));
    else this.#paceHandshakes(server);
  }

  hold({ place }: Connection): () => void {
    place.holds += 1;
    place.isTrusted = true;
    this.#strangers.delete(place);
    this.#idle.delete(place);
    return () => {
      place.holds -= 1;
      this.know(place);
    };
  }

  know(place: Place): void {
    if (place.holds > 0 || !this.#places.has(place)) return;
    this.#strangers.delete(place);
    this.#idle.delete(place);
    this.#idle.add(place);
  }

  destroyAll(): void {
    for (const { socket } of this.#places) socket.destroy();
  }

  /** Begins one handshake in a turn, because each takes a good part of a millisecond. */
  #paceHandshakes(server: Server): void {
    const [shake] = server.listeners('connection');
    server.removeAllListeners('connection');
    const places = new Map<string, Place>();
    server.on('connection', (socket: Socket) => {
      const place = this.#placeFor(socket);
      if (place === null) return;
      const end = endOf(socket);
      places.set(end, place);
      socket.once('close', () => places.delete(end));
      socket.setTimeout(headersMs);
      socket.on('timeout', () => socket.destroy());
      socket.on('error', () => socket.destroy());
      // The TLS socket takes over what has been received by then.
      socket.once('readable', () => {
        void httpTurns.ofStrangers.next().then(() => {
          socket.removeAllListeners('timeout');
          socket.setTimeout(0);
          if (!socket.destroyed) shake?.call(server, socket);
        });
      });
    });
    server.on('secureConnection', (socket: Socket) =>
      this.#connect(places.get(endOf(socket)) ?? null, socket),
    );
  }

  #connect(place: Place | null, socket: Socket): void {
    if (place === null) return;
    const { limits, clock = systemClock, log, name } = this.#options;
    const warn = (): void =>
      log.warn(
        { address: endOf(socket) },
        `slowing down a connection to ${name}: it sends more than its budget`,
      );
    this.#serve(new Connection(socket, place, { limits, clock, warn }));
  }

  /** null when no place is free; the connection is refused then. */
  #placeFor(socket: Socket): Place | null {
    const { limits, name, log } = this.#options;
    const address = addressOf(socket);
    const isAddressFull = (this.#perAddress.get(address) ?? 0) >= limits.perAddress;
    if (isAddressFull || this.#places.size >= limits.all) {
      const replaced = this.#replaceablePlace(isAddressFull ? address : null);
      if (replaced === null) {
        log.warn(
          { address: endOf(socket) },
          `refused a connection to ${name}: too many connections`,
        );
        refuse(socket, this.#options.tls === null);
        return null;
      }
      log.warn(
        { address: replaced.end },
        `closed a connection to ${name} for a new one: too many connections`,
      );
      this.#release(replaced);
      replaced.socket.destroy();
    }
    const place: Place = { socket, address, end: endOf(socket), isTrusted: false, holds: 0 };
    this.#places.add(place);
    this.#strangers.add(place);
    this.#perAddress.set(address, (this.#perAddress.get(address) ?? 0) + 1);
    socket.once('close', () => this.#release(place));
    return place;
  }

  #replaceablePlace(address: string | null): Place | null {
    for (const places of [this.#strangers, this.#idle])
      for (const place of places) if (address === null || place.address === address) return place;
    return null;
  }

  #release(place: Place): void {
    if (!this.#places.delete(place)) return;
    this.#strangers.delete(place);
    this.#idle.delete(place);
    const left = (this.#perAddress.get(place.address) ?? 1) - 1;
    if (left > 0) this.#perAddress.set(place.address, left);
    else this.#perAddress.delete(place.address);
  }
}

interface Place {
  readonly socket: Socket;
  readonly address: string;
  readonly end: string;
  /** Whether it was held. */
  isTrusted: boolean;
  holds: number;
}

function refuse(socket: Socket, isPlain: boolean): void {
  socket.on('error', () => socket.destroy());
  if (!isPlain) return void socket.destroy();
  const timer = setTimeout(() => socket.destroy(), refusedMs).unref();
  socket.once('close', () => clearTimeout(timer));
  // The rest is read too, because the system discards the answer otherwise.
  socket.resume();
  socket.once('data', () =>
    socket.end(
      'HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n',
    ),
  );
}

interface ConnectionOptions {
  readonly limits: ConnectionLimits;
  readonly clock: Clock;
  /** Called once, when the budget is spent. */
  readonly warn: () => void;
}

/** A socket that delivers what it has received piece by piece. */
class Connection extends Duplex {
  readonly place: Place;
  readonly #socket: Socket;
  readonly #options: ConnectionOptions;
  readonly #bytes: Budget;
  readonly #messages: Budget;
  /** No further piece before. */
  #earnedAtMs = 0;
  #isSlowed = false;
  /** Requests that have not been answered, the oldest first. */
  readonly #requests: (() => void)[] = [];
  /** Something may have changed of what `#bring` waits for. */
  #wake = (): void => {};

  constructor(socket: Socket, place: Place, options: ConnectionOptions) {
    super();
    this.place = place;
    this.#socket = socket;
    this.#options = options;
    this.#bytes = new Budget(options.limits.bytes);
    this.#messages = new Budget(options.limits.messages);
    socket.on('error', (error) => this.destroy(error));
    socket.once('close', () => this.destroy());
    socket.on('timeout', () => this.emit('timeout'));
    // A broken socket is handled by its `error` and `close` events.
    this.#bring().catch(() => {});
  }

  /** Counts a request or frame. */
  charge(): void {
    const nowMs = this.#options.clock.monotonicMs();
    this.#earnedAtMs = Math.max(this.#earnedAtMs, nowMs + this.#messages.take(1, nowMs));
  }

  /**
   * Begins a request in a new turn of the event loop, after the answers to earlier ones on this
   * connection.
   */
  inTurn(response: ServerResponse, begin: () => void): void {
    this.charge();
    this.#requests.push(() => void this.#turns.next().then(() => this.destroyed || begin()));
    response.once('close', () => {
      this.#requests.shift();
      this.#requests[0]?.();
      this.#wake();
    });
    if (this.#requests.length === 1) this.#requests[0]?.();
  }

  get #turns(): Turns {
    return this.place.isTrusted ? httpTurns.ofTrusted : httpTurns.ofStrangers;
  }

  async #bring(): Promise<void> {
    // Without an encoding a socket brings buffers, which its type does not say.
    for await (const chunk of this.#socket.iterator({
      destroyOnReturn: false,
    }) as AsyncIterable<Buffer>) {
      let rest = chunk;
      while (rest.length > 0) {
        const piece = rest.subarray(
          0,
          this.place.isTrusted ? trustedPieceBytes : strangerPieceBytes,
        );
        await this.#mayBring(piece.length);
        if (this.destroyed) return;
        rest = rest.subarray(piece.length);
        const wanted = this.#waking();
        if (!this.push(piece)) await wanted;
      }
    }
    this.push(null);
  }

  async #mayBring(bytes: number): Promise<void> {
    const { clock } = this.#options;
    const nowMs = clock.monotonicMs();
    this.#earnedAtMs = Math.max(this.#earnedAtMs, nowMs + this.#bytes.take(bytes, nowMs));
    if (this.#earnedAtMs > nowMs) await this.#slowDown();
    // Pipelined requests wait here rather than in memory.
    while (this.#requests.length > 1 && !this.destroyed) await this.#waking();
    await this.#turns.next();
  }

  async #slowDown(): Promise<void> {
    if (!this.#isSlowed) this.#options.warn();
    this.#isSlowed = true;
    const { clock } = this.#options;
    for (;;) {
      const waitMs = this.#earnedAtMs - clock.monotonicMs();
      if (waitMs <= 0 || this.destroyed) return;
      const woken = this.#waking();
      const cancel = clock.after(waitMs, this.#wake);
      await woken;
      cancel();
    }
  }

  #waking(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve));
  }

  override _read(): void {
    this.#wake();
  }

  override _write(
    chunk: Buffer,
    encoding: BufferEncoding,
    done: (error?: Error | null) => void,
  ): void {
    this.#socket.write(chunk, encoding, done);
  }

  override _writev(
    chunks: { chunk: Buffer; encoding: BufferEncoding }[],
    done: (error?: Error | null) => void,
  ): void {
    this.#socket.cork();
    for (const [index, { chunk, encoding }] of chunks.entries())
      this.#socket.write(chunk, encoding, index === chunks.length - 1 ? done : undefined);
    this.#socket.uncork();
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket.destroy();
    this.#wake();
    done(error);
  }

  // What an HTTP server asks of a socket beyond a stream.
  get remoteAddress(): string | undefined {
    return this.#socket.remoteAddress;
  }

  get remotePort(): number | undefined {
    return this.#socket.remotePort;
  }

  setTimeout(delayMs: number): this {
    this.#socket.setTimeout(delayMs);
    return this;
  }

  destroySoon(): void {
    this.end(() => this.destroy());
  }
}
