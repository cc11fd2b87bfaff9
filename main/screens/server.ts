import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { type WebSocket, WebSocketServer } from 'ws';
import { socketPath, type ToScreen } from '../../preload/contract.ts';
import type { Log } from '../primitives/log.ts';
import { type Door, openDoor, type ScreensDesk } from './door.ts';

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
/** A screen that has fallen this far behind skips to the newest view when it has caught up. */
const mostBufferedBytes = 1024 * 1024;
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
  server.on('upgrade', (request: IncomingMessage, socket, head) => {
    // A page from elsewhere must not drive the counter: the browser says where it comes from, and it cannot lie.
    const origin = request.headers.origin;
    const path = new URL(request.url ?? '/', 'http://screens').pathname;
    const allowed = path === socketPath && isOurs(request.headers.host) && (origin === undefined || (URL.canParse(origin) && isOurs(new URL(origin).host)));
    if (!allowed) {
      log.warn({ origin, host: request.headers.host }, 'a connection to the screens was refused');
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => serveScreen(webSocket, desk, log));
  });
  const heartbeat = setInterval(() => {
    for (const socket of sockets.clients) socket.ping();
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

function serveScreen(socket: WebSocket, desk: ScreensDesk, log: Log): void {
  let behind: ToScreen | null = null;
  const send = (message: ToScreen): void => {
    if (socket.readyState !== socket.OPEN) return;
    if (message.type === 'view' && socket.bufferedAmount > mostBufferedBytes) {
      behind = message;
      return;
    }
    socket.send(JSON.stringify(message), () => {
      if (behind === null || socket.bufferedAmount > 0) return;
      const newest = behind;
      behind = null;
      send(newest);
    });
  };
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
    // A name that somebody has pointed at this machine (DNS rebinding) is not this machine's.
    if (!isOurs(context.req.header('host'))) return context.text('Tillbeacon answers to its own address only', 403);
    await next();
    context.header('content-security-policy', contentSecurityPolicy);
    context.header('x-content-type-options', 'nosniff');
    context.header('referrer-policy', 'no-referrer');
    context.header('cache-control', context.req.path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-store');
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
