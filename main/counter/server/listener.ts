import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { type WebSocket, WebSocketServer } from 'ws';
import { socketPath } from '../../../preload/contract.ts';
import type { Log } from '../../core/domain/log.ts';
import { boundedLog } from '../../core/domain/bounded-log.ts';
import { ClientSocket } from './client-socket.ts';
import { isPortInUse, ListenError } from '../../core/domain/listening-port.ts';
import { type ConnectionLimits, endOf, PacedServer } from '../../support/paced-server.ts';
import { pageHeaders } from './page-headers.ts';

export interface ListenerOptions {
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  /** Whether the following ports are tried too. */
  readonly nextFreeIfTaken: boolean;
  /** Whether a Host header, or an origin's host, names this listener. */
  readonly isOurs: (host: string, port: number) => boolean;
  /** Adds the pages. Who may load them and what they may do is decided here. */
  readonly pages: (app: Hono) => void;
  readonly opened: (socket: ClientSocket) => void;
  readonly maxMessageBytes: number;
  /** Limit of messages of a WebSocket that are being answered at a time. */
  readonly maxConcurrent?: number;
  /** Limit of WebSockets at a time. */
  readonly maxSockets: number;
  /** Limit of connections of any kind. More than WebSockets, so that pages are always served. */
  readonly limits: ConnectionLimits;
  /** How long a page may leave what it was sent unread; tests take less. */
  readonly unreadTimeoutMs?: number | undefined;
  /** Limit of what all pages together leave unread; tests set less. */
  readonly maxBufferedBytes?: number | undefined;
  readonly log: Log;
}

export interface Listener {
  readonly port: number;
  close(): Promise<void>;
}

/** How many taken ports, one after the other, are passed over. */
const maxTakenPorts = 50;
/** Windows reserves ranges of a hundred ports, often several in a row. */
const maxReservedPorts = 2_000;
const maxPort = 65_535;
const heartbeatMs = 15_000;
const defaultUnreadTimeoutMs = 10_000;
const checkEveryMs = 1_000;
const defaultMaxBufferedBytes = 32 * 1024 * 1024;

/** Serves pages and their WebSocket on one port. @throws ListenError */
export async function startListener(options: ListenerOptions): Promise<Listener> {
  const log = boundedLog(options.log);
  const { unreadTimeoutMs = defaultUnreadTimeoutMs, maxBufferedBytes = defaultMaxBufferedBytes } =
    options;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: options.maxMessageBytes,
    perMessageDeflate: false,
    // One frame of a socket in a turn of the loop.
    allowSynchronousEvents: false,
  });
  const clients = new Set<ClientSocket>();
  const bufferedBytes = (): number =>
    clients.values().reduce((sum, { bufferedAmount }) => sum + bufferedAmount, 0);
  /** Sockets that have not answered the last ping. */
  const silent = new WeakSet<WebSocket>();
  const server: PacedServer = new PacedServer({
    name: 'the screens',
    limits: options.limits,
    tls: null,
    onRequest(request, response) {
      response.once('finish', () => server.know(request));
      return listener(request, response);
    },
    onUpgrade: upgrade,
    log,
  });
  const port = await listen(server, options);
  const isOurs = (host: string | undefined): boolean =>
    host !== undefined && options.isOurs(host.toLowerCase(), port);
  const listener = getRequestListener(guarded(isOurs, options.pages).fetch);

  /** A new WebSocket takes the place of the oldest one that has said nothing. */
  function makeRoom(): boolean {
    if (clients.size < options.maxSockets) return true;
    const oldest = clients.values().find(({ hasSpoken }) => !hasSpoken);
    if (oldest === undefined) return false;
    clients.delete(oldest);
    oldest.terminate('too many pages are open: one that has said nothing was closed for a new one');
    return true;
  }

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const mayOpenHere = mayOpen(request, isOurs);
    if (mayOpenHere && makeRoom()) return open(request, socket, head);
    log.warn(
      { origin: request.headers.origin, host: request.headers.host },
      'a connection to the screens was refused',
    );
    refuse(socket, mayOpenHere ? '503 Service Unavailable' : '403 Forbidden');
  }

  function open(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const count = (): void => server.charge(request);
      webSocket.on('message', count).on('ping', count);
      webSocket.on('pong', () => {
        count();
        silent.delete(webSocket);
      });
      const client = new ClientSocket({
        socket: webSocket,
        address: endOf(request.socket),
        log,
        unreadTimeoutMs,
        maxConcurrent: options.maxConcurrent ?? 16,
        isTooMuch: () => bufferedBytes() > maxBufferedBytes,
        // Until then its place is taken by the next connection that needs one.
        spoken: () => webSocket.once('close', server.hold(request)),
      });
      clients.add(client);
      webSocket.on('close', () => clients.delete(client));
      options.opened(client);
    });
  }

  const checking = setInterval(
    () => {
      for (const client of clients) client.check();
      if (bufferedBytes() <= maxBufferedBytes) return;
      const [slowest] = [...clients].toSorted(
        (one, other) => other.bufferedAmount - one.bufferedAmount,
      );
      slowest?.terminate();
    },
    Math.min(checkEveryMs, unreadTimeoutMs / 4),
  );
  const heartbeat = setInterval(() => {
    for (const socket of sockets.clients) {
      if (silent.has(socket)) socket.terminate();
      else {
        silent.add(socket);
        socket.ping();
      }
    }
  }, heartbeatMs);

  return {
    port,
    close() {
      clearInterval(checking);
      clearInterval(heartbeat);
      log.close();
      for (const socket of sockets.clients) socket.terminate();
      return server.close();
    },
  };
}

