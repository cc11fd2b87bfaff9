import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import type { z } from 'zod';
import type { Cancel, Clock } from '../../domain/clock.ts';
import { messageOf } from '../../domain/errors.ts';
import { listeningPort } from '../../domain/listening-port.ts';
import type { Log } from '../../domain/log.ts';
import { type BoundedLog, boundedLog } from '../../server/bounded-log.ts';
import { limitConnections } from '../../server/connection-limits.ts';
import { namesOf } from '../../server/own-names.ts';
import { GuessLimiter } from '../guesses.ts';
import { type Asked, type Handlers, handlers } from './api.ts';
import { documentPage, documentPolicy } from './docs-page.ts';
import { LaneFeed } from './events.ts';
import type { HttpCounter } from './lane.ts';
import { openApi } from './openapi.ts';
import { type Operation, type OperationName, operations } from './operations.ts';
import { problemKinds, Refused } from './problems.ts';
import type { HttpProtocol } from './protocol.ts';
import type { TillToken } from './tokens.ts';
import type { DayCounted } from './views.ts';

export interface HttpApiOptions {
  /** An address of this machine, or 0.0.0.0 or :: for all of them. */
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** What is in the files now, PEM; null: HTTP without encryption. */
  readonly tls: (() => Certificate) | null;
  /** Further names by which it is called. */
  readonly names: readonly string[];
  /** Of the pages that may call it. */
  readonly origins: readonly string[];
  readonly version: string;
  /** null: there is no such lane, or its till speaks another protocol. */
  readonly counter: (laneId: string) => HttpCounter | null;
  /** @param listener is called when a lane has changed; null: all of them @returns ends it */
  readonly subscribe: (listener: (laneId: string | null) => void) => () => void;
  /** @param day null: today */
  readonly dayTotals: (laneId: string, day: string | null) => DayCounted;
  readonly journal: {
    changesAfter(
      laneId: string,
      seq: number,
      most: number,
    ): readonly { readonly seq: number; readonly saleId: string; readonly refundOrderId: string | null }[];
    newestSeq(): number;
  };
  readonly tokens: { find(token: string): TillToken | null };
  /** What else is spoken here. */
  readonly protocols?: readonly HttpProtocol[];
  readonly clock: Clock;
  readonly log: Log;
}

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface HttpApi {
  readonly port: number;
  /** What waits is answered as things stand. */
  close(): Promise<void>;
}

const mostBodyBytes = 4_096;
const keyForm = /^[\x21-\x7e]{16,128}$/;
/** A till has a few connections, and each event stream one. */
const mostConnections = { perAddress: 800, all: 1_000 };
/** Until a connection that says nothing is closed; longer than anything that it may wait for. */
const silentMs = 90_000;
const headersMs = 10_000;
const requestMs = 15_000;
/** A comment keeps a quiet stream open, and finds out whether its token was revoked. */
const heartbeatMs = 15_000;
const mostStreams = 600;
const gatheredMs = 20;
const wokenTogether = 5;
/** For the last answers to leave. */
const closesWithinMs = 500;
const certificateReadEveryMs = 10 * 60_000;

type Env = { readonly Bindings: HttpBindings };

/** Serves the HTTP API for all lanes whose till is software. @throws when the port cannot be had or the certificate not be read */
export async function startHttpApi(options: HttpApiOptions): Promise<HttpApi> {
  const log = boundedLog(options.log);
  const waits = new Waits(options);
  const streams = new Streams(options);
  const tls = options.tls?.() ?? null;
  const server = tls === null ? createServer() : createTlsServer({ ...tls, minVersion: 'TLSv1.2' });
  server.headersTimeout = headersMs;
  server.requestTimeout = requestMs;
  server.timeout = silentMs;
  await listen(server, options);
  const port = listeningPort(server);
  const isRefused = limitConnections(server, mostConnections, log, 'the HTTP API');
  const listener = getRequestListener(appOf({ ...options, port, waits, streams, bounded: log }).fetch);
  server.on('request', (request, response) => {
    if (isRefused(request.socket)) response.writeHead(503, { connection: 'close' }).end();
    else void listener(request, response);
  });
  const stopReading = tls === null ? () => {} : keepCertificate(server as TlsServer, tls, options);
  return {
    port,
    close() {
      stopReading();
      waits.end();
      streams.close();
      log.close();
      return new Promise((resolve) => {
        const cancel = options.clock.after(closesWithinMs, () => server.closeAllConnections());
        server.close(() => {
          cancel();
          resolve();
        });
        server.closeIdleConnections();
      });
    },
  };
}

