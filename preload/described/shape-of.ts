import { z } from 'zod';
import type { Procedure } from '../procedures/procedure.ts';
import type { Shape } from '../shape.ts';

type Json = Readonly<Record<string, unknown>>;

const copiedKeywords = [
  'type',
  'enum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'exclusiveMinimum',
] as const;
const supportedKeywords = new Set<string>([
  ...copiedKeywords,
  'const',
  'anyOf',
  'oneOf',
  'pattern',
  'properties',
  'required',
  'additionalProperties',
  'propertyNames',
  'items',
  'prefixItems',
]);
/**
 * Keywords that check nothing, or nothing that another keyword does not check. A `format` other
 * than `uri` has a pattern too.
 */
const leftOut = new Set(['$schema', 'default', 'format']);

/**
 * The shape of a declaration's output, where texts are trimmed and defaults filled in. Rules in
 * code (`refine`) are not part of it; the sender has checked them.
 * @throws when the declaration uses something that {@link Shape} does not have
 */
export function shapeOf(declaration: z.ZodType): Shape {
  return asShape(
    z.toJSONSchema(declaration, {
      io: 'output',
      override({ zodSchema: { _zod }, jsonSchema }) {
        // An object of zod drops unknown properties, unless it is strict.
        if (
          _zod.def.type === 'object' &&
          jsonSchema.additionalProperties === false &&
          !('catchall' in _zod.def && _zod.def.catchall)
        )
          delete jsonSchema.additionalProperties;
        if (_zod.def.type === 'intersection') throw new Error('a shape has no intersection');
        for (const { _zod: check } of _zod.def.checks ?? [])
          if (
            'pattern' in check.def &&
            /[ims]/.test(String((check.def.pattern as RegExp | undefined)?.flags))
          )
            throw new Error('a pattern of a shape has no flags');
      },
    }),
  );
}

/** The shapes of the answers to procedures, by the procedures' names. */
export function answersOf(
  procedures: Readonly<Record<string, Procedure>>,
): Readonly<Record<string, Shape>> {
  return Object.fromEntries(
    Object.entries(procedures).map(([name, { output }]) => [name, shapeOf(output)]),
  );
}

function asShape(schema: Json): Shape {
  for (const keyword of Object.keys(schema))
    if (!supportedKeywords.has(keyword) && !leftOut.has(keyword))
      throw new Error(`a shape has no ${keyword}`);
  const { anyOf, oneOf = anyOf, items, prefixItems, pattern, propertyNames } = schema;
  if (Array.isArray(oneOf)) return { anyOf: oneOf.map(asShape) };
  if ('const' in schema) return { enum: [schema['const']] };
  if ('enum' in schema) return { enum: schema['enum'] as unknown[] };
  if (typeof pattern === 'string') new RegExp(pattern, 'u');
  return {
    ...Object.fromEntries(
      copiedKeywords
        .filter((keyword) => keyword in schema && !isAnySafeInteger(keyword, schema[keyword]))
        .map((keyword) => [keyword, schema[keyword]]),
    ),
    ...(typeof pattern === 'string' && { pattern }),
    ...(schema['format'] === 'uri' && { format: 'uri' as const }),
    ...(Array.isArray(prefixItems) && { prefixItems: prefixItems.map(asShape) }),
    ...(typeof items === 'object' && { items: asShape(items as Json) }),
    ...propertiesOf(schema),
    ...(isChoice(propertyNames) && { propertyNames: asShape(propertyNames) }),
  };
}

/** Limits that the type `integer` implies. */
const isAnySafeInteger = (keyword: string, value: unknown): boolean =>
  (keyword === 'minimum' && value === Number.MIN_SAFE_INTEGER) ||
  (keyword === 'maximum' && value === Number.MAX_SAFE_INTEGER);

/** Whether the names of properties are restricted further than to strings. */
const isChoice = (names: unknown): names is Json =>
  typeof names === 'object' &&
  names !== null &&
  Object.keys(names).some((keyword) => keyword !== 'type');

function propertiesOf({ properties, required = [], additionalProperties }: Json): Shape {
  const others =
    typeof additionalProperties === 'object'
      ? asShape(additionalProperties as Json)
      : additionalProperties === false
        ? false
        : undefined;
  const requiredKeys = required as readonly string[];
  // JSON Schema has a record with given names as `required` and `additionalProperties`, without
  // `properties`.
  const entries = Object.entries(
    (properties as Readonly<Record<string, Json>> | undefined) ??
      Object.fromEntries(requiredKeys.map((key) => [key, additionalProperties as Json])),
  );
  return {
    ...(entries.length > 0 && {
      properties: Object.fromEntries(
        entries.map(([key, inner]) => [
          requiredKeys.includes(key) ? key : `${key}?`,
          asShape(inner),
        ]),
      ),
    }),
    ...(others !== undefined && { additionalProperties: others }),
  };
}
