import { createServer, type Server, type Socket } from 'node:net';
import type { Cancel, Clock } from '../../primitives/clock.ts';
import type { Log } from '../../primitives/log.ts';
import { ApduStream } from './apdu.ts';
import { type ApduLink, type ApduListener, type Sent, t3Ms } from './link.ts';

/** More tills than a counter has; a scanner on the network must not open sockets without end. */
const mostConnections = 16;
/** A till that was switched off without a goodbye is found out before its place is needed. */
const keepAliveInitialDelay = 30_000;
/** A till that asks and asks and reads nothing must not fill the memory. */
const mostUnreadBytes = 65_536;

/** One till's connection. */
class TcpLink implements ApduLink {
  readonly #socket: Socket;
  constructor(socket: Socket) {
    this.#socket = socket;
  }
  isUp(): boolean {
    return !this.#socket.destroyed;
  }
  send(apdu: Uint8Array, sent: (how: Sent) => void = () => {}): void {
    if (this.#socket.writableLength > mostUnreadBytes) this.#socket.destroy();
    if (this.#socket.destroyed || this.#socket.writableEnded) sent({ delivered: false, copies: 0 });
    else this.#socket.write(apdu, (error) => sent({ delivered: !error, copies: 1 }));
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
  /** Of node:net, unless there is no network: a simulated shop has its own. */
  createTcpServer?: typeof createServer;
}): Promise<{ port: number; close: () => Promise<void> }> {
  const { host, port, clock, log, listener, createTcpServer = createServer } = options;
  const sockets = new Set<Socket>();
  const server = createTcpServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay }, (socket) => serve(socket));
  server.maxConnections = mostConnections;

  function serve(socket: Socket): void {
    const link = new TcpLink(socket);
    const session = listener.connected(link);
    const stream = new ApduStream();
    const from = `${socket.remoteAddress}:${socket.remotePort}`;
    let cancelT3: Cancel | null = null;
    const endT3 = (): void => {
      cancelT3?.();
      cancelT3 = null;
    };
    sockets.add(socket);
    log.info({ from }, 'a till has connected');
    socket.on('data', (chunk) => {
      const apdus = stream.push(chunk);
      // T3 is for the whole packet: one byte now and then does not keep a connection.
      if (apdus.length > 0) endT3();
      for (const apdu of apdus) if (!socket.destroyed) session.received(apdu);
      if (stream.insideApdu && !socket.destroyed) {
        cancelT3 ??= clock.after(t3Ms, () => {
          log.warn({ from }, 'the rest of a packet never came: the connection is closed');
          socket.destroy();
        });
      }
    });
    socket.on('error', (error) => log.warn({ from, detail: error.message }, 'the connection to the till failed'));
    socket.on('close', () => {
      endT3();
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
