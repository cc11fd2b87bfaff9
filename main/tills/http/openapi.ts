/** `GET /v1/openapi.json` (OpenAPI 3.1), from the declarations that check requests. */
import { z } from 'zod';
import { type Operation, operations, parameterNames } from './operations.ts';
import { Problem, type ProblemCode, problemKinds, problemType } from './problems.ts';

type Json = Readonly<Record<string, unknown>>;

/** Problems that every operation can have. */
const common: readonly ProblemCode[] = [
  'token-missing',
  'too-many-guesses',
  'scope-missing',
  'origin-refused',
  'host-refused',
  'lane-gone',
  'internal-error',
];
const ofBodies: readonly ProblemCode[] = [
  'key-missing',
  'invalid-request',
  'not-json',
  'body-too-large',
];

export function openApi(version: string): Json {
  const paths: Record<string, Record<string, unknown>> = {};
  const schemas: Record<string, Json> = { Problem: jsonSchema(Problem, 'output') };
  for (const [name, operation] of Object.entries(operations) as [string, Operation][]) {
    (paths[operation.path] ??= {})[operation.method.toLowerCase()] = described(name, operation);
    schemas[operation.answers] = jsonSchema(operation.answer, 'output');
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tillbeacon: the HTTP API for tills',
      version,
      description:
        'A payment over this API follows the same rules as a payment of any other till. Amounts are integers in minor units. Every refusal is a problem of RFC 9457 that says what it means for the money. In a request, null is the same as leaving the field out.',
    },
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A manager creates the token on the manager’s screen, for one lane and with scopes: pay, refund, read.',
        },
      },
      schemas,
    },
  };
}

function described(
  name: string,
  { method, path, scope, says, more, body, query, answers, success, problems }: Operation,
): Json {
  const all = [
    ...common,
    ...(method === 'POST' ? ofBodies : query === null ? [] : (['invalid-request'] as const)),
    ...problems,
  ];
  return {
    operationId: name,
    summary: says,
    description: [more, `Scope: ${scope}.`].filter(Boolean).join(' '),
    parameters: [
      ...parameterNames(path).map(pathParameter),
      ...queryParameters(query),
      ...(method === 'POST' ? [keyHeader] : []),
    ],
    ...(body !== null && {
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: nullMayStandForNothing(jsonSchema(body, 'input')) },
        },
      },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(success).map(([status, description]) => [
          status,
          {
            description,
            content: {
              'application/json': { schema: { $ref: `#/components/schemas/${answers}` } },
            },
          },
        ]),
      ),
      ...problemResponses(all),
    },
  };
}

const pathParameter = (name: string): Json => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string' },
});

const keyHeader: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description:
    'A new random UUID for each payment or refund. The till stores it before it sends the request, and sends the same one with every repetition.',
  schema: { type: 'string', minLength: 16, maxLength: 128, pattern: '^[\\x21-\\x7e]+$' },
};

const Shape = z.object({ properties: z.record(z.string(), z.unknown()).default({}) });
const queryParameters = (query: z.ZodType | null): Json[] =>
  query === null
    ? []
    : Object.entries(Shape.parse(jsonSchema(query, 'output')).properties).map(([name, schema]) => ({
        name,
        in: 'query',
        required: false,
        schema,
      }));

function problemResponses(codes: readonly ProblemCode[]): Json {
  const byStatus = Map.groupBy(codes, (code) => problemKinds[code].status);
  return Object.fromEntries(
    [...byStatus]
      .toSorted(([one], [other]) => one - other)
      .map(([status, ofStatus]) => [
        status,
        {
          description: ofStatus
            .map(
              (code) =>
                `\`${problemType(code)}\`: ${problemKinds[code].title}. ${problemKinds[code].money} ${problemKinds[code].action}`,
            )
            .join('\n\n'),
          content: {
            'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
          },
        },
      ]),
  );
}

const Nested = z.looseObject({
  properties: z.record(z.string(), z.looseObject({})).optional(),
  required: z.array(z.string()).default([]),
  items: z.looseObject({}).optional(),
});

/** In a request, null in each field that may be left out, as `bodyOf` of `app.ts` reads it. */
function nullMayStandForNothing(schema: Json): Json {
  const { properties = {}, required, items } = Nested.parse(schema);
  const fields = Object.entries(properties).map(([name, field]) => {
    const inner = nullMayStandForNothing(field);
    if (required.includes(name)) return [name, inner];
    const { description, ...rest } = inner;
    return [
      name,
      { ...(description !== undefined && { description }), anyOf: [rest, { type: 'null' }] },
    ];
  });
  return {
    ...schema,
    ...(schema['properties'] !== undefined && { properties: Object.fromEntries(fields) }),
    ...(items !== undefined && { items: nullMayStandForNothing(items) }),
  };
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io });
  return rest;
}
