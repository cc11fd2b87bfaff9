/** What is made from the declarations, and what every declaration must hold. */
import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogue } from '../../../main/wallet/v10/catalogue.ts';
import { operationPath } from '../../../main/wallet/http/operation.ts';
import { profileNamed } from '../../../main/wallet/v10/profile.ts';
import { walletReference } from '../../../main/wallet/v10/reference.ts';
import { Service } from '../sandbox/simulator/support.ts';

const profile = profileNamed('generic');

describe('every declaration', () => {
  test('has a name of its own, and a path of its own', () => {
    const names = catalogue.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    const routes = catalogue.map((operation) => `${operation.method} ${operationPath(profile, operation).replaceAll(/\{\w+\}/g, '{}')}`);
    expect(routes.filter((route, index) => routes.indexOf(route) !== index)).toEqual([]);
  });

  test.each(catalogue.map((operation) => [operation.name, operation] as const))('%s says what it does, and where that is written', (_name, operation) => {
    expect(operation.says).toMatch(/^\p{Lu}.*\.$/u);
    expect(operation.source).toMatch(/document \d/);
    for (const rule of operation.rules) expect(rule.says).toMatch(/^(must|has|holds|is|names|needs|may|cannot)/);
  });

  test('of an interface with codes names only codes whose meaning is known', () => {
    for (const {
      name,
      interface: { codes },
      fieldCodes,
      refusals,
    } of catalogue) {
      if (Object.keys(codes).length === 0) continue;
      for (const code of [...Object.values(fieldCodes), ...Object.values(refusals).flat()]) expect(codes, name).toHaveProperty(code);
    }
  });
});

test('the reference is what the declarations say: run "npm run wallet-reference"', () => {
  expect(readFileSync(new URL('../../../main/wallet/v10/REFERENCE.md', import.meta.url), 'utf8')).toBe(walletReference());
});

describe('the simulator', () => {
  const service = new Service();
  beforeAll(() => service.start());
  afterAll(() => service.simulator.stop());
  const get = async (path: string): Promise<Record<string, unknown>> =>
    (await (await fetch(service.simulator.baseUrl + path)).json()) as Record<string, unknown>;

  test('describes every operation in a valid OpenAPI document', async () => {
    const document = (await get('/openapi.json')) as { paths: Record<string, Record<string, { operationId: string }>> };
    expect(await new Validator().validate(document as never)).toMatchObject({ valid: true });
    const described = Object.values(document.paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
    expect(described.toSorted()).toEqual(['token', ...catalogue.map(({ name }) => name)].toSorted());
  });

  test.each(catalogue.map((operation) => [operation.name, operation] as const))('asks who calls %s: 401 without a body', async (_name, operation) => {
    const path = operationPath(profile, operation).replaceAll(/\{\w+\}/g, service.simulator.world.ids.uuid());
    const answer = await fetch(service.simulator.baseUrl + path, { method: operation.method });
    expect({ status: answer.status, body: await answer.text() }).toEqual({ status: 401, body: '' });
  });
});
