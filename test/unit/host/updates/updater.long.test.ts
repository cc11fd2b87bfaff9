import fs, { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import {
  afterRollback,
  chosenVersion,
  readCurrent,
  versionFolder,
  writeCurrent,
} from '../../../../main/host/updates/versions.ts';
// @ts-expect-error: a script, without types
import { publicKeyOf, writeFeed } from '../../../../scripts/update-feed.mjs';
import {
  at,
  bench,
  brought,
  feedFile,
  key,
  minuteMs,
  newUpdater,
  offer,
  openBenches,
  otherKey,
  platform,
} from './updates-support.ts';

openBenches();

test('a newer version is brought whole, what is the same is not loaded, and it is started when nothing is under way', async () => {
  offer('1.1.0');
  await bench.updater.look();
  expect(bench.updater.status).toEqual({ state: 'waiting', version: '1.1.0', detail: null });
  // Node is the same, so one of the two files was downloaded.
  expect(bench.requests.filter((path) => path.startsWith('/files/'))).toHaveLength(1);
  const tree = versionFolder(at('updates'), '1.1.0');
  expect(readFileSync(join(tree, 'out', 'main', 'daemon.js'), 'utf8')).toBe('// 1.1.0');
  if (process.platform !== 'win32') {
    expect(statSync(join(tree, 'bin', 'node')).mode & 0o777).toBe(0o700);
    expect(statSync(join(tree, 'out', 'main', 'daemon.js')).mode & 0o777).toBe(0o600);
  }
  expect(bench.restarts).toBe(0);

  bench.quiet = false;
  await bench.updater.look();
  expect(bench.restarts).toBe(0);
  bench.quiet = true;
  await bench.updater.look();
  expect(bench.restarts).toBe(1);
  const current = readCurrent(at('updates'));
  expect(current).toMatchObject({
    version: '1.1.0',
    state: 'trying',
    starts: 0,
    previous: null,
    journalLayout: 6,
  });
  expect(chosenVersion(current, at('updates'), '1.0.0')).toBe('1.1.0');
  // Somebody has installed a newer version by hand.
  expect(chosenVersion(current, at('updates'), '1.1.0')).toBeNull();
});

test('nothing is asked for while the time is not known, something is under way, without a feed, or again within six hours', async () => {
  offer('1.0.0');
  bench.isTimeKnown = false;
  await bench.updater.look();
  bench.isTimeKnown = true;
  bench.quiet = false;
  await bench.updater.look();
  expect(bench.requests).toEqual([]);
  bench.quiet = true;
  await bench.updater.look();
  await bench.updater.look();
  expect(bench.requests).toEqual([
    '/stable.json.timestamp',
    '/stable.json.timestamp.sig',
    '/stable.json',
    '/stable.json.sig',
  ]);
  expect(bench.updater.status).toEqual({ state: 'upToDate', version: null, detail: null });
  await bench.clock.pass(6 * 60 * minuteMs);
  await bench.updater.look();
  expect(bench.requests).toHaveLength(8);
});

test.each([
  ['08:30', '22:15', ['08:30', '15:00', '22:14'], '22:15'],
  ['08:30', '22:15', ['12:59'], '08:29'],
  ['18:00', '02:30', ['18:00', '23:59', '00:00', '02:29'], '02:30'],
  ['18:00', '02:30', ['18:01'], '17:59'],
])(
  'open from %s until %s, nothing is installed at %j, but at %s',
  async (from, until, open, closed) => {
    offer('1.1.0');
    bench.settings = { ...bench.settings, openingHours: { from, until } };
    const lookAt = async (time: string): Promise<void> => {
      const [hours, minutes] = time.split(':').map(Number) as [number, number];
      bench.clock.wallMs = () => new Date(2026, 10, 21, hours, minutes).getTime();
      await bench.updater.look();
    };
    await bench.updater.look();
    for (const time of open) await lookAt(time);
    expect([bench.updater.status?.state, bench.restarts]).toEqual(['waiting', 0]);
    await lookAt(closed);
    expect(bench.restarts).toBe(1);
  },
);

test('a channel and a pinned version have feeds of their own', async () => {
  offer('1.1.0');
  offer('1.2.0', { channel: 'beta' });
  bench.settings = { ...bench.settings, pin: '1.1.0', channel: 'beta' };
  await bench.updater.look();
  expect(bench.updater.status).toMatchObject({ state: 'waiting', version: '1.1.0' });
  bench.updater = newUpdater();
  bench.settings = { ...bench.settings, pin: undefined };
  await bench.updater.look();
  expect(bench.updater.status).toMatchObject({ state: 'waiting', version: '1.2.0' });
});

describe('a version that waits is judged anew before it is started:', () => {
  const cases: Readonly<Record<string, readonly [() => void, object]>> = {
    'it is withdrawn': [() => offer('1.0.0'), { state: 'upToDate', version: null }],
    'its list is gone': [() => rmSync(feedFile('stable.json')), { state: 'failed' }],
    'another is pinned': [
      () => {
        offer('1.0.5');
        bench.settings = { ...bench.settings, pin: '1.0.5' };
      },
      { state: 'waiting', version: '1.0.5' },
    ],
    'another channel is chosen': [
      () => (bench.settings = { ...bench.settings, channel: 'beta' }),
      { state: 'failed' },
    ],
    'another key is trusted': [
      () => (bench.settings = { ...bench.settings, publicKey: publicKeyOf(otherKey) }),
      { state: 'failed' },
    ],
    'its files are others now': [
      () => {
        offer('1.1.0');
        writeFileSync(at('tree-1.1.0', 'out', 'main', 'daemon.js'), '// mended');
        writeFeed({
          out: at('feed'),
          version: '1.1.0',
          minimumVersion: '0.0.0',
          channel: 'stable',
          packages: { [platform]: at('tree-1.1.0') },
          key,
        });
      },
      { state: 'waiting', version: '1.1.0' },
    ],
  };
  test.each(Object.entries(cases))('%s', async (name, [change, status]) => {
    offer('1.1.0');
    await bench.updater.look();
    change();
    const isMended = name === 'its files are others now';
    // A payment begins while the update is checked.
    bench.instead = (path) => (path.endsWith('.sig') && (bench.quiet = false), false);
    await bench.updater.look();
    expect(bench.updater.status).toMatchObject(status);
    expect(bench.restarts).toBe(0);
    if (isMended)
      expect(
        readFileSync(
          join(versionFolder(at('updates'), '1.1.0'), 'out', 'main', 'daemon.js'),
          'utf8',
        ),
      ).toBe('// mended');
  });
});

test('nothing is brought where the disk has too little room for it and for payments, and what was begun is removed', async () => {
  offer('1.1.0');
  mkdirSync(at('updates', 'versions', '1.1.0.partial', 'bin'), { recursive: true });
  vi.spyOn(fs, 'statfsSync').mockReturnValue({ bavail: 256, bsize: 1024 ** 2 } as never);
  syncBuiltinESMExports();
  try {
    await bench.updater.look();
  } finally {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  }
  expect(bench.updater.status).toMatchObject({
    state: 'failed',
    detail: expect.stringMatching(/not enough disk space: 256 MB free, 257 MB needed/),
  });
  expect(brought()).toEqual([]);
});

test('an interrupted download goes on where it was, and what changed on the disk meanwhile is loaded again', async () => {
  offer('1.1.0');
  rmSync(at('tree-1.0.0'), { recursive: true });
  bench.instead = (path, response) =>
    path.startsWith('/files/') &&
    bench.requests.filter((one) => one.startsWith('/files/')).length > 1 &&
    (response.destroy(), true);
  await bench.updater.look();
  expect(bench.updater.status).toMatchObject({ state: 'failed' });
  expect(brought()).toEqual(['1.1.0.partial']);
  bench.instead = () => false;
  bench.requests = [];
  bench.updater = newUpdater();
  await bench.updater.look();
  expect(bench.updater.status).toMatchObject({ state: 'waiting' });
  expect(bench.requests.filter((path) => path.startsWith('/files/'))).toHaveLength(1);
  writeFileSync(
    join(versionFolder(at('updates'), '1.1.0'), 'out', 'main', 'daemon.js'),
    '// changed',
  );
  bench.updater = newUpdater();
  await bench.updater.look();
  expect(
    readFileSync(join(versionFolder(at('updates'), '1.1.0'), 'out', 'main', 'daemon.js'), 'utf8'),
  ).toBe('// 1.1.0');
});

test('a version that was taken back is tried again after a day, three times at most', async () => {
  offer('1.1.0');
  const takeBack = (): void => {
    const current = { ...readCurrent(at('updates')), version: '1.1.0', state: 'trying' as const };
    writeCurrent(
      at('updates'),
      afterRollback(current, 'it was not ready within 60 s', bench.clock.wallMs()),
    );
  };
  mkdirSync(at('updates'));
  for (const times of [1, 2]) {
    takeBack();
    bench.updater = newUpdater();
    await bench.updater.look();
    expect(bench.updater.status).toEqual({
      state: 'takenBack',
      version: '1.1.0',
      detail: 'it was not ready within 60 s',
    });
    await bench.clock.pass(24 * 60 * minuteMs);
    await bench.updater.look();
    expect([times, bench.updater.status?.state]).toEqual([times, 'waiting']);
  }
  takeBack();
  await bench.clock.pass(48 * 60 * minuteMs);
  bench.updater = newUpdater();
  await bench.updater.look();
  expect(bench.updater.status?.state).toBe('takenBack');
});

test('versions that nothing leads to are removed at a start', () => {
  for (const version of ['0.8.0', '0.9.0', '1.0.0', '1.1.0', '1.2.0.partial'])
    mkdirSync(at('updates', 'versions', version), { recursive: true });
  writeCurrent(at('updates'), {
    version: '1.0.0',
    state: 'good',
    starts: 0,
    previous: '0.9.0',
    journalLayout: 6,
    failed: [{ version: '1.1.0', times: 1, atMs: 0, why: '' }],
    stuck: null,
  });
  bench.updater = newUpdater();
  expect(brought()).toEqual(['0.9.0', '1.0.0', '1.2.0.partial']);
});
