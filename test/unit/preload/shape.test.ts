import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ToPage } from '../../../preload/contract.ts';
import { shapeOf } from '../../../preload/described/shape-of.ts';
import { procedures } from '../../../preload/procedures.ts';
import { fits, type Shape } from '../../../preload/shape.ts';
import { isLong } from '../../support/long.ts';

/**
 * A page checks what arrives by the shape of a declaration; the declaration itself is what must be
 * kept.
 */
const texts = [
  '11111111-1111-4111-8111-111111111111',
  '2026-11-23',
  '2026-11-23T10:00:00Z',
  'data:image/png;base64,AA',
  'https://service.example',
  '123456789012345',
  '192.168.1.40',
  'fe80::1',
  '192.168.1.0/24',
  'fe80::/10',
  '1234567',
  'DK12345674',
  'abcd1234',
  'x',
  '',
];

/** Values that have a shape: one for each choice that it leaves. */
function examplesOf(shape: Shape): unknown[] {
  if (shape.anyOf !== undefined) return shape.anyOf.flatMap(examplesOf);
  if (shape.enum !== undefined) return [...shape.enum];
  const [type] = [shape.type ?? 'null'].flat();
  if (type === 'object') {
    const properties = Object.entries(shape.properties ?? {}).map(
      ([key, inner]) => [key.replace(/\?$/, ''), examplesOf(inner)] as const,
    );
    const most = Math.max(1, ...properties.map(([, values]) => values.length));
    return Array.from({ length: most }, (_, at) =>
      Object.fromEntries(properties.map(([key, values]) => [key, values[at % values.length]])),
    );
  }
  if (type === 'array')
    return [
      (shape.prefixItems ?? (shape.items === undefined ? [] : [shape.items])).map(
        (one) => examplesOf(one)[0],
      ),
    ];
  if (type === 'string')
    return [texts.find((text) => fits(shape, text)) ?? `no text fits ${JSON.stringify(shape)}`];
  if (type === 'integer' || type === 'number')
    return [Math.max(shape.minimum ?? 1, (shape.exclusiveMinimum ?? 0) + 1)];
  return [type === 'boolean' ? true : null];
}

const replacements = [
  undefined,
  null,
  true,
  0,
  -1,
  1.5,
  Number.NaN,
  2 ** 53,
  '',
  'x',
  'x'.repeat(200_000),
  [],
  [null],
  {},
  { kind: 'x' },
];

/** The value with something else in each of its places, one at a time. */
function* spoilt(value: unknown): Generator<unknown> {
  yield* replacements;
  if (Array.isArray(value)) {
    for (const [at, inner] of value.entries())
      for (const other of spoilt(inner)) yield value.with(at, other);
    yield [...value, ...value];
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value))
      for (const other of spoilt(inner)) yield { ...value, [key]: other };
    yield { ...value, unheardOf: 1 };
  }
}

/** Rules in code are no part of a shape; what has passed them is taken. */
const isRuleInCode = (error: z.ZodError): boolean =>
  error.issues.every(({ code }) => code === 'custom');
function isAllowed(declaration: z.ZodType, value: unknown): boolean {
  const parsed = declaration.safeParse(value);
  return parsed.success || isRuleInCode(parsed.error);
}

const declarations: (readonly [string, z.ZodType])[] = [
  ['a message to a page', ToPage],
  ...Object.entries(procedures).map(([name, { output }]) => [name, output] as const),
];

test.each(declarations)(
  '%s: nothing fits its shape that its declaration would refuse, and what fits the one fits the other',
  (_name, declaration) => {
    const shape = shapeOf(declaration);
    // Copied through JSON, as a page receives it.
    const sent: Shape = JSON.parse(JSON.stringify(shape));
    const examples = examplesOf(shape);
    expect(examples.filter((example) => !isAllowed(declaration, example))).toEqual([]);
    const spoiltOnes = examples
      .slice(0, isLong ? 10 : 1)
      .flatMap((example) => [...spoilt(example)]);
    // The other way round with what the declaration makes of a value, e.g. without the spaces
    // around it.
    const isWrong = (value: unknown): boolean => {
      const parsed = declaration.safeParse(value);
      return fits(sent, value)
        ? !parsed.success && !isRuleInCode(parsed.error)
        : parsed.success && !fits(sent, parsed.data);
    };
    expect(spoiltOnes.filter(isWrong)).toEqual([]);
  },
);

describe('what no shape can say', () => {
  test.each([
    ['a date', z.date()],
    ['a map', z.map(z.string(), z.string())],
    ['a pattern that ignores case', z.string().regex(/^a$/i)],
    ['both of two', z.object({ a: z.string() }).and(z.object({ b: z.string() }))],
  ])('%s is refused when the pages are built', (_what, declaration) =>
    expect(() => shapeOf(declaration)).toThrow(),
  );
});
