import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { SettingsError } from '../../../../main/support/settings/settings-error.ts';
import type { SecretSafe } from '../../../../main/support/settings/secrets.ts';
import {
  type SettingsRead,
  SettingsFile,
} from '../../../../main/counter/settings/settings-file.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const pointOfSale = {
  merchantPosId: 'one',
  storeId: '51050000-0000-4000-8000-000000000001',
  name: 'Check-out 1',
  beaconTypes: ['QR'],
};
const lane = {
  id: '1',
  name: 'Check-out 1',
  currency: 'DKK',
  pointOfSale,
  till: { protocol: 'zvt', transport: 'tcp', port: 0 },
};
const wallet = {
  baseUrl: 'https://api.example',
  authUrl: 'https://auth.example',
  clientId: 'me',
  clientSecret: 'very secret',
  merchantVat: 'DK12345678',
};
const text = (change: object = {}): string =>
  JSON.stringify({ wallet, lanes: [{ ...lane, ...change }] });
/**
 * Longer than the pause after which the file is read again, and than the time for which a mistake
 * may stay.
 */
const longEnoughMs = 25_000;

let folder: string;
let path: string;
let clock: ManualClock;
let changes: SettingsRead[];
let file: SettingsFile;
const open = (safe: SecretSafe | null = null): SettingsFile => {
  file = new SettingsFile({
    path,
    dataFolder: folder,
    environment: {},
    safe,
    clock,
    log: silentLog,
  });
  return file;
};
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-settings-'));
  path = join(folder, 'settings.json');
  clock = new ManualClock();
  changes = [];
});
afterEach(() => {
  file.close();
  rmSync(folder, { recursive: true, force: true });
});
const watched = (safe: SecretSafe | null = null): SettingsFile => {
  const opened = open(safe);
  opened.read();
  opened.watch((settingsRead) => changes.push(settingsRead));
  return opened;
};

describe('a settings file that appears or changes', () => {
  test('is told of once, with what it says', async () => {
    watched();
    writeFileSync(path, text());
    await clock.pass(longEnoughMs);
    await clock.pass(longEnoughMs);
    expect(changes).toMatchObject([
      { kind: 'right', ready: { wallet: { clientSecret: 'very secret' } } },
    ]);
  });

  test('is no mistake while it is half written', async () => {
    watched();
    writeFileSync(path, text().slice(0, 60));
    await clock.pass(1_000);
    writeFileSync(path, text());
    await clock.pass(longEnoughMs);
    expect(changes.map(({ kind }) => kind)).toEqual(['right']);
  });

  test('is a mistake when it stays half written, or breaks a rule', async () => {
    watched();
    writeFileSync(path, text().slice(0, 60));
    await clock.pass(longEnoughMs);
    writeFileSync(path, text({ currency: 'SEK' }));
    await clock.pass(longEnoughMs);
    expect(changes).toMatchObject([
      { kind: 'wrong', mistakes: [expect.stringContaining('is not JSON')] },
      { kind: 'wrong', mistakes: [expect.stringMatching(/^lanes\.0\.currency: /)] },
    ]);
  });

  test('is not told of when we wrote it ourselves', async () => {
    const opened = watched();
    const settingsRead = opened.read();
    expect(settingsRead.kind).toBe('none');
    opened.use(opened.write(JSON.parse(text())));
    await clock.pass(longEnoughMs);
    expect(changes).toEqual([]);
  });

  test('that is replaced by a wrong one is kept: what is in use would be nowhere else', async () => {
    writeFileSync(path, text());
    const opened = watched();
    const settingsRead = opened.read();
    if (settingsRead.kind === 'right') opened.use(settingsRead);
    writeFileSync(path, '{}');
    await clock.pass(longEnoughMs);
    expect(readFileSync(join(folder, 'settings.previous.json'), 'utf8')).toBe(text());
  });
});

describe.skipIf(process.platform === 'win32')('a picture of the shop', () => {
  const withLogo = JSON.stringify({ ...JSON.parse(text()), shop: { logo: 'shop/logo.png' } });

  test.skipIf(process.platform === 'win32')(
    'that is a pipe is a mistake, and the daemon does not wait for a writer',
    () => {
      spawnSync('mkfifo', [path]);
      expect(open().read()).toMatchObject({
        kind: 'wrong',
        mistakes: [`${path}: cannot be read (${path} is not a regular file)`],
      });
    },
  );

  test('that is a link to somewhere else is a mistake with its rule, and is none where it may still come', () => {
    writeFileSync(path, withLogo);
    expect(open().read()).toMatchObject({ kind: 'right' });
    mkdirSync(join(folder, 'shop'));
    symlinkSync('/etc/passwd', join(folder, 'shop/logo.png'));
    const rule =
      'shop.logo: must be a png, jpg, webp or svg file in the data folder, got "shop/logo.png", which is /etc/passwd';
    expect(open().read()).toMatchObject({ kind: 'wrong', mistakes: [rule] });
    expect(() => file.write(JSON.parse(withLogo))).toThrow(rule);
  });
});

