import { expect, test } from 'vitest';
import { z } from 'zod';
import { serviceNames } from '../../../main/core/domain/sale.ts';
import { refundDays } from '../../../main/core/settlement/capabilities.ts';
import { allProviders, providerOf } from '../../../main/wallets/wallet-providers.ts';

const isSecretSchema = (schema: object): boolean => JSON.stringify(schema).includes('"credential"');

test('lists each provider under the name that settings and records use', () => {
  expect(allProviders.map(({ name }) => name).toSorted()).toEqual([...serviceNames].toSorted());
  for (const name of serviceNames) expect(providerOf({ service: name }).name).toBe(name);
});

test('reads settings and records without a service as those of v10', () => {
  expect(providerOf({}).name).toBe('v10');
});

test.each(allProviders)('$name names every secret of its settings', (provider) => {
  const { properties = {}, required = [] } = z.toJSONSchema(provider.settings, { io: 'input' });
  const secrets = Object.entries(properties).flatMap(([field, schema]) =>
    isSecretSchema(Object(schema)) ? [field] : [],
  );
  const { credentials } = provider;
  const declared = credentials.filter(({ isSecret }) => isSecret).map(({ field }) => field);
  expect(declared.toSorted()).toEqual(secrets.toSorted());
  for (const { field, isOptional } of credentials) {
    expect(properties).toHaveProperty(field);
    expect(required.includes(field)).toBe(!isOptional);
  }
});

test.each(allProviders)('$name refunds as long as the domain says', ({ name, capabilities }) => {
  expect(capabilities.refundDays).toBe(refundDays[name]);
});
