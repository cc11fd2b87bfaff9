import { z } from 'zod';
import { type Clock, sleep } from '../../core/domain/clock.ts';
import { currentCorrelation } from '../../core/domain/correlation.ts';
import { type Ids, systemIds } from '../../core/domain/ids.ts';
import type { Log } from '../../core/domain/log.ts';
import type { Access } from './access.ts';
import { readErrorBody } from './error-body.ts';
import {
  CredentialsRefusedError,
  InvalidRequestError,
  ServiceRefusedError,
  ServiceUnreachableError,
  UnexpectedAnswerError,
  WalletError,
} from './errors.ts';
import {
  failureOf,
  type HttpAnswer,
  type HttpRequest,
  type HttpSend,
  NoAnswerInTimeError,
} from './http.ts';
import { parseAnswer } from './json.ts';
import {
  isCorrelationId,
  type Limits,
  type Operation,
  type OperationAnswer,
  type OperationInput,
  operationPath,
  pathParameterNames,
  uuidParameter,
} from './operation.ts';
import { queryToWire } from './query.ts';

/** What differs between deployments of a service in name only, as far as requests are concerned. */
export interface TransportProfile {
  /** Prefix of the names of the service's own headers, e.g. `Idempotency-Key`; may be empty. */
  readonly headerPrefix: string;
  /** Paths below the base address, by the name of the interface. */
  readonly paths: Readonly<Record<string, string>>;
  readonly limits: Limits;
}

/** One request as it went, each repetition by itself. */
export interface ServiceCall {
  readonly operation: string;
  readonly polled: boolean;
  /** refused: 4xx, or the credentials. failed: 5xx. unreadable: not as declared. */
  readonly result: 'answered' | 'refused' | 'failed' | 'unreadable' | 'noAnswer';
  readonly ms: number;
}

export interface TransportOptions {
  readonly baseUrl: string;
  readonly access: Access;
  readonly profile: TransportProfile;
  readonly send: HttpSend;
  readonly clock: Clock;
  readonly log: Log;
  /** Called with each request that was not aborted. Must not throw. */
  readonly observe?: (call: ServiceCall) => void;
  /** Ids for calls that belong to no payment; the system's when it is missing. */
  readonly ids?: Ids;
}

export interface CallOptions {
  /**
   * Required for an operation that creates: chosen and stored by the caller before the first
   * attempt.
   */
  readonly idempotencyKey?: string;
  /**
   * Names the request in the service's log, for support: a UUID, or any text where the interface
   * takes one. Without it: that of the current payment (`withCorrelation`), else a new one.
   */
  readonly correlationId?: string;
  readonly signal?: AbortSignal;
  /** Attempts with the repetitions; as many as the interface allows when it is missing. */
  readonly maxAttempts?: number;
}

export const idempotencyHeader = ({
  headerPrefix,
}: Pick<TransportProfile, 'headerPrefix'>): string => `${headerPrefix}Idempotency-Key`;

/** Document 4, section 1.8: at most five repetitions, with a constant delay. */
const maxRetries = 5;
const retryDelayMs = 250;

/** The outcome of one request, before it is judged. */
type Attempt =
  | { readonly kind: 'answer'; readonly answer: HttpAnswer }
  | { readonly kind: 'failure'; readonly why: string; readonly cause: unknown };

/**
 * Calls operations of the service: headers, token, time-outs, repetitions, and answers checked
 * against their declaration.
 */