describe('the files that are guarded', () => {
  test('are the settings and those with their secrets, as they stand there now', async () => {
    watched();
    expect(file.guarded).toEqual([]);
    writeFileSync(
      path,
      JSON.stringify({ wallet: { ...wallet, clientSecret: { file: 'secret' } }, lanes: [lane] }),
    );
    await clock.pass(longEnoughMs);
    expect(file.guarded).toEqual([
      { path, holdsSecret: false },
      { path: join(folder, 'secret'), holdsSecret: true },
    ]);
    file.write(JSON.parse(text()));
    expect(file.guarded).toEqual([{ path, holdsSecret: true }]);
  });
});

describe('settings that are written', () => {
  test('are the owner’s alone, and the previous ones are kept beside them', () => {
    writeFileSync(path, text());
    const opened = open();
    const settingsRead = opened.read();
    if (settingsRead.kind === 'right') opened.use(settingsRead);
    opened.use(opened.write(JSON.parse(text({ name: 'Kasse 1' }))));
    expect(readFileSync(join(folder, 'settings.previous.json'), 'utf8')).toBe(text());
    expect(readFileSync(path, 'utf8')).toContain('Kasse 1');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).toSorted()).toEqual(['settings.json', 'settings.previous.json']);
  });

  test('that could not be used are taken back', () => {
    writeFileSync(path, text());
    const opened = open();
    const settingsRead = opened.read();
    if (settingsRead.kind === 'right') opened.use(settingsRead);
    opened.write(JSON.parse(text({ name: 'Kasse 1' })));
    opened.takeBack();
    expect(readFileSync(path, 'utf8')).toBe(text());
  });

  test('are refused when they break a rule, and the file stays as it was', () => {
    writeFileSync(path, text());
    const opened = open();
    opened.read();
    expect(() => opened.write({ ...JSON.parse(text()), lanes: [] })).toThrow(SettingsError);
    expect(readFileSync(path, 'utf8')).toBe(text());
  });
});

