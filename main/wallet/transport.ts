import type { z } from 'zod';
import { type Clock, sleep } from '../primitives/clock.ts';
import type { Log } from '../primitives/log.ts';
import { CredentialsRefusedError, InvalidRequestError, ServiceRefusedError, ServiceUnreachableError, UnexpectedAnswerError } from './errors.ts';
import type { HttpAnswer, HttpRequest, HttpSend } from './http.ts';
import { type Operation, type OperationAnswer, type OperationInput, pathParameterNames } from './operation.ts';
import { headerNames, operationPath, type Profile } from './profile.ts';
import { type ClientCredentials, describe, parseJson, TokenSource } from './token.ts';

export interface TransportOptions {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly credentials: ClientCredentials;
  /** `Major.Minor.Build` of the certified client. */
  readonly clientVersion: string;
  readonly profile: Profile;
  readonly send: HttpSend;
  readonly clock: Clock;
  readonly log: Log;
}

export interface CallOptions {
  /** Required for an operation that creates: chosen and stored by the caller before the first attempt. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

/** Document 4, section 1.8: at most five repetitions, with a constant delay. */
const mostRetries = 5;
const retryDelayMs = 250;

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** One request and what it was answered, before anybody judges it. */
type Attempt = { readonly kind: 'answer'; readonly answer: HttpAnswer } | { readonly kind: 'failure'; readonly why: string; readonly cause: unknown };

/** Calls operations of the service: headers, token, time-outs, repetitions, and answers checked against their declaration. */
export class Transport {
  readonly #options: TransportOptions;
  readonly #headers: ReturnType<typeof headerNames>;
  readonly #tokens: TokenSource;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#headers = headerNames(options.profile);
    this.#tokens = new TokenSource({
      url: withoutSlash(options.authUrl) + options.profile.tokenPath,
      credentials: options.credentials,
      send: options.send,
      clock: options.clock,
    });
  }

  /**
   * Calls `operation`. A polled operation is sent once: its caller repeats it at the service's pace. Every other one is repeated on
   * network errors and 5xx, unchanged and with the same idempotency key.
   * @throws InvalidRequestError before anything is sent; ServiceRefusedError, CredentialsRefusedError; ServiceUnreachableError,
   *   UnexpectedAnswerError (outcome unknown)
   */
  async call<Path extends string, Query, Body, Answer>(
    operation: Operation<Path, Query, Body, Answer>,
    input: OperationInput<Operation<Path, Query, Body, Answer>>,
    options: CallOptions = {},
  ): Promise<OperationAnswer<Operation<Path, Query, Body, Answer>>> {
    const declared = operation as unknown as Operation;
    const request = this.#prepare(declared, input as Readonly<Record<string, unknown>>, options.idempotencyKey);
    const mostAttempts = declared.polled ? 1 : 1 + mostRetries;
    for (let attempts = 1; ; attempts += 1) {
      options.signal?.throwIfAborted();
      const attempt = await this.#attempt(declared, request, options.signal);
      if (attempt.kind === 'answer' && attempt.answer.status < 500)
        return this.#judge(declared, attempt.answer) as OperationAnswer<Operation<Path, Query, Body, Answer>>;
      const why = attempt.kind === 'failure' ? attempt.why : `status ${attempt.answer.status}`;
      this.#options.log.warn({ operation: declared.name, attempt: attempts, why }, 'a request to the wallet service failed');
      if (attempts >= mostAttempts) {
        const retryAfterMs = attempt.kind === 'answer' ? attempt.answer.retryAfterMs : null;
        throw new ServiceUnreachableError(declared.name, attempts, why, { retryAfterMs, cause: attempt.kind === 'failure' ? attempt.cause : null });
      }
      await sleep(this.#options.clock, retryDelayMs, options.signal);
    }
  }

  #prepare(operation: Operation, input: Readonly<Record<string, unknown>>, idempotencyKey: string | undefined): HttpRequest {
    let path = operationPath(this.#options.profile, operation);
    for (const name of pathParameterNames(operation.path)) {
      const value = input[name];
      if (typeof value !== 'string' || !uuidPattern.test(value)) throw new InvalidRequestError(operation.name, name, 'must be a UUID', value);
      path = path.replace(`{${name}}`, value);
    }
    const query = operation.query === null ? {} : check(operation, operation.query, input['query'] ?? {});
    const search = new URLSearchParams(Object.entries(query as object).filter(([, value]) => value !== undefined && value !== null)).toString();
    const body = operation.body === null ? null : JSON.stringify(check(operation, operation.body, input['body']));
    if (operation.createsWithKey && !idempotencyKey) throw new InvalidRequestError(operation.name, 'idempotencyKey', 'must be given', idempotencyKey);
    const headers: Record<string, string> = {
      accept: 'application/json',
      [this.#headers.clientVersion]: this.#options.clientVersion,
      [this.#headers.merchantVat]: this.#options.credentials.merchantVat,
    };
    if (body !== null) headers['content-type'] = 'application/json';
    if (operation.createsWithKey && idempotencyKey) headers[this.#headers.idempotencyKey] = idempotencyKey;
    return { method: operation.method, url: `${withoutSlash(this.#options.baseUrl)}${path}${search ? `?${search}` : ''}`, headers, body };
  }

  /** Sends once; a 401 renews the token and sends once more. */
  async #attempt(operation: Operation, request: HttpRequest, signal: AbortSignal | undefined): Promise<Attempt> {
    try {
      for (const lastChance of [false, true]) {
        const token = await this.#tokens.get();
        const answer = await this.#sendOnce(operation, { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } }, signal);
        if (answer.status !== 401) return { kind: 'answer', answer };
        this.#tokens.refused(token);
        if (lastChance) break;
      }
    } catch (cause) {
      signal?.throwIfAborted();
      if (cause instanceof CredentialsRefusedError || cause instanceof UnexpectedAnswerError) throw cause;
      return { kind: 'failure', why: describe(cause), cause };
    }
    throw new CredentialsRefusedError(operation.name, 401);
  }

  async #sendOnce(operation: Operation, request: HttpRequest, signal: AbortSignal | undefined): Promise<HttpAnswer> {
    const abort = new AbortController();
    const onAbort = (): void => abort.abort(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    const cancelTimeout = this.#options.clock.after(operation.timeoutMs, () => abort.abort(new Error(`no answer within ${operation.timeoutMs} ms`)));
    try {
      return await this.#options.send(request, abort.signal);
    } finally {
      cancelTimeout();
      signal?.removeEventListener('abort', onAbort);
    }
  }

  #judge(operation: Operation, answer: HttpAnswer): unknown {
    if (answer.status === 429) throw new ServiceUnreachableError(operation.name, 1, 'status 429', { retryAfterMs: answer.retryAfterMs });
    if (answer.status >= 400) throw new ServiceRefusedError(operation.name, answer.status, readErrorBody(answer.body));
    if (answer.status >= 300 || answer.status < 200) throw new UnexpectedAnswerError(operation.name, answer.status, 'neither success nor an error');
    if (operation.answer === null) return undefined;
    const parsed = operation.answer.safeParse(parseJson(answer.body));
    if (!parsed.success) throw new UnexpectedAnswerError(operation.name, answer.status, firstIssue(parsed.error), { cause: parsed.error });
    return parsed.data;
  }
}

function check(operation: Operation, schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue?.path.join('.') || 'request';
  const wrong = issue?.path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], value);
  throw new InvalidRequestError(operation.name, field, issue?.message ?? 'is not allowed', wrong);
}

function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0];
  return issue === undefined ? 'unreadable' : `${issue.path.join('.') || 'body'}: ${issue.message}`;
}

/** Document 4, section 1.2: all fields may be absent, and one example writes `CorrelationId`. 404 often has no body at all. */
function readErrorBody(body: string): { code: string | null; message: string | null; correlationId: string | null } {
  const parsed = parseJson(body);
  const fields = new Map<string, unknown>(
    typeof parsed === 'object' && parsed !== null ? Object.entries(parsed).map(([key, value]) => [key.toLowerCase(), value]) : [],
  );
  const text = (name: string): string | null => {
    const value = fields.get(name);
    return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : null;
  };
  return { code: text('code'), message: text('message'), correlationId: text('correlationid') };
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '');
