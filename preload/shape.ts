/**
 * The form of a value, as JSON data in a subset of JSON Schema. `fits` checks a value by it without
 * a library, which keeps pages small. `shapeOf` makes it of a declaration.
 */
export interface Shape {
  readonly type?: string | readonly string[];
  /**
   * Properties of an object. The name of an optional one ends with `?`; other properties may be
   * there too.
   */
  readonly properties?: Readonly<Record<string, Shape>>;
  /** The shape of properties that are not in `properties`; false when there may be none. */
  readonly additionalProperties?: Shape | false;
  readonly propertyNames?: Shape;
  readonly items?: Shape;
  readonly prefixItems?: readonly Shape[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Shape[];
  readonly pattern?: string;
  readonly format?: 'uri';
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
}

export function fits(shape: Shape, value: unknown): boolean {
  if (shape.anyOf !== undefined) return shape.anyOf.some((one) => fits(one, value));
  if (shape.enum !== undefined) return shape.enum.some((one) => one === value);
  if (shape.type !== undefined && ![shape.type].flat().some((type) => isOfType(type, value)))
    return false;
  if (typeof value === 'string') return fitsText(shape, value);
  if (typeof value === 'number') return fitsNumber(shape, value);
  if (Array.isArray(value)) return fitsList(shape, value);
  return (
    typeof value !== 'object' ||
    value === null ||
    fitsObject(shape, value as Readonly<Record<string, unknown>>)
  );
}

function isOfType(type: string, value: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object')
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  if (type === 'integer') return Number.isSafeInteger(value);
  if (type === 'number') return Number.isFinite(value);
  return typeof value === type;
}

function fitsText(
  { minLength = 0, maxLength = Infinity, pattern, format }: Shape,
  value: string,
): boolean {
  if (
    value.length < minLength ||
    value.length > maxLength ||
    (format === 'uri' && !URL.canParse(value))
  )
    return false;
  return pattern === undefined || new RegExp(pattern, 'u').test(value);
}

function fitsNumber(
  { minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity }: Shape,
  value: number,
): boolean {
  return !(value < minimum || value > maximum || value <= exclusiveMinimum);
}

function fitsList(
  { items, prefixItems = [], minItems = 0, maxItems = Infinity }: Shape,
  value: readonly unknown[],
): boolean {
  return (
    value.length >= minItems &&
    value.length <= maxItems &&
    value.every((one, at) => fits(prefixItems[at] ?? items ?? {}, one))
  );
}

function fitsObject(
  { properties = {}, additionalProperties, propertyNames }: Shape,
  value: Readonly<Record<string, unknown>>,
): boolean {
  const hasProperties = Object.entries(properties).every(([key, shape]) => {
    const isOptional = key.endsWith('?');
    const name = isOptional ? key.slice(0, -1) : key;
    return (
      (isOptional && value[name] === undefined) ||
      (Object.hasOwn(value, name) && fits(shape, value[name]))
    );
  });
  if (!hasProperties || (additionalProperties === undefined && propertyNames === undefined))
    return hasProperties;
  const others = Object.entries(value).filter(
    ([key]) => !(key in properties) && !(`${key}?` in properties),
  );
  if (additionalProperties === false) return others.length === 0;
  return others.every(
    ([key, inner]) => fits(propertyNames ?? {}, key) && fits(additionalProperties ?? {}, inner),
  );
}
