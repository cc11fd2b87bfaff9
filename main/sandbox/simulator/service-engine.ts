/**
 * Executes requests to all interfaces without HTTP, with authentication, validation, idempotency
 * and refusals from the operations' declarations.
 */
import { CappedMap } from '../../core/domain/capped-map.ts';
import { z } from 'zod';
import { epaymentProfile } from '../../wallets/epayment/epayment-profile.ts';
import {
  type InterfaceDescription,
  isCorrelationId,
  type Operation,
  operationPath,
  pathParameterNames,
  uuidParameter,
} from '../../wallets/http/operation.ts';
import { correlationHeader } from '../../wallets/v10/v10-interfaces.ts';
import { type Profile } from '../../wallets/v10/v10-profile.ts';
import { queryFromWire } from '../../wallets/http/query.ts';
import { appPaymentsApi } from './app-payments/app-payment-api.ts';
import { type ApiModule, DependsOnOthers, type Handler, type TestEndpoint } from './api-module.ts';
import { epaymentApis } from './epayment/epayment-api.ts';
import { type Epayments, openEpayments } from './epayment/epayment-registry.ts';
import { invoiceApi } from './invoice/invoice-api.ts';
import { OperationRouter } from './operation-router.ts';
import { IntegratorAuth } from './point-of-sale/integrator-auth.ts';
import { pointOfSaleApi } from './point-of-sale/point-of-sale-api.ts';
import { reportingApi } from './reporting/reporting-api.ts';
import { subscriptionApis } from './subscriptions/subscription-api.ts';
import { maxRemembered, RuleChecker } from './rule-checker.ts';
import { ServiceError } from './service-error.ts';
import type { World } from './world.ts';
import { type IncomingRequest, record } from './world-event.ts';

export interface ServiceAnswer {
  readonly status: number;
  /** null for an empty body. Bytes are sent as a PDF, everything else as JSON. */
  readonly body: unknown;
  readonly code: string | null;
  readonly retryAfterSeconds?: number | null;
  /**
   * Called when the answer to a poll is sent. Returns a function that is to be called when the
   * client has received it.
   */
  readonly leaves?: () => () => void;
  /**
   * The final answer, when it depends on a callback of the service. Never settles during a replay,
   * which sends no callbacks.
   */
  readonly outcome?: Promise<ServiceAnswer>;
}

export interface Route {
  readonly operation: Operation;
  readonly module: ApiModule;
  readonly handler: Handler;
}

type PathParameters = Readonly<Record<string, string>>;

interface Routed {
  readonly route: Route;
  readonly path: PathParameters;
}

/** The answer to a request with an idempotency key. */
interface Remembered {
  readonly content: string;
  /** A refusal is the answer to every request with the key. */
  readonly outcome: { readonly body: unknown } | ServiceError;
  readonly untilMs: number;
}

/** Refusals that are not remembered with a key, because the request was not executed. */
const transientFaults: ReadonlySet<number> = new Set([401, 423, 429, 500]);

/**
 * The client's correlation id of a request; null when it is missing, or not one that the interface
 * takes.
 */
export function sentCorrelationId(
  { headers }: Pick<IncomingRequest, 'headers'>,
  described: Pick<InterfaceDescription, 'correlationPattern'>,
): string | null {
  const sent = headers[correlationHeader.toLowerCase()];
  return typeof sent === 'string' && isCorrelationId(described, sent) ? sent : null;
}
/** "404 empty", and 401 likewise (document 4, sections 1.1 and 3.4). */
const statusesWithoutBody: ReadonlySet<number> = new Set([401, 404]);
const KeyInBody = z.object({ idempotencyKey: z.string().toLowerCase() });
const PollDelay = z.object({ pollDelayInMs: z.number().default(0) });

/** The path at which an operation is served. Both services are on one port. */
export const servedPath = ({ paths }: Profile, operation: Operation): string =>
  operationPath({ paths: { ...epaymentProfile.paths, ...paths } }, operation);

