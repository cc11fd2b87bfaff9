import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import type { Clock } from '../domain/clock.ts';
import { listeningPort } from '../domain/listening-port.ts';
import type { Log } from '../domain/log.ts';
import { type BoundedLog, boundedLog } from '../server/bounded-log.ts';
import { limitConnections } from '../server/connection-limits.ts';
import { namesOf } from '../server/own-names.ts';
import { GuessLimiter } from '../till/guesses.ts';
import { metricsPage, type MonitoringPages, refusedToPages, statusPages } from './pages.ts';

export interface MonitoringServerOptions extends MonitoringPages {
  /** An address of this machine, or 0.0.0.0 or :: for all of them. */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** The certificate as PEM; null for HTTP without encryption. */
  readonly tls: { readonly cert: string; readonly key: string } | null;
  readonly token: string;
  /** Further host names that are accepted in the Host header. */
  readonly names: readonly string[];
  readonly clock: Clock;
  readonly log: Log;
}

export interface MonitoringServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Enough for one or two Prometheus servers, and programs that read the status. */
const mostConnections = { perAddress: 16, all: 64 };
const headersMs = 10_000;
const requestMs = 15_000;
const silentMs = 120_000;

type Env = { readonly Bindings: HttpBindings };

/** Serves status to everybody who reaches it, and metrics to whoever has the token. @throws when the port cannot be had */
export async function startMonitoringServer(options: MonitoringServerOptions): Promise<MonitoringServer> {
  const { host, tls } = options;
  const log = boundedLog(options.log);
  const server = tls === null ? createServer() : createTlsServer({ ...tls, minVersion: 'TLSv1.2' });
  server.headersTimeout = headersMs;
  server.requestTimeout = requestMs;
  server.timeout = silentMs;
  await listen(server, options.port, host);
  const port = listeningPort(server);
  const isRefused = limitConnections(server, mostConnections, log, 'the metrics');
  const listener = getRequestListener(appOf(options, port, log).fetch);
  server.on('request', (request, response) => {
    if (isRefused(request.socket)) response.writeHead(503, { connection: 'close' }).end();
    else void listener(request, response);
  });
  return {
    port,
    close() {
      log.close();
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

function appOf(options: MonitoringServerOptions, port: number, log: BoundedLog): Hono {
  const { host, names, tls, clock } = options;
  const app = new Hono<Env>();
  const usualPort = tls === null ? 80 : 443;
  app.use(async (context, next) => {
    context.header('cache-control', 'no-store');
    context.header('x-content-type-options', 'nosniff');
    context.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
    // Against DNS rebinding: a foreign name that resolves to this machine is refused.
    const named = context.req.header('host')?.toLowerCase();
    const isOurs = [...namesOf(host), ...names].some((own) => named === `${own}:${port}` || (port === usualPort && named === own));
    if (!isOurs) return context.text('Tillbeacon answers to its own address only', 403);
    return next();
  });
  const guesses = new GuessLimiter(clock);
  // The pages use nothing of the bindings, so that the type does not matter to them.
  const pages = app as unknown as Hono;
  statusPages(pages, options);
  metricsPage(pages, options, (context) => refusedToPages(context) ?? refusedToStrangers(context as Context<Env>, options.token, guesses, log));
  return pages;
}

/** The right token is always accepted, so that guesses cannot lock Prometheus out. After many wrong ones an address is answered 429, and not logged. */
function refusedToStrangers(context: Context<Env>, token: string, guesses: GuessLimiter, log: BoundedLog): Response | null {
  const [, given = ''] = /^Bearer (\S{1,200})$/i.exec(context.req.header('authorization') ?? '') ?? [];
  if (given !== '' && isSame(given, token)) return null;
  context.header('www-authenticate', 'Bearer');
  if (given === '') return context.text('The token of the metrics is missing\n', 401);
  const address = (context.env.incoming.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  if (guesses.isBlocked(address)) return context.text('Too many wrong tokens\n', 429, { 'retry-after': '60' });
  guesses.missed(address);
  log.warn({ address }, 'a wrong token was sent for the metrics');
  return context.text('The token is wrong\n', 401);
}

/** Compares in constant time. */
function isSame(one: string, other: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(one), hash(other));
}

const listen = (server: Server | TlsServer, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
