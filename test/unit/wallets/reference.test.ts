/** Checks what is generated from the declarations, and the rules for every declaration. */
import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { epaymentCatalogue } from '../../../main/wallets/epayment/epayment-catalogue.ts';
import { epaymentReference } from '../../../main/wallets/epayment/epayment-reference.ts';
import { epaymentProfile } from '../../../main/wallets/epayment/epayment-profile.ts';
import { v10Catalogue } from '../../../main/wallets/v10/v10-catalogue.ts';
import { operationPath } from '../../../main/wallets/http/operation.ts';
import { profileNamed } from '../../../main/wallets/v10/v10-profile.ts';
import { v10Reference } from '../../../main/wallets/v10/v10-reference.ts';
import { Service } from '../sandbox/simulator/support.ts';

const profile = profileNamed('generic');
const bothServices = [...v10Catalogue, ...epaymentCatalogue];
const both = { paths: { ...profile.paths, ...epaymentProfile.paths } };

describe('every declaration', () => {
  test('has a name of its own, and a path of its own', () => {
    const names = bothServices.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    const routes = bothServices.map(
      (operation) =>
        `${operation.method} ${operationPath(both, operation).replaceAll(/\{\w+\}/g, '{}')}`,
    );
    expect(routes.filter((route, index) => routes.indexOf(route) !== index)).toEqual([]);
  });

  test.each(bothServices.map((operation) => [operation.name, operation] as const))(
    '%s says what it does, and where that is written',
    (_name, operation) => {
      expect(operation.says).toMatch(/^\p{Lu}.*\.$/u);
      expect(operation.source).toMatch(/document \d/);
      for (const rule of operation.rules)
        expect(rule.says).toMatch(/^(must|has|holds|is|names|needs|may|cannot)/);
    },
  );

  test('of an interface with codes names only codes whose meaning is known', () => {
    for (const {
      name,
      interface: { codes },
      fieldCodes,
      refusals,
    } of bothServices) {
      if (Object.keys(codes).length === 0) continue;
      for (const code of [...Object.values(fieldCodes), ...Object.values(refusals).flat()])
        expect(codes, name).toHaveProperty(code);
    }
  });
});

test.each([
  ['v10', v10Reference],
  ['epayment', epaymentReference],
] as const)(
  'the reference of %s is what the declarations say: run "npm run wallet-reference"',
  (service, reference) => {
    expect(
      readFileSync(
        new URL(`../../../main/wallets/${service}/REFERENCE.md`, import.meta.url),
        'utf8',
      ),
    ).toBe(reference());
  },
);

interface TestEndpoint {
  readonly responses: object;
  readonly requestBody: {
    readonly content: {
      readonly 'application/json': { readonly schema: { readonly properties: object } };
    };
  };
}

describe('the simulator', () => {
  const service = new Service();
  beforeAll(() => service.start());
  afterAll(() => service.simulator.stop());
  const get = async (path: string): Promise<Record<string, unknown>> =>
    (await (await fetch(service.simulator.baseUrl + path)).json()) as Record<string, unknown>;

  test('describes every operation in a valid OpenAPI document', async () => {
    const document = (await get('/openapi.json')) as {
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    expect(await new Validator().validate(document as never)).toMatchObject({ valid: true });
    const ofService = Object.entries(document.paths).filter(
      ([path]) => !path.startsWith('/simulator/'),
    );
    const described = ofService.flatMap(([, methods]) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(described.toSorted()).toEqual(
      ['token', ...bothServices.map(({ name }) => name)].toSorted(),
    );
  });

  test('describes every endpoint for tests: what it takes, and that it takes nothing else', async () => {
    const { paths } = (await get('/openapi.json')) as {
      paths: Record<string, { post: TestEndpoint }>;
    };
    const described = Object.entries(paths).filter(([path]) => path.startsWith('/simulator/'));
    for (const [path, { post }] of described) {
      const answer = await fetch(service.simulator.baseUrl + path, {
        method: 'POST',
        body: '"nothing"',
      });
      expect({ path, status: answer.status, described: Object.keys(post.responses) }).toMatchObject(
        {
          status: 400,
          described: expect.arrayContaining(['400']),
        },
      );
    }
    const schema = (name: string) =>
      paths[`/simulator/${name}`]?.post.requestBody.content['application/json'].schema;
    expect(schema('subscriptions/pay-by-hand')).toMatchObject({
      required: ['paymentId'],
      additionalProperties: false,
    });
    const settings = [
      'phoneNumber',
      'balanceMinor',
      'identifiedBy',
      'dayLimitMinor',
      'monthLimitMinor',
      'yearLimitMinor',
      'appVersion',
    ];
    expect(Object.keys(schema('subscriptions/set-user')?.properties ?? {})).toEqual(settings);
    expect(schema('clock')).toMatchObject({ required: ['advanceMs'] });
    expect(schema('phone/checkin')).toBeDefined();
    expect(schema('invoice/create')).toBeDefined();
    expect(schema('app-payments/accept')).toBeDefined();
  });

  test.each(v10Catalogue.map((operation) => [operation.name, operation] as const))(
    'asks who calls %s: 401 without a body',
    async (_name, operation) => {
      const path = operationPath(profile, operation).replaceAll(
        /\{\w+\}/g,
        service.simulator.world.ids.uuid(),
      );
      const answer = await fetch(service.simulator.baseUrl + path, { method: operation.method });
      expect({ status: answer.status, body: await answer.text() }).toEqual({
        status: 401,
        body: '',
      });
    },
  );
});