/** The operations are always the same, so that all simulators with a profile share one router. */
const routers = new WeakMap<Profile, OperationRouter>();

export class ServiceEngine {
  readonly world: World;
  /** The state of the ePayment service. */
  readonly epayments: Epayments;
  readonly integratorAuth: IntegratorAuth;
  readonly ruleChecker: RuleChecker;
  readonly modules: readonly ApiModule[];
  readonly operations: readonly Operation[];
  readonly testEndpoints: ReadonlyMap<string, TestEndpoint>;
  readonly #routes: ReadonlyMap<string, Route>;
  readonly #router: OperationRouter;
  readonly #remembered = new CappedMap<string, Remembered>(maxRemembered);

  constructor(world: World) {
    this.world = world;
    this.epayments = openEpayments(world);
    this.integratorAuth = new IntegratorAuth(world);
    this.ruleChecker = new RuleChecker(world.clock);
    this.modules = [
      pointOfSaleApi(world, this.integratorAuth, this.ruleChecker),
      reportingApi(world),
      invoiceApi(world),
      appPaymentsApi(world),
      ...subscriptionApis(world),
      ...epaymentApis(this.epayments),
    ];
    const routes = this.modules.flatMap((module) =>
      module.handlers.map((handler): Route => ({ operation: handler.operation, module, handler })),
    );
    this.#routes = new Map(routes.map((route) => [route.operation.name, route]));
    // The OpenAPI document lists the operations in this order.
    this.operations = routes
      .map(({ operation }) => operation)
      .toSorted((a, b) => pathParameterNames(a.path).length - pathParameterNames(b.path).length);
    this.testEndpoints = new Map(
      this.modules.flatMap(({ testEndpoints }) => Object.entries(testEndpoints)),
    );
    const { profile } = world;
    this.#router =
      routers.get(profile) ??
      new OperationRouter(this.operations, (operation) => servedPath(profile, operation));
    routers.set(profile, this.#router);
  }

  /**
   * @returns null when no operation has this path (404), 'method' when one has it with another
   * method (405)
   */
  route(method: string, path: string): Routed | 'method' | null {
    const matched = this.#router.match(method, path);
    if (matched === null || matched === 'method') return matched;
    const route = this.#routes.get(matched.operation.name);
    return route === undefined ? null : { route, path: matched.path };
  }

  /** The idempotency key of a request to either service, valid or not; null when it has none. */
  sentKey(request: Pick<IncomingRequest, 'headers'>): string | null {
    const key = request.headers['idempotency-key'];
    return this.integratorAuth.sentKey(request) ?? (typeof key === 'string' ? key : null);
  }

  /**
   * Checks the rules of repetition and polling. Also called for a request that a planned fault
   * keeps from being executed.
   */
  arrived({ operation, module }: Route, path: PathParameters, request: IncomingRequest): void {
    if (operation.idempotency === 'headerKey' && module.idempotencyKey === undefined) {
      const key = this.integratorAuth.sentKey(request);
      if (key === null) this.ruleChecker.violations.missingIdempotencyKey += 1;
      else this.ruleChecker.keyUsed(key);
    }
    if (operation.polled) this.ruleChecker.polled(resourceOf(operation, path));
    module.arrived?.(operation, path);
  }

  /**
   * To be called when the client has the whole answer to a poll. @param nextPollAtMs by the world's
   * monotonic clock
   */
  delivered(resource: string, nextPollAtMs: number): void {
    record(
      this.world.eventLog,
      () => ({
        kind: 'delivered',
        resource,
        pollDelayInMs: nextPollAtMs - this.world.clock.monotonicMs(),
      }),
      () => this.ruleChecker.delivered(resource, nextPollAtMs),
    );
  }

  /** Executes a request. A refusal is an answer, not an exception. */
  answer(
    route: Route,
    path: PathParameters,
    search: URLSearchParams,
    request: IncomingRequest,
    bodyText: string,
  ): ServiceAnswer {
    try {
      return this.#execute(route, path, search, request, bodyText);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return this.#refused(route, path, request, error);
    }
  }

  #refused(
    { module, operation }: Route,
    path: PathParameters,
    request: IncomingRequest,
    error: ServiceError,
  ): ServiceAnswer {
    const { status, code } = error;
    const hasBody = module.refusesWithBody === true || !statusesWithoutBody.has(status);
    const body = hasBody
      ? module.refusal(
          error,
          operation,
          this.#correlationId(operation, request),
          this.#pathOf(operation, path),
        )
      : null;
    return { status, code, body, retryAfterSeconds: error.retryAfterSeconds };
  }

