/**
 * The thread that serves status and metrics to other machines. It asks the process at most once at
 * a time for each.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MessagePort } from 'node:worker_threads';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { type Clock, systemClock } from '../../core/domain/clock.ts';
import { type BoundedLog, boundedLog } from '../../core/domain/bounded-log.ts';
import { namesOf } from '../../support/own-names.ts';
import { serveListener } from '../../support/listener-thread.ts';
import { addressOf, type Certificate, PacedServer } from '../../support/paced-server.ts';
import { GuessLimiter } from '../../tills/line/guesses.ts';
import {
  metricsPage,
  type MonitoringPages,
  refusedToPages,
  statusPages,
} from './monitoring-pages.ts';
import type { Readiness } from './readiness.ts';

export interface MonitoringThreadData {
  readonly host: string;
  readonly port: number;
  readonly tls: Certificate | null;
  readonly token: string;
  readonly names: readonly string[];
}

/** What the thread calls in the process. */
export interface MonitoringProcess {
  readiness(): Promise<Readiness>;
  metrics(): Promise<string>;
}

/** Enough for one or two Prometheus servers, and programs that read the status. */
const limits = {
  perAddress: 16,
  all: 64,
  bytes: { perSecond: 16 * 1_024, burst: 128 * 1_024 },
  messages: { perSecond: 10, burst: 100 },
};

type Env = { readonly Bindings: HttpBindings };

interface AppOptions extends MonitoringThreadData, MonitoringPages {
  readonly clock: Clock;
}

export function serveMonitoring(
  port: MessagePort,
  data: MonitoringThreadData,
  clock: Clock = systemClock,
): void {
  serveListener<MonitoringProcess>(port, async (process, log) => {
    const bounded = boundedLog(log);
    let listener: (request: IncomingMessage, response: ServerResponse) => unknown = () => {};
    const server: PacedServer = new PacedServer({
      name: 'the metrics',
      limits,
      tls: data.tls,
      onRequest(request, response) {
        response.once('finish', () => server.know(request));
        return listener(request, response);
      },
      log: bounded,
    });
    await server.listen(data.port, data.host);
    const pages = {
      readiness: shared(() => process.readiness()),
      metrics: shared(() => process.metrics()),
    };
    listener = getRequestListener(appOf({ ...data, ...pages, clock }, server.port, bounded).fetch);
    return {
      port: server.port,
      functions: {},
      close() {
        bounded.close();
        return server.close();
      },
    };
  });
}

/** One answer for all who ask until it is there. */
function shared<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let pending: Promise<Answer> | null = null;
  return () => (pending ??= ask().finally(() => (pending = null)));
}

function appOf(options: AppOptions, port: number, log: BoundedLog): Hono {
  const { host, names, tls, clock } = options;
  const app = new Hono<Env>();
  const defaultPort = tls === null ? 80 : 443;
  app.use(async (context, next) => {
    context.header('cache-control', 'no-store');
    context.header('x-content-type-options', 'nosniff');
    context.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
    // Against DNS rebinding: a foreign name that resolves to this machine is refused.
    const hostHeader = context.req.header('host')?.toLowerCase();
    const isOurs = [...namesOf(host), ...names].some(
      (own) => hostHeader === `${own}:${port}` || (port === defaultPort && hostHeader === own),
    );
    if (!isOurs) return context.text('Tillbeacon answers to its own address only', 403);
    return next();
  });
  const guesses = new GuessLimiter(clock);
  // The pages use nothing of the bindings, so that the type does not matter to them.
  const pages = app as unknown as Hono;
  statusPages(pages, options);
  metricsPage(
    pages,
    options,
    (context) =>
      refusedToPages(context) ??
      refusedToStrangers(context as Context<Env>, options.token, guesses, log),
  );
  return pages;
}

/**
 * The right token is always accepted, so that guesses cannot lock Prometheus out. After many wrong
 * ones an address is answered 429, and not logged.
 */
function refusedToStrangers(
  context: Context<Env>,
  token: string,
  guesses: GuessLimiter,
  log: BoundedLog,
): Response | null {
  const [, given = ''] =
    /^Bearer (\S{1,200})$/i.exec(context.req.header('authorization') ?? '') ?? [];
  if (given !== '' && isSame(given, token)) return null;
  context.header('www-authenticate', 'Bearer');
  if (given === '') return context.text('The token of the metrics is missing\n', 401);
  const address = addressOf(context.env.incoming.socket);
  if (guesses.isBlocked(address))
    return context.text('Too many wrong tokens\n', 429, { 'retry-after': '60' });
  guesses.missed(address);
  log.warn({ address }, 'a request for the metrics had a wrong token');
  return context.text('The token is wrong\n', 401);
}

/** Compares in constant time. */
function isSame(one: string, other: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(one), hash(other));
}
