/**
 * Keeps one sender from blocking the others. Node parses everything that a connection brings at
 * once, which can be thousands of pipelined requests. Here all connections together bring one small
 * piece in each turn of the event loop. Their number is limited, too: a new connection closes the
 * oldest one that has not shown valid credentials.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { Turns } from '../../core/domain/turns.ts';

/** From a sender without credentials so far: about eighty of the shortest requests. */
const pieceBytes = 2_048;

export interface Connections {
  /**
   * The sender has valid credentials: until the returned function is called its connection is not
   * closed for a new one, and brings whole chunks.
   */
  hold(request: IncomingMessage): () => void;
}

/** @param server before it listens */
export function paceConnections(server: Server, maxOpen: number): Connections {
  const turns = new Turns({ maxSteps: 1 });
  /** Connections without credentials so far, the oldest first. */
  const strangers = new Set<Connection>();
  let open = 0;
  const [serve] = server.listeners('connection');
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    if (open >= maxOpen) {
      const [oldest] = strangers;
      if (oldest === undefined) return socket.destroy();
      oldest.destroy();
    }
    const connection = new Connection(socket, turns);
    open += 1;
    strangers.add(connection);
    connection.once('close', () => {
      open -= 1;
      strangers.delete(connection);
    });
    serve?.call(server, connection);
  });
  return {
    hold({ socket }) {
      // Node's type says Socket; the server was given a Connection above.
      const connection = socket as Duplex as Connection;
      connection.isKnown = true;
      strangers.delete(connection);
      return () => {
        connection.isKnown = false;
        if (!connection.destroyed) strangers.add(connection);
      };
    },
  };
}

/** A socket that delivers what it has received piece by piece. */
class Connection extends Duplex {
  isKnown = false;
  readonly #socket: Socket;
  #isWanted = (): void => {};

  constructor(socket: Socket, turns: Turns) {
    super();
    this.#socket = socket;
    socket.on('error', (error) => this.destroy(error));
    socket.once('close', () => this.destroy());
    socket.on('timeout', () => this.emit('timeout'));
    // A broken socket is handled by its `error` and `close` events.
    this.#bring(turns).catch(() => {});
  }

  async #bring(turns: Turns): Promise<void> {
    // Without an encoding a socket brings buffers, which its type does not say.
    for await (const chunk of this.#socket.iterator({
      destroyOnReturn: false,
    }) as AsyncIterable<Buffer>) {
      let rest = chunk;
      while (rest.length > 0) {
        await turns.next();
        if (this.destroyed) return;
        const length = this.isKnown ? rest.length : pieceBytes;
        const { promise: wanted, resolve } = Promise.withResolvers<void>();
        this.#isWanted = resolve;
        const isMoreWanted = this.push(rest.subarray(0, length));
        rest = rest.subarray(length);
        if (!isMoreWanted) await wanted;
      }
    }
    this.push(null);
  }

  override _read(): void {
    this.#isWanted();
  }

  override _write(
    chunk: Buffer,
    encoding: BufferEncoding,
    done: (error?: Error | null) => void,
  ): void {
    this.#socket.write(chunk, encoding, done);
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket.destroy();
    this.#isWanted();
    done(error);
  }

  // What an HTTP server asks of a socket beyond a stream.
  get remoteAddress(): string | undefined {
    return this.#socket.remoteAddress;
  }

  setTimeout(delayMs: number): this {
    this.#socket.setTimeout(delayMs);
    return this;
  }

  destroySoon(): void {
    this.end(() => this.destroy());
  }
}
