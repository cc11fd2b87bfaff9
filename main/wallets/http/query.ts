/** Queries: typed values inside, text on the wire. Both directions follow the same schema. */
import { z } from 'zod';

/** Arrays as repeated parameters; what is null or undefined is left out. */
export function queryToWire(query: object): string {
  const fields = Object.entries<unknown>({ ...query });
  if (fields.length === 0) return '';
  const search = new URLSearchParams();
  for (const [name, value] of fields)
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null) search.append(name, String(one));
  return search.toString();
}

type Kind = 'number' | 'boolean' | 'list' | 'text';
const kindsOf = new WeakMap<z.ZodType, Map<string, Kind>>();

/**
 * Returns the parameters in the types of the schema. Text in place of a number stays text, so that
 * the schema refuses it.
 */
export function queryFromWire(schema: z.ZodType, search: URLSearchParams): object {
  let kinds = kindsOf.get(schema);
  if (kinds === undefined) kindsOf.set(schema, (kinds = readKinds(schema)));
  const parameters: Record<string, unknown> = {};
  for (const name of new Set(search.keys())) {
    const text = search.get(name) ?? '';
    const kind = kinds.get(name) ?? 'text';
    if (kind === 'list') parameters[name] = search.getAll(name);
    else if (kind === 'number')
      parameters[name] = /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
    else if (kind === 'boolean')
      parameters[name] = text === 'true' ? true : text === 'false' ? false : text;
    else parameters[name] = text;
  }
  return parameters;
}

function readKinds(schema: z.ZodType): Map<string, Kind> {
  // JSON Schema is typed by zod with all that it may hold, booleans in the place of schemas too;
  // ours are made of objects.
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, JsonType>;
  };
  return new Map(Object.entries(properties).map(([name, property]) => [name, kindOf(property)]));
}

interface JsonType {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly JsonType[];
}

function kindOf({ type, anyOf = [] }: JsonType): Kind {
  const types = [type ?? [], ...anyOf.map((one) => one.type ?? [])].flat();
  if (types.includes('array')) return 'list';
  if (types.includes('number') || types.includes('integer')) return 'number';
  return types.includes('boolean') ? 'boolean' : 'text';
}