/** A certificate is renewed every few weeks: the new one is used without a restart. */
function keepCertificate(server: TlsServer, first: Certificate, { tls, clock, log }: HttpApiOptions): () => void {
  let used = first;
  let cancel = (): void => {};
  const again = (): void => {
    cancel = clock.after(certificateReadEveryMs, () => {
      try {
        const now = tls?.() ?? used;
        if (now.cert !== used.cert || now.key !== used.key) server.setSecureContext({ ...now, minVersion: 'TLSv1.2' });
        used = now;
      } catch (error) {
        log.error({ detail: messageOf(error) }, 'the new certificate of the HTTP API cannot be used: the one before stays in use');
      }
      again();
    });
  };
  again();
  return () => cancel();
}

/** Requests that wait for something to happen at a lane. */
class Waits {
  readonly #options: Pick<HttpApiOptions, 'subscribe' | 'clock'>;
  readonly #open = new Set<() => void>();
  #ended = false;

  constructor(options: Pick<HttpApiOptions, 'subscribe' | 'clock'>) {
    this.#options = options;
  }

  until(isDone: () => boolean, ms: number, signal: AbortSignal): Promise<void> {
    if (this.#ended || ms <= 0 || signal.aborted || isDone()) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        stop();
        cancel();
        signal.removeEventListener('abort', end);
        this.#open.delete(end);
        resolve();
      };
      const stop = this.#options.subscribe(() => isDone() && end());
      const cancel = this.#options.clock.after(ms, end);
      signal.addEventListener('abort', end);
      this.#open.add(end);
    });
  }

  end(): void {
    this.#ended = true;
    for (const end of this.#open) end();
  }
}

/**
 * Event streams: each is written at the pace at which it is read, and reads what it has missed from the journal. They are woken a moment after
 * something has happened, some at a time: payments and their answers go first, and what happens within that moment is told together.
 */
class Streams {
  readonly #options: HttpApiOptions;
  readonly #feeds = new Map<string, LaneFeed>();
  readonly #stop: () => void;
  /** Those with nothing to tell. */
  readonly #sleeping = new Set<() => void>();
  #cancelWaking: Cancel | null = null;
  /** Since the last waking began. */
  #hasNews = false;
  #open = 0;
  #isClosed = false;

