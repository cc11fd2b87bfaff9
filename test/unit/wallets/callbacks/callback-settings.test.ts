import { expect, test } from 'vitest';
import { checkSettings } from '../../../../main/support/settings/settings-text.ts';
import { SettingsError } from '../../../../main/support/settings/settings-error.ts';
import {
  CallbackSettingsFile,
  withSecrets,
} from '../../../../main/wallets/callbacks/callback-settings.ts';

const mistakesIn = (json: unknown): readonly string[] => {
  try {
    checkSettings(CallbackSettingsFile, json);
    return [];
  } catch (error) {
    return (error as SettingsError).mistakes;
  }
};

const oauth2 = { scheme: 'oauth2', clientId: 'c', clientSecret: 's' };

test('a few words are enough', () => {
  expect(checkSettings(CallbackSettingsFile, { checkin: true })).toEqual({
    listen: { host: '127.0.0.1', port: 4170 },
    profile: 'generic',
    checkin: true,
  });
});

test.each<[string, unknown, string]>([
  ['nothing to take', {}, 'settings: must name at least one of'],
  ['nothing to take, said aloud', { checkin: false }, 'settings: must name at least one of'],
  ['a name that is not known', { checkin: true, colour: 1 }, 'colour: is not a known setting'],
  ['no credential', { invoices: [] }, 'invoices: must hold at least one credential'],
  ['another scheme', { invoices: [{ scheme: 'magic', key: 'secret' }] }, 'invoices.0.scheme'],
  [
    'a user name with a colon',
    { invoices: [{ scheme: 'basic', userName: 'a:b', password: 'p' }] },
    'invoices.0.userName: must not be empty and not hold a colon',
  ],
  ['an empty scope', { subscriptions: [{ ...oauth2, scope: '' }] }, 'subscriptions.0.scope'],
  [
    'two blanks in a scope',
    { subscriptions: [{ ...oauth2, scope: 'a  b' }] },
    'subscriptions.0.scope',
  ],
  ['a quote in a scope', { subscriptions: [{ ...oauth2, scope: 'a"b' }] }, 'subscriptions.0.scope'],
  ['an empty key', { invoices: [{ scheme: 'apiKey', apiKey: '' }] }, 'invoices.0.apiKey'],
  [
    'a credential that is no name',
    { invoices: [{ scheme: 'apiKey', apiKey: { credential: '../a' } }] },
    'invoices.0.apiKey.credential: must be the name of',
  ],
  [
    'a webhook without an address',
    { appPayments: [{ url: 'shop', signatureKey: 'k' }] },
    'appPayments.0.url: must be an address that begins with https://',
  ],
  [
    'a webhook over http',
    { appPayments: [{ url: 'http://shop.example/', signatureKey: 'k' }] },
    'appPayments.0.url: must begin with https://',
  ],
  [
    'a service over http',
    { checkin: true, catchUp: [{ baseUrl: 'http://api.example', apiKey: 'k', appPayments: true }] },
    'catchUp.0.baseUrl: must begin with https://',
  ],
  ['a port that is none', { checkin: true, listen: { port: 65_536 } }, 'listen.port'],
])('%s is a mistake with its path', (_what, json, expected) => {
  expect(mistakesIn(json)).toEqual([expect.stringContaining(expected)]);
});

test('a webhook may be called with a query', () => {
  expect(
    mistakesIn({ appPayments: [{ url: 'https://shop.example/?of=1', signatureKey: 'k' }] }),
  ).toEqual([]);
});

test('a secret that is wrong is not shown', () => {
  const catchUp = [{ baseUrl: 'https://me:hunter2@api.example', apiKey: 'k', appPayments: true }];
  expect(mistakesIn({ checkin: true, catchUp })).toEqual([
    'catchUp.0.baseUrl: must not hold a user name or a password, got "https://***@api.example"',
  ]);
  expect(mistakesIn({ invoices: [{ scheme: 'apiKey', apiKey: 4711 }] }).join()).not.toContain(
    '4711',
  );
});

test('secrets come from where the settings say, wherever they stand', () => {
  const file = checkSettings(CallbackSettingsFile, {
    subscriptions: [
      { scheme: 'oauth2', clientId: 'c', clientSecret: { env: 'A' } },
      { scheme: 'apiKey', apiKey: 'a key' },
    ],
    appPayments: [{ url: 'https://x', signatureKey: { file: 'b' } }],
    catchUp: [{ baseUrl: 'https://x', apiKey: { credential: 'c' }, appPayments: true }],
  });
  const ready = withSecrets(file, (secret, path) => `${path} ${JSON.stringify(secret)}`);
  expect(ready.subscriptions).toEqual([
    { scheme: 'oauth2', clientId: 'c', clientSecret: 'subscriptions.0.clientSecret {"env":"A"}' },
    { scheme: 'apiKey', apiKey: 'a key' },
  ]);
  expect(ready.appPayments).toEqual([
    { url: 'https://x', signatureKey: 'appPayments.0.signatureKey {"file":"b"}' },
  ]);
  expect(ready.catchUp).toMatchObject([{ apiKey: 'catchUp.0.apiKey {"credential":"c"}' }]);
});
