import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { type WebSocket, WebSocketServer } from 'ws';
import { socketPath } from '../../preload/contract.ts';
import type { Log } from '../domain/log.ts';
import { boundedLog } from './bounded-log.ts';
import { boundConnections, type ConnectionLimits, endOf } from './connections.ts';
import { Line } from './line.ts';

export interface ListenerOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Tries the following ports too. */
  readonly nextFreeIfTaken: boolean;
  /** Whether a Host header, or an origin's host, names this listener. */
  readonly isOurs: (host: string, port: number) => boolean;
  /** Adds its pages; who they may be told to and what they may do is settled here. */
  readonly pages: (app: Hono) => void;
  /** A browser's line is open. */
  readonly opened: (line: Line) => void;
  readonly longestMessageBytes: number;
  /** More at a time get no line. */
  readonly mostSockets: number;
  /** Of whatever kind; who opens more is told to come again later. */
  readonly mostConnections: ConnectionLimits;
  /** How long a screen may take nothing of what it is told; tests take less. */
  readonly patienceMs?: number | undefined;
  /** On its way to all screens together; tests take less. */
  readonly mostBufferedBytes?: number | undefined;
  readonly log: Log;
}

export interface Listener {
  readonly port: number;
  close(): Promise<void>;
}

const mostPortsTried = 50;
const heartbeatMs = 15_000;
const usualPatienceMs = 10_000;
const lookEveryMs = 1_000;
const usualMostBufferedBytes = 32 * 1024 * 1024;

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "frame-ancestors 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

export class PortTakenError extends Error {
  readonly port: number;
  constructor(port: number, cause: unknown) {
    super(`the screens cannot be served on port ${port}: another program already listens there`, { cause });
    this.port = port;
  }
}

/** Pages and the socket of screens, on one port. @throws PortTakenError */
export async function startListener(options: ListenerOptions): Promise<Listener> {
  const log = boundedLog(options.log);
  const { patienceMs = usualPatienceMs, mostBufferedBytes = usualMostBufferedBytes } = options;
  const server = createServer();
  const port = await listen(server, options);
  const isOurs = (host: string | undefined): boolean => host !== undefined && options.isOurs(host.toLowerCase(), port);
  const listener = getRequestListener(guarded(isOurs, options.pages).fetch);
  const isRefused = boundConnections(server, options.mostConnections, log);
  server.on('request', (request, response) => {
    if (isRefused(request.socket)) response.writeHead(503, { connection: 'close' }).end();
    else void listener(request, response);
  });

  const sockets = new WebSocketServer({ noServer: true, maxPayload: options.longestMessageBytes, perMessageDeflate: false });
  const lines = new Set<Line>();
  const bufferedBytes = (): number => lines.values().reduce((sum, { bufferedAmount }) => sum + bufferedAmount, 0);
  /** Asked, and not answered yet. */
  const quiet = new WeakSet<WebSocket>();
  server.on('upgrade', (request: IncomingMessage, socket, head) => {
    const hasRoom = !isRefused(request.socket) && sockets.clients.size < options.mostSockets;
    if (hasRoom && mayOpen(request, isOurs)) {
      sockets.handleUpgrade(request, socket, head, (webSocket) => {
        webSocket.on('pong', () => quiet.delete(webSocket));
        const line = new Line({ socket: webSocket, address: endOf(request.socket), log, patienceMs, isTooMuch: () => bufferedBytes() > mostBufferedBytes });
        lines.add(line);
        webSocket.on('close', () => lines.delete(line));
        options.opened(line);
      });
      return;
    }
    log.warn({ origin: request.headers.origin, host: request.headers.host }, 'a connection to the screens was refused');
    refuse(socket, hasRoom ? '403 Forbidden' : '503 Service Unavailable');
  });
  const looking = setInterval(
    () => {
      for (const line of lines) line.look();
      if (bufferedBytes() <= mostBufferedBytes) return;
      const [slowest] = [...lines].toSorted((one, other) => other.bufferedAmount - one.bufferedAmount);
      slowest?.cut();
    },
    Math.min(lookEveryMs, patienceMs / 4),
  );
  const heartbeat = setInterval(() => {
    for (const socket of sockets.clients) {
      if (quiet.has(socket)) socket.terminate();
      else {
        quiet.add(socket);
        socket.ping();
      }
    }
  }, heartbeatMs);

  return {
    port,
    close() {
      clearInterval(looking);
      clearInterval(heartbeat);
      log.close();
      for (const socket of sockets.clients) socket.terminate();
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

/** A page from elsewhere must not drive the counter: the browser says where it comes from, and it cannot lie. */
function mayOpen({ url, headers }: IncomingMessage, isOurs: (host: string | undefined) => boolean): boolean {
  // The target is anybody's text: it is compared, not parsed, since what does not parse would throw.
  const path = (url ?? '').split('?', 1)[0];
  const { origin } = headers;
  return path === socketPath && isOurs(headers.host) && (origin === undefined || (URL.canParse(origin) && isOurs(new URL(origin).host)));
}

/** Node hands an upgraded socket over bare: nobody else hears its errors, and nobody else closes it when the other side does not. */
function refuse(socket: Duplex, status: string): void {
  socket.on('error', () => socket.destroy());
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
}

function guarded(isOurs: (host: string | undefined) => boolean, addPages: (app: Hono) => void): Hono {
  const app = new Hono();
  app.use(async (context, next) => {
    context.header('content-security-policy', contentSecurityPolicy);
    context.header('x-content-type-options', 'nosniff');
    context.header('referrer-policy', 'no-referrer');
    context.header('cache-control', 'no-store');
    // A name that somebody has pointed at this machine (DNS rebinding) is not this machine's.
    if (!isOurs(context.req.header('host'))) return context.text('Tillbeacon answers to its own address only', 403);
    await next();
    // Their names carry their content's hash; that one is missing is not to be remembered.
    if (context.res.ok && context.req.path.startsWith('/assets/')) context.header('cache-control', 'public, max-age=31536000, immutable');
    return undefined;
  });
  addPages(app);
  return app;
}

async function listen(server: Server, { host, port, nextFreeIfTaken }: ListenerOptions): Promise<number> {
  const last = port === 0 || !nextFreeIfTaken ? port : Math.min(65_535, port + mostPortsTried);
  for (let candidate = port; ; candidate += 1) {
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(candidate, host, () => {
          server.off('error', reject);
          resolve();
        });
      });
      return (server.address() as AddressInfo).port;
    } catch (error) {
      const taken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
      if (!taken) throw error;
      if (candidate >= last) throw new PortTakenError(port, error);
    }
  }
}
