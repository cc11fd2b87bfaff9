/** The HTTP face of all interfaces: routes and validation made from the operations' declarations. */
import { z } from 'zod';
import { type Operation, operationPath, pathParameterNames } from '../../wallet/http/operation.ts';
import { queryFromWire } from '../../wallet/http/query.ts';
import { appPaymentsFace } from './app-payments/face.ts';
import type { Door, Face, Handler, Incoming } from './face.ts';
import { invoiceFace } from './invoice/face.ts';
import { Authority } from './point-of-sale/authority.ts';
import { pointOfSaleFace } from './point-of-sale/face.ts';
import { reportingFace } from './reporting/face.ts';
import { subscriptionFaces } from './subscriptions/face.ts';
import { forgetOldest, RuleChecker } from './rule-checker.ts';
import { ServiceError, type World } from './world.ts';

export interface Answer {
  readonly status: number;
  /** null: no body at all. Bytes are sent as a file. */
  readonly body: unknown;
  readonly code: string | null;
  /** What to note when the answer has been delivered. */
  readonly delivered?: () => void;
}

export interface Route {
  readonly operation: Operation;
  readonly face: Face;
  readonly act: Handler['act'];
}

interface Remembered {
  readonly content: string;
  readonly body: unknown;
  readonly untilMs: number;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** "404 empty", and 401 likewise (document 4, sections 1.1 and 3.4). */
const statusesWithoutBody: ReadonlySet<number> = new Set([401, 404]);

export class Service {
  readonly world: World;
  readonly authority: Authority;
  readonly ruleChecker: RuleChecker;
  readonly faces: readonly Face[];
  readonly #routes: readonly PatternedRoute[];
  /** By the number of segments of their paths: all others cannot match. */
  readonly #routesBySegments = new Map<number, PatternedRoute[]>();
  readonly #remembered = new Map<string, Remembered>();

  constructor(world: World) {
    this.world = world;
    this.authority = new Authority(world);
    this.ruleChecker = new RuleChecker(world.clock);
    this.faces = [
      pointOfSaleFace(world, this.authority, this.ruleChecker),
      reportingFace(world),
      invoiceFace(world),
      appPaymentsFace(world),
      ...subscriptionFaces(world),
    ];
    this.#routes = this.faces
      .flatMap((face) =>
        face.handlers.map(({ operation, act }) => ({ face, operation, act, prefix: prefixOf(world, operation), pattern: patternOf(world, operation) })),
      )
      // `/stores/detailed` before `/stores/{storeId}`.
      .toSorted((a, b) => pathParameterNames(a.operation.path).length - pathParameterNames(b.operation.path).length);
    for (const route of this.#routes) {
      const segments = segmentsOf(operationPath(world.profile, route.operation));
      const same = this.#routesBySegments.get(segments);
      if (same === undefined) this.#routesBySegments.set(segments, [route]);
      else same.push(route);
    }
  }

  get operations(): readonly Operation[] {
    return this.#routes.map(({ operation }) => operation);
  }

  /** The operation that a request is for; null when there is none (404), 'method' when only the method is wrong (405). */
  route(method: string, path: string): { route: Route; parameters: string[] } | 'method' | null {
    let pathKnown = false;
    for (const route of this.#routesBySegments.get(segmentsOf(path)) ?? []) {
      const match = path.startsWith(route.prefix) ? route.pattern.exec(path) : null;
      if (match === null) continue;
      pathKnown = true;
      if (route.operation.method === method) return { route, parameters: match.slice(1) };
    }
    return pathKnown ? 'method' : null;
  }

  /** What a client does is counted when it does it, also where a fault then keeps the request from being answered. */
  arrived({ operation, face }: Route, parameters: readonly string[], request: Incoming): void {
    if (operation.idempotency === 'headerKey') {
      const key = this.authority.sentKey(request);
      if (key === null) this.ruleChecker.violations.missingIdempotencyKey += 1;
      else this.ruleChecker.keyUsed(key);
    }
    if (operation.polled) this.ruleChecker.polled(resource(operation, parameters));
    face.arrived?.(operation, parameters);
  }

  door(name: string): Door | undefined {
    return this.faces.map((face) => face.doors[name]).find(Boolean);
  }

  /** The answer to a poll has left whole. */
  delivered(polled: string, pollDelayInMs: number): void {
    this.world.chronicle.happens(
      () => ({ kind: 'delivered', resource: polled, pollDelayInMs }),
      () => this.ruleChecker.delivered(polled, pollDelayInMs),
    );
  }

