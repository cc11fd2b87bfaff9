/**
 * One interface of the simulator: its operations, its rules of access and refusal, and its test
 * endpoints.
 */
import type { z } from 'zod';
import type {
  Operation,
  OperationAnswer,
  OperationBody,
  OperationPath,
  OperationQuery,
} from '../../wallets/http/operation.ts';
import type { ServiceError } from './service-error.ts';
import type { SummaryTable } from './summary.ts';
import type { World } from './world.ts';
import type { IncomingRequest } from './world-event.ts';

/**
 * A request that its operation's declaration has validated: amounts in minor units, path parameters
 * in lower case.
 */
export interface Call<Op, Caller> {
  readonly world: World;
  readonly caller: Caller;
  readonly path: OperationPath<Op>;
  readonly query: OperationQuery<Op>;
  readonly body: OperationBody<Op>;
}

export interface AnyCall {
  readonly world: World;
  readonly caller: unknown;
  readonly path: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

export interface Handler {
  readonly operation: Operation;
  /**
   * The schema of the body before rules 3, where it was another one: events of that time are
   * replayed with it.
   */
  readonly earlierBody: z.ZodType | null;
  /**
   * A method, because TypeScript then accepts an implementation for the narrower `Call`, which the
   * engine has validated. @throws ServiceError
   */
  act(call: AnyCall): unknown;
}

/**
 * Returned by a handler without an answer whose success depends on another party that the service
 * calls, such as a webhook.
 */
export class DependsOnOthers {
  /** null when it succeeds. */
  readonly refusal: Promise<ServiceError | null>;
  constructor(refusal: Promise<ServiceError | null>) {
    this.refusal = refusal;
  }
}

/**
 * Implements `operation`: `act` returns the answer of its declaration, with amounts in minor units.
 */
export function handler<Caller>() {
  // oxlint-disable-next-line typescript/no-explicit-any
  return <Op extends Operation<string, string, any, any, any>>(
    operation: Op,
    act: (
      call: Call<Op, Caller>,
    ) => OperationAnswer<Op> extends undefined ? DependsOnOthers | void : OperationAnswer<Op>,
    earlierBody: z.ZodType | null = null,
  ): Handler => ({ operation, act, earlierBody });
}

export interface TestEndpoint {
  (body: unknown): unknown;
  /** Schema of the body. Its description says what the endpoint does, where the name does not. */
  readonly schema: z.ZodType;
}

/** @throws ZodError from the endpoint when its body does not match the schema */
export function testEndpoint<Body>(
  schema: z.ZodType<Body>,
  act: (body: Body) => unknown,
): TestEndpoint {
  return Object.assign((body: unknown) => act(schema.parse(body)), { schema });
}

export interface Authenticated<Caller = unknown> {
  readonly caller: Caller;
  /** Idempotency keys are unique within this scope. */
  readonly keyScope: string;
}

export interface ApiModule {
  readonly handlers: readonly Handler[];
  /** @throws ServiceError 401, or 400 about a header */
  authenticate(request: IncomingRequest, operation: Operation): Authenticated;
  /** The body of a refusal that has one. `path` is that of the request. */
  refusal(error: ServiceError, operation: Operation, correlationId: string, path: string): object;
  /** The code of a refusal for which the interface documents none. */
  readonly unspecifiedCode: string | null;
  /** The code for an idempotency key that was used for another request. */
  keyReusedCode(operation: Operation): string;
  /** Set where refusals have a body at every status; otherwise a 401 and a 404 have none. */
  readonly refusesWithBody?: true;
  /**
   * Set where a refusal is remembered with the request's key. Elsewhere a refused request can be
   * sent again with its key.
   */
  readonly keepsRefusals?: true;
  /** The key of a request; by default that of the point of sale. @throws ServiceError 400 */
  idempotencyKey?(request: IncomingRequest): string;
  /** Called for each valid request, also when its answer is remembered. @throws ServiceError 429 */
  admit?(call: AnyCall, operation: Operation): void;
  /** The interface's part of `GET /simulator/state`. */
  state(): Readonly<Record<string, unknown>>;
  /** The interface's tables on the simulator's page. */
  summary?(): readonly SummaryTable[];
  /**
   * `GET /simulator/epayment-code/{name}`: the picture of a code; null when there is none, or none
   * any more; `silence` for no answer at all.
   */
  picture?(
    name: string,
  ): Promise<{ readonly type: string; readonly bytes: Uint8Array<ArrayBuffer> } | 'silence' | null>;
  /**
   * `POST /simulator/{name}`, by name: the actions of a phone's owner in the app, and those that
   * only a test can do.
   */
  readonly testEndpoints: Readonly<Record<string, TestEndpoint>>;
  /**
   * Called for each request that arrives, also when a planned fault then keeps it from being
   * executed.
   */
  arrived?(operation: Operation, path: Readonly<Record<string, string>>): void;
}
