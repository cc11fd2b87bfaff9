import { z } from 'zod';
import type { Procedure } from '../procedures/procedure.ts';
import type { Shape } from '../shape.ts';

type Json = Readonly<Record<string, unknown>>;

const takenOver = ['type', 'enum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'minimum', 'maximum', 'exclusiveMinimum'] as const;
const taken = new Set<string>([
  ...takenOver,
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
/** They say nothing that another keyword does not say too, or nothing of what is there. A `format` has its pattern, but for `uri`. */
const leftOut = new Set(['$schema', 'default', 'format']);

/**
 * Of what has passed the declaration: what it trims or fills in is trimmed and there. Rules in code (`refine`) are no part of a shape: who sends has held
 * them already.
 * @throws on what a {@link Shape} cannot say
 */
export function shapeOf(declaration: z.ZodType): Shape {
  return asShape(
    z.toJSONSchema(declaration, {
      io: 'output',
      override({ zodSchema: { _zod }, jsonSchema }) {
        // An object of zod's leaves out what it does not name, unless it is strict.
        if (_zod.def.type === 'object' && jsonSchema.additionalProperties === false && !('catchall' in _zod.def && _zod.def.catchall))
          delete jsonSchema.additionalProperties;
        if (_zod.def.type === 'intersection') throw new Error('a shape has no intersection');
        for (const { _zod: check } of _zod.def.checks ?? [])
          if ('pattern' in check.def && /[ims]/.test(String((check.def.pattern as RegExp | undefined)?.flags)))
            throw new Error('a pattern of a shape has no flags');
      },
    }),
  );
}

/** The shapes of the answers to procedures, by the procedures' names. */
export function answersOf(procedures: Readonly<Record<string, Procedure>>): Readonly<Record<string, Shape>> {
  return Object.fromEntries(Object.entries(procedures).map(([name, { output }]) => [name, shapeOf(output)]));
}

function asShape(schema: Json): Shape {
  for (const keyword of Object.keys(schema)) if (!taken.has(keyword) && !leftOut.has(keyword)) throw new Error(`a shape has no ${keyword}`);
  const { anyOf, oneOf = anyOf, items, prefixItems, pattern, propertyNames } = schema;
  if (Array.isArray(oneOf)) return { anyOf: oneOf.map(asShape) };
  if ('const' in schema) return { enum: [schema['const']] };
  if ('enum' in schema) return { enum: schema['enum'] as unknown[] };
  if (typeof pattern === 'string') new RegExp(pattern, 'u');
  return {
    ...Object.fromEntries(
      takenOver.filter((keyword) => keyword in schema && !isAnySafeInteger(keyword, schema[keyword])).map((keyword) => [keyword, schema[keyword]]),
    ),
    ...(typeof pattern === 'string' && { pattern }),
    ...(schema['format'] === 'uri' && { format: 'uri' as const }),
    ...(Array.isArray(prefixItems) && { prefixItems: prefixItems.map(asShape) }),
    ...(typeof items === 'object' && { items: asShape(items as Json) }),
    ...propertiesOf(schema),
    ...(isChoice(propertyNames) && { propertyNames: asShape(propertyNames) }),
  };
}

/** `integer` says so. */
const isAnySafeInteger = (keyword: string, value: unknown): boolean =>
  (keyword === 'minimum' && value === Number.MIN_SAFE_INTEGER) || (keyword === 'maximum' && value === Number.MAX_SAFE_INTEGER);

/** Every name is a text. */
const isChoice = (names: unknown): names is Json => typeof names === 'object' && names !== null && Object.keys(names).some((keyword) => keyword !== 'type');

function propertiesOf({ properties, required = [], additionalProperties }: Json): Shape {
  const others = typeof additionalProperties === 'object' ? asShape(additionalProperties as Json) : additionalProperties === false ? false : undefined;
  const needed = required as readonly string[];
  // A record of given names has no properties, and needs all of them.
  const named = Object.entries(
    (properties as Readonly<Record<string, Json>> | undefined) ?? Object.fromEntries(needed.map((key) => [key, additionalProperties as Json])),
  );
  return {
    ...(named.length > 0 && { properties: Object.fromEntries(named.map(([key, inner]) => [needed.includes(key) ? key : `${key}?`, asShape(inner)])) }),
    ...(others !== undefined && { additionalProperties: others }),
  };
}