export class Transport {
  readonly #options: TransportOptions;
  readonly #idempotencyHeader: string;
  readonly #baseUrl: string;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#idempotencyHeader = idempotencyHeader(options.profile);
    this.#baseUrl = options.baseUrl.replace(/\/+$/, '');
  }

  /**
   * Calls `operation`. Sent once: a polled operation, because its caller repeats it at the
   * service's pace, and one that creates without a key, because the service could not tell a
   * repetition from a second request. Every other one is repeated on network errors and 5xx,
   * unchanged and with the same idempotency key. Amounts are minor units in both directions.
   * @throws InvalidRequestError before anything is sent; ServiceRefusedError,
   * CredentialsRefusedError; ServiceUnreachableError,
   *   UnexpectedAnswerError (outcome unknown)
   */
  async call<Name extends string, Path extends string, Query, Body, Answer>(
    operation: Operation<Name, Path, Query, Body, Answer>,
    input: OperationInput<Operation<Name, Path, Query, Body, Answer>>,
    options: CallOptions = {},
  ): Promise<OperationAnswer<Operation<Name, Path, Query, Body, Answer>>> {
    // Below, an operation is data: what its schemas are typed with matters to the caller alone, who
    // gets the type back with the answer.
    const declared = operation as unknown as Operation;
    const correlationId = this.#correlationId(declared, options);
    const request = this.#prepare(declared, input as Readonly<Record<string, unknown>>, {
      ...options,
      correlationId,
    });
    const about = () => ({
      operation: declared.name,
      correlationId,
      ...this.#options.access.about,
      ...supportFacts(input as Readonly<Record<string, unknown>>),
    });
    const maxAttempts =
      declared.polled || declared.idempotency === 'none'
        ? 1
        : (options.maxAttempts ?? 1 + maxRetries);
    for (let attempts = 1; ; attempts += 1) {
      options.signal?.throwIfAborted();
      const report = this.#observing(declared, options.signal);
      const attempt = await this.#attempt(declared, request, options.signal).catch(
        (error: unknown) => {
          report(error instanceof UnexpectedAnswerError ? 'unreadable' : 'refused');
          throw marked(error, attempts);
        },
      );
      if (attempt.kind === 'answer' && attempt.answer.status >= 400) {
        const {
          code,
          correlationId: serviceCorrelationId,
          origin,
        } = readErrorBody(attempt.answer.body);
        // A service that does not take ours over names its own.
        const atService =
          serviceCorrelationId === null || serviceCorrelationId === correlationId
            ? {}
            : { serviceCorrelationId };
        this.#options.log.warn(
          {
            ...about(),
            attempt: attempts,
            status: attempt.answer.status,
            code,
            ...atService,
            origin,
          },
          'the wallet service refused a request',
        );
      }
      if (attempt.kind === 'answer' && attempt.answer.status < 500) {
        try {
          const judged = this.#judge(
            declared,
            attempt.answer,
            input as Readonly<Record<string, unknown>>,
          ) as OperationAnswer<Operation<Name, Path, Query, Body, Answer>>;
          report('answered');
          return judged;
        } catch (error) {
          report(error instanceof UnexpectedAnswerError ? 'unreadable' : 'refused');
          throw marked(error, attempts);
        }
      }
      report(attempt.kind === 'failure' ? 'noAnswer' : 'failed');
      const why = attempt.kind === 'failure' ? attempt.why : `status ${attempt.answer.status}`;
      if (attempt.kind === 'failure')
        this.#options.log.warn(
          { ...about(), attempt: attempts, why },
          'a request to the wallet service failed',
        );
      if (attempts >= maxAttempts) {
        const { status = null, retryAfterMs = null } =
          attempt.kind === 'answer' ? attempt.answer : {};
        throw new ServiceUnreachableError(declared.name, attempts, why, {
          retryAfterMs,
          status,
          cause: attempt.kind === 'failure' ? attempt.cause : null,
        });
      }
      await sleep(this.#options.clock, retryDelayMs, options.signal);
    }
  }

  #observing(
    { name: operation, polled }: Operation,
    signal: AbortSignal | undefined,
  ): (result: ServiceCall['result']) => void {
    const { observe, clock } = this.#options;
    if (observe === undefined) return () => {};
    const beganMs = clock.monotonicMs();
    return (result) => {
      if (signal?.aborted !== true)
        observe({ operation, polled, result, ms: clock.monotonicMs() - beganMs });
    };
  }

  #correlationId(
    { interface: described }: Operation,
    { correlationId = currentCorrelation() }: CallOptions,
  ): string {
    return correlationId !== undefined && isCorrelationId(described, correlationId)
      ? correlationId
      : (this.#options.ids ?? systemIds).uuid();
  }

  #prepare(
    operation: Operation,
    input: Readonly<Record<string, unknown>>,
    { idempotencyKey, correlationId }: CallOptions,
  ): HttpRequest {
    let path = operationPath(this.#options.profile, operation);
    for (const name of pathParameterNames(operation.path)) {
      const value = input[name];
      const { pattern, says } = operation.parameters[name] ?? uuidParameter;
      if (typeof value !== 'string' || !pattern.test(value))
        throw new InvalidRequestError(operation.name, name, says, value);
      path = path.replace(`{${name}}`, encodeURIComponent(value));
    }
    const query =
      operation.query === null ? {} : check(operation, operation.query, input['query'] ?? {});
    // Queries are declared as objects.
    const search = queryToWire(query as object);
    const body =
      operation.body === null
        ? null
        : JSON.stringify(check(operation, operation.body, input['body']));
    this.#checkRules(operation, input['body']);
    if (operation.idempotency === 'headerKey' && !idempotencyKey)
      throw new InvalidRequestError(
        operation.name,
        'idempotencyKey',
        'must be given',
        idempotencyKey,
      );
    const { correlationHeader, maxKeyCharacters = Number.POSITIVE_INFINITY } = operation.interface;
    if (idempotencyKey !== undefined && idempotencyKey.length > maxKeyCharacters)
      throw new InvalidRequestError(
        operation.name,
        'idempotencyKey',
        `must have at most ${maxKeyCharacters} characters`,
        idempotencyKey,
      );
    const binary = operation.answerType === 'pdf';
    const headers: Record<string, string> = {
      accept: binary ? 'application/pdf' : 'application/json',
    };
    if (correlationHeader !== null && correlationId !== undefined)
      headers[correlationHeader] = correlationId;
    if (body !== null) headers['content-type'] = 'application/json';
    if (operation.idempotency === 'headerKey' && idempotencyKey)
      headers[this.#idempotencyHeader] = idempotencyKey;
    return {
      method: operation.method,
      url: `${this.#baseUrl}${path}${search ? `?${search}` : ''}`,
      headers,
      body,
      binary,
      maxBytes: operation.maxAnswerBytes,
    };
  }

  #checkRules(operation: Operation, body: unknown): void {
    if (operation.rules.length === 0) return;
    const { clock, profile } = this.#options;
    const context = {
      today: new Date(clock.wallMs()).toISOString().slice(0, 'YYYY-MM-DD'.length),
      limits: profile.limits,
    };
    for (const rule of operation.rules) {
      const broken = rule.broken(body, context);
      if (broken !== null)
        throw new InvalidRequestError(operation.name, broken.field, rule.says, broken.value);
    }
  }

  /** Sends once; a 401 renews the token, where it can be renewed, and sends once more. */
  async #attempt(
    operation: Operation,
    request: HttpRequest,
    signal: AbortSignal | undefined,
  ): Promise<Attempt> {
    try {
      for (const lastChance of [false, true]) {
        const proof = await this.#options.access.headers();
        const answer = await this.#sendOnce(
          operation,
          { ...request, headers: { ...request.headers, ...proof } },
          signal,
        );
        if (answer.status !== 401) return { kind: 'answer', answer };
        if (!this.#options.access.refused(proof) || lastChance) break;
      }
    } catch (cause) {
      signal?.throwIfAborted();
      if (cause instanceof CredentialsRefusedError || cause instanceof UnexpectedAnswerError)
        throw cause;
      return { kind: 'failure', why: failureOf(cause), cause };
    }
    throw new CredentialsRefusedError(operation.name, 401);
  }

  async #sendOnce(
    operation: Operation,
    request: HttpRequest,
    signal: AbortSignal | undefined,
  ): Promise<HttpAnswer> {
    const abort = new AbortController();
    const onAbort = (): void => abort.abort(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    const cancelTimeout = this.#options.clock.after(operation.timeoutMs, () =>
      abort.abort(new NoAnswerInTimeError(operation.timeoutMs)),
    );
    try {
      return await this.#options.send(request, abort.signal);
    } finally {
      cancelTimeout();
      signal?.removeEventListener('abort', onAbort);
    }
  }

  #judge(
    operation: Operation,
    answer: HttpAnswer,
    input: Readonly<Record<string, unknown>>,
  ): unknown {
    if (answer.status === 429)
      throw new ServiceUnreachableError(operation.name, 1, 'status 429', {
        retryAfterMs: answer.retryAfterMs,
        status: 429,
      });
    if (answer.status >= 400)
      throw new ServiceRefusedError(operation.name, answer.status, readErrorBody(answer.body));
    if (answer.status >= 300 || answer.status < 200)
      throw new UnexpectedAnswerError(
        operation.name,
        answer.status,
        'neither success nor an error',
      );
    if (operation.answerType === 'pdf') return Buffer.from(answer.body, 'latin1');
    if (operation.answer === null) return emptyAnswer(operation, answer);
    const parsed = operation.answer.safeParse(parseAnswer(answer.body));
    if (!parsed.success)
      throw new UnexpectedAnswerError(operation.name, answer.status, firstIssue(parsed.error));
    const other = otherSubject(operation, input, parsed.data);
    if (other !== null)
      throw new UnexpectedAnswerError(
        operation.name,
        answer.status,
        `${other} is not the one that was asked about`,
      );
    return parsed.data;
  }
}