  #pathOf(operation: Operation, path: PathParameters): string {
    return servedPath(this.world.profile, operation).replaceAll(
      /\{(\w+)\}/g,
      (_, name: string) => path[name] ?? '',
    );
  }

  #correlationId({ interface: described }: Operation, request: IncomingRequest): string {
    // Before rules 3 only a UUID was taken, and an id was drawn in the place of other texts.
    const { rules, ids } = this.world;
    return sentCorrelationId(request, rules < 3 ? {} : described) ?? ids.uuid();
  }

  /** The answer when a planned fault makes the service fail or refuse. */
  failure(
    { route, path }: Routed,
    request: IncomingRequest,
    status: 404 | 409 | 423 | 500,
    code: string | null,
  ): ServiceAnswer {
    const { module, operation } = route;
    const error = new ServiceError(
      status,
      code,
      status === 500 ? 'Internal error' : 'Refused by a planned fault',
    );
    return {
      status,
      code,
      body: module.refusal(
        error,
        operation,
        this.#correlationId(operation, request),
        this.#pathOf(operation, path),
      ),
    };
  }

  #execute(
    route: Route,
    sentPath: PathParameters,
    search: URLSearchParams,
    request: IncomingRequest,
    bodyText: string,
  ): ServiceAnswer {
    const { world } = this;
    const { operation, module, handler } = route;
    const { caller, keyScope } = module.authenticate(request, operation);
    const path = validatePath(operation, module, sentPath);
    const query =
      operation.query === null
        ? {}
        : validate(operation, module, operation.query, queryFromWire(operation.query, search));
    const headerKey =
      operation.idempotency === 'headerKey'
        ? (module.idempotencyKey?.(request) ?? this.integratorAuth.idempotencyKey(request))
        : null;
    const remembering = (sentKey: string | null) =>
      sentKey === null ? null : `${operation.interface.name}|${keyScope}|${sentKey}`;
    let key = remembering(headerKey);
    let content = '';
    let result: unknown;
    try {
      const schema = world.rules < 3 ? (handler.earlierBody ?? operation.body) : operation.body;
      const body =
        schema === null
          ? {}
          : validate(operation, module, schema, parseBody(request, module, bodyText));
      this.#checkRules(operation, body);
      if (operation.idempotency === 'bodyKey')
        key = remembering(KeyInBody.parse(body).idempotencyKey);
      const call = { world, caller, path, query, body };
      module.admit?.(call, operation);
      // The validated body is compared, because another notation of the same values is the same
      // request.
      content =
        key === null ? '' : `${operation.name} ${JSON.stringify(path)} ${JSON.stringify(body)}`;
      const remembered = key === null ? undefined : this.#recall(key, content, route);
      if (remembered !== undefined)
        return { status: operation.success, body: remembered.body, code: null };
      result = handler.act(call);
    } catch (error) {
      if (
        key !== null &&
        module.keepsRefusals === true &&
        error instanceof ServiceError &&
        !transientFaults.has(error.status) &&
        !this.#isKnown(key)
      )
        this.#remember(key, content, error);
      throw error;
    }
    if (result instanceof DependsOnOthers) {
      const done = { status: operation.success, body: null, code: null };
      return {
        ...done,
        outcome: result.refusal.then((refusal) =>
          refusal === null ? done : this.#refused(route, sentPath, request, refusal),
        ),
      };
    }
    const wire =
      operation.answer === null
        ? null
        : operation.answerType === 'pdf'
          ? result
          : z.encode(operation.answer, result);
    if (key !== null) this.#remember(key, content, { body: wire });
    const answer = { status: operation.success, body: wire, code: null };
    if (!operation.polled) return answer;
    const { pollDelayInMs } = PollDelay.parse(wire);
    const leaves = (): (() => void) => {
      // The delay counts from the sending, because the client may have the answer before this
      // process is told so.
      const nextPollAtMs = world.clock.monotonicMs() + pollDelayInMs;
      return () => this.delivered(resourceOf(operation, path), nextPollAtMs);
    };
    return { ...answer, leaves };
  }

  #checkRules(operation: Operation, body: unknown): void {
    if (operation.rules.length === 0) return;
    const context = {
      today: new Date(this.world.clock.wallMs()).toISOString().slice(0, 'YYYY-MM-DD'.length),
      limits: this.world.profile.limits,
    };
    for (const rule of operation.rules) {
      const broken = rule.refusedByService ? rule.broken(body, context) : null;
      if (broken !== null)
        throw new ServiceError(
          400,
          operation.fieldCodes[broken.field] ?? null,
          `${broken.field}: ${rule.says}`,
        );
    }
  }

  #isKnown(key: string): boolean {
    return this.world.clock.monotonicMs() < (this.#remembered.get(key)?.untilMs ?? 0);
  }

  /**
   * @throws ServiceError the refusal that is remembered with the key, or one because the key was
   * used for another request
   */
  #recall(
    key: string,
    content: string,
    { module, operation }: Route,
  ): { readonly body: unknown } | undefined {
    const remembered = this.#isKnown(key) ? this.#remembered.get(key) : undefined;
    if (remembered === undefined) return undefined;
    const { outcome } = remembered;
    if (outcome instanceof ServiceError) throw outcome;
    if (remembered.content === content) return outcome;
    this.ruleChecker.violations.keyReuse += 1;
    throw new ServiceError(
      409,
      module.keyReusedCode(operation),
      'The idempotency key was used for something else',
    );
  }

  #remember(key: string, content: string, outcome: Remembered['outcome']): void {
    this.#remembered.set(key, {
      content,
      outcome,
      untilMs: this.world.clock.monotonicMs() + this.world.policy.idempotencyMs,
    });
  }
}

