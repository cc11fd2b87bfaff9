import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Clock } from '../../core/domain/clock.ts';
import type { Ids } from '../../core/domain/ids.ts';
import type { Log } from '../../core/domain/log.ts';
import { headerNames, profileNamed } from '../v10/v10-profile.ts';
import { type Guard, guardOf } from './authentication.ts';
import { bodyReader } from './callback-body.ts';
import { type Connections, paceConnections } from './connections.ts';
import { type Endpoint, endpointsOf, strangersBytes } from './endpoints.ts';
import { type CallbackAnswer, comeAgain, type Intake } from './intake.ts';
import { openRefusals, type Refusals } from './refusals.ts';
import type { CallbackSettings } from './callback-settings.ts';
import { type Follow, openFollow } from './scan-followers.ts';
import type { ScanRecords } from './scans.ts';
import { type TokenIssuer, tokenIssuer } from './token-endpoint.ts';
import { hostPort } from '../../core/domain/host-port.ts';
import { listenOn } from '../../core/domain/listening-port.ts';

export interface ReceiverOptions {
  readonly settings: CallbackSettings;
  readonly intake: Intake;
  readonly clock: Clock;
  /**
   * Whether it is known what time it is: otherwise no signature or token can be judged, and senders
   * are asked to come again.
   */
  readonly isTimeKnown?: () => boolean;
  readonly ids: Ids;
  readonly log: Log;
  /** The stored records, for counters that follow their stickers; missing when none do. */
  readonly records?: ScanRecords;
  /**
   * How long a request may take to arrive, head and body; `checkEveryMs` is how often that is
   * checked.
   */
  readonly timeouts?: { readonly requestMs: number; readonly checkEveryMs: number };
}

const defaultTimeouts = { requestMs: 30_000, checkEveryMs: 1_000 };
/** Limit of connections, because all of them can bring data in the same turn of the event loop. */
const maxConnections = 128;
/** Time for requests that are under way when the receiver is to end. */
const drainMs = 2_000;
const tokenPath = '/oauth2/token';
const healthPath = '/health';
const followPath = '/follow';

const empty = (status: number, headers: Readonly<Record<string, string>> = {}): CallbackAnswer => ({
  status,
  body: null,
  headers,
});

interface EndpointState {
  readonly guard: Guard;
  readonly limits: Endpoint['limits'];
  waiting: number;
}

/** Receives the service's callbacks. TLS ends at the proxy in front of it. */
export class CallbackReceiver {
  readonly #options: ReceiverOptions;
  readonly #endpoints = new Map<string, EndpointState>();
  readonly #tokens: TokenIssuer;
  readonly #follow: Follow | null;
  readonly #issuesTokens: boolean;
  readonly #withBody = bodyReader();
  readonly #refusals: Refusals;
  #healthAsked: Promise<CallbackAnswer> | null = null;
  readonly #server: Server;
  readonly #connections: Connections;

