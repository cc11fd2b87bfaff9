/**
 * `GET /openapi.json`: every interface, made from the operations' declarations, and the endpoints
 * for tests (OpenAPI 3.1).
 */
import { z } from 'zod';
import {
  type InterfaceDescription,
  type Operation,
  pathParameterNames,
  uuidParameter,
} from '../../wallets/http/operation.ts';
import { headerNames, type Profile } from '../../wallets/v10/v10-profile.ts';
import { servedPath } from './service-engine.ts';

type Json = Readonly<Record<string, unknown>>;

/** @param testEndpoints schemas of the bodies that `POST /simulator/{name}` takes, by name */
export function openApi(
  operations: readonly Operation[],
  profile: Profile,
  testEndpoints: ReadonlyMap<string, z.ZodType>,
): Json {
  const paths: Record<string, Record<string, unknown>> = {
    [profile.tokenPath]: { post: tokenEndpoint },
  };
  for (const operation of operations)
    (paths[servedPath(profile, operation)] ??= {})[operation.method.toLowerCase()] = describe(
      operation,
      profile,
    );
  for (const [name, schema] of testEndpoints)
    paths[`/simulator/${name}`] = { post: describeTestEndpoint(name, schema) };
  const interfaces = [...new Set(operations.map((operation) => operation.interface))];
  return {
    openapi: '3.1.0',
    info: {
      title: 'The wallet service, as the simulator serves it',
      version: interfaces.map(({ title, version }) => `${title} ${version}`).join(', '),
    },
    tags: [
      ...interfaces.map(({ title, source }) => ({ name: title, description: source })),
      simulatorTag,
    ],
    paths,
    components: {
      securitySchemes: {
        client: { type: 'http', scheme: 'basic', description: 'client_id and client_secret' },
        integrator: {
          type: 'http',
          scheme: 'bearer',
          description: 'A token of the token endpoint.',
        },
        merchant: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key or access token of the merchant.',
        },
      },
      schemas: Object.fromEntries(
        interfaces.map((described) => [errorName(described), jsonSchema(described.errorBody)]),
      ),
    },
  };
}

function describe(operation: Operation, profile: Profile): Json {
  const { title, authentication } = operation.interface;
  return {
    operationId: operation.name,
    summary: operation.says,
    description: [
      ...operation.rules.map(({ says, source }) => `${says} (${source})`),
      `Source: ${operation.source}.`,
    ].join('\n\n'),
    tags: [title],
    security: [{ [authentication]: [] }],
    parameters: [
      ...pathParameters(operation),
      ...queryParameters(operation),
      ...headerParameters(operation, profile),
    ],
    ...(operation.body === null
      ? {}
      : { requestBody: { required: true, content: json(jsonSchema(operation.body)) } }),
    responses: responses(operation),
  };
}

const simulatorTag = {
  name: 'Simulator',
  description:
    'What users do in the app, and what only a test can. The service itself has none of this.',
} as const;

function describeTestEndpoint(name: string, schema: z.ZodType): Json {
  const refusal = {
    description: 'Refused; nothing has changed.',
    content: json({
      type: 'object',
      required: ['code', 'message'],
      properties: { code: { type: ['string', 'null'] }, message: { type: 'string' } },
    }),
  };
  return {
    operationId: name,
    summary: schema.description ?? name,
    tags: [simulatorTag.name],
    security: [],
    requestBody: { required: true, content: json(jsonSchema(schema)) },
    responses: {
      200: { description: 'Done.' },
      400: refusal,
      404: refusal,
      409: refusal,
      412: refusal,
    },
  };
}

const pathParameters = ({ path, parameters }: Operation): Json[] =>
  pathParameterNames(path).map((name) => {
    const { pattern } = parameters[name] ?? uuidParameter;
    return {
      name,
      in: 'path',
      required: true,
      schema: {
        type: 'string',
        ...(pattern === uuidParameter.pattern ? { format: 'uuid' } : { pattern: pattern.source }),
      },
    };
  });