  constructor(options: HttpApiOptions) {
    this.#options = options;
    this.#stop = options.subscribe((laneId) => {
      for (const [id, feed] of this.#feeds) if (laneId === null || laneId === id) feed.changed();
      this.#hasNews = true;
      this.#cancelWaking ??= this.#wakeSoon();
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#stop();
    this.#cancelWaking?.();
    for (const wake of this.#sleeping) wake();
  }

  /** @param isAllowed throws or is false once the token is revoked */
  open(context: Context<Env>, laneId: string, isAllowed: () => boolean): Response {
    const lastId = context.req.header('last-event-id') ?? '';
    if (!/^\d{0,15}$/.test(lastId)) {
      const errors = [{ field: 'Last-Event-ID', rule: 'must be the id of an event of this stream' }];
      throw new Refused('invalid-request', 'Last-Event-ID must be the id of an event of this stream', { errors });
    }
    if (this.#open >= mostStreams) throw new Refused('too-many-streams');
    const feed = this.#feedOf(laneId);
    const beginsAt = lastId === '' ? feed.newestSeq : Math.min(Number(lastId), feed.newestSeq);
    this.#open += 1;
    return streamSSE(context, async (stream) => {
      try {
        await this.#follow(stream, feed, beginsAt, isAllowed);
      } finally {
        this.#open -= 1;
      }
    });
  }

  async #follow(stream: SSEStreamingApi, feed: LaneFeed, beginsAt: number, isAllowed: () => boolean): Promise<void> {
    const gone = new AbortController();
    stream.onAbort(() => gone.abort());
    let seq = beginsAt;
    let told: string | null = null;
    while (!gone.signal.aborted && !this.#isClosed) {
      const items = feed.after(seq);
      const lane = feed.lane();
      if (lane === null) return;
      const text = items.map((item) => item.text).join('') + (lane === told ? '' : lane);
      seq = items.at(-1)?.seq ?? seq;
      told = lane;
      if (text !== '') {
        await stream.write(text);
        continue;
      }
      const isQuiet = await this.#sleep(gone.signal);
      if (!isStillAllowed(isAllowed)) return;
      if (isQuiet) await stream.write(':\n\n');
    }
  }

  /** @returns whether nothing has happened for the time of a heartbeat */
  #sleep(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (isQuiet: boolean): void => {
        cancel();
        this.#sleeping.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve(isQuiet);
      };
      const wake = (): void => end(false);
      const cancel = this.#options.clock.after(heartbeatMs, () => end(true));
      signal.addEventListener('abort', wake);
      this.#sleeping.add(wake);
    });
  }

  #wakeSoon(): Cancel {
    return this.#options.clock.after(gatheredMs, () => {
      this.#hasNews = false;
      this.#wake([...this.#sleeping]);
    });
  }

  #wake(waiting: readonly (() => void)[]): void {
    for (const wake of waiting.slice(0, wokenTogether)) wake();
    const rest = waiting.slice(wokenTogether);
    if (rest.length > 0) this.#cancelWaking = this.#options.clock.after(1, () => this.#wake(rest));
    else this.#cancelWaking = this.#hasNews ? this.#wakeSoon() : null;
  }

  #feedOf(laneId: string): LaneFeed {
    const { counter, journal } = this.#options;
    const feed =
      this.#feeds.get(laneId) ??
      new LaneFeed({
        counter: () => counter(laneId),
        changesAfter: (seq, most) => journal.changesAfter(laneId, seq, most),
        newestSeq: () => journal.newestSeq(),
      });
    this.#feeds.set(laneId, feed);
    return feed;
  }
}

function isStillAllowed(isAllowed: () => boolean): boolean {
  try {
    return isAllowed();
  } catch {
    return false;
  }
}

interface AppOptions extends HttpApiOptions {
  readonly waits: Waits;
  readonly streams: Streams;
  readonly bounded: BoundedLog;
}

