import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { BoundedLog } from './bounded-log.ts';

export interface ConnectionLimits {
  readonly perAddress: number;
  readonly all: number;
}

/** Enough time for the 503 to be read. */
const refusedMs = 1_000;

/** The other end's address, e.g. `127.0.0.1:53122`. */
export const endOf = (socket: Socket): string => `${addressOf(socket)}:${socket.remotePort}`;
const addressOf = ({ remoteAddress = '' }: Socket): string => remoteAddress.replace(/^::ffff:/, '');

/**
 * So that neither one machine nor all together exhaust the process, which payments need. @param what is connected to, for the log @returns whether this
 * connection is over a limit, to be answered 503
 */
export function limitConnections(server: Server, most: ConnectionLimits, log: BoundedLog, what = 'the screens'): (socket: Socket) => boolean {
  const open = new Map<string, number>();
  const refused = new WeakSet<Socket>();
  let all = 0;
  // Beyond that Node drops connections unanswered.
  server.maxConnections = most.all * 2;
  server.on('connection', (socket) => {
    const address = addressOf(socket);
    const count = open.get(address) ?? 0;
    if (count >= most.perAddress || all >= most.all) {
      refused.add(socket);
      log.warn({ address: endOf(socket) }, `too many connections to ${what}: one was refused`);
      const dropTimer = setTimeout(() => socket.destroy(), refusedMs).unref();
      socket.on('close', () => clearTimeout(dropTimer));
      return;
    }
    all += 1;
    open.set(address, count + 1);
    socket.on('close', () => {
      all -= 1;
      const left = (open.get(address) ?? 1) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
  });
  return (socket) => refused.has(socket);
}
