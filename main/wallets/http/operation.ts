import { z } from 'zod';

/** What all operations of one interface of a service have in common. */
export interface InterfaceDescription {
  /** Unique among the interfaces of a service: profiles, documents and stores name it by this. */
  readonly name: string;
  readonly title: string;
  readonly version: string;
  /**
   * `integrator`: a token of the token endpoint, with version and VAT headers. `merchant`: a bearer
   * API key or access token of the merchant. `salesUnit`: a token for the keys of one sales unit,
   * with its subscription key and serial number. `keys`: these keys themselves.
   */
  readonly authentication: 'integrator' | 'merchant' | 'salesUnit' | 'keys';
  /**
   * The request header that names a request in everybody's logs; null where the interface has none.
   */
  readonly correlationHeader: string | null;
  /** What may stand in that header; a UUID when it is missing. */
  readonly correlationPattern?: RegExp;
  /** What a refusal with a body looks like. 401 and 404 usually have none. */
  readonly errorBody: z.ZodType;
  /**
   * What the error codes mean, as a sentence without its end; empty where the documents name none.
   */
  readonly codes: Readonly<Record<string, string>>;
  readonly readTimeoutMs: number;
  readonly writeTimeoutMs: number;
  /** More than any of its answers needs. */
  readonly maxAnswerBytes: number;
  /** Limit of an idempotency key; missing when the service has none. */
  readonly maxKeyCharacters?: number;
  readonly source: string;
}

/** What may stand in the place of a path's parameter. */
export interface PathParameter {
  readonly pattern: RegExp;
  /** For people, after the parameter's name: "must be …". */
  readonly says: string;
}

/** A UUID in upper or lower case; the simulated service stores it in lower case. */
export const uuidParameter: PathParameter = {
  pattern: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  says: 'must be a UUID',
};

export const isCorrelationId = (
  { correlationPattern }: Pick<InterfaceDescription, 'correlationPattern'>,
  sent: string,
): boolean => (correlationPattern ?? uuidParameter.pattern).test(sent);

/**
 * What happens when the same request arrives twice.
 * - `natural`: nothing more than when it arrives once; repeated freely.
 * - `headerKey`, `bodyKey`: it creates, and carries a key (in the idempotency header, or as
 * `idempotencyKey` in its body);
 *   repeated unchanged, with the same key only.
 * - `none`: it creates, and the service cannot tell a repetition from a second request. Sent once;
 * an unknown outcome is looked up.
 */
type Idempotency = 'natural' | 'headerKey' | 'bodyKey' | 'none';

type RefusalStatus = 400 | 403 | 404 | 405 | 409 | 412 | 422 | 423 | 429;

/** What a rule may look at beside the request. */
export interface RuleContext {
  /** Today by the client's wall clock, in UTC (the documents name no time zone): YYYY-MM-DD. */
  readonly today: string;
  readonly limits: Limits;
}

/** Numbers on which deployments of a service differ, by name. */
export type Limits = Readonly<Record<string, number>>;

/**
 * A rule that a schema of single fields cannot express: across fields, against the calendar, or by
 * the profile.
 */
export interface Rule<Body> {
  /** For people, after the field's name: "must be …". */
  readonly says: string;
  readonly source: string;
  /**
   * Whether the service refuses such a request (400); otherwise it takes it, and declines later by
   * callback.
   */
  readonly refusedByService: boolean;
  /** null when the rule holds. */
  broken(
    body: Body,
    context: RuleContext,
  ): { readonly field: string; readonly value: unknown } | null;
}

/**
 * One operation of the wallet service, declared once: the client call, the simulator's route and
 * validation, and the reference documentation are all made from it.
 */
export interface Operation<
  Name extends string = string,
  Path extends string = string,
  Query = unknown,
  Body = unknown,
  Answer = unknown,
