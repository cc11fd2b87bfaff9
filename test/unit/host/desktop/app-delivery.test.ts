/**
 * With scripts instead of installers. test/windows/app-rollback.test.ts shows what Windows'
 * installers do.
 */
import { createHash } from 'node:crypto';
import fs, {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { appDelivery } from '../../../../main/host/desktop/app-delivery.ts';
import type * as AppUpdaters from '../../../../main/host/desktop/app-updater.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import type { Delivery } from '../../../../main/host/updates/updater.ts';
import { readCurrent } from '../../../../main/host/updates/versions.ts';

let folder: string;
let ended: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-delivery-'));
  ended = 0;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (...names: readonly string[]): string => join(folder, ...names);
const hashOf = (file: string): string =>
  createHash('sha512').update(readFileSync(file)).digest('base64');
/**
 * The installer of electron-updater, which downloads into the folder `pending` beside the running
 * version's installer.
 */
const older = (): string => at('installer.exe');
const newer = (ending = 'exe'): string => at('pending', `Tillbeacon-1.1.0.${ending}`);
const installerLog = (installer: string): string =>
  existsSync(`${installer}.told`) ? readFileSync(`${installer}.told`, 'utf8') : '';

/**
 * The delivery of 1.1.0 while 1.0.0 runs. @param listed the hash of 1.0.0's installer in the feed
 */
async function brought(listed?: string, appImage: string | null = null): Promise<Delivery> {
  mkdirSync(at('pending'), { recursive: true });
  const file = newer(appImage === null ? 'exe' : 'AppImage');
  for (const [number, one] of [older(), file].entries())
    writeFileSync(one, `#!/bin/sh\necho "${number} $@" > "$0.told"\n`, { mode: 0o755 });
  const feedOf = (version: string, sha512: string): object => ({
    channel: 'stable',
    version,
    minimumVersion: '0.0.0',
    files: [
      { url: `Tillbeacon-${version}.${appImage === null ? 'exe' : 'AppImage'}`, sha512, size: 100 },
    ],
  });
  const updater = {
    setFeedURL() {},
    checkForUpdates: () => Promise.resolve({ updateInfo: feedOf('1.1.0', hashOf(file)) }),
    downloadUpdate: () => Promise.resolve([file]),
  };
  const updaters = {
    createUpdater: () => ({ updater, allow() {} }),
    readAppFeed: (file: string) =>
      file === '1.0.0.yml'
        ? Promise.resolve(feedOf('1.0.0', listed ?? hashOf(older())))
        : Promise.reject(new Error(file)),
  } as unknown as typeof AppUpdaters;
  const delivery = appDelivery({
    folder: at('updates'),
    appImage,
    platform: appImage === null ? 'win32' : 'linux',
    version: '1.0.0',
    journalLayout: 7,
    screensOnly: false,
    restart: () => expect.unreachable(),
    end: () => (ended += 1),
    updaters: () => Promise.resolve(updaters),
    log: silentLog,
  });
  const { signal } = new AbortController();
  const offer = await delivery.offered(
    'stable',
    { feed: 'https://updates.example', publicKey: '', channel: 'stable' },
    { signal, folder: at('updates'), nowMs: 0 },
  );
  await offer.bring(signal);
  return delivery;
}

describe.skipIf(process.platform === 'win32')('on Windows', () => {
  test('the running version’s installer runs the newer one’s, and the app ends', async () => {
    await (await brought()).install('1.1.0');
    await expect
      .poll(() => installerLog(at('updates', 'before.exe')), { timeout: 10_000 })
      .toMatch(new RegExp(`^0 /S --updated --force-run /TRY="${newer()}"`));
    expect([ended, installerLog(newer())]).toEqual([1, '']);
    expect(readCurrent(at('updates'))).toMatchObject({
      version: '1.1.0',
      state: 'trying',
      journalLayout: 7,
    });
  });

  test('without it the newer version is installed all the same, with no way back', async () => {
    await (await brought(Buffer.alloc(64).toString('base64'))).install('1.1.0');
    await expect
      .poll(() => installerLog(newer()), { timeout: 10_000 })
      .toBe('1 /S --updated --force-run /FINISH\n');
    expect([ended, existsSync(at('updates', 'before.exe'))]).toEqual([1, false]);
  });

  test('where Windows would ask for an administrator, the app goes on, and says what one has to install', async () => {
    const delivery = await brought(Buffer.alloc(64).toString('base64'));
    chmodSync(newer(), 0o600);
    expect(() => delivery.install('1.1.0')).toThrow(/an administrator must/);
    expect([ended, readCurrent(at('updates'))]).toMatchObject([
      0,
      { version: null, state: 'good' },
    ]);
  });

  test('an installer that was changed after it was brought is not run', async () => {
    const delivery = await brought();
    writeFileSync(newer(), '#!/bin/sh\n');
    expect(() => delivery.install('1.1.0')).toThrow('no longer matches the feed');
    expect([ended, existsSync(at('updates', 'current.json'))]).toEqual([0, false]);
  });
});

describe('an AppImage', () => {
  const running = (): string => at('Tillbeacon.AppImage');
  const delivered = (): Promise<Delivery> => {
    writeFileSync(running(), 'of 1.0.0');
    return brought(undefined, running());
  };
  afterEach(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });

  test('that cannot be put in place is not tried: the running version goes on as itself', async () => {
    const delivery = await delivered();
    const { renameSync } = fs;
    vi.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
      if (to === running())
        throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
      renameSync(from, to);
    });
    syncBuiltinESMExports();
    expect(() => delivery.install('1.1.0')).toThrow('ENOSPC');
    expect(readCurrent(at('updates'))).toMatchObject({ version: null, state: 'good' });
    expect(readFileSync(running(), 'utf8')).toBe('of 1.0.0');
  });

  test('is neither brought nor put in place where the disk has too little room for it and for payments', async () => {
    const delivery = await delivered();
    vi.spyOn(fs, 'statfsSync').mockReturnValue({ bavail: 256, bsize: 1024 ** 2 } as never);
    syncBuiltinESMExports();
    expect(() => delivery.install('1.1.0')).toThrow(
      'not enough disk space: 256 MB free, 257 MB needed',
    );
    expect([
      existsSync(at('updates', 'current.json')),
      existsSync(at('updates', 'before.AppImage')),
    ]).toEqual([false, false]);
    await expect(delivered()).rejects.toThrow('not enough disk space');
  });
});
