import type { Server } from 'node:net';
import { hostPort } from './host-port.ts';
import { asError, systemCodeOf } from './errors.ts';

/**
 * Why a server cannot listen. taken: another program listens there. reserved: the system keeps the
 * port for itself. privileged: the user may not use a port below 1024. noAddress: the host is no
 * address of this computer. noFamily: the computer has no IPv4, or no IPv6. other: see the message.
 */
export type ListenProblem =
  | 'taken'
  | 'reserved'
  | 'privileged'
  | 'noAddress'
  | 'noFamily'
  | 'other';

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** Linux and macOS keep lower ports for users with a right to them. */
const firstUnprivilegedPort = 1_024;

/** Lists the port ranges that Windows reserves, e.g. for Hyper-V and WSL. */
export const reservedPortsCommand = 'netsh int ipv4 show excludedportrange protocol=tcp';

const problems: Readonly<Record<string, ListenProblem>> = {
  EADDRINUSE: 'taken',
  EADDRNOTAVAIL: 'noAddress',
  ENOTFOUND: 'noAddress',
  EAI_AGAIN: 'noAddress',
  EINVAL: 'noAddress',
  EAFNOSUPPORT: 'noFamily',
};

/** @param code the system's, e.g. `EADDRINUSE` */
export function listenProblemOf(
  code: string | undefined,
  port: number,
  platform: NodeJS.Platform = process.platform,
): ListenProblem {
  if (code === 'EACCES' || code === 'EPERM')
    return platform !== 'win32' && port < firstUnprivilegedPort ? 'privileged' : 'reserved';
  return (code !== undefined && problems[code]) || 'other';
}

/** Where a port of our own choice goes on to the next one. */
export const isPortInUse = (problem: ListenProblem): boolean =>
  problem === 'taken' || problem === 'reserved';

/** Whether an error that lost its class on the way from a thread is about the port. */
export const isListenFailure = (error: unknown, port: number): boolean =>
  listenProblemOf(systemCodeOf(error), port) !== 'other';

/** Why, in plain words, e.g. after “the screens cannot be served on port 4180: ”. */
export function whyNotListening(
  problem: ListenProblem,
  host: string,
  detail: string,
  platform: NodeJS.Platform = process.platform,
): string {
  switch (problem) {
    case 'taken':
      return 'another program already listens there';
    case 'reserved':
      return platform === 'win32'
        ? 'Windows reserves this port, or another program keeps it for itself ' +
            `(“${reservedPortsCommand}” lists what Windows reserves)`
        : `the system reserves this port (on Windows “${reservedPortsCommand}” lists such ports)`;
    case 'privileged':
      return `a port below ${firstUnprivilegedPort} needs a right that this user does not have`;
    case 'noAddress':
      return `this computer does not have the address ${host}`;
    case 'noFamily':
      return `this computer has no ${host.includes(':') ? 'IPv6' : 'IPv4'} for the address ${host}`;
    case 'other':
      return detail;
  }
}

const nextStep: Readonly<Partial<Record<ListenProblem, string>>> = {
  reserved: '; choose another port',
  privileged: `; choose a port from ${firstUnprivilegedPort} on`,
};

/** A server cannot listen; the message says why in plain words. */
export class ListenError extends Error {
  /** The system's, e.g. `EADDRINUSE`. */
  readonly code: string | undefined;
  readonly problem: ListenProblem;
  readonly port: number;
  readonly why: string;
  /** What to do, behind the reason; empty where the reason says it. */
  readonly next: string;

  /** @param served what the port is for, e.g. `the screens cannot be served` */
  constructor(served: string, { host, port }: ListenAddress, thrown: unknown) {
    const error = asError(thrown);
    const code = systemCodeOf(error);
    const problem = listenProblemOf(code, port);
    const why = whyNotListening(problem, host, error.message);
    const next = nextStep[problem] ?? '';
    super(`${served} on ${hostPort(host, port)}: ${why}${next}`, { cause: error });
    this.code = code;
    this.problem = problem;
    this.port = port;
    this.why = why;
    this.next = next;
  }
}

/**
 * Listens on a TCP port, 0 for any free one. Each server of the product begins here.
 * @param served what the port is for, e.g. `the screens cannot be served` @returns the port
 * @throws ListenError
 */
export function listenOn(
  server: Pick<Server, 'once' | 'listen' | 'removeAllListeners' | 'address'>,
  served: string,
  at: ListenAddress,
): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(new ListenError(served, at, error)));
    server.listen(at.port, at.host, () => {
      server.removeAllListeners('error');
      resolve(listeningPort(server));
    });
  });
}

/** The port that a TCP server listens on. @throws Error when it does not listen */
export function listeningPort(server: Pick<Server, 'address'>): number {
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('the server does not listen on a TCP port');
  return address.port;
}
