import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { z } from 'zod';
import { messageOf } from '../../domain/errors.ts';
import type { BoundedLog } from '../../server/bounded-log.ts';
import { namesOf } from '../../server/own-names.ts';
import { GuessLimiter } from '../guesses.ts';
import { type ApiRequest, type Handlers, handlers } from './api.ts';
import { documentPage, documentPolicy } from './docs-page.ts';
import { openApi } from './openapi.ts';
import { type Operation, type OperationName, operations } from './operations.ts';
import type { HttpApiOptions } from './options.ts';
import { problemKinds, Refused } from './problems.ts';
import type { HttpProtocol } from './protocol.ts';
import type { Streams } from './streams.ts';
import type { TillToken } from './tokens.ts';
import type { Waits } from './waits.ts';

const mostBodyBytes = 4_096;
const keyForm = /^[\x21-\x7e]{16,128}$/;
/** After this time a silent connection is closed. Longer than a request may wait (`waitMost` in `schemas.ts`). */
export const silentMs = 90_000;

type Env = { readonly Bindings: HttpBindings };

export interface AppOptions extends HttpApiOptions {
  /** The port on which the server listens, for the check of the Host header. */
  readonly port: number;
  readonly waits: Waits;
  readonly streams: Streams;
  readonly bounded: BoundedLog;
}

/** The routes of the HTTP API, with the checks of host, origin, method and token. */
export function appOf(options: AppOptions): Hono<Env> {
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
    // hono would answer HEAD as a GET, and open an event stream that nobody reads.
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
  // Object.entries loses the type of the names.
  for (const [name, operation] of Object.entries(operations) as [OperationName, Operation][]) {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
    app.on(operation.method, path, bodyLimit({ maxSize: operation.mostBodyBytes ?? mostBodyBytes, onError: tooLarge }), (context) =>
      answer(name, operation, context, options, guesses),
    );
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
function mustNameUs(context: Context<Env>, { host, names, tls, port }: AppOptions): void {
  const named = context.req.header('host')?.toLowerCase();
  const usual = tls === null ? 80 : 443;
  const isOurs = [...namesOf(host), ...names].some((own) => named === `${own}:${port}` || (port === usual && named === own));
  if (!isOurs) throw new Refused('host-refused');
}

/** A browser sends the page's origin, which the page cannot forge. Other programs send none. */
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
  const { counter: counterOf, waits, dayTotals } = options;
  const token = signedIn(context, options, guesses);
  if (!token.scopes.includes(operation.scope)) throw new Refused('scope-missing', `the scope ${operation.scope} is missing`);
  const counter = counterOf(token.laneId);
  if (counter === null) throw new Refused('lane-gone', `lane ${token.laneId} is not there, or its till is not software`);
  counter.till.heard();
  if (name === 'getEvents') return stream(context, options, token);
  const asked = {
    counter,
    key: operation.method === 'POST' ? keyOf(context) : '',
    body: operation.body === null ? null : checked(operation.body, await bodyOf(context)),
    query: operation.query === null ? null : checked(operation.query, context.req.query()),
    path: context.req.param(),
    from: `http:${addressOf(context)} ${token.name}`,
    requester: { tokenId: token.tokenId, isValid: (tokenId: string) => options.tokens.holds(tokenId) },
    dayTotals: (day: string | null) => dayTotals(counter.lane.id, day),
    until: (isDone: () => boolean, ms: number) => waits.until(isDone, ms, context.req.raw.signal),
  };
  // The request was parsed with the schemas of this very operation, which the compiler cannot see.
  const handle = handlers[name] as (asked: ApiRequest<OperationName>) => ReturnType<Handlers[keyof Handlers]>;
  const { status, body, ...more } = await handle(asked as unknown as ApiRequest<OperationName>);
  if ('location' in more && more.location !== undefined) context.header('location', more.location);
  return context.json(operation.answer.parse(body), status);
}

/** Never settles, because hono would answer with what it resolves to. The response is the stream's. */
function stream(context: Context<Env>, { streams }: AppOptions, { laneId, tokenId }: TillToken): Promise<never> {
  const headers = Object.fromEntries(context.body(null).headers);
  streams.open(context.env.outgoing, headers, { laneId, tokenId, lastId: context.req.header('last-event-id') ?? '' });
  return new Promise(() => {});
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
      // The connection is silent while the till waits. Node sets the timeout again for the next request.
      socket.setTimeout(ms + silentMs);
      return waits.until(isDone, ms, context.req.raw.signal);
    },
  });
  if (strange !== undefined) bounded.warn({ address }, strange);
  return body === null ? context.body(null, status) : context.json(body, status);
}

/**
 * A valid token is always accepted: somebody who guesses from the same machine must not lock the till out. 256 random bits need no lock; after too many
 * unknown tokens the next are answered 429, so that they do not fill the log.
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
      ? issue.keys.map((key) => ({ field: [...path, key].join('.'), rule: 'is not known here' }))
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
