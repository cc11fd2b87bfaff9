/** What one interface of the service is to the simulator: its operations, what each does in the world, and its manners. */
import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import type { Operation, OperationAnswer, OperationBody, OperationPath, OperationQuery } from '../../wallet/http/operation.ts';
import type { Glance } from './glance.ts';
import type { ServiceError, World } from './world.ts';

/** What of a request the engine looks at beside its path and body: it need not have come over HTTP. */
export type Incoming = Pick<IncomingMessage, 'headers' | 'headersDistinct'>;

/** A request that passed its declaration: amounts are minor units, path parameters are lower case. */
export interface Call<Op, Caller> {
  readonly world: World;
  readonly caller: Caller;
  readonly path: OperationPath<Op>;
  readonly query: OperationQuery<Op>;
  readonly body: OperationBody<Op>;
}

export interface Handler {
  readonly operation: Operation;
  readonly act: (call: { world: World; caller: unknown; path: object; query: unknown; body: unknown }) => unknown;
}

/** What `operation` does. It answers what its declaration says, amounts in minor units. @throws ServiceError from `act` */
export function handler<Caller>() {
  // oxlint-disable-next-line typescript/no-explicit-any
  return <Op extends Operation<string, string, any, any, any>>(
    operation: Op,
    act: (call: Call<Op, Caller>) => OperationAnswer<Op> extends undefined ? void : OperationAnswer<Op>,
  ): Handler => ({
    operation,
    act: act as unknown as Handler['act'],
  });
}

export type Door = (body: unknown) => unknown;

/** @throws ZodError from the door for a body that is not what it takes */
export function door<Body>(schema: z.ZodType<Body>, act: (body: Body) => unknown): Door {
  return (body) => act(schema.parse(body));
}

export interface Face {
  readonly handlers: readonly Handler[];
  /** Whose request it is. @throws ServiceError 401, or 400 about a header */
  authorize(request: Incoming, operation: Operation): unknown;
  /** The scope in which idempotency keys are told apart. */
  callerKey(caller: unknown): string;
  /** The body of a refusal that has one. */
  refusal(error: ServiceError, operation: Operation, correlationId: string): object;
  /** The code of a refusal for which the interface names none. */
  readonly unspecifiedCode: string | null;
  /** The same idempotency key for something else. */
  readonly keyReusedCode: string;
  /** What `GET /simulator/state` tells of it. */
  state(): Readonly<Record<string, unknown>>;
  /** What `GET /` shows of it. */
  glance?(): readonly Glance[];
  /** What `POST /simulator/{door}` does: what the owner of a phone can do, and what only a test can. The body is JSON. */
  readonly doors: Readonly<Record<string, Door>>;
  /** A request arrived, also where a fault then keeps it from being answered. */
  arrived?(operation: Operation, parameters: readonly string[]): void;
}
