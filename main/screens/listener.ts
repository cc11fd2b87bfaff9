import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { type WebSocket, WebSocketServer } from 'ws';
import { socketPath } from '../../preload/contract.ts';
import type { Log } from '../primitives/log.ts';

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
  readonly opened: (socket: WebSocket, address: string) => void;
  readonly longestMessageBytes: number;
  /** More at a time get no line. */
  readonly mostSockets: number;
  readonly log: Log;
}

export interface Listener {
  readonly port: number;
  close(): Promise<void>;
}

const mostPortsTried = 50;
const heartbeatMs = 15_000;

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

/** Pages and the socket of screens, on one port. @throws when no port can be had */
export async function startListener(options: ListenerOptions): Promise<Listener> {
  const { log } = options;
  const server = createServer();
  const port = await listen(server, options);
  const isOurs = (host: string | undefined): boolean => host !== undefined && options.isOurs(host.toLowerCase(), port);
  const listener = getRequestListener(guarded(isOurs, options.pages).fetch);
  server.on('request', (request, response) => void listener(request, response));

  const sockets = new WebSocketServer({ noServer: true, maxPayload: options.longestMessageBytes, perMessageDeflate: false });
  /** Asked, and not answered yet. */
  const quiet = new WeakSet<WebSocket>();
  server.on('upgrade', (request: IncomingMessage, socket, head) => {
    if (mayOpen(request, isOurs) && sockets.clients.size < options.mostSockets) {
      sockets.handleUpgrade(request, socket, head, (webSocket) => {
        webSocket.on('pong', () => quiet.delete(webSocket));
        webSocket.on('error', (error) => log.warn({ detail: error.message }, 'the connection of a screen failed'));
        options.opened(webSocket, addressOf(request));
      });
      return;
    }
    log.warn({ origin: request.headers.origin, host: request.headers.host }, 'a connection to the screens was refused');
    refuse(socket);
  });
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
      clearInterval(heartbeat);
      for (const socket of sockets.clients) socket.terminate();
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

/** @param take what the screen says; undefined: it cannot be read. false: it is none of the contract, and the screen is shown out */
export function onMessage(socket: WebSocket, log: Log, take: (message: unknown) => boolean): void {
  socket.on('message', (data, isBinary) => {
    if (!isBinary && take(parseJson((data as Buffer).toString('utf8')))) return;
    log.warn({}, 'a screen sent something that is not of the contract');
    socket.close(1008, 'not a message of the contract');
  });
}

/** A page from elsewhere must not drive the counter: the browser says where it comes from, and it cannot lie. */
function mayOpen({ url, headers }: IncomingMessage, isOurs: (host: string | undefined) => boolean): boolean {
  // The target is anybody's text: it is compared, not parsed, since what does not parse would throw.
  const path = (url ?? '').split('?', 1)[0];
  const { origin } = headers;
  return path === socketPath && isOurs(headers.host) && (origin === undefined || (URL.canParse(origin) && isOurs(new URL(origin).host)));
}

/** Node hands an upgraded socket over bare: nobody else hears its errors, and nobody else closes it when the other side does not. */
function refuse(socket: Duplex): void {
  socket.on('error', () => socket.destroy());
  socket.once('finish', () => socket.destroy());
  socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
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
      if (candidate >= last) throw new Error(`the screens cannot be served on port ${port}: another program already listens there`, { cause: error });
    }
  }
}

/** Of the other end. */
function addressOf({ socket: { remoteAddress = '', remotePort } }: IncomingMessage): string {
  return `${remoteAddress.replace(/^::ffff:/, '')}:${remotePort}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
