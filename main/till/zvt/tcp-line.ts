import { createServer, type Server, type Socket } from 'node:net';
import type { Cancel, Clock } from '../../primitives/clock.ts';
import type { Log } from '../../primitives/log.ts';
import { ApduStream } from './apdu.ts';
import { type ApduLink, type ApduListener, t3Ms } from './link.ts';
import { hex } from './packets.ts';

/** More tills than a counter has; a scanner on the network must not open sockets without end. */
const mostConnections = 16;

/** One till's connection. */
class TcpLink implements ApduLink {
  readonly #socket: Socket;
  constructor(socket: Socket) {
    this.#socket = socket;
  }
  isUp(): boolean {
    return !this.#socket.destroyed;
  }
  send(apdu: Uint8Array): Promise<'delivered' | 'failed'> {
    if (this.#socket.destroyed || this.#socket.writableEnded) return Promise.resolve('failed');
    return new Promise((resolve) => this.#socket.write(apdu, (error) => resolve(error ? 'failed' : 'delivered')));
  }
  unanswered(): void {
    this.#socket.destroy();
  }
  close(): void {
    this.#socket.destroy();
  }
}

export interface TcpListener {
  /** A till has connected; what it sends goes to the listener that this returns. */
  connected(link: ApduLink): ApduListener & { closed(): void };
}

/**
 * Listens where tills look for a terminal (ZVT PA00P016, section 2.2): bare APDUs, reassembled however they were split.
 * @throws when the address cannot be had
 */
export async function listenForTills(options: {
  host: string;
  port: number;
  clock: Clock;
  log: Log;
  listener: TcpListener;
}): Promise<{ port: number; close: () => Promise<void> }> {
  const { host, port, clock, log, listener } = options;
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true, keepAlive: true }, (socket) => serve(socket));
  server.maxConnections = mostConnections;

  function serve(socket: Socket): void {
    const link = new TcpLink(socket);
    const session = listener.connected(link);
    const stream = new ApduStream();
    const from = `${socket.remoteAddress}:${socket.remotePort}`;
    let cancelT3: Cancel = () => {};
    sockets.add(socket);
    log.info({ from }, 'a till has connected');
    socket.on('data', (chunk) => {
      cancelT3();
      for (const apdu of stream.push(chunk)) session.received(apdu);
      if (stream.insideApdu && !socket.destroyed) {
        cancelT3 = clock.after(t3Ms, () => {
          log.warn({ from, last: hex(chunk.subarray(0, 64)) }, 'the rest of a packet never came: the connection is closed');
          socket.destroy();
        });
      }
    });
    socket.on('error', (error) => log.warn({ from, detail: error.message }, 'the connection to the till failed'));
    socket.on('close', () => {
      cancelT3();
      sockets.delete(socket);
      log.info({ from }, 'the till has disconnected');
      session.closed();
    });
  }

  await listening(server, host, port);
  return {
    port: (server.address() as { port: number }).port,
    close() {
      for (const socket of sockets) socket.destroy();
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