function appOf(options: AppOptions): Hono<Env> {
  const { version, log } = options;
  const guesses = new GuessLimiter(options.clock);
  const app = new Hono<Env>();
  const document = openApi(version);
  app.use(async (context, next) => {
    context.header('cache-control', 'no-store');
    context.header('x-content-type-options', 'nosniff');
    context.header('referrer-policy', 'no-referrer');
    context.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
    mustNameUs(context, options);
    // Taken for a GET, whose stream nobody would read.
    if (context.req.method === 'HEAD') throw new Refused('method-refused');
    if (mayCall(context, options)) return preflight(context) ?? next();
    throw new Refused('origin-refused');
  });
  app.get('/v1/openapi.json', (context) => context.json(document));
  app.get('/v1/docs', (context) => context.html(documentPage(document), 200, { 'content-security-policy': documentPolicy }));
  const tooLarge = (): never => {
    throw new Refused('body-too-large');
  };
  for (const protocol of options.protocols ?? [])
    for (const path of protocol.paths) {
      app.post(path, bodyLimit({ maxSize: protocol.mostBodyBytes, onError: tooLarge }), (context) => answerOther(protocol, context, options, guesses));
      app.all(path, (context) => {
        context.header('allow', 'POST');
        throw new Refused('method-refused');
      });
    }
  for (const [name, operation] of Object.entries(operations) as [OperationName, Operation][]) {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
    app.on(operation.method, path, bodyLimit({ maxSize: mostBodyBytes, onError: tooLarge }), (context) => answer(name, operation, context, options, guesses));
  }
  const paths = Map.groupBy(Object.values(operations), ({ path }) => path);
  for (const [path, ofPath] of paths) {
    app.all(path.replaceAll(/\{(\w+)\}/g, ':$1'), (context) => {
      context.header('allow', ofPath.map(({ method }) => method).join(', '));
      throw new Refused('method-refused');
    });
  }
  app.notFound((context) => problem(context, new Refused('not-found')));
  app.onError((error, context) => {
    if (error instanceof Refused) return problem(context, error);
    log.error({ path: context.req.path, error: error.stack ?? messageOf(error) }, 'a request to the HTTP API failed');
    return problem(context, new Refused('internal-error'));
  });
  return app;
}

/** Against DNS rebinding: a foreign name that resolves to this machine is refused. */
function mustNameUs(context: Context<Env>, { host, names, tls, port }: AppOptions & { readonly port: number }): void {
  const named = context.req.header('host')?.toLowerCase();
  const usual = tls === null ? 80 : 443;
  const isOurs = [...namesOf(host), ...names].some((own) => named === `${own}:${port}` || (port === usual && named === own));
  if (!isOurs) throw new Refused('host-refused');
}

/** A browser names the page's origin, and the page cannot forge it. What is no browser names none. */
function mayCall(context: Context<Env>, { origins, tls }: AppOptions): boolean {
  const origin = context.req.header('origin');
  if (origin === undefined) return true;
  const isOwn = origin === `${tls === null ? 'http' : 'https'}://${context.req.header('host')?.toLowerCase()}`;
  if (!isOwn && !origins.includes(origin)) return false;
  context.header('vary', 'Origin');
  context.header('access-control-allow-origin', origin);
  context.header('access-control-expose-headers', 'Location, Retry-After');
  return true;
}

function preflight(context: Context<Env>): Response | null {
  if (context.req.method !== 'OPTIONS' || context.req.header('access-control-request-method') === undefined) return null;
  context.header('access-control-allow-methods', 'GET, POST');
  context.header('access-control-allow-headers', 'Authorization, Content-Type, Idempotency-Key, Last-Event-ID');
  context.header('access-control-max-age', '600');
  if (context.req.header('access-control-request-private-network') === 'true') context.header('access-control-allow-private-network', 'true');
  return context.body(null, 204);
}

async function answer(name: OperationName, operation: Operation, context: Context<Env>, options: AppOptions, guesses: GuessLimiter): Promise<Response> {
  const { counter: counterOf, waits, streams, dayTotals } = options;
  const token = signedIn(context, options, guesses);
  if (!token.scopes.includes(operation.scope)) throw new Refused('scope-missing', `the scope ${operation.scope} is missing`);
  const counter = counterOf(token.laneId);
  if (counter === null) throw new Refused('lane-gone', `lane ${token.laneId} is not there, or its till is not software`);
  counter.till.heard();
  if (name === 'getEvents') return streams.open(context, token.laneId, () => signedIn(context, options, guesses).tokenId === token.tokenId);
  const asked = {
    counter,
    key: operation.method === 'POST' ? keyOf(context) : '',
    body: operation.body === null ? null : checked(operation.body, await bodyOf(context)),
    query: operation.query === null ? null : checked(operation.query, context.req.query()),
    path: context.req.param() as Record<string, string>,
    from: `http:${addressOf(context)} ${token.name}`,
    dayTotals: (day: string | null) => dayTotals(counter.lane.id, day),
    until: (isDone: () => boolean, ms: number) => waits.until(isDone, ms, context.req.raw.signal),
  };
  // What was sent was parsed by the schemas of the same operation, which the compiler cannot follow through the table.
  const handle = handlers[name] as (asked: Asked<OperationName>) => ReturnType<Handlers[keyof Handlers]>;
  const { status, body, ...more } = await handle(asked as unknown as Asked<OperationName>);
  if ('location' in more && more.location !== undefined) context.header('location', more.location);
  return context.json(operation.answer.parse(body), status);
}

