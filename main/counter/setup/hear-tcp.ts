import { createServer, type Socket } from 'node:net';
import type { Cancel, Clock } from '../../core/domain/clock.ts';
import type { Currency } from '../../core/domain/money.ts';
import { addressFilter, type Peer, tcpPeer } from '../../tills/line/peer.ts';
import type { TillAnswers } from './till-answers.ts';
import { TillJudge } from './till-judge.ts';
import { listenOn } from '../../core/domain/listening-port.ts';

/** More than a counter has tills. A further connection replaces the oldest. */
const maxConnections = 16;
/**
 * Limits for a peer that does not begin like a till: enough to recognise its protocol, then it is
 * disconnected.
 */
const strangerHeardMs = 300;
const maxStrangerBytes = 256;

/** Accepts connections of tills. @throws when the address cannot be listened on */
export async function hearTcp({
  host,
  port,
  from,
  clock,
  laneCurrency,
  heard,
  turnedAway,
  answers,
}: {
  host: string;
  port: number;
  /** Addresses that may connect; empty: all. */
  from: readonly string[];
  clock: Clock;
  laneCurrency: Currency | null;
  /** Bytes arrived; each connection has its own judge. */
  heard: (judge: TillJudge) => void;
  /** An address that is not among `from` wanted to connect. */
  turnedAway: (address: string) => void;
  answers: TillAnswers;
}): Promise<{ port: number; close: () => Promise<void> }> {
  const mayConnect = addressFilter(from);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    socket.on('error', () => {});
    const peer = tcpPeer(socket.remoteAddress, socket.remotePort);
    if (!mayConnect(peer.address)) {
      turnedAway(peer.address);
      socket.destroy();
      return;
    }
    const [first] = sockets;
    if (sockets.size === maxConnections) first?.destroy();
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    hear(socket, peer);
  });

  function hear(socket: Socket, peer: Peer): void {
    const judge = new TillJudge('tcp', laneCurrency);
    const answer = answers.connected(socket, peer, judge);
    let cancel: Cancel | null = null;
    socket.on('close', () => cancel?.());
    socket.on('data', (bytes) => {
      judge.push(bytes);
      if (judge.isStranger) {
        cancel ??= clock.after(strangerHeardMs, () => socket.destroy());
        if (judge.bytes > maxStrangerBytes) socket.destroy();
      }
      heard(judge);
      answer(bytes);
    });
  }

  return {
    port: await listenOn(server, 'the till cannot be listened to', { host, port }),
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((closed) => server.close(() => closed()));
    },
  };
}