/** Only an attempt without an answer is repeated: after the first one, an error says so. */
function marked(error: unknown, attempts: number): unknown {
  if (error instanceof WalletError) error.afterSilence = attempts > 1;
  return error;
}

/**
 * Success without a body. A page of HTML comes from something other than the service, e.g. a
 * captive portal: nothing was captured.
 */
function emptyAnswer(operation: Operation, { status, body }: HttpAnswer): undefined {
  if (body.trim() !== '' && parseAnswer(body) === undefined)
    throw new UnexpectedAnswerError(operation.name, status, 'neither empty nor JSON');
}

/** What goes on the wire, in the interface's notation. @throws InvalidRequestError */
function check(operation: Operation, schema: z.ZodType, value: unknown): unknown {
  const parsed = z.safeEncode(schema, value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue?.path.join('.') || 'request';
  const wrong = issue?.path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined),
    value,
  );
  throw new InvalidRequestError(operation.name, field, issue?.message ?? 'is not allowed', wrong);
}

/**
 * What the service's support asks for (document 4, section 7.G): identifiers, nothing about the
 * customer.
 */
function supportFacts(input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  // Bodies are declared as objects; only known names are read.
  const body = input['body'] as Readonly<Record<string, unknown>> | undefined;
  const facts: Record<string, unknown> = {};
  for (const name of supportFields) {
    const value = body?.[name] ?? input[name];
    if (typeof value === 'string') facts[name] = value;
  }
  return facts;
}

