import { expect, test } from 'vitest';
import { mapSettingsSecrets } from '../../../../main/counter/settings/each-secret.ts';
import { settingsJsonSchema } from '../../../../main/counter/settings/json-schema.ts';
import { Settings } from '../../../../main/counter/settings/schema.ts';

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/** Where the schema lets a sealed value stand. */
function sealable(
  { properties = {}, items, anyOf = [], oneOf = [] }: Schema,
  path: string,
): string[] {
  const branches = [...anyOf, ...oneOf];
  if (branches.some((branch) => branch.properties?.['sealed'] !== undefined)) return [path];
  return [
    ...branches.flatMap((branch) => sealable(branch, path)),
    ...Object.entries(properties).flatMap(([name, property]) =>
      sealable(property, path === '' ? name : `${path}.${name}`),
    ),
    ...(items === undefined ? [] : sealable(items, `${path}.0`)),
  ];
}

const wallets = {
  v10: {
    baseUrl: 'https://api.example',
    authUrl: 'https://auth.example',
    clientId: 'me',
    clientSecret: 'a',
    reportingKey: 'b',
    merchantVat: 'DK12345678',
  },
  epayment: {
    service: 'epayment',
    environment: 'test',
    country: 'DK',
    clientId: 'me',
    clientSecret: 'c',
    subscriptionKey: 'd',
    secondSubscriptionKey: 'e',
    merchantSerialNumber: '123456',
  },
};
const counter = (wallet: object, formerWallet: object, till: object): Settings =>
  Settings.parse({
    wallet,
    formerWallet,
    receiver: { url: 'https://callbacks.example', token: 'f' },
    network: { proxy: { url: 'http://proxy.example:3128', user: 'till', password: 'i' } },
    monitoring: {
      metrics: { host: '127.0.0.1', token: 'g' },
      traces: { endpoint: 'https://collector.example', token: 'h' },
    },
    lanes: [
      {
        id: '1',
        name: 'Check-out 1',
        currency: 'DKK',
        pointOfSale: {
          merchantPosId: 'one',
          name: 'Check-out 1',
          storeId: '51050000-0000-4000-8000-000000000001',
        },
        till,
      },
    ],
  });
/** Between them they have every secret there is. */
const counters = [
  counter(wallets.v10, wallets.epayment, { protocol: 'zvt', transport: 'tcp', password: '192837' }),
  counter(wallets.epayment, wallets.v10, {
    protocol: 'http',
    nexo: {
      poiId: 'T-1',
      key: { identifier: 'shop', version: 1, passphrase: 'correct horse battery' },
    },
  }),
];

test('every secret of the settings is found, by its path', () => {
  const secretPaths = new Set<string>();
  for (const settings of counters)
    mapSettingsSecrets(settings, (secret, path) => {
      secretPaths.add(path);
      return secret;
    });
  expect([...secretPaths].toSorted()).toEqual(
    [...new Set(sealable(JSON.parse(settingsJsonSchema()) as Schema, ''))].toSorted(),
  );
  expect(secretPaths).toContain('lanes.0.till.password');
});

test('of settings whose secrets are all replaced nothing else is changed', () => {
  for (const settings of counters) {
    const changed = mapSettingsSecrets(settings, () => ({ env: 'ELSEWHERE' }));
    expect(Settings.parse(changed)).toEqual(changed);
    const plain = (value: unknown): string =>
      JSON.stringify(value).replaceAll('{"env":"ELSEWHERE"}', '"***"');
    const secrets: string[] = [];
    mapSettingsSecrets(settings, (secret) => {
      secrets.push(JSON.stringify(secret));
      return secret;
    });
    expect(plain(changed)).toBe(
      secrets.reduce(
        (text, secret) => text.replaceAll(`:${secret}`, ':"***"'),
        JSON.stringify(settings),
      ),
    );
  }
});