async function answerOther(protocol: HttpProtocol, context: Context<Env>, options: AppOptions, guesses: GuessLimiter): Promise<Response> {
  const { waits, bounded } = options;
  const { socket } = context.env.incoming;
  const address = addressOf(context);
  const { status, body, strange } = await protocol.answer({
    text: await context.req.text(),
    address,
    token: () => signedIn(context, options, guesses),
    until(isDone, ms) {
      // Whoever waits says nothing. Node sets it anew for the next request.
      socket.setTimeout(ms + silentMs);
      return waits.until(isDone, ms, context.req.raw.signal);
    },
  });
  if (strange !== undefined) bounded.warn({ address }, strange);
  return body === null ? context.body(null, status) : context.json(body, status);
}

/**
 * A right token is always taken: whoever guesses from the same machine must not lock the till out. 256 bits need no lock; wrong ones are answered 429
 * without being looked at, so that the log and the processor have peace.
 */
function signedIn(context: Context<Env>, { tokens, bounded }: AppOptions, guesses: GuessLimiter): TillToken {
  const [, token = ''] = /^Bearer ([\w-]{20,100})$/i.exec(context.req.header('authorization') ?? '') ?? [];
  const found = token === '' ? null : tokens.find(token);
  if (found !== null) return found;
  context.header('www-authenticate', 'Bearer');
  if (token === '') throw new Refused('token-missing');
  const address = addressOf(context);
  if (guesses.isBlocked(address)) throw new Refused('too-many-guesses', undefined, { retryAfterSeconds: 60 });
  guesses.missed(address);
  bounded.warn({ address }, 'a token that is not known was sent to the HTTP API');
  throw new Refused('token-missing');
}

const addressOf = (context: Context<Env>): string => (context.env.incoming.socket.remoteAddress ?? '').replace(/^::ffff:/, '');

function keyOf(context: Context<Env>): string {
  const key = context.req.header('idempotency-key') ?? '';
  if (!keyForm.test(key)) throw new Refused('key-missing', 'Idempotency-Key must be 16 to 128 visible ASCII characters, e.g. a UUID');
  return key;
}

async function bodyOf(context: Context<Env>): Promise<unknown> {
  const text = await context.req.text();
  if (text === '') return {};
  if (!/^application\/json\s*(;|$)/i.test(context.req.header('content-type') ?? '')) throw new Refused('not-json');
  try {
    return JSON.parse(text);
  } catch {
    throw new Refused('not-json');
  }
}

function checked(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.flatMap(({ path, message, ...issue }) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((field) => ({ field, rule: 'is not known here' }))
      : [{ field: path.join('.') || 'body', rule: message }],
  );
  throw new Refused('invalid-request', errors.map(({ field, rule }) => `${field} ${rule}`).join('; '), { errors });
}

function problem(context: Context<Env>, refused: Refused): Response {
  const { retryAfterSeconds } = refused.more;
  if (retryAfterSeconds !== undefined) context.header('retry-after', String(retryAfterSeconds));
  context.header('content-type', 'application/problem+json');
  return context.body(JSON.stringify(refused.body), problemKinds[refused.code].status);
}

const listen = (server: Server | TlsServer, { host, port }: HttpApiOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