> {
  /** Unique among all interfaces. */
  readonly name: Name;
  /** One sentence for people. */
  readonly says: string;
  readonly interface: InterfaceDescription;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /**
   * Below the interface's root, with `{parameter}`s that are UUIDs unless `parameters` says
   * otherwise.
   */
  readonly path: Path;
  readonly parameters: Readonly<Record<string, PathParameter>>;
  readonly query: z.ZodType<Query> | null;
  readonly body: z.ZodType<Body> | null;
  /** Schema of the answer; null when success has an empty body. */
  readonly answer: z.ZodType<Answer> | null;
  /** `pdf`: success is a file, handed on as bytes; `answer` is {@link FileAnswer}. */
  readonly answerType: 'json' | 'pdf';
  readonly success: 200 | 201 | 202 | 204;
  /** What a refusal with a body looks like; usually that of the interface. */
  readonly errorBody: z.ZodType;
  readonly idempotency: Idempotency;
  /** Whether its answer says how long to wait before the next one (`pollDelayInMs`). */
  readonly polled: boolean;
  readonly timeoutMs: number;
  /** More than any of its answers needs. */
  readonly maxAnswerBytes: number;
  readonly rules: readonly Rule<Body>[];
  /**
   * The error code that the service answers when this field of the body or query is bad (document
   * 4, section 1.10).
   */
  readonly fieldCodes: Readonly<Record<string, string>>;
  /**
   * Every further error code that the operation can answer, by HTTP status; an empty list: the
   * status without a code.
   */
  readonly refusals: Readonly<Partial<Record<RefusalStatus, readonly string[]>>>;
  /** The source. */
  readonly source: string;
}

/** The answer of an operation that hands out a file. */
export const FileAnswer = z.custom<Uint8Array>(
  (value) => value instanceof Uint8Array,
  'must be bytes',
);

type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [K in Name]: string } & PathParameters<Rest>
  : unknown;

export type OperationPath<Op> =
  Op extends Operation<string, infer Path, unknown, unknown, unknown>
    ? PathParameters<Path>
    : never;
export type OperationQuery<Op> =
  Op extends Operation<string, string, infer Query, unknown, unknown> ? Query : never;
export type OperationBody<Op> =
  Op extends Operation<string, string, unknown, infer Body, unknown> ? Body : never;
/**
 * What a call is given: path parameters by name, and `query` and `body` where the operation has
 * them.
 */
export type OperationInput<Op> = OperationPath<Op> &
  ([OperationQuery<Op>] extends [never] ? unknown : { readonly query: OperationQuery<Op> }) &
  ([OperationBody<Op>] extends [never] ? unknown : { readonly body: OperationBody<Op> });
export type OperationAnswer<Op> =
  Op extends Operation<string, string, unknown, unknown, infer Answer>
    ? [Answer] extends [never]
      ? undefined
      : Answer
    : never;

interface Declaration<Name extends string, Path extends string, Query, Body, Answer> {
  name: Name;
  says: string;
  interface: InterfaceDescription;
  method: Operation['method'];
  path: Path;
  parameters?: Operation['parameters'];
  query?: z.ZodType<Query>;
  body?: z.ZodType<Body>;
  answer?: z.ZodType<Answer>;
  answerType?: Operation['answerType'];
  success?: Operation['success'];
  errorBody?: z.ZodType;
  idempotency?: Idempotency;
  polled?: boolean;
  rules?: readonly Rule<NoInfer<Body>>[];
  fieldCodes?: Record<string, string>;
  refusals?: Operation['refusals'];
  source: string;
}

/** A polled answer is about one thing, and is read up to ten times a second while a till waits. */
const maxPolledBytes = 32 * 1024;

/** Fills in the limits, from interface and method, and the defaults. */
export function defineOperation<
  const Name extends string,
  const Path extends string,
  Query = never,
  Body = never,
  Answer = never,
>(
  declared: Declaration<Name, Path, Query, Body, Answer>,
): Operation<Name, Path, Query, Body, Answer> {
  const { readTimeoutMs, writeTimeoutMs, maxAnswerBytes } = declared.interface;
  return {
    parameters: {},
    query: null,
    body: null,
    answer: null,
    answerType: 'json',
    success: 200,
    idempotency: 'natural',
    polled: false,
    rules: [],
    fieldCodes: {},
    refusals: {},
    errorBody: declared.interface.errorBody,
    ...declared,
    timeoutMs: declared.method === 'GET' ? readTimeoutMs : writeTimeoutMs,
    maxAnswerBytes: declared.polled === true ? maxPolledBytes : maxAnswerBytes,
  };
}

const namesByPath = new Map<string, readonly string[]>();

/** The names of a path's parameters, in order; kept, because every request needs them. */
export function pathParameterNames(path: string): readonly string[] {
  let names = namesByPath.get(path);
  if (names === undefined)
    namesByPath.set(
      path,
      (names = [...path.matchAll(/\{(\w+)\}/g)].flatMap((match) => match[1] ?? [])),
    );
  return names;
}

/** The interface's root and the operation's path. */
export function operationPath(
  { paths }: { readonly paths: Readonly<Record<string, string>> },
  { interface: { name }, path }: Pick<Operation, 'interface' | 'path'>,
): string {
  const root = paths[name];
  if (root === undefined) throw new Error(`the profile names no path for the interface ${name}`);
  return root + path;
}
