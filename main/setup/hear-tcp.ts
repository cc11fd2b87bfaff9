import { createServer, type Socket } from 'node:net';
import type { Clock } from '../domain/clock.ts';
import { addressFilter, tcpPeer } from '../till/zvt/peer.ts';
import { isFirstByteOfTill } from '../till/zvt/tcp-line.ts';
import { TillJudge } from './till-judge.ts';

/** More tills than a counter has. The next one takes the place of the first. */
const mostConnections = 16;
/** Who begins like no till is heard so long, for as much as tells what it is, and then hung up on. */
const strangerHeardMs = 300;
const mostBytesOfStranger = 256;

/** Listens where a till is to connect, and answers nothing. @throws when the address cannot be had */
export async function hearTcp({
  host,
  port,
  from,
  clock,
  heard,
  turnedAway,
}: {
  host: string;
  port: number;
  /** Who may connect; empty: everybody. */
  from: readonly string[];
  clock: Clock;
  /** Something came, and this is what to make of it: each connection has a judge of its own. */
  heard: (judge: TillJudge) => void;
  /** An address that is not among `from` wanted to connect. */
  turnedAway: (address: string) => void;
}): Promise<{ port: number; close: () => Promise<void> }> {
  const mayConnect = addressFilter(from);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    socket.on('error', () => {});
    const { address } = tcpPeer(socket.remoteAddress, socket.remotePort);
    if (!mayConnect(address)) {
      turnedAway(address);
      socket.destroy();
      return;
    }
    const [first] = sockets;
    if (sockets.size === mostConnections) first?.destroy();
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    hear(socket);
  });

  function hear(socket: Socket): void {
    const judge = new TillJudge('tcp');
    let isStranger = false;
    socket.on('data', (bytes) => {
      if (judge.bytes === 0 && !isFirstByteOfTill(bytes[0] as number)) {
        isStranger = true;
        const cancel = clock.after(strangerHeardMs, () => socket.destroy());
        socket.on('close', cancel);
      }
      judge.push(bytes);
      if (isStranger && judge.bytes > mostBytesOfStranger) socket.destroy();
      heard(judge);
    });
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new Error(error.code === 'EADDRINUSE' ? `another program already listens on ${host}:${port}` : error.message, { cause: error })),
    );
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as { port: number }).port,
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((closed) => server.close(() => closed()));
    },
  };
}
