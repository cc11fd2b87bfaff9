import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { documentPage, documentPolicy } from '../../../../main/tills/http/docs-page.ts';
import { openApi } from '../../../../main/tills/http/openapi.ts';
import { operations } from '../../../../main/tills/http/operations.ts';
import { problemKinds, problemType } from '../../../../main/tills/http/problems.ts';
import { reserved } from '../../core/lane/support.ts';
import { ApiWorld, bread } from './support.ts';

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

describe('the till that docs/http-api.md prints', () => {
  const printed =
    /```js\n([^]*?)```/.exec(
      readFileSync(join(import.meta.dirname, '../../../../docs/http-api.md'), 'utf8'),
    )?.[1] ?? '';
  let at: ApiWorld;
  beforeEach(async () => {
    at = await new ApiWorld().open();
    writeFileSync(join(at.folder, 'till.mjs'), printed);
  });
  afterEach(() => at.close());

  interface Run {
    readonly amount?: string;
    readonly token?: string;
    readonly killedWhen?: () => boolean;
    readonly signal?: 'SIGINT';
  }
  /** Runs the till's program of the document while the clock moves. */
  async function run({ amount = '12.34', token = at.token, ...about }: Run = {}): Promise<string> {
    const env = { ...process.env, TILL_URL: `http://127.0.0.1:${at.api.port}`, TILL_TOKEN: token };
    const till = spawn(process.execPath, ['till.mjs', amount], {
      cwd: at.folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    for (const output of [till.stdout, till.stderr])
      output.on('data', (part) => (text += String(part)));
    const ended = new Promise<void>((resolve) => till.on('close', () => resolve()));
    let isOver = false;
    void ended.then(() => (isOver = true));
    let isTold = false;
    while (!isOver) {
      if (about.killedWhen?.() === true) till.kill('SIGKILL');
      if (text.includes('scan') && !isTold) {
        isTold = true;
        if (about.signal !== undefined) till.kill(about.signal);
      }
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 20))]);
      if (isTold) await at.world.clock.pass(500);
    }
    return text;
  }

  test('is about 45 lines', () => expect(printed.split('\n').length).toBeLessThan(52));

  test('is paid, and forgets its key only then', async () => {
    at.world.pollAnswers = [reserved];
    expect(await run()).toMatch(/12\.34 DKK: please scan the code.*\nPaid\. Receipt 1\.\n/s);
    expect(existsSync(join(at.folder, 'till-payment.json'))).toBe(false);
  });

  test('killed in the middle, its next start asks for the same payment', async () => {
    at.world.pollAnswers = [reserved];
    await run({ killedWhen: () => at.world.lane.snapshot().current !== null });
    await at.world.clock.pass(2_000);
    expect(await run()).toContain('Paid. Receipt 1.');
    expect(at.world.whatLeft().filter((what) => what === 'create')).toHaveLength(1);
  });

  test('refused before anything has begun, it asks for the next amount the next time', async () => {
    expect(await run({ amount: '8', token: 'tbt_unknown' })).toContain(
      'The token is missing or unknown',
    );
    at.world.pollAnswers = [reserved];
    expect(await run()).toContain('12.34 DKK: please scan');
  });

  test('refused after a payment has begun, it keeps that payment, and says so', async () => {
    at.world.pollAnswers = [reserved];
    await run({ killedWhen: () => at.world.lane.snapshot().current !== null });
    await at.world.clock.pass(2_000);
    await run({ amount: '8', token: 'tbt_unknown' });
    expect(await run({ amount: '8' })).toMatch(
      /Takes up the payment that was begun before.*12\.34 DKK.*Paid\. Receipt 1\./s,
    );
  });

  test('cancels with Ctrl+C', async () => {
    at.world.pollAnswers = Array.from(
      { length: 30 },
      () => ({ kind: 'seen', status: 'issuedToUser', ...bread }) as const,
    );
    expect(await run({ signal: 'SIGINT' })).toContain('Not paid: cancelledByTill.');
  });
});
