import type { z } from 'zod';

/** The parts of the wallet service; a profile says under which path each of them lives. */
export type InterfaceName = 'pointOfSale' | 'sandbox';

/**
 * One operation of the wallet service, declared once: the client call, the simulator's route and validation,
 * and the reference documentation are all made from it.
 */
export interface Operation<Path extends string = string, Query = unknown, Body = unknown, Answer = unknown> {
  readonly name: string;
  readonly interface: InterfaceName;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the interface's root, with `{parameter}`s that are UUIDs. */
  readonly path: Path;
  readonly query: z.ZodType<Query> | null;
  readonly body: z.ZodType<Body> | null;
  /** null: success has an empty body. */
  readonly answer: z.ZodType<Answer> | null;
  /** A POST that creates: carries the idempotency key header, and is repeated with the same key only. */
  readonly createsWithKey: boolean;
  /** Its answer says how long to wait before the next one (`pollDelayInMs`). */
  readonly polled: boolean;
  readonly timeoutMs: number;
  /** The error code that the service answers when this field of the body or query is bad (document 4, section 1.10). */
  readonly fieldCodes: Readonly<Record<string, string>>;
  /** Every further error code that the operation can answer, by HTTP status. */
  readonly refusals: Readonly<Partial<Record<400 | 403 | 404 | 409, readonly string[]>>>;
  /** The source. */
  readonly source: string;
}

/** Client timeouts of the service's rules (document 4, section 1.8): mandatory to have, these values. */
export const postTimeoutMs = 2_000;
const getTimeoutMs = 500;

type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [K in Name]: string } & PathParameters<Rest>
  : unknown;

export type OperationInput<Op> =
  Op extends Operation<infer Path, infer Query, infer Body, unknown>
    ? PathParameters<Path> & ([Query] extends [never] ? unknown : { readonly query: Query }) & ([Body] extends [never] ? unknown : { readonly body: Body })
    : never;
export type OperationAnswer<Op> = Op extends Operation<string, unknown, unknown, infer Answer> ? ([Answer] extends [never] ? undefined : Answer) : never;

interface Declaration<Path extends string, Query, Body, Answer> {
  name: string;
  interface: InterfaceName;
  method: 'GET' | 'POST' | 'DELETE';
  path: Path;
  query?: z.ZodType<Query>;
  body?: z.ZodType<Body>;
  answer?: z.ZodType<Answer>;
  createsWithKey?: boolean;
  polled?: boolean;
  fieldCodes?: Record<string, string>;
  refusals?: Partial<Record<400 | 403 | 404 | 409, readonly string[]>>;
  source: string;
}

/** Fills in what follows from the rest: the timeout from the method, and the absence of what is not said. */
export function defineOperation<Path extends string, Query = never, Body = never, Answer = never>(
  declared: Declaration<Path, Query, Body, Answer>,
): Operation<Path, Query, Body, Answer> {
  return {
    query: null,
    body: null,
    answer: null,
    createsWithKey: false,
    polled: false,
    fieldCodes: {},
    refusals: {},
    ...declared,
    timeoutMs: declared.method === 'GET' ? getTimeoutMs : postTimeoutMs,
  };
}

/** The names of a path's parameters, in order. */
export function pathParameterNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
}
