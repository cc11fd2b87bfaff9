import type { Server } from 'node:net';

/** The port that a TCP server listens on. @throws Error when it does not listen */
export function listeningPort(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen on a TCP port');
  return address.port;
}