/**
 * The name of a polled resource. It must not change, because it is in the events of existing log
 * files.
 */
const resourceOf = (operation: Operation, path: PathParameters): string =>
  `${operation.name} ${Object.values(path)[0]?.toLowerCase()}`;

function validatePath(
  { parameters }: Operation,
  module: ApiModule,
  sent: PathParameters,
): PathParameters {
  const path: Record<string, string> = {};
  for (const [name, value] of Object.entries(sent)) {
    const { pattern, says } = parameters[name] ?? uuidParameter;
    if (!pattern.test(value))
      throw new ServiceError(400, module.unspecifiedCode, `${name} ${says}`);
    path[name] = parameters[name] === undefined ? value.toLowerCase() : value;
  }
  return path;
}

function parseBody({ headers }: IncomingRequest, module: ApiModule, bodyText: string): unknown {
  const type = String(headers['content-type']).split(';')[0]?.trim().toLowerCase() ?? '';
  if (!/^(application|text)\/([\w.-]+\+)?json$/.test(type))
    throw new ServiceError(
      400,
      module.unspecifiedCode,
      'The content type must be application/json',
    );
  try {
    return JSON.parse(bodyText);
  } catch {
    throw new ServiceError(400, module.unspecifiedCode, 'The body is not JSON');
  }
}

function validate(
  operation: Operation,
  module: ApiModule,
  schema: z.ZodType,
  value: unknown,
): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue?.path.join('.') || 'body';
  const code = operation.fieldCodes[String(issue?.path[0])] ?? module.unspecifiedCode;
  throw new ServiceError(400, code, `${field}: ${issue?.message ?? 'is not valid'}`);
}