const supportFields = [
  'reference',
  'posId',
  'paymentId',
  'refundId',
  'storeId',
  'beaconId',
  'orderId',
  'refundOrderId',
  'merchantPosId',
] as const;

/**
 * The field that identifies another subject than the request; null when the subjects agree. Such an
 * answer proves nothing about our payment, even with the same amount. Interfaces spell a name as
 * the path does, with a capital, with underscores, or as `id` of the record itself.
 */
function otherSubject(
  { path, interface: { name } }: Operation,
  input: Readonly<Record<string, unknown>>,
  answer: unknown,
): string | null {
  const requestValues = new Map(
    pathParameterNames(path).map((parameter) => [parameter, input[parameter]]),
  );
  const { body } = input;
  if (name === 'epayment' && typeof body === 'object' && body !== null && 'reference' in body)
    requestValues.set('reference', body.reference);
  const records: readonly unknown[] = Array.isArray(answer) ? answer : [answer];
  for (const record of records) {
    if (typeof record !== 'object' || record === null) continue;
    for (const [parameter, wanted] of requestValues) {
      const isOwn = path.endsWith(`{${parameter}}`) && record === answer;
      for (const field of [...spellingsOf(parameter), ...(isOwn ? ['id'] : [])]) {
        const answerValue: unknown = Reflect.get(record, field);
        if (
          typeof answerValue === 'string' &&
          typeof wanted === 'string' &&
          !isSameName(answerValue, wanted)
        )
          return field;
      }
    }
  }
  return null;
}

const spellingsOf = (parameter: string): string[] => [
  parameter,
  parameter.charAt(0).toUpperCase() + parameter.slice(1),
  parameter.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`),
];

/** A UUID is the same in capitals. */
const isSameName = (one: string, other: string): boolean =>
  one === other || (uuidParameter.pattern.test(one) && one.toLowerCase() === other.toLowerCase());

function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0];
  return issue === undefined ? 'unreadable' : `${issue.path.join('.') || 'body'}: ${issue.message}`;
}