/**
 * A page from elsewhere must not control the counter: a browser names the page's origin, and the
 * page cannot forge it.
 */
function mayOpen(
  { url, headers }: IncomingMessage,
  isOurs: (host: string | undefined) => boolean,
): boolean {
  // The target is untrusted text: it is compared, not parsed, because parsing could throw.
  const path = (url ?? '').split('?', 1)[0];
  const { origin } = headers;
  return (
    path === socketPath &&
    isOurs(headers.host) &&
    (origin === undefined || (URL.canParse(origin) && isOurs(new URL(origin).host)))
  );
}

/**
 * Node hands over an upgraded socket without listeners: an error would be uncaught, and a peer that
 * does not close it would keep it open.
 */
function refuse(socket: Duplex, status: string): void {
  socket.on('error', () => socket.destroy());
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
}

function guarded(
  isOurs: (host: string | undefined) => boolean,
  addPages: (app: Hono) => void,
): Hono {
  const app = new Hono();
  app.use(async (context, next) => {
    for (const [name, value] of Object.entries(pageHeaders)) context.header(name, value);
    // Against DNS rebinding: a foreign name that resolves to this machine is refused.
    if (!isOurs(context.req.header('host')))
      return context.text('Tillbeacon answers to its own address only', 403);
    await next();
    // Names of assets hold a hash of their content. A 404 must not be cached.
    if (context.res.ok && context.req.path.startsWith('/assets/'))
      context.header('cache-control', 'public, max-age=31536000, immutable');
    return undefined;
  });
  addPages(app);
  return app;
}

async function listen(
  server: PacedServer,
  { host, port, nextFreeIfTaken }: ListenerOptions,
): Promise<number> {
  let first: unknown = null;
  let maxTaken = port === 0 || !nextFreeIfTaken ? 0 : maxTakenPorts;
  let maxReserved = port === 0 || !nextFreeIfTaken ? 0 : maxReservedPorts;
  for (let candidate = port; ; candidate += 1) {
    try {
      await server.listen(candidate, host);
      return server.port;
    } catch (error) {
      first ??= error;
      if (!(error instanceof ListenError) || !isPortInUse(error.problem)) throw error;
      if (error.problem === 'taken') maxTaken -= 1;
      else maxReserved -= 1;
      if (maxTaken < 0 || maxReserved < 0 || candidate === maxPort) throw first;
    }
  }
}
