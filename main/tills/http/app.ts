import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { z } from 'zod';
import { messageOf } from '../../core/domain/errors.ts';
import type { Clock } from '../../core/domain/clock.ts';
import type { Log } from '../../core/domain/log.ts';
import { outsideText } from '../../core/domain/outside-text.ts';
import type { BoundedLog } from '../../core/domain/bounded-log.ts';
import { namesOf } from '../../support/own-names.ts';
import { addressOf as addressOfSocket } from '../../support/paced-server.ts';
import type { threadRpc } from '../../support/thread-rpc.ts';
import { answerIn, type ApiProcess, type ApiThreadData } from './calls.ts';
import { documentPage, documentPolicy } from './docs-page.ts';
import { openApi } from './openapi.ts';
import { type Operation, type OperationName, operations } from './operations.ts';
import type { HandOver } from './hand-over.ts';
import { problemKinds, Refused } from './problems.ts';
import { type AdmittedToken, TokenCheck } from './token-check.ts';

const maxBodyBytes = 4_096;
const keyForm = /^[\x21-\x7e]{16,128}$/;

type Env = { readonly Bindings: HttpBindings };

export interface AppOptions extends ApiThreadData {
  /** The port on which the server listens, for the check of the Host header. */
  readonly port: number;
  readonly process: ReturnType<typeof threadRpc<ApiProcess>>;
  readonly handOver: HandOver;
  /** The request's connection keeps its place until it is answered. */
  readonly hold: (bindings: HttpBindings) => void;
  /** Whether an earlier request of the connection was held. */
  readonly isTrusted: (bindings: HttpBindings) => boolean;
  readonly bounded: BoundedLog;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * The routes of the HTTP API, with the checks of host, origin, method, token and schemas. What
 * passes them is handed to the process.
 */
export function appOf(options: AppOptions): Hono<Env> {
  const { version, log } = options;
  const tokens = new TokenCheck(options);
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
  app.get('/v1/docs', (context) =>
    context.html(documentPage(document), 200, { 'content-security-policy': documentPolicy }),
  );
  const tooLarge = (): never => {
    throw new Refused('body-too-large');
  };
  for (const protocol of options.protocols)
    for (const path of protocol.paths) {
      app.post(path, bodyLimit({ maxSize: protocol.maxBodyBytes, onError: tooLarge }), (context) =>
        answerOther(path, context, options, tokens),
      );
      app.all(path, (context) => {
        context.header('allow', 'POST');
        throw new Refused('method-refused');
      });
    }
  // Object.entries loses the type of the names.
  for (const [name, operation] of Object.entries(operations) as [OperationName, Operation][]) {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
    app.on(
      operation.method,
      path,
      bodyLimit({ maxSize: operation.maxBodyBytes ?? maxBodyBytes, onError: tooLarge }),
      (context) => answer(name, operation, context, options, tokens),
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
    if (error instanceof Refused) {
      const page = context.req.header('origin');
      if (page !== undefined && options.tellsRefusedPages)
        void options.process.refusedPage.asEvent({
          page: outsideText(page, 100),
          code: error.code,
        });
      return problem(context, error);
    }
    log.error(
      { path: context.req.path, error: error.stack ?? messageOf(error) },
      'a request to the HTTP API failed',
    );
    return problem(context, new Refused('internal-error'));
  });
  return app;
}

/** Against DNS rebinding: a foreign name that resolves to this machine is refused. */
function mustNameUs(context: Context<Env>, { host, names, tls, port }: AppOptions): void {
  const hostHeader = context.req.header('host')?.toLowerCase();
  const usual = tls === null ? 80 : 443;
  const isOurs = [...namesOf(host), ...names].some(
    (own) => hostHeader === `${own}:${port}` || (port === usual && hostHeader === own),
  );
  if (!isOurs) throw new Refused('host-refused');
}

/** A browser sends the page's origin, which the page cannot forge. Other programs send none. */
function mayCall(context: Context<Env>, { origins, tls }: AppOptions): boolean {
  const origin = context.req.header('origin');
  if (origin === undefined) return true;
  const isOwn =
    origin === `${tls === null ? 'http' : 'https'}://${context.req.header('host')?.toLowerCase()}`;
  if (!isOwn && !origins.includes(origin)) return false;
  context.header('vary', 'Origin');
  context.header('access-control-allow-origin', origin);
  context.header('access-control-expose-headers', 'Location, Retry-After');
  return true;
}

function preflight(context: Context<Env>): Response | null {
  if (
    context.req.method !== 'OPTIONS' ||
    context.req.header('access-control-request-method') === undefined
  )
    return null;
  context.header('access-control-allow-methods', 'GET, POST');
  context.header(
    'access-control-allow-headers',
    'Authorization, Content-Type, Idempotency-Key, Last-Event-ID',
  );
  context.header('access-control-max-age', '600');
  return context.body(null, 204);
}

async function answer(
  name: OperationName,
  operation: Operation,
  context: Context<Env>,
  options: AppOptions,
  tokens: TokenCheck,
): Promise<Response> {
  const { process, handOver, hold } = options;
  const token = await signedIn(context, tokens);
  const held = { ...context.env, hold: () => hold(context.env), isTrusted: true };
  held.hold();
  if (!token.scopes.includes(operation.scope))
    throw new Refused('scope-missing', `the scope ${operation.scope} is missing`);
  const call = { address: addressOf(context), token: token.text };
  try {
    if (name === 'getEvents') return await stream(context, options, call);
    const apiCall = {
      ...call,
      name,
      key: operation.method === 'POST' ? keyOf(context) : '',
      body: operation.body === null ? null : checked(operation.body, await bodyOf(context)),
      query: operation.query === null ? null : checked(operation.query, context.req.query()),
      path: context.req.param(),
    };
    const { status, body, location } = answerIn(
      await handOver.hand(held, (id) => process.perform({ ...apiCall, id })),
    );
    if (location !== null) context.header('location', location);
    return context.json(operation.answer.parse(body), status);
  } catch (error) {
    if (error instanceof Refused && error.code === 'token-missing')
      return refuseToken(context, tokens.revoked(addressOf(context), token));
    if (error instanceof Refused && problemKinds[error.code].status < 409)
      void process.heard.asEvent(token.text);
    throw error;
  }
}

/** A proxy such as nginx collects what a server sends, and would pass events on in lumps. */
const eventStreamHeaders = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' };

/**
 * Settles when it is refused alone, because hono would answer with what it resolves to. The
 * response is the stream's.
 */
async function stream(
  context: Context<Env>,
  { process, handOver, hold }: AppOptions,
  call: { address: string; token: string },
): Promise<never> {
  const { incoming, outgoing } = context.env;
  const headers = Object.fromEntries(context.body(null).headers);
  const beginStream = (): void => {
    if (outgoing.headersSent || outgoing.destroyed) return;
    // The body ends with the connection, so that chunked encoding is not needed.
    outgoing.removeHeader('transfer-encoding');
    outgoing.writeHead(200, { ...headers, ...eventStreamHeaders, connection: 'close' });
  };
  const lastId = context.req.header('last-event-id') ?? '';
  const about = { incoming, outgoing, hold: () => hold(context.env), beginStream, isTrusted: true };
  answerIn(await handOver.hand(about, (id) => process.openStream({ ...call, id, lastId })));
  beginStream();
  return new Promise(() => {});
}

async function answerOther(
  path: string,
  context: Context<Env>,
  { process, handOver, hold, isTrusted, bounded }: AppOptions,
  tokens: TokenCheck,
): Promise<Response> {
  const address = addressOf(context);
  const call = { path, text: await context.req.text(), address, token: sentToken(context) };
  const held = { ...context.env, hold: () => hold(context.env), isTrusted: isTrusted(context.env) };
  try {
    const { status, body, strange } = answerIn(
      await handOver.hand(held, (id) => process.answerOther({ ...call, id })),
    );
    if (status === 200) held.hold();
    if (strange !== undefined) bounded.warn({ address }, strange);
    return body === null ? context.body(null, status) : context.json(body, status);
  } catch (error) {
    if (error instanceof Refused && error.code === 'token-missing')
      return refuseToken(context, tokens.refusalOf(address, call.token));
    throw error;
  }
}

async function signedIn(context: Context<Env>, tokens: TokenCheck): Promise<AdmittedToken> {
  const text = sentToken(context);
  const token = text === '' ? null : await tokens.find(text);
  return token ?? refuseToken(context, tokens.refusalOf(addressOf(context), text));
}

function refuseToken(context: Context<Env>, refused: Refused): never {
  context.header('www-authenticate', 'Bearer');
  throw refused;
}

/** Empty when the request has no token. */
const sentToken = (context: Context<Env>): string =>
  /^Bearer ([\w-]{20,100})$/i.exec(context.req.header('authorization') ?? '')?.[1] ?? '';

const addressOf = (context: Context<Env>): string => addressOfSocket(context.env.incoming.socket);

function keyOf(context: Context<Env>): string {
  const key = context.req.header('idempotency-key') ?? '';
  if (!keyForm.test(key))
    throw new Refused(
      'key-missing',
      'Idempotency-Key must be 16 to 128 visible ASCII characters, e.g. a UUID',
    );
  return key;
}

async function bodyOf(context: Context<Env>): Promise<unknown> {
  const text = await context.req.text();
  if (text === '') return {};
  if (!/^application\/json\s*(;|$)/i.test(context.req.header('content-type') ?? ''))
    throw new Refused('not-json');
  try {
    return JSON.parse(text, leaveNullsOut) ?? {};
  } catch {
    throw new Refused('not-json');
  }
}

/**
 * A field or body that is null counts as left out: many programs write what they lack so.
 * `JSON.parse` drops a field that becomes undefined.
 */
const leaveNullsOut = (_key: string, value: unknown): unknown => value ?? undefined;

function checked(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.flatMap(({ path, message, ...issue }) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ field: [...path, key].join('.'), rule: 'is not known here' }))
      : [{ field: path.join('.') || 'body', rule: message }],
  );
  throw new Refused(
    'invalid-request',
    errors.map(({ field, rule }) => `${field} ${rule}`).join('; '),
    { errors },
  );
}

function problem(context: Context<Env>, refused: Refused): Response {
  const { retryAfterSeconds } = refused.more;
  if (retryAfterSeconds !== undefined) context.header('retry-after', String(retryAfterSeconds));
  context.header('content-type', 'application/problem+json');
  return context.body(JSON.stringify(refused.body), problemKinds[refused.code].status);
}
