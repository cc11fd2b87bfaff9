import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shapeMistake } from '../../../../main/wallets/callbacks/body-shape.ts';

const limits = { records: 3, depth: 3 };
const mistakeIn = (text: string): string | null =>
  shapeMistake(new TextEncoder().encode(text), limits);

test.each([
  ['a record', '{"a":1}'],
  ['a list', '[{"a":1},{"b":[2]}]'],
  ['an empty list', ' [ ] '],
  ['white space and a byte order mark', '\uFEFF\r\n\t [ {} , {} ]'],
  ['as many records as may be', '[{},{},{}]'],
  ['as deep as may be, in a record', '{"a":[[0]]}'],
  ['as deep as may be, in a list', '[{"a":[[0]]}]'],
  [
    'brackets, commas and quotation marks in texts',
    '[{"a":"[[[[[[","b\\"{{{{":",{},{},{},\\\\","c":"\\\\\\""}]',
  ],
  ['what is no JSON is for the parser to say', 'x'],
])('%s is within the limits', (_what, text) => {
  expect(mistakeIn(text)).toBeNull();
});

test.each([
  ['one record too many', '[{},{},{},{}]', 'the body must hold at most 3 records'],
  [
    'one level too many in a record',
    '{"a":[[[0]]]}',
    'a record must not be nested deeper than 3 levels',
  ],
  [
    'one level too many in a list',
    '[{},{"a":[[{}]]}]',
    'a record must not be nested deeper than 3 levels',
  ],
  ['a number in the list', '[0]', 'the record must be an object'],
  ['a list in the list', '[[]]', 'the record must be an object'],
  ['a text behind a record', '[{},"{}"]', 'record 2 must be an object'],
  ['nothing behind two records', '[{},{},null]', 'record 3 must be an object'],
])('%s is a mistake that names the rule', (_what, text, mistake) => {
  expect(mistakeIn(text)).toBe(mistake);
});

test('stops at the first mistake, whatever comes behind it', () => {
  let looked = 0;
  const bytes = new Proxy(new TextEncoder().encode(`[${'0,'.repeat(1_000)}0]`), {
    get: (target, name) => {
      if (typeof name === 'string' && /^\d+$/.test(name)) looked = Math.max(looked, Number(name));
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  expect(shapeMistake(bytes, limits)).toBe('the record must be an object');
  expect(looked).toBeLessThan(3);
});

const depthOf = (json: unknown): number =>
  typeof json === 'object' && json !== null
    ? 1 + Math.max(0, ...Object.values(json).map(depthOf))
    : 0;

test('finds in whatever JSON there is what the parser would find', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.json({ maxDepth: 6 }),
        fc
          .array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 })), { maxLength: 5 })
          .map((list) => JSON.stringify(list)),
      ),
      (text) => {
        const json = JSON.parse(text) as unknown;
        const list = Array.isArray(json) ? (json as unknown[]) : [json];
        const isWithin =
          typeof json !== 'object' ||
          json === null ||
          (list.length <= limits.records &&
            list.every(
              (one) =>
                typeof one === 'object' &&
                one !== null &&
                !Array.isArray(one) &&
                depthOf(one) <= limits.depth,
            ));
        expect(mistakeIn(text) === null).toBe(isWithin);
      },
    ),
  );
});

test('any bytes are judged without an error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) =>
      [null, 'string'].includes(shapeMistake(bytes, limits) === null ? null : 'string'),
    ),
  );
});
