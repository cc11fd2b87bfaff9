import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { documentPage, documentPolicy } from '../../../../main/tills/http/docs-page.ts';
import { openApi } from '../../../../main/tills/http/openapi.ts';
import { operations } from '../../../../main/tills/http/operations.ts';
import { problemKinds, problemType } from '../../../../main/tills/http/problems.ts';

const document = openApi('1.0');
const text = JSON.stringify(document);

test('is OpenAPI 3.1, with every operation and every refusal', async () => {
  const { valid, errors } = await new Validator().validate(document);
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
  expect(
    Object.keys(operations).filter((name) => !text.includes(`"operationId":"${name}"`)),
  ).toEqual([]);
  // These refusals come before any operation is chosen.
  const ofNone = ['method-refused', 'not-found'];
  const undocumented = Object.keys(problemKinds).filter(
    (code) => !text.includes(`${problemType(code as keyof typeof problemKinds)}\``),
  );
  expect(undocumented.filter((code) => !ofNone.includes(code))).toEqual([]);
});

test('says that a field which may be left out may be null in a request, in the lines too', () => {
  interface Schema {
    readonly type?: string;
    readonly anyOf?: readonly Schema[];
    readonly items?: Schema;
    readonly properties?: Readonly<Record<string, Schema>>;
    readonly required?: readonly string[];
  }
  const body = openApi('1.0') as {
    paths: Record<
      string,
      { post: { requestBody: { content: Record<string, { schema: Schema }> } } }
    >;
  };
  const schema = body.paths['/v1/payments']?.post.requestBody.content['application/json']?.schema;
  const nullable = (fields: Schema['properties'] = {}): string[] =>
    Object.entries(fields).flatMap(([name, { anyOf = [] }]) =>
      anyOf.at(-1)?.type === 'null' ? [name] : [],
    );
  expect(schema?.required).toEqual(['amountMinor', 'currency']);
  expect(nullable(schema?.properties)).toEqual(['reserve', 'amountFollows', 'lines', 'minimumAge']);
  const [lines] = schema?.properties?.['lines']?.anyOf ?? [];
  expect(nullable(lines?.items?.properties)).toEqual([
    'id',
    'taxRate',
    'quantity',
    'unit',
    'unitPriceMinor',
    'discountMinor',
  ]);
  expect(documentPage(document)).toContain('null is the same as leaving the field out');
});

test('the page shows it, without a script and without anything from another host', () => {
  const page = documentPage(document);
  for (const { path, says } of Object.values(operations)) {
    expect(page).toContain(path);
    expect(page).toContain(says);
  }
  for (const field of [
    'amountMinor',
    'requestedMinor',
    'list of { field, rule }',
    'pending | reserved | paid | notPaid',
  ])
    expect(page).toContain(`<td>${field}`);
  expect(page).not.toMatch(/<script|https?:\/\/(?!\w)|src=|@import|url\(/);
  const [, style = ''] = /<style>([^]*)<\/style>/.exec(page) ?? [];
  expect(documentPolicy).toContain(
    `'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  );
  expect(documentPolicy).toContain("default-src 'none'");
});

test('docs/http-api.md prints the till of examples', () => {
  const read = (path: string): string =>
    readFileSync(join(import.meta.dirname, '../../../..', path), 'utf8');
  expect(/```js\n([^]*?)```/.exec(read('docs/http-api.md'))?.[1]).toBe(read('examples/till.mjs'));
});