  /** Never throws for what the service says no to: that is an answer too. */
  answer(route: Route, parameters: readonly string[], search: URLSearchParams, request: Incoming, bodyText: string): Answer {
    try {
      return this.#answer(route, parameters, search, request, bodyText);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const { status, code } = error;
      const hasBody = !statusesWithoutBody.has(status);
      return { status, code, body: hasBody ? route.face.refusal(error, route.operation, this.#correlationId(route.operation, request)) : null };
    }
  }

  /** What the client calls the request, where the interface has a header for that; otherwise a name of ours. */
  #correlationId(operation: Operation, request: Incoming): string {
    const { correlationHeader } = operation.interface;
    const sent = correlationHeader === null ? undefined : request.headers[correlationHeader.toLowerCase()];
    return typeof sent === 'string' && uuid.test(sent) ? sent : this.world.ids.uuid();
  }

  /** What the interface says when something in it broke, or when a fault makes it refuse. */
  failure({ face, operation }: Route, status: 409 | 500, code: string): Answer {
    const error = new ServiceError(status, code, status === 500 ? 'Internal error' : 'Refused by a planned fault');
    return { status, code, body: face.refusal(error, operation, this.world.ids.uuid()) };
  }

  #answer({ operation, face, act }: Route, parameters: readonly string[], search: URLSearchParams, request: Incoming, bodyText: string): Answer {
    const { world } = this;
    const caller = face.authorize(request, operation);
    const path = pathOf(operation, face, parameters);
    const query = operation.query === null ? {} : validate(operation, face, operation.query, queryFromWire(operation.query, search));
    const headerKey = operation.idempotency === 'headerKey' ? this.authority.idempotencyKey(request) : null;
    const body = operation.body === null ? {} : validate(operation, face, operation.body, parseBody(request, face, bodyText));
    this.#checkRules(operation, body);
    const sentKey = operation.idempotency === 'bodyKey' ? String((body as { idempotencyKey?: unknown }).idempotencyKey).toLowerCase() : headerKey;
    const key = sentKey === null ? null : `${operation.interface.name}|${face.callerKey(caller)}|${sentKey}`;
    // Of the validated body: the same content is the same, however it is written, and no longer than its fields may be.
    const content = key === null ? '' : `${operation.name} ${JSON.stringify(body)}`;
    const remembered = key === null ? undefined : this.#recall(key, content, face);
    if (remembered !== undefined) return { status: operation.success, body: remembered, code: null };

    const result = act({ world, caller, path, query, body });
    const wire = operation.answer === null ? null : operation.answerType === 'pdf' ? result : z.encode(operation.answer, result);
    if (key !== null) this.#remember(key, content, wire);
    const answer = { status: operation.success, body: wire, code: null };
    if (!operation.polled) return answer;
    const { pollDelayInMs } = wire as { pollDelayInMs?: number };
    return { ...answer, delivered: () => this.delivered(resource(operation, parameters), pollDelayInMs ?? 0) };
  }

  #checkRules(operation: Operation, body: unknown): void {
    if (operation.rules.length === 0) return;
    const given = { today: new Date(this.world.clock.wallMs()).toISOString().slice(0, 'YYYY-MM-DD'.length), limits: this.world.profile.limits };
    for (const rule of operation.rules) {
      const broken = rule.refusedByService ? rule.broken(body, given) : null;
      if (broken !== null) throw new ServiceError(400, operation.fieldCodes[broken.field] ?? null, `${broken.field}: ${rule.says}`);
    }
  }

  #recall(key: string, content: string, face: Face): unknown {
    const remembered = this.#remembered.get(key);
    if (remembered === undefined || this.world.clock.monotonicMs() >= remembered.untilMs) return undefined;
    if (remembered.content === content) return remembered.body;
    this.ruleChecker.violations.keyReuse += 1;
    throw new ServiceError(409, face.keyReusedCode, 'The idempotency key was used for something else');
  }

  #remember(key: string, content: string, body: unknown): void {
    this.#remembered.delete(key);
    this.#remembered.set(key, { content, body, untilMs: this.world.clock.monotonicMs() + this.world.policy.idempotencyMs });
    forgetOldest(this.#remembered);
  }
}

/** `prefix`: what its paths begin with, up to the first parameter. */
type PatternedRoute = Route & { readonly prefix: string; readonly pattern: RegExp };

const prefixOf = (world: World, operation: Operation): string => operationPath(world.profile, operation).split('{', 1)[0] as string;
const patterns = new Map<string, RegExp>();

/** Compiled once for each declared path, however many worlds there are. */
function patternOf(world: World, operation: Operation): RegExp {
  const path = operationPath(world.profile, operation);
  let pattern = patterns.get(path);
  if (pattern === undefined) patterns.set(path, (pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`)));
  return pattern;
}

function segmentsOf(path: string): number {
  let segments = 0;
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) segments += 1;
  return segments;
}

const resource = (operation: Operation, parameters: readonly string[]): string => `${operation.name} ${parameters[0]?.toLowerCase()}`;

function pathOf(operation: Operation, face: Face, parameters: readonly string[]): Record<string, string> {
  const path: Record<string, string> = {};
  for (const [index, name] of pathParameterNames(operation.path).entries()) {
    const value = parameters[index] as string;
    if (!uuid.test(value)) throw new ServiceError(400, face.unspecifiedCode, `${name} must be a UUID`);
    path[name] = value.toLowerCase();
  }
  return path;
}

function parseBody(request: Incoming, face: Face, bodyText: string): unknown {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (!/^(application|text)\/([\w.-]+\+)?json$/.test(type)) throw new ServiceError(400, face.unspecifiedCode, 'The content type must be application/json');
  try {
    return JSON.parse(bodyText);
  } catch {
    throw new ServiceError(400, face.unspecifiedCode, 'The body is not JSON');
  }
}

function validate(operation: Operation, face: Face, schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue?.path.join('.') || 'body';
  const code = operation.fieldCodes[String(issue?.path[0])] ?? face.unspecifiedCode;
  throw new ServiceError(400, code, `${field}: ${issue?.message ?? 'is not valid'}`);
}
