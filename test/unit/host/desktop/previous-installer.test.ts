import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { previousInstaller } from '../../../../main/host/desktop/previous-installer.ts';
import {
  type Current,
  noteNotBegun,
  readCurrent,
  writeCurrent,
} from '../../../../main/host/updates/versions.ts';

let updates: string;
beforeEach(() => {
  updates = join(mkdtempSync(join(tmpdir(), 'tillbeacon-kept-')), 'updates');
});
afterEach(() => rmSync(join(updates, '..'), { recursive: true, force: true }));

const at = (name: string): string => join(updates, name);
/** An installer that writes down its arguments. */
const script = '#!/bin/sh\necho "$@" > "$0.told"\n';
const sha512 = createHash('sha512').update(script).digest('base64');
const trying: Current = {
  version: '1.1.0',
  state: 'trying',
  starts: 0,
  previous: null,
  journalLayout: 7,
  failed: [],
  stuck: null,
};

async function storedInstaller(
  version = '1.0.0',
  listed: readonly string[] = [sha512],
): Promise<ReturnType<typeof previousInstaller>> {
  mkdirSync(updates, { recursive: true, mode: 0o700 });
  const installer = join(updates, '..', 'installer.exe');
  writeFileSync(installer, script);
  const previous = previousInstaller(updates);
  await previous.keep(installer, version, () => Promise.resolve(listed));
  return previous;
}
const installerLog = async (): Promise<string> => {
  await expect
    .poll(() => existsSync(at('before.exe.told')) && readFileSync(at('before.exe.told'), 'utf8'), {
      timeout: 10_000,
    })
    .toContain('\n');
  return readFileSync(at('before.exe.told'), 'utf8').trim();
};

describe.skipIf(process.platform === 'win32')('the installer of the version before', () => {
  test('is kept where the feed lists it, and runs the newer one’s until that version has begun', async () => {
    const one = await storedInstaller();
    expect([one.isOf('1.0.0'), one.isOf('1.1.0'), one.isThere()]).toEqual([true, false, true]);
    one.tryOut('/newer here.exe', 60_000);
    expect(await installerLog()).toBe(`/S --updated --force-run /TRY="/newer here.exe" /WITHIN=60`);
    expect(existsSync(at('not-begun'))).toBe(true);
    writeCurrent(updates, trying);
    expect(one.begins('1.1.0')).toBe(true);
    expect(existsSync(at('not-begun'))).toBe(false);
    // The user starts the app again.
    expect(one.begins('1.1.0')).toBe(true);
  });

  test('installs its version again, when that is what the newer one decides', async () => {
    expect((await storedInstaller()).putBack()).toBe('byInstaller');
    expect(await installerLog()).toBe('/S --updated --force-run /FINISH');
  });

  test('is not kept where the feed lists another, or where nothing is known, and an older one is gone then', async () => {
    await storedInstaller();
    await expect(storedInstaller('1.0.0', ['another'])).rejects.toThrow(
      "does not match the feed's entry for 1.0.0",
    );
    expect(previousInstaller(updates).isThere()).toBe(false);
    await storedInstaller();
    await expect(
      previousInstaller(updates).keep('/nowhere', '1.0.0', () =>
        Promise.reject(new Error('answered 404')),
      ),
    ).rejects.toThrow('answered 404');
    expect(previousInstaller(updates).isThere()).toBe(false);
  });

  test.each([
    [
      'has changed',
      () => writeFileSync(at('before.exe'), `${script}true\n`),
      'was changed after it was stored',
    ],
    [
      'another user may change',
      () => chmodSync(at('before.exe'), 0o777),
      'another user could have changed it',
    ],
    [
      'Windows would ask an administrator for',
      () => chmodSync(at('before.exe'), 0o600),
      'an administrator must run it',
    ],
  ])('one that %s is not run, and nothing has begun', async (_name, change, why) => {
    const one = await storedInstaller();
    change();
    expect(() => one.tryOut('/newer.exe', 60_000)).toThrow(why);
    expect(() => one.putBack()).toThrow(why);
    expect([existsSync(at('not-begun')), existsSync(at('before.exe.told'))]).toEqual([
      false,
      false,
    ]);
  });
});

test('a version that begins too late does nothing: the one before is being put back', () => {
  mkdirSync(updates, { mode: 0o700 });
  writeCurrent(updates, trying);
  writeFileSync(at('not-begun.late'), '');
  expect(previousInstaller(updates).begins('1.1.0')).toBe(false);
  expect(readCurrent(updates)).toEqual(trying);
  // If that has failed, the next start is not in vain.
  expect(previousInstaller(updates).begins('1.1.0')).toBe(true);
});

test('the one before, back again, notes the version that did not begin, and the next try starts anew', () => {
  mkdirSync(updates, { mode: 0o700 });
  writeCurrent(updates, { ...trying, starts: 1 });
  writeFileSync(at('not-begun.late'), '');
  expect(previousInstaller(updates).begins('1.0.0')).toBe(true);
  noteNotBegun(updates, '1.0.0', 5);
  expect(existsSync(at('not-begun.late'))).toBe(false);
  const failed = [
    { version: '1.1.0', times: 1, atMs: 5, why: 'it was not installed, or did not start' },
  ];
  expect(readCurrent(updates)).toMatchObject({ version: null, state: 'good', starts: 0, failed });
  // The file says nothing about the version itself.
  writeCurrent(updates, trying);
  noteNotBegun(updates, '1.1.0', 6);
  expect(readCurrent(updates)).toEqual(trying);
});
