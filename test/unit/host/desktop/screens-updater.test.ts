import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { appFeed, inChannel } from '../../../../main/host/desktop/screens-updater.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import {
  type Delivery,
  Updater,
  type UpdatesSettings,
} from '../../../../main/host/updates/updater.ts';
import {
  noteScreensOnly,
  readCurrent,
  writeCurrent,
} from '../../../../main/host/updates/versions.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const publicKey = `${'A'.repeat(43)}=`;
const updates = {
  feed: 'https://updates.example/tillbeacon',
  publicKey,
  channel: 'stable',
} as const;
let folder: string;
let file: string;
let thisPcFile: string;
let requests: { name: string; wanted: UpdatesSettings }[];
let warned: object[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-screens-updater-'));
  file = join(folder, 'settings.json');
  thisPcFile = join(folder, 'this-pc.json');
  [requests, warned] = [[], []];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function look({
  own: ownUpdates = null as NonNullable<Parameters<typeof appFeed>[0]['own']>['updates'] | null,
  chosen = null as Parameters<typeof inChannel>[1],
  isQuiet = true,
} = {}) {
  const delivery: Delivery = {
    offered(name, wanted) {
      requests.push({ name, wanted });
      return Promise.reject(new Error('no feed'));
    },
    install() {},
  };
  const log = {
    ...silentLog,
    warn: (facts: object, message: string) =>
      void (message.includes('settings') && warned.push(facts)),
  };
  const own = ownUpdates && { path: thisPcFile, updates: ownUpdates };
  const feed = appFeed({ own, settingsFile: file, log });
  const settings = () => inChannel(feed(), chosen);
  const updater = new Updater({
    settings,
    delivery,
    folder,
    version: '1.0.0',
    isQuiet: () => isQuiet,
    clock: new ManualClock(),
    log,
  });
  await updater.look();
  await updater.look();
  updater.close();
  return updater.status;
}

test('the daemon’s settings say from where, and this computer’s own go before them', async () => {
  writeFileSync(
    file,
    JSON.stringify({
      wallet: { clientSecret: 'is not looked at' },
      updates: { ...updates, pin: '1.2.3' },
    }),
    { mode: 0o600 },
  );
  await look();
  expect(requests).toEqual([{ name: '1.2.3', wanted: { ...updates, pin: '1.2.3' } }]);
  await look({ own: { ...updates, channel: 'beta' } });
  expect(requests[1]?.name).toBe('beta');
});

test('the channel that a manager has chosen for this computer goes before that of whatever names the feed', async () => {
  writeFileSync(file, JSON.stringify({ updates }), { mode: 0o600 });
  await look({ chosen: 'beta' });
  expect(requests).toEqual([{ name: 'beta', wanted: { ...updates, channel: 'beta' } }]);
  expect(appFeed({ own: null, settingsFile: file, log: silentLog })()).toEqual({
    settings: updates,
    from: 'settings',
  });
  expect(
    appFeed({ own: { path: thisPcFile, updates }, settingsFile: file, log: silentLog })()?.from,
  ).toBe('thisPc');
});

test('nothing is asked for while something is under way at the daemon', async () => {
  await look({ own: updates, isQuiet: false });
  expect(requests).toEqual([]);
});

test.skipIf(process.platform === 'win32')(
  'without a file, without a feed, with a mistake, or where another user could have written it, nothing is asked for',
  async () => {
    expect(await look()).toBeNull();
    writeFileSync(file, JSON.stringify({ wallet: {} }), { mode: 0o600 });
    expect(await look()).toBeNull();
    expect(warned).toEqual([]);
    writeFileSync(file, JSON.stringify({ updates: { ...updates, publicKey: 'short' } }), {
      mode: 0o600,
    });
    expect(await look()).toBeNull();
    writeFileSync(file, '{', { mode: 0o600 });
    await look();
    writeFileSync(file, JSON.stringify({ updates }), { mode: 0o600 });
    chmodSync(file, 0o666);
    await look();
    expect(requests).toEqual([]);
    // Each warning comes once.
    expect(warned).toHaveLength(3);
    // The same for this computer's own file.
    writeFileSync(thisPcFile, '', { mode: 0o600 });
    chmodSync(thisPcFile, 0o666);
    expect(await look({ own: updates })).toBeNull();
    expect(requests).toEqual([]);
    expect(warned.at(-1)).toMatchObject({
      detail: expect.stringContaining('another user could have changed'),
    });
  },
);

test('whose the journal is, is noted while a version is tried', () => {
  noteScreensOnly(folder, true);
  expect(readCurrent(folder).screensOnly).toBeUndefined();
  writeCurrent(folder, {
    version: '1.1.0',
    state: 'trying',
    starts: 1,
    previous: null,
    journalLayout: 7,
    failed: [],
    stuck: null,
  });
  noteScreensOnly(folder, true);
  expect(readCurrent(folder)).toMatchObject({ screensOnly: true, starts: 1 });
  noteScreensOnly(folder, false);
  expect(readCurrent(folder)).toMatchObject({ screensOnly: false, starts: 1 });
});