  constructor(options: ReceiverOptions) {
    const { settings, timeouts = defaultTimeouts } = options;
    this.#options = options;
    const clients = [...(settings.subscriptions ?? []), ...(settings.invoices ?? [])].filter(
      (credential) => credential.scheme === 'oauth2',
    );
    this.#tokens = tokenIssuer(clients, options);
    this.#issuesTokens = clients.length > 0;
    const guardContext = {
      wallMs: () => options.clock.wallMs(),
      tokens: this.#tokens,
      signatureHeader: headerNames(profileNamed(settings.profile)).signature.toLowerCase(),
    };
    for (const [path, { admission, limits }] of endpointsOf(settings))
      this.#endpoints.set(path, { guard: guardOf(admission, guardContext), limits, waiting: 0 });
    this.#refusals = openRefusals(options);
    const { followers = [] } = settings;
    const { records, clock } = options;
    this.#follow =
      records === undefined || followers.length === 0
        ? null
        : openFollow({ followers, records, clock });
    const { requestMs, checkEveryMs } = timeouts;
    this.#server = createServer(
      {
        headersTimeout: requestMs,
        requestTimeout: requestMs,
        connectionsCheckingInterval: checkEveryMs,
        keepAliveTimeout: requestMs,
      },
      (request, response) => void this.#serve(request, response),
    );
    this.#connections = paceConnections(this.#server, maxConnections);
  }

  /** The endpoints that the settings ask for. */
  get paths(): string[] {
    return [
      ...this.#endpoints.keys(),
      ...(this.#issuesTokens ? [tokenPath] : []),
      ...(this.#follow === null ? [] : [followPath]),
    ];
  }

  /** @throws ListenError */
  async start({ host, port }: { host: string; port: number }): Promise<{ url: string }> {
    const served = await listenOn(this.#server, 'callbacks cannot be received', { host, port });
    return { url: `http://${hostPort(host, served)}` };
  }

  /** Gives requests that are under way `drainMs` to be stored and answered. */
  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#refusals.close();
      this.#follow?.close();
      const cancel = this.#options.clock.after(drainMs, () => this.#server.closeAllConnections());
      this.#server.close(() => {
        cancel();
        resolve();
      });
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const answer = await this.#answer(request, response);
      if (answer !== null)
        respond(
          response,
          answer.status === 401 ? await this.#slowed(answer, request, response) : answer,
        );
    } catch (error) {
      this.#options.log.error(
        { error: error instanceof Error ? error.stack : String(error), path: request.url },
        'a callback could not be dealt with',
      );
      if (!response.headersSent) respond(response, empty(500));
    }
  }

  /** Sends a refusal after the delay that holds for the sender's address. */
  async #slowed(
    refusal: CallbackAnswer,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<CallbackAnswer> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const about = { address: request.socket.remoteAddress ?? 'gone', path: pathOf(request) };
    const how = await this.#refusals.refused(about, gone.signal);
    return how === 'answer'
      ? refusal
      : { ...refusal, headers: { ...refusal.headers, connection: 'close' } };
  }

  /** null when the sender closed the connection. */
  async #answer(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<CallbackAnswer | null> {
    const path = pathOf(request);
    if (path === followPath && this.#follow !== null)
      return request.method === 'GET'
        ? this.#scans(this.#follow, request, response)
        : empty(405, { allow: 'GET' });
    const endpoint = this.#endpoints.get(path);
    if (path === healthPath)
      return request.method === 'GET' ? this.#health() : empty(405, { allow: 'GET' });
    if (this.#options.isTimeKnown?.() === false)
      return endpoint === undefined && path !== tokenPath ? empty(404) : comeAgain;
    if (path === tokenPath && this.#issuesTokens)
      return request.method === 'POST' ? this.#token(request) : empty(405, { allow: 'POST' });
    if (endpoint === undefined) return empty(404);
    if (request.method !== 'POST') return empty(405, { allow: 'POST' });

    const may = endpoint.guard.byHeaders(request.headers);
    if (may === 'no') return empty(401);
    const release = may === 'yes' ? this.#connections.hold(request) : () => {};
    try {
      return await this.#withBody(request, endpoint.limits.bytes, async (body) => {
        if (body.kind !== 'whole') return withoutBody(body.kind);
        if (may === 'maybe' && !endpoint.guard.byBody(request.headers, body.bytes))
          return empty(401);
        if (endpoint.waiting >= endpoint.limits.waiting) return comeAgain;
        endpoint.waiting += 1;
        return this.#options.intake.take(path, body.bytes).finally(() => (endpoint.waiting -= 1));
      });
    } finally {
      release();
    }
  }

  /** Answers once there is a scan, or after a while. */
  async #scans(
    follow: Follow,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<CallbackAnswer | null> {
    const follower = follow.follower(request.headers.authorization);
    if (follower === null) return empty(401);
    const release = this.#connections.hold(request);
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    try {
      const query =
        URL.parse(request.url ?? '', 'http://receiver')?.searchParams ?? new URLSearchParams();
      const answer = await follow.scans(follower, query, gone.signal);
      return gone.signal.aborted ? null : answer;
    } finally {
      release();
    }
  }

  /** The state of the receiver, read once for all who ask at the same time. */
  #health(): Promise<CallbackAnswer> {
    this.#healthAsked ??= this.#options.intake.health().finally(() => (this.#healthAsked = null));
    return this.#healthAsked;
  }

  async #token(request: IncomingMessage): Promise<CallbackAnswer | null> {
    const client = this.#tokens.client(request.headers.authorization);
    // RFC 6749, section 5.1, and RFC 9110, section 15.5.2.
    const headers = { 'cache-control': 'no-store' };
    if (client === null)
      return empty(401, { ...headers, 'www-authenticate': 'Basic realm="callbacks"' });
    return this.#withBody(request, strangersBytes, (body) => {
      if (body.kind !== 'whole') return withoutBody(body.kind);
      return { ...this.#tokens.issue(client, new TextDecoder().decode(body.bytes)), headers };
    });
  }
}

const pathOf = ({ url }: IncomingMessage): string =>
  URL.parse(url ?? '', 'http://receiver')?.pathname ?? '';

function withoutBody(kind: 'tooLong' | 'noRoom' | 'gone'): CallbackAnswer | null {
  if (kind === 'gone') return null;
  return kind === 'tooLong' ? empty(413) : comeAgain;
}

function respond(response: ServerResponse, { status, body, headers = {} }: CallbackAnswer): void {
  if (body === null) response.writeHead(status, { 'content-length': 0, ...headers }).end();
  else {
    const text = JSON.stringify(body);
    response
      .writeHead(status, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(text),
        ...headers,
      })
      .end(text);
  }
}
