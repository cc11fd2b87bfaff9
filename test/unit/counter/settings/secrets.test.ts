import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadSettings } from '../../../../main/counter/settings/load.ts';
import { SettingsError } from '../../../../main/support/settings/settings-error.ts';
import { guardedFiles, lookUpSecret } from '../../../../main/support/settings/secrets.ts';
import type { Secret } from '../../../../main/support/settings/secrets.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-secrets-'));
  mkdirSync(join(folder, 'credentials'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const lookUp = (
  secret: Secret,
  environment: Record<string, string> = { CREDENTIALS_DIRECTORY: join(folder, 'credentials') },
): string => lookUpSecret(secret, 'wallet.clientSecret', { environment, safe: null, folder });
const put = (name: string, content: string | Uint8Array): string => {
  writeFileSync(join(folder, name), content, { mode: 0o600 });
  return join(folder, name);
};
const refusals = (secret: Secret, environment?: Record<string, string>): readonly string[] => {
  try {
    lookUp(secret, environment);
  } catch (error) {
    if (error instanceof SettingsError) return error.mistakes;
    throw error;
  }
  return [];
};

describe('a secret in a file', () => {
  test.each([
    ['alone', 'very secret'],
    ['with a line’s end', 'very secret\n'],
    ['with Windows’ line’s end', 'very secret\r\n'],
    ['after a byte order mark', '\ufeffvery secret\n'],
  ])('is read: %s', (_what, content) => {
    expect(lookUp({ file: put('secret', content) })).toBe('very secret');
  });

  test('may have spaces and letters of any language', () => {
    expect(lookUp({ file: put('secret', ' smørrebrød \n') })).toBe(' smørrebrød ');
  });

  test('is found from where the settings are, and through a link, as secrets are mounted', () => {
    put('secret', 'very secret\n');
    symlinkSync('secret', join(folder, 'link'));
    expect([lookUp({ file: 'secret' }), lookUp({ file: 'link' })]).toEqual([
      'very secret',
      'very secret',
    ]);
    writeFileSync(
      join(folder, 'settings.json'),
      JSON.stringify({
        wallet: {
          baseUrl: 'https://api.example',
          authUrl: 'https://auth.example',
          clientId: 'me',
          clientSecret: { file: 'secret' },
          reportingKey: { credential: 'reports' },
          merchantVat: 'DK12345678',
        },
        lanes: [
          {
            id: '1',
            name: 'Check-out 1',
            currency: 'DKK',
            pointOfSale: {
              merchantPosId: 'one',
              storeId: '51050000-0000-4000-8000-000000000001',
              name: 'Check-out 1',
              beaconTypes: ['QR'],
            },
            till: { protocol: 'zvt', transport: 'tcp', port: 0 },
          },
        ],
      }),
    );
    put('credentials/reports', 'the key\n');
    expect(
      loadSettings(join(folder, 'settings.json'), {
        CREDENTIALS_DIRECTORY: join(folder, 'credentials'),
      }).wallet,
    ).toMatchObject({
      clientSecret: 'very secret',
      reportingKey: 'the key',
    });
  });

  test('is a mistake with its path, its rule and the file where it cannot be one, and never says what is in it', () => {
    const at = (name: string): string => join(folder, name);
    put('empty', '\n');
    put('two', 'very secret\nvery secret\n');
    put('binary', Buffer.from([0xff, 0xfe, 0x00]));
    put('nul', 'very\0secret');
    truncateSync(put('large', ''), 10_001);
    expect(
      ['missing', 'credentials', 'empty', 'two', 'binary', 'nul', 'large'].flatMap((name) =>
        refusals({ file: at(name) }),
      ),
    ).toEqual([
      `wallet.clientSecret.file: must name a file that can be read, got "${at('missing')}" (ENOENT)`,
      `wallet.clientSecret.file: must name a regular file, got "${at('credentials')}"`,
      `wallet.clientSecret.file: must name a file that holds the secret, alone and on one line, got "${at('empty')}"`,
      `wallet.clientSecret.file: must name a file that holds the secret, alone and on one line, got "${at('two')}"`,
      `wallet.clientSecret.file: must name a file that holds the secret, alone and on one line, got "${at('binary')}"`,
      `wallet.clientSecret.file: must name a file that holds the secret, alone and on one line, got "${at('nul')}"`,
      `wallet.clientSecret.file: must name a file of at most 10000 bytes, got "${at('large')}"`,
    ]);
  });

  test.skipIf(process.platform === 'win32')(
    'is not waited for where somebody has put a pipe',
    () => {
      spawnSync('mkfifo', [join(folder, 'pipe')]);
      expect(refusals({ file: 'pipe' })).toEqual([
        'wallet.clientSecret.file: must name a regular file, got "pipe"',
      ]);
    },
  );

  test.skipIf(process.getuid?.() === 0 || process.platform === 'win32')(
    'that nobody may read is named',
    () => {
      chmodSync(put('closed', 'very secret'), 0);
      expect(refusals({ file: 'closed' })).toEqual([
        'wallet.clientSecret.file: must name a file that can be read, got "closed" (EACCES)',
      ]);
    },
  );
});

describe('a credential of systemd', () => {
  test('is read where systemd says', () => {
    put('credentials/wallet', 'very secret\n');
    expect(lookUp({ credential: 'wallet' })).toBe('very secret');
  });

  test('that systemd has not given is a mistake that names the setting to make', () => {
    const rule =
      'wallet.clientSecret.credential: must name a credential that systemd has given this service (LoadCredential=), got "wallet"';
    expect([
      ...refusals({ credential: 'wallet' }),
      ...refusals({ credential: 'wallet' }, {}),
    ]).toEqual([`${rule} (ENOENT)`, rule]);
  });
});

describe('the files that a settings file makes the daemon’s business', () => {
  const path = '/etc/tillbeacon/settings.json';
  test.each([
    ['a counter with its secret in it', { wallet: { clientSecret: 'very secret' } }, true],
    [
      'a counter whose second secret is in it',
      { wallet: { clientSecret: { env: 'A' }, reportingKey: 'a key' } },
      true,
    ],
    [
      'callbacks',
      { subscriptions: [{ scheme: 'basic', userName: 'wallet', password: 'very secret' }] },
      true,
    ],
    ['a webhook', { appPayments: [{ url: 'https://x', signatureKey: 'very secret' }] }, true],
    [
      'one that breaks a rule elsewhere',
      { wallet: { clientSecret: 'very secret' }, lanes: 'none' },
      true,
    ],
    [
      'a demonstration',
      { wallet: { simulator: true }, lanes: [{ pointOfSale: { merchantPosId: 'a' } }] },
      false,
    ],
    [
      'one whose secrets are all elsewhere',
      { wallet: { clientSecret: { env: 'A' }, reportingKey: { sealed: 'c2VhbGVk' } } },
      false,
    ],
  ])('are the file itself, and what it holds: %s', (_what, json, holdsSecret) => {
    expect(guardedFiles(path, JSON.stringify(json))).toEqual([{ path, holdsSecret }]);
  });

  test('hold a secret for all that is known of them when they are no JSON', () => {
    expect(guardedFiles(path, '{ "wallet": ')).toEqual([{ path, holdsSecret: true }]);
  });

  test('are those with its secrets, and not what systemd keeps', () => {
    const wallet = {
      clientSecret: { file: 'wallet' },
      reportingKey: { file: '/run/secrets/reports' },
    };
    expect(
      guardedFiles(path, JSON.stringify({ wallet, invoices: [{ apiKey: { credential: 'a' } }] })),
    ).toEqual([
      { path, holdsSecret: false },
      { path: '/etc/tillbeacon/wallet', holdsSecret: true },
      { path: '/run/secrets/reports', holdsSecret: true },
    ]);
  });
});