describe('secrets', () => {
  const opaque: SecretSafe = {
    seal: (secret) => Buffer.from(secret).toString('base64'),
    open: (sealed) => Buffer.from(sealed, 'base64').toString(),
  };
  /** As of another user, or of a system without a key store. */
  const none: SecretSafe = {
    seal() {
      throw new Error('this system offers no key store');
    },
    open() {
      throw new Error('it was sealed elsewhere');
    },
  };
  const withPassword = (password: unknown, change: object = {}): string =>
    JSON.stringify({
      wallet: { simulator: true },
      lanes: [{ ...lane, ...change, till: { ...lane.till, password } }],
    });
  const nexoWith = (passphrase: unknown): object => ({
    protocol: 'http',
    nexo: { poiId: 'T-1', key: { identifier: 'shop', version: 1, passphrase } },
  });
  const safe: SecretSafe = {
    seal: (secret) => Buffer.from(secret).toString('hex').padEnd(64, '0'),
    open: () => 'very secret',
  };

  test('that people wrote into the file are sealed in it, where the system can', () => {
    writeFileSync(path, text());
    const settingsRead = open(safe).read();
    expect(readFileSync(path, 'utf8')).not.toContain('very secret');
    expect(settingsRead).toMatchObject({
      kind: 'right',
      ready: { wallet: { clientSecret: 'very secret' } },
    });
    expect(open(safe).read()).toMatchObject({
      kind: 'right',
      ready: { wallet: { clientSecret: 'very secret' } },
    });
  });

  test('of a till are sealed too', () => {
    const till = nexoWith('correct horse battery');
    writeFileSync(
      path,
      JSON.stringify({ wallet: { simulator: true }, lanes: [{ ...lane, till }] }),
    );
    const opened = { ...safe, open: () => 'correct horse battery' };
    const passphrase = {
      ready: { lanes: [{ till: { nexo: { key: { passphrase: 'correct horse battery' } } } }] },
    };
    expect(open(opened).read()).toMatchObject(passphrase);
    expect(readFileSync(path, 'utf8')).not.toContain('correct horse battery');
    expect(open(opened).read()).toMatchObject(passphrase);
  });

  test('of monitoring are sealed too', () => {
    const tokens = {
      metrics: 'metrics-token-of-at-least-32-characters',
      traces: 'the-collector-knows-this',
    };
    const monitoring = {
      metrics: { host: '127.0.0.1', token: tokens.metrics },
      traces: { endpoint: 'https://collector.example', token: tokens.traces },
    };
    writeFileSync(path, JSON.stringify({ wallet: { simulator: true }, lanes: [lane], monitoring }));
    for (const _reading of ['first', 'sealed'])
      expect(open(opaque).read()).toMatchObject({
        kind: 'right',
        ready: {
          monitoring: { metrics: { token: tokens.metrics }, traces: { token: tokens.traces } },
        },
      });
    for (const token of Object.values(tokens))
      expect(readFileSync(path, 'utf8')).not.toContain(token);
  });

  test('of a till’s password are sealed at once, also in the previous settings of a version that left it in clear', () => {
    const previous = join(folder, 'settings.previous.json');
    writeFileSync(path, withPassword('192837'));
    writeFileSync(previous, withPassword('555555'));
    for (const _reading of ['first', 'sealed'])
      expect(open(opaque).read()).toMatchObject({
        kind: 'right',
        ready: { lanes: [{ till: { password: '192837' } }] },
      });
    expect(readFileSync(path, 'utf8')).not.toContain('192837');
    expect(JSON.parse(readFileSync(previous, 'utf8'))).toMatchObject({
      lanes: [{ till: { password: { sealed: opaque.seal('555555') } } }],
    });
    expect(statSync(previous).mode & 0o777).toBe(0o600);
  });

  test('of previous settings that break a rule stay as they are, and stop nothing', () => {
    const previous = join(folder, 'settings.previous.json');
    writeFileSync(path, text());
    writeFileSync(previous, '{ "wallet": ');
    expect(open(opaque).read().kind).toBe('right');
    expect(readFileSync(previous, 'utf8')).toBe('{ "wallet": ');
  });

  test('that cannot be sealed: a till goes on with the password that stands in the file, which is said once; no other is taken in', async () => {
    const logLines: string[] = [];
    file = new SettingsFile({
      path,
      dataFolder: folder,
      environment: {},
      safe: none,
      clock,
      log: { ...silentLog, warn: (about: object) => logLines.push(JSON.stringify(about)) },
    });
    writeFileSync(path, withPassword('192837'));
    const settingsRead = file.read();
    file.watch((changed) => changes.push(changed));
    await clock.pass(longEnoughMs);
    expect(settingsRead).toMatchObject({
      kind: 'right',
      ready: { lanes: [{ till: { password: '192837' } }] },
    });
    expect(file.write(JSON.parse(withPassword('192837', { name: 'Kasse 1' })))).toMatchObject({
      kind: 'right',
    });
    expect(() => file.write(JSON.parse(withPassword('555555')))).toThrow(
      'lanes.0.till.password: cannot be stored, this system offers no key store',
    );
    expect(readFileSync(path, 'utf8')).toContain('Kasse 1');
    expect(logLines).toEqual([
      expect.stringContaining(
        'lanes.0.till.password: cannot be stored, this system offers no key store',
      ),
    ]);
    expect(logLines.join()).not.toContain('192837');
    const other = JSON.stringify({
      ...JSON.parse(withPassword('192837')),
      wallet: { ...wallet, clientSecret: '192837' },
    });
    expect(() => file.write(JSON.parse(other))).toThrow(
      'wallet.clientSecret: cannot be stored, this system offers no key store',
    );
    writeFileSync(path, text());
    expect(file.read()).toMatchObject({
      kind: 'wrong',
      mistakes: ['wallet.clientSecret: cannot be stored, this system offers no key store'],
    });
  });

  test('that the disk refuses to take back sealed are in use all the same, which is said, and are sealed later', async () => {
    writeFileSync(path, withPassword('192837'));
    const away = `${folder}.away`;
    let isRefusing = true;
    const refusing: SecretSafe = {
      ...opaque,
      seal(secret) {
        // Nothing can be written beside it from here on.
        if (isRefusing) renameSync(folder, away);
        return opaque.seal(secret);
      },
    };
    const logLines: string[] = [];
    file = new SettingsFile({
      path,
      dataFolder: folder,
      environment: {},
      safe: refusing,
      clock,
      log: { ...silentLog, warn: (_about: object, words: string) => logLines.push(words) },
    });
    expect(file.read()).toMatchObject({
      kind: 'right',
      text: withPassword('192837'),
      ready: { lanes: [{ till: { password: '192837' } }] },
    });
    expect(logLines).toEqual([
      'the secrets in the settings file stay in clear: it cannot be written',
    ]);
    renameSync(away, folder);
    isRefusing = false;
    file.watch((settingsRead) => changes.push(settingsRead));
    await clock.pass(longEnoughMs);
    expect(changes).toMatchObject([
      { kind: 'right', ready: { lanes: [{ till: { password: '192837' } }] } },
    ]);
    expect(readFileSync(path, 'utf8')).not.toContain('192837');
  });

  test.each<[string, () => string, string]>([
    [
      'wallet.clientSecret',
      () =>
        JSON.stringify({
          wallet: { ...wallet, clientSecret: { sealed: 'c2VhbGVk' } },
          lanes: [lane],
        }),
      'wallet.clientSecret',
    ],
    ['a till’s password', () => withPassword({ sealed: 'c2VhbGVk' }), 'lanes.0.till.password'],
    [
      'a passphrase of Nexo',
      () =>
        JSON.stringify({
          wallet: { simulator: true },
          lanes: [{ ...lane, till: nexoWith({ sealed: 'c2VhbGVk' }) }],
        }),
      'lanes.0.till.nexo.key.passphrase',
    ],
  ])(
    'that another computer or user has sealed are a mistake that names the field and the way back: %s',
    (_which, content, field) => {
      writeFileSync(path, content());
      expect(open(none).read()).toMatchObject({
        kind: 'wrong',
        mistakes: [
          `${field}: cannot be read back from this system's key store (it was sealed elsewhere); enter it again`,
        ],
      });
      expect(readFileSync(path, 'utf8')).toBe(content());
    },
  );

  test('of another kind in the place of a till’s password are a mistake that does not show them', () => {
    writeFileSync(path, withPassword({ sealed: opaque.seal('very secret') }));
    expect(open(opaque).read()).toMatchObject({
      kind: 'wrong',
      mistakes: ['lanes.0.till.password: must be six digits, got "***"'],
    });
  });

  test('of a till in a file of their own are followed there', async () => {
    writeFileSync(join(folder, 'till-password'), '192837\n');
    writeFileSync(path, withPassword({ file: 'till-password' }));
    watched(opaque);
    expect(file.guarded).toContainEqual({ path: join(folder, 'till-password'), holdsSecret: true });
    writeFileSync(join(folder, 'till-password'), '555555\n');
    await clock.pass(longEnoughMs);
    expect(changes).toMatchObject([
      { kind: 'right', ready: { lanes: [{ till: { password: '555555' } }] } },
    ]);
    expect(readFileSync(path, 'utf8')).toBe(withPassword({ file: 'till-password' }));
  });

  test('are sealed in a file that is dropped while it is watched, and it is told of once', async () => {
    watched(safe);
    writeFileSync(path, text());
    await clock.pass(longEnoughMs);
    expect(changes).toMatchObject([
      { kind: 'right', ready: { wallet: { clientSecret: 'very secret' } } },
    ]);
    expect(readFileSync(path, 'utf8')).not.toContain('very secret');
  });

  test('that were sealed elsewhere are a mistake that says what to do', () => {
    writeFileSync(
      path,
      JSON.stringify({
        wallet: { ...wallet, clientSecret: { sealed: 'c2VhbGVk' } },
        lanes: [lane],
      }),
    );
    expect(open().read()).toMatchObject({
      kind: 'wrong',
      mistakes: [expect.stringContaining('enter it again')],
    });
  });

  test('in a file of their own are followed there: another one is put in use, one that is gone is a mistake', async () => {
    const secret = join(folder, 'secret');
    writeFileSync(secret, 'the first\n');
    writeFileSync(
      path,
      JSON.stringify({ wallet: { ...wallet, clientSecret: { file: 'secret' } }, lanes: [lane] }),
    );
    const opened = watched();
    const found = opened.read();
    if (found.kind === 'right') opened.use(found);
    await clock.pass(longEnoughMs);
    expect(changes).toEqual([]);
    writeFileSync(secret, 'the second\n');
    await clock.pass(longEnoughMs);
    rmSync(secret);
    await clock.pass(longEnoughMs);
    await clock.pass(longEnoughMs);
    expect(changes).toMatchObject([
      { kind: 'right', ready: { wallet: { clientSecret: 'the second' } } },
      {
        kind: 'wrong',
        mistakes: [expect.stringMatching(/^wallet\.clientSecret\.file: .*\(ENOENT\)$/)],
      },
    ]);
    // The settings are unchanged.
    expect(readdirSync(folder)).toEqual(['settings.json']);
  });

  test('do not stand in what is told of a file that is not JSON', () => {
    writeFileSync(path, '{"wallet": {"clientSecret": topsecret');
    const found = open().read();
    expect(found.kind === 'wrong' && found.mistakes.join()).not.toMatch(/topsec|ret/);
  });
});
