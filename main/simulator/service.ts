/** The HTTP face of the interfaces: routes, headers and validation made from the operations' declarations. */
import type { IncomingMessage } from 'node:http';
import { type Operation, pathParameterNames } from '../wallet/operation.ts';
import { lookUpCheckIn, pointOfSaleOperations, sandboxOperations } from '../wallet/point-of-sale/operations.ts';
import { operationPath } from '../wallet/profile.ts';
import { Authority } from './authority.ts';
import { handlers } from './handlers.ts';
import { forgetOldest, Watchman } from './watchman.ts';
import { ServiceError, type World } from './world.ts';

export interface Answer {
  readonly status: number;
  /** null: no body at all. */
  readonly body: unknown;
  readonly code: string | null;
  /** What to note when the answer has been delivered. */
  readonly delivered?: () => void;
}

interface Route {
  readonly operation: Operation;
  readonly pattern: RegExp;
}

interface Remembered {
  readonly content: string;
  readonly body: unknown;
  readonly untilMs: number;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const refundOperations = /Refund/;

export class Service {
  readonly world: World;
  readonly authority: Authority;
  readonly watchman: Watchman;
  readonly #routes: readonly Route[];
  readonly #remembered = new Map<string, Remembered>();

  constructor(world: World) {
    this.world = world;
    this.authority = new Authority(world);
    this.watchman = new Watchman(world.clock);
    const operations: readonly Operation[] = [...pointOfSaleOperations, ...sandboxOperations];
    this.#routes = operations
      .map((operation) => ({ operation, pattern: new RegExp(`^${operationPath(world.profile, operation).replaceAll(/\{\w+\}/g, '([^/]+)')}$`) }))
      // `/stores/detailed` before `/stores/{storeId}`.
      .toSorted((a, b) => pathParameterNames(a.operation.path).length - pathParameterNames(b.operation.path).length);
  }

  /** The operation that a request is for; null when there is none (404), 'method' when only the method is wrong (405). */
  route(method: string, path: string): { operation: Operation; parameters: string[] } | 'method' | null {
    let pathKnown = false;
    for (const { operation, pattern } of this.#routes) {
      const match = pattern.exec(path);
      if (match === null) continue;
      pathKnown = true;
      if (operation.method === method) return { operation, parameters: match.slice(1) };
    }
    return pathKnown ? 'method' : null;
  }

  /** What a client does is counted when it does it, also where a fault then keeps the request from being answered. */
  arrived(operation: Operation, parameters: readonly string[], request: IncomingMessage): void {
    const { violations } = this.watchman;
    if (operation.createsWithKey) {
      const key = this.authority.sentKey(request);
      if (key === null) violations.missingIdempotencyKey += 1;
      else this.watchman.keyUsed(key);
    }
    if (!operation.polled) return;
    this.watchman.polled(resource(operation, parameters));
    if (operation.name !== lookUpCheckIn.name) return;
    const pos = this.world.pointsOfSale.get((parameters[0] as string).toLowerCase());
    // "Only while the QR is displayed" (document 4, section 1.5): what a screen shows is not to be seen from here,
    // but a point of sale without a QR beacon has none to show.
    if (pos?.supportedBeaconTypes.includes('QR') === false) violations.checkinPollsWithoutQr += 1;
  }

  /** Never throws: what the service says no to is an answer too. */
  answer(operation: Operation, parameters: readonly string[], search: URLSearchParams, request: IncomingMessage, bodyText: string): Answer {
    try {
      return this.#answer(operation, parameters, search, request, bodyText);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.code === null) return { status: error.status, body: null, code: null };
      const origin = refundOperations.test(operation.name) ? { origin: 'PoS' } : {};
      return { status: error.status, code: error.code, body: { code: error.code, message: error.message, correlationId: this.world.ids.uuid(), ...origin } };
    }
  }

  #answer(operation: Operation, parameters: readonly string[], search: URLSearchParams, request: IncomingMessage, bodyText: string): Answer {
    const caller = this.authority.caller(request);
    const path = this.#path(operation, parameters);
    const query = validate(operation, operation.query, Object.fromEntries(search)) as Record<string, string | undefined>;
    const key = operation.createsWithKey ? `${caller.integratorId}|${caller.merchantVat}|${this.authority.idempotencyKey(request)}` : null;
    const body = operation.body === null ? {} : (validate(operation, operation.body, parseBody(request, bodyText)) as Record<string, unknown>);
    // Of the validated body: the same content is the same, however it is written, and no longer than its fields may be.
    const content = key === null ? '' : `${operation.name} ${JSON.stringify(body)}`;
    const remembered = key === null ? undefined : this.#recall(key, content);
    if (remembered !== undefined) return { status: 200, body: remembered, code: null };

    const result = (handlers.get(operation.name) as NonNullable<ReturnType<typeof handlers.get>>)({ world: this.world, caller, path, query, body });
    if (key !== null) this.#remember(key, content, result);
    if (!operation.polled) return { status: 200, body: operation.answer === null ? null : result, code: null };
    const { pollDelayInMs } = result as { pollDelayInMs?: number };
    return { status: 200, body: result, code: null, delivered: () => this.watchman.delivered(resource(operation, parameters), pollDelayInMs ?? 0) };
  }

  #path(operation: Operation, parameters: readonly string[]): Record<string, string> {
    return Object.fromEntries(
      pathParameterNames(operation.path).map((name, index) => {
        const value = parameters[index] as string;
        if (!uuid.test(value)) throw new ServiceError(400, '1099', `${name} must be a UUID`);
        return [name, value.toLowerCase()];
      }),
    );
  }

  #recall(key: string, content: string): unknown {
    const remembered = this.#remembered.get(key);
    if (remembered === undefined || this.world.clock.monotonicMs() >= remembered.untilMs) return undefined;
    if (remembered.content === content) return remembered.body;
    this.watchman.violations.keyReuse += 1;
    throw new ServiceError(409, '1306', 'The idempotency key was used for something else');
  }

  #remember(key: string, content: string, body: unknown): void {
    this.#remembered.delete(key);
    this.#remembered.set(key, { content, body, untilMs: this.world.clock.monotonicMs() + this.world.policy.idempotencyMs });
    forgetOldest(this.#remembered);
  }
}

const resource = (operation: Operation, parameters: readonly string[]): string => `${operation.name} ${parameters[0]?.toLowerCase()}`;

function parseBody(request: IncomingMessage, bodyText: string): unknown {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (!/^(application|text)\/([\w.-]+\+)?json$/.test(type)) throw new ServiceError(400, '1099', 'The content type must be application/json');
  try {
    return JSON.parse(bodyText);
  } catch {
    throw new ServiceError(400, '1099', 'The body is not JSON');
  }
}

function validate(operation: Operation, schema: Operation['body'], value: unknown): unknown {
  if (schema === null) return {};
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = String(issue?.path[0] ?? 'body');
  throw new ServiceError(400, operation.fieldCodes[field] ?? '1099', `${field}: ${issue?.message ?? 'is not valid'}`);
}