const ObjectSchema = z.object({
  properties: z.record(z.string(), z.unknown()).default({}),
  required: z.array(z.string()).default([]),
});

function queryParameters({ query }: Operation): Json[] {
  if (query === null) return [];
  const { properties, required } = ObjectSchema.parse(jsonSchema(query));
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}

function headerParameters(operation: Operation, profile: Profile): Json[] {
  const { authentication, correlationHeader } = operation.interface;
  const names = headerNames(profile);
  const header = (name: string, required: boolean, description: string): Json => ({
    name,
    in: 'header',
    required,
    description,
    schema: { type: 'string' },
  });
  return [
    ...(authentication === 'integrator'
      ? [
          header(names.clientVersion, true, 'Major.Minor.Build'),
          header(names.merchantVat, false, 'Required unless the token names the merchant.'),
        ]
      : []),
    ...(operation.idempotency === 'headerKey'
      ? [header(names.idempotencyKey, true, 'The same for every repetition.')]
      : []),
    ...(correlationHeader === null ? [] : [header(correlationHeader, false, 'For logs.')]),
  ];
}

function responses({
  answer,
  answerType,
  success,
  refusals,
  fieldCodes,
  errorBody,
  interface: described,
  ...operation
}: Operation): Json {
  const file = { 'application/pdf': { schema: { type: 'string', format: 'binary' } } };
  const content =
    answer === null ? {} : { content: answerType === 'pdf' ? file : json(jsonSchema(answer)) };
  const error = {
    content: json(
      errorBody === described.errorBody
        ? { $ref: `#/components/schemas/${errorName(described)}` }
        : jsonSchema(errorBody),
    ),
  };
  const fields = Object.entries(fieldCodes).map(([field, code]) => `${code} (${field})`);
  const takesInput =
    operation.body !== null || operation.query !== null || operation.path.includes('{');
  const bad = [...fields, ...(refusals[400] ?? [])];
  return {
    [success]: { description: 'Done.', ...content },
    ...(takesInput || bad.length > 0
      ? { 400: { description: `Invalid request. ${codes(bad)}`, ...error } }
      : {}),
    401: { description: 'Not authenticated; no body.' },
    ...Object.fromEntries(
      Object.entries(refusals)
        .filter(([status]) => status !== '400')
        .map(([status, list]) => [
          status,
          { description: codes(list ?? []) || 'Refused.', ...(status === '404' ? {} : error) },
        ]),
    ),
    500: { description: 'Internal error: what became of the request is not known.', ...error },
  };
}

const codes = (list: readonly string[]): string =>
  list.length === 0 ? '' : `Code ${list.join(', ')}.`;
const json = (schema: unknown): Json => ({ 'application/json': { schema } });
const errorName = ({ name }: InterfaceDescription): string => `${name}Error`;

function jsonSchema(schema: z.ZodType): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return rest;
}

/** Interface document 2, "Authentication". */
const tokenEndpoint: Json = {
  operationId: 'token',
  summary: 'Issues an access token to an integrator’s client.',
  tags: ['Point of sale'],
  security: [{ client: [] }],
  requestBody: {
    required: true,
    content: {
      'application/x-www-form-urlencoded': {
        schema: {
          type: 'object',
          required: ['grant_type'],
          properties: {
            grant_type: { const: 'client_credentials' },
            merchant_vat: {
              type: 'string',
              pattern: String.raw`^(DK|FI)\d{8}$`,
              description: 'With it the token is usable for this merchant only.',
            },
          },
        },
      },
    },
  },
  responses: {
    200: {
      description: 'Done.',
      content: json({
        type: 'object',
        required: ['access_token', 'expires_in', 'token_type'],
        properties: {
          access_token: { type: 'string' },
          expires_in: { type: 'integer', description: 'Seconds.' },
          token_type: { const: 'Bearer' },
          scope: { type: 'string' },
        },
      }),
    },
    400: { description: 'Invalid request.' },
    401: { description: 'The client is not known; no body.' },
  },
};
