/**
 * Requests made from the declarations: what the documents allow, and the same with one thing wrong.
 */
import fc from 'fast-check';
import { z } from 'zod';

export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly allOf?: readonly JsonSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

export const jsonSchemaOf = (schema: z.ZodType): JsonSchema =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;

const longest = 40;
const isMajor = ({ description = '' }: JsonSchema): boolean =>
  description.startsWith('Major units');

/** Values that are valid on the wire. */
export function allowed(schema: JsonSchema): fc.Arbitrary<unknown> {
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined) return fc.oneof(...options.map(allowed));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const types = [schema.type ?? []].flat();
  if (types.length > 1) return fc.oneof(...types.map((type) => allowed({ ...schema, type })));
  switch (types[0]) {
    case 'object':
      return objectOf(schema);
    case 'array':
      return fc.uniqueArray(allowed(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 3, Math.max(3, schema.minItems ?? 0)),
        selector: (item) => JSON.stringify(item),
      });
    case 'integer':
      return fc.integer({
        min: Math.max(schema.minimum ?? 0, -1_000_000),
        max: Math.min(schema.maximum ?? 1_000_000, 1_000_000),
      });
    case 'number':
      return numberOf(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'string':
      return textOf(schema);
    default:
      return fc.constant(null);
  }
}

function objectOf({ properties = {}, required = [] }: JsonSchema): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, allowed(field)]),
  );
  return fc.record(fields, { requiredKeys: required.filter((name) => name in fields) });
}

function numberOf(schema: JsonSchema): fc.Arbitrary<number> {
  const least =
    schema.minimum ?? (schema.exclusiveMinimum === undefined ? 0 : schema.exclusiveMinimum + 0.01);
  const most = Math.min(schema.maximum ?? 100_000, 100_000);
  return fc
    .integer({ min: Math.round(least * 100), max: Math.round(most * 100) })
    .map((hundredths) => hundredths / 100);
}

function textOf(schema: JsonSchema): fc.Arbitrary<string> {
  const inRange = (text: string): boolean =>
    text.length >= (schema.minLength ?? 0) &&
    text.length <= (schema.maxLength ?? Number.MAX_SAFE_INTEGER);
  switch (schema.format) {
    case 'uuid':
      return fc.uuid();
    case 'date':
      return fc.integer({ min: 2, max: 30 }).map((days) => isoDay(days));
    case 'date-time':
      return fc.integer({ min: 2, max: 30 }).map((days) => `${isoDay(days)}T12:00:00Z`);
    case 'uri':
      return fc.webPath().map((path) => `https://shop.example${path.slice(0, longest)}`);
    default:
  }
  const patterns = [schema.pattern, ...(schema.allOf ?? []).map(({ pattern }) => pattern)].filter(
    (pattern) => pattern !== undefined,
  );
  if (patterns.length === 0)
    return fc.string({
      minLength: schema.minLength ?? 0,
      maxLength: Math.min(schema.maxLength ?? longest, longest),
    });
  const [first, ...rest] = patterns.map((pattern) => new RegExp(pattern, 'u'));
  return fc
    .stringMatching(first as RegExp, { size: 'small' })
    .map((text) =>
      text === '' && (schema.minLength ?? 0) > 0
        ? 'a'
        : text.slice(0, schema.maxLength ?? text.length),
    )
    .filter(
      (text) => inRange(text) && [first as RegExp, ...rest].every((pattern) => pattern.test(text)),
    );
}

/** The day of ManualClock, plus this number of days. */
const isoDay = (days: number): string =>
  new Date(Date.UTC(2026, 10, 21 + days)).toISOString().slice(0, 10);

export interface Mistake {
  readonly path: readonly string[];
  readonly what: string;
  /**
   * The value that replaces the valid one, on the wire and inside; undefined when the field is
   * missing.
   */
  readonly wire: unknown;
  readonly inside: unknown;
}

/** Everything that a schema forbids, for one field at a time. */
export function mistakes(schema: JsonSchema, path: readonly string[] = []): Mistake[] {
  // Only the first item of a list gets a mistake; `withMistake` leaves the others as they are.
  if (schema.type === 'array' && schema.items?.properties !== undefined)
    return mistakes(schema.items, [...path, '0']);
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const here = [...path, name];
    const values: Mistake[] = wrongValues(field).map(([what, wire, inside = wire]) => ({
      path: here,
      what,
      wire,
      inside,
    }));
    if (schema.required?.includes(name) === true)
      values.push({ path: here, what: 'missing', wire: undefined, inside: undefined });
    return [...values, ...mistakes(field, here)];
  });
}

type Wrong = readonly [what: string, wire: unknown, inside?: unknown];

function wrongValues(field: JsonSchema): Wrong[] {
  const options = field.anyOf ?? field.oneOf;
  const types =
    options === undefined ? [field.type ?? []].flat() : options.flatMap(({ type }) => type ?? []);
  if (types.length === 0 && field.enum === undefined && field.const === undefined) return [];
  const wrong: Wrong[] = [];
  if (!types.includes('object')) wrong.push(['an object', { nested: true }]);
  if (!types.includes('null')) wrong.push(['null', null]);
  const one =
    options === undefined
      ? field
      : options.length === 2
        ? options.find(({ type }) => type !== 'null')
        : undefined;
  if (one === undefined) return wrong;
  if (one.enum !== undefined || one.const !== undefined)
    wrong.push(['none of the names', 'Nonsense']);
  if (types.includes('string')) {
    if (one.maxLength !== undefined)
      wrong.push(['one character too long', 'a'.repeat(one.maxLength + 1)]);
    if (one.minLength !== undefined && one.minLength > 0)
      wrong.push(['too short', 'a'.repeat(one.minLength - 1)]);
    if (one.format !== undefined) wrong.push(['not in its format', 'nonsense']);
    if (one.pattern !== undefined) wrong.push(['a character that is not allowed', '\u{1F642}']);
  }
  const unit = isMajor(one) ? 100 : 1;
  if (types.includes('number') || types.includes('integer')) {
    const step = types.includes('integer') ? 1 : 0.01;
    const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = one;
    if (minimum > Number.MIN_SAFE_INTEGER)
      wrong.push(['one step below the least', minimum - step, Math.round((minimum - step) * unit)]);
    if (maximum < Number.MAX_SAFE_INTEGER)
      wrong.push(['one step above the most', maximum + step, Math.round((maximum + step) * unit)]);
    if (isMajor(one)) wrong.push(['three decimals', 1.005, 100.5]);
    if (types.includes('integer')) wrong.push(['a fraction', 1.5]);
  }
  if (types.includes('array') && one.minItems !== undefined) wrong.push(['an empty list', []]);
  return wrong;
}

/** `value` with the mistake at its path. */
export function withMistake(
  value: unknown,
  { path }: Pick<Mistake, 'path'>,
  wrong: unknown,
): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return wrong;
  if (Array.isArray(value))
    return [withMistake(value[0], { path: rest }, wrong), ...(value.slice(1) as unknown[])];
  const { [name]: old, ...others } = (value ?? {}) as Record<string, unknown>;
  const changed = withMistake(old, { path: rest }, wrong);
  return changed === undefined ? others : { ...others, [name]: changed };
}
