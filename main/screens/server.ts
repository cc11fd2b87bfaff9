import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { type WebSocket, WebSocketServer } from 'ws';
import { socketPath } from '../../preload/contract.ts';
import type { Log } from '../primitives/log.ts';
import { type Door, openDoor, type ScreensDesk } from './door.ts';
import { sendNewest } from './newest-view.ts';

export interface ScreensServer {
  /** e.g. `http://127.0.0.1:4180`. */
  readonly url: string;
  close(): Promise<void>;
}

export interface ScreensServerOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Tries the following ports too. */
  readonly nextFreeIfTaken: boolean;
  /** The built screens. */
  readonly rendererFolder: string;
  readonly desk: ScreensDesk;
  readonly log: Log;
}

const mostPortsTried = 50;
const longestMessageBytes = 64 * 1024;
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

/** Serves the screens to any browser on this machine. @throws when no port can be had */
export async function startScreensServer(options: ScreensServerOptions): Promise<ScreensServer> {
  const { desk, log, host } = options;
  const server = createServer();
  const port = await listen(server, options);
  const isOurs = hostChecker(port);
  const listener = getRequestListener(pages(options.rendererFolder, isOurs).fetch);
  server.on('request', (request, response) => void listener(request, response));

  const sockets = new WebSocketServer({ noServer: true, maxPayload: longestMessageBytes, perMessageDeflate: false });
  /** Asked, and not answered yet. */
  const quiet = new WeakSet<WebSocket>();
  server.on('upgrade', (request: IncomingMessage, socket, head) => {
    if (mayOpen(request, isOurs)) {
      sockets.handleUpgrade(request, socket, head, (webSocket) => {
        webSocket.on('pong', () => quiet.delete(webSocket));
        serveScreen(webSocket, desk, log);
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
    url: `http://${host}:${port}`,
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

function serveScreen(socket: WebSocket, desk: ScreensDesk, log: Log): void {
  const send = sendNewest({
    get isOpen() {
      return socket.readyState === socket.OPEN;
    },
    get bufferedAmount() {
      return socket.bufferedAmount;
    },
    send: (text, sent) => socket.send(text, sent),
  });
  const door: Door = openDoor(desk, send);
  socket.on('message', (data, isBinary) => {
    if (!isBinary && door.message(parseJson((data as Buffer).toString('utf8')))) return;
    log.warn({}, 'a screen sent something that is not of the contract');
    socket.close(1008, 'not a message of the contract');
  });
  socket.on('error', (error) => log.warn({ detail: error.message }, 'the connection of a screen failed'));
  socket.on('close', () => door.close());
}

function pages(rendererFolder: string, isOurs: (host: string | undefined) => boolean): Hono {
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
  app.get('*', serveStatic({ root: rendererFolder }));
  return app;
}

/** Whether a Host header, or an origin's host, names this server. */
function hostChecker(port: number): (host: string | undefined) => boolean {
  const names = new Set(['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`));
  return (host) => host !== undefined && names.has(host.toLowerCase());
}

async function listen(server: Server, { host, port, nextFreeIfTaken }: ScreensServerOptions): Promise<number> {
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
