import { generateKeyPairSync } from 'node:crypto';
import fs, {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { packageDelivery } from '../../../../main/host/updates/package-delivery.ts';
import { Updater, type UpdatesSettings } from '../../../../main/host/updates/updater.ts';
import {
  chosenVersion,
  readCurrent,
  afterRollback,
  versionFolder,
  writeCurrent,
} from '../../../../main/host/updates/versions.ts';
// @ts-expect-error: a script, without types
import { publicKeyOf, renewFeed, writeFeed, writeList } from '../../../../scripts/update-feed.mjs';
import { ManualClock } from '../../support/manual-clock.ts';

const key = generateKeyPairSync('ed25519').privateKey.export({
  type: 'pkcs8',
  format: 'pem',
}) as string;
const otherKey = generateKeyPairSync('ed25519').privateKey.export({
  type: 'pkcs8',
  format: 'pem',
}) as string;
const platform = 'test-x64';
const minuteMs = 60_000;

let folder: string;
let server: Server;
let settings: UpdatesSettings;
let clock: ManualClock;
let quiet: boolean;
let restarts: number;
let updater: Updater;
/** The paths that were requested. */
let requests: string[];
/** Answers in place of the feed. */
let instead: (path: string, response: ServerResponse) => boolean;

const at = (...names: readonly string[]): string => join(folder, ...names);
const feedFile = (name: string): string => at('feed', name);

/** A package that differs from others in its daemon alone. */
function packageOf(version: string): string {
  const tree = at(`tree-${version}`);
  mkdirSync(join(tree, 'out', 'main'), { recursive: true });
  mkdirSync(join(tree, 'bin'), { recursive: true });
  writeFileSync(join(tree, 'out', 'main', 'daemon.js'), `// ${version}`);
  writeFileSync(join(tree, 'bin', 'node'), Buffer.alloc(100_000, 3), { mode: 0o755 });
  return tree;
}

function offer(
  version: string,
  about: {
    minimumVersion?: string;
    channel?: string;
    key?: string;
    validDays?: number;
    packages?: Record<string, string>;
  } = {},
): void {
  writeFeed({
    out: at('feed'),
    version,
    minimumVersion: '0.0.0',
    channel: 'stable',
    packages: { [platform]: packageOf(version) },
    key,
    ...about,
  });
}

let isTimeKnown = true;
function newUpdater(version = '1.0.0'): Updater {
  const about = { folder: at('updates'), version, log: silentLog };
  return new Updater({
    settings: () => settings,
    delivery: packageDelivery({
      ...about,
      program: at(`tree-${version}`),
      journalLayout: 6,
      platform,
      restart: () => (restarts += 1),
    }),
    isQuiet: () => quiet,
    isTimeKnown: () => isTimeKnown,
    clock,
    ...about,
  });
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-updates-'));
  mkdirSync(at('feed'));
  packageOf('1.0.0');
  requests = [];
  instead = () => false;
  server = createServer(({ url = '' }, response) => {
    requests.push(url);
    if (instead(url, response)) return;
    const file = feedFile(url);
    if (existsSync(file)) response.end(readFileSync(file));
    else response.writeHead(404).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  settings = {
    feed: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    publicKey: publicKeyOf(key),
    channel: 'stable',
  };
  clock = new ManualClock();
  [quiet, restarts] = [true, 0];
  updater = newUpdater();
});
afterEach(async () => {
  updater.close();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  rmSync(folder, { recursive: true, force: true });
});

/** @returns puts a list and its signature back as they are now */
function keep(...names: readonly string[]): () => void {
  const files = names
    .flatMap((name) => [name, `${name}.sig`])
    .map((name) => [feedFile(name), readFileSync(feedFile(name))] as const);
  return () => files.forEach(([file, content]) => writeFileSync(file, content));
}
const listOf = ['stable.json', 'stable.json.timestamp'];

const brought = (): string[] =>
  existsSync(at('updates', 'versions')) ? readdirSync(at('updates', 'versions')).toSorted() : [];

test('a newer version is brought whole, what is the same is not loaded, and it is started when nothing is under way', async () => {
  offer('1.1.0');
  await updater.look();
  expect(updater.status).toEqual({ state: 'waiting', version: '1.1.0', detail: null });
  // Node is the same, so one of the two files was downloaded.
  expect(requests.filter((path) => path.startsWith('/files/'))).toHaveLength(1);
  const tree = versionFolder(at('updates'), '1.1.0');
  expect(readFileSync(join(tree, 'out', 'main', 'daemon.js'), 'utf8')).toBe('// 1.1.0');
  if (process.platform !== 'win32') {
    expect(statSync(join(tree, 'bin', 'node')).mode & 0o777).toBe(0o700);
    expect(statSync(join(tree, 'out', 'main', 'daemon.js')).mode & 0o777).toBe(0o600);
  }
  expect(restarts).toBe(0);

  quiet = false;
  await updater.look();
  expect(restarts).toBe(0);
  quiet = true;
  await updater.look();
  expect(restarts).toBe(1);
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
  isTimeKnown = false;
  await updater.look();
  isTimeKnown = true;
  quiet = false;
  await updater.look();
  expect(requests).toEqual([]);
  quiet = true;
  await updater.look();
  await updater.look();
  expect(requests).toEqual([
    '/stable.json.timestamp',
    '/stable.json.timestamp.sig',
    '/stable.json',
    '/stable.json.sig',
  ]);
  expect(updater.status).toEqual({ state: 'upToDate', version: null, detail: null });
  await clock.pass(6 * 60 * minuteMs);
  await updater.look();
  expect(requests).toHaveLength(8);
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
    settings = { ...settings, openingHours: { from, until } };
    const lookAt = async (time: string): Promise<void> => {
      const [hours, minutes] = time.split(':').map(Number) as [number, number];
      clock.wallMs = () => new Date(2026, 10, 21, hours, minutes).getTime();
      await updater.look();
    };
    await updater.look();
    for (const time of open) await lookAt(time);
    expect([updater.status?.state, restarts]).toEqual(['waiting', 0]);
    await lookAt(closed);
    expect(restarts).toBe(1);
  },
);

test('a channel and a pinned version have feeds of their own', async () => {
  offer('1.1.0');
  offer('1.2.0', { channel: 'beta' });
  settings = { ...settings, pin: '1.1.0', channel: 'beta' };
  await updater.look();
  expect(updater.status).toMatchObject({ state: 'waiting', version: '1.1.0' });
  updater = newUpdater();
  settings = { ...settings, pin: undefined };
  await updater.look();
  expect(updater.status).toMatchObject({ state: 'waiting', version: '1.2.0' });
});

describe('a version that waits is judged anew before it is started:', () => {
  const cases: Readonly<Record<string, readonly [() => void, object]>> = {
    'it is withdrawn': [() => offer('1.0.0'), { state: 'upToDate', version: null }],
    'its list is gone': [() => rmSync(feedFile('stable.json')), { state: 'failed' }],
    'another is pinned': [
      () => {
        offer('1.0.5');
        settings = { ...settings, pin: '1.0.5' };
      },
      { state: 'waiting', version: '1.0.5' },
    ],
    'another channel is chosen': [
      () => (settings = { ...settings, channel: 'beta' }),
      { state: 'failed' },
    ],
    'another key is trusted': [
      () => (settings = { ...settings, publicKey: publicKeyOf(otherKey) }),
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
    await updater.look();
    change();
    const isMended = name === 'its files are others now';
    // A payment begins while the update is checked.
    instead = (path) => (path.endsWith('.sig') && (quiet = false), false);
    await updater.look();
    expect(updater.status).toMatchObject(status);
    expect(restarts).toBe(0);
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
    await updater.look();
  } finally {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  }
  expect(updater.status).toMatchObject({
    state: 'failed',
    detail: expect.stringMatching(/not enough disk space: 256 MB free, 257 MB needed/),
  });
  expect(brought()).toEqual([]);
});

test('an interrupted download goes on where it was, and what changed on the disk meanwhile is loaded again', async () => {
  offer('1.1.0');
  rmSync(at('tree-1.0.0'), { recursive: true });
  instead = (path, response) =>
    path.startsWith('/files/') &&
    requests.filter((one) => one.startsWith('/files/')).length > 1 &&
    (response.destroy(), true);
  await updater.look();
  expect(updater.status).toMatchObject({ state: 'failed' });
  expect(brought()).toEqual(['1.1.0.partial']);
  instead = () => false;
  requests = [];
  updater = newUpdater();
  await updater.look();
  expect(updater.status).toMatchObject({ state: 'waiting' });
  expect(requests.filter((path) => path.startsWith('/files/'))).toHaveLength(1);
  writeFileSync(
    join(versionFolder(at('updates'), '1.1.0'), 'out', 'main', 'daemon.js'),
    '// changed',
  );
  updater = newUpdater();
  await updater.look();
  expect(
    readFileSync(join(versionFolder(at('updates'), '1.1.0'), 'out', 'main', 'daemon.js'), 'utf8'),
  ).toBe('// 1.1.0');
});

describe('refused, and nothing is installed:', () => {
  /** Signs a feed with any content. */
  const signed = (feed: object, by = key): void => {
    writeList(feedFile('stable.json'), JSON.stringify(feed), { key: by });
  };
  const feed = {
    product: 'tillbeacon',
    channel: 'stable',
    version: '1.1.0',
    minimumVersion: '0.0.0',
    packages: {},
  };
  const listing = (...files: object[]): object => ({ ...feed, packages: { [platform]: files } });
  const one = { path: 'out/main/daemon.js', bytes: 2, sha256: '0'.repeat(64), executable: false };
  const answeringFiles = (answer: (response: ServerResponse) => void): void => {
    offer('1.1.0');
    instead = (path, response) => path.startsWith('/files/') && (answer(response), true);
  };
  const cases: Readonly<Record<string, readonly [() => void, RegExp]>> = {
    'a feed that somebody else has signed': [
      () => offer('1.1.0', { key: otherKey }),
      /is not signed by the key/,
    ],
    'a feed that was changed': [
      () => (
        offer('1.1.0'),
        writeFileSync(
          feedFile('stable.json'),
          readFileSync(feedFile('stable.json'), 'utf8').replace('1.1.0', '1.9.0'),
        )
      ),
      /is not signed by the key/,
    ],
    'the signature of another feed': [
      () => (
        offer('1.2.0'),
        writeFileSync(feedFile('kept'), readFileSync(feedFile('stable.json.sig'))),
        offer('1.1.0'),
        writeFileSync(feedFile('stable.json.sig'), readFileSync(feedFile('kept')))
      ),
      /is not signed by the key/,
    ],
    'an older version': [() => offer('0.9.0'), /offers 0\.9\.0, which is older than 1\.0\.0/],
    'an older version that is pinned': [
      () => (offer('0.9.0'), (settings = { ...settings, pin: '0.9.0' })),
      /which is older/,
    ],
    'a version for newer ones alone': [
      () => offer('2.0.0', { minimumVersion: '1.5.0' }),
      /updates only 1\.5\.0 and newer, and this is 1\.0\.0/,
    ],
    'a feed of another channel': [
      () => offer('1.1.0', { channel: 'beta' }),
      /stable\.json\.timestamp: answered 404/,
    ],
    'a feed of another channel under this one’s name': [
      () => signed({ ...feed, channel: 'beta' }),
      /offers beta 1\.1\.0; the settings ask for stable/,
    ],
    'a version that is not for this computer': [
      () => offer('1.1.0', { packages: { 'other-x64': packageOf('1.1.1') } }),
      /is not offered for test-x64/,
    ],
    'a file with another content': [
      () => answeringFiles((response) => response.end('// 1.1.1')),
      /daemon\.js: does not match the feed/,
    ],
    'a file that was cut off': [
      () => answeringFiles((response) => response.end('// 1')),
      /daemon\.js: ended after 4 of 8 bytes/,
    ],
    'a download that breaks off': [
      () =>
        answeringFiles(
          (response) => (
            response.writeHead(200, { 'content-length': 8 }).write('// 1'), response.destroy()
          ),
        ),
      /terminated|aborted|no answer/,
    ],
    'a file that is longer': [
      () => answeringFiles((response) => response.end(Buffer.alloc(1_000_000))),
      /is longer than 8 bytes/,
    ],
    'a redirection of a file': [
      () =>
        answeringFiles((response) => response.writeHead(302, { location: '/stable.json' }).end()),
      /answered 302, and redirects are not followed/,
    ],
    'a redirection of the feed': [
      () => (
        offer('1.1.0'),
        (instead = (path, response) =>
          path === '/stable.json' &&
          (response.writeHead(307, { location: '/1.1.0.json' }).end(), true))
      ),
      /stable\.json: answered 307/,
    ],
    'a feed without an end': [
      () => (
        offer('1.1.0'),
        (instead = (path, response) =>
          path === '/stable.json' && (response.end(Buffer.alloc(9_000_000, 32)), true))
      ),
      /stable\.json: is longer than 8000000 bytes/,
    ],
    'a timestamp without an end': [
      () => (instead = (_path, response) => (response.end(Buffer.alloc(9_000_000, 32)), true)),
      /is longer than 2000 bytes/,
    ],
    'a feed without a timestamp, as version 0.1.0 has made them': [
      () => (offer('1.1.0'), rmSync(feedFile('stable.json.timestamp'))),
      /stable\.json\.timestamp: answered 404/,
    ],
    'a serial number that nobody has signed': [
      () => (
        offer('1.1.0'),
        writeFileSync(
          feedFile('stable.json.timestamp'),
          readFileSync(feedFile('stable.json.timestamp'), 'utf8').replace(
            '"serial":',
            '"serial":9',
          ),
        )
      ),
      /is not signed by the key/,
    ],
    'the timestamp of another list': [
      () => (
        offer('1.1.0'),
        offer('1.2.0', { channel: 'beta' }),
        ['', '.sig'].forEach((ending) =>
          copyFileSync(
            feedFile(`beta.json.timestamp${ending}`),
            feedFile(`stable.json.timestamp${ending}`),
          ),
        )
      ),
      /the timestamp beside stable\.json belongs to beta\.json/,
    ],
    'an older list beside the newest timestamp': [
      () => {
        offer('1.1.0');
        const old = keep('stable.json');
        offer('1.2.0');
        old();
      },
      /stable\.json does not match its timestamp/,
    ],
    'a path outside': [
      () => signed(listing({ ...one, path: '../../daemon.js' })),
      /must be a path inside the package/,
    ],
    'a file twice': [
      () => signed(listing(one, { ...one, path: 'OUT/main/daemon.js' })),
      /must not name a file twice/,
    ],
    'more than fits': [
      () =>
        signed(listing(...[1, 2, 3].map((n) => ({ ...one, path: `f${n}`, bytes: 500_000_000 })))),
      /must be at most/,
    ],
  };
  test.each(Object.entries(cases))('%s', async (_name, [prepare, why]) => {
    prepare();
    await updater.look();
    expect(updater.status).toMatchObject({ state: 'failed', detail: expect.stringMatching(why) });
    await updater.look();
    expect([restarts, updater.failures]).toEqual([0, 1]);
    expect(brought().filter((name) => !name.endsWith('.partial'))).toEqual([]);
    expect(existsSync(at('updates', 'current.json'))).toBe(false);
    expect(existsSync(at('daemon.js'))).toBe(false);
  });
});

test('an older list than one that was seen is refused, also after a restart', async () => {
  offer('1.1.0');
  const older = keep(...listOf);
  offer('1.2.0');
  await updater.look();
  expect(updater.status).toMatchObject({ state: 'waiting', version: '1.2.0' });
  older();
  await updater.look();
  expect(updater.status).toMatchObject({
    state: 'failed',
    detail: expect.stringMatching(/^stable\.json has the serial number \d+, but \d+ was seen/),
  });
  updater = newUpdater();
  await updater.look();
  expect(updater.status).toMatchObject({
    state: 'failed',
    detail: expect.stringContaining('the server offers an older list'),
  });
  expect(restarts).toBe(0);

  // Its publisher goes back, which is a newer list.
  offer('1.1.0');
  updater = newUpdater();
  await updater.look();
  expect(updater.status).toMatchObject({ state: 'waiting', version: '1.1.0' });
});

test('a list is refused whose serial number cannot be kept, and read again once it can', async () => {
  offer('1.1.0');
  mkdirSync(at('updates', 'feed-serials.json'), { recursive: true });
  await updater.look();
  expect(updater.status?.state).toBe('failed');
  rmSync(at('updates', 'feed-serials.json'), { recursive: true });
  updater = newUpdater();
  await updater.look();
  expect(updater.status?.state).toBe('waiting');
});

test('another key is another publisher, who counts by itself; a damaged file of serial numbers stops nothing', async () => {
  const write = (by: string, serial: number): void =>
    writeList(feedFile('stable.json'), readFileSync(feedFile('stable.json'), 'utf8'), {
      key: by,
      serial,
    });
  offer('1.1.0');
  await updater.look();
  write(otherKey, 1);
  settings = { ...settings, publicKey: publicKeyOf(otherKey) };
  updater = newUpdater();
  await updater.look();
  expect(updater.status?.state).toBe('waiting');
  writeFileSync(at('updates', 'feed-serials.json'), '{');
  updater = newUpdater();
  await updater.look();
  expect(updater.status?.state).toBe('waiting');
});

test('a list that has expired is not followed, and is told as such, until it is signed anew', async () => {
  const dayMs = 24 * 60 * minuteMs;
  clock.wallMs = () => Date.now();
  offer('1.1.0', { validDays: 2 });
  clock.wallMs = () => Date.now() + 2 * dayMs + minuteMs;
  await updater.look();
  expect(updater.status).toMatchObject({
    state: 'expired',
    version: null,
    detail: expect.stringMatching(/^stable\.json expired at .*: its publisher must sign it again$/),
  });
  expect([updater.failures, brought()]).toEqual([1, []]);
  expect(renewFeed({ out: at('feed'), key })).toEqual(['1.1.0.json', 'stable.json']);
  updater = newUpdater();
  await updater.look();
  expect(updater.status).toMatchObject({ state: 'waiting', version: '1.1.0' });
});

test('a clock that says 1970 neither stops updates nor what guards against older lists', async () => {
  clock.wallMs = () => 0;
  offer('1.1.0');
  const older = keep(...listOf);
  offer('1.2.0');
  await updater.look();
  expect(updater.status?.state).toBe('waiting');
  older();
  updater = newUpdater();
  await updater.look();
  expect(updater.status?.state).toBe('failed');
});

test('what somebody else has put into a feed is not signed anew', () => {
  offer('1.1.0', { key: otherKey });
  expect(() => renewFeed({ out: at('feed'), key })).toThrow(
    '1.1.0.json: is not signed by this key',
  );
});

test('lists are read by version 0.1.0 too, which knows no further field of them', () => {
  offer('1.1.0');
  const list = JSON.parse(readFileSync(feedFile('stable.json'), 'utf8')) as object;
  expect(Object.keys(list)).toEqual([
    'product',
    'channel',
    'version',
    'minimumVersion',
    'packages',
  ]);
});

test('a version that was taken back is tried again after a day, three times at most', async () => {
  offer('1.1.0');
  const takeBack = (): void => {
    const current = { ...readCurrent(at('updates')), version: '1.1.0', state: 'trying' as const };
    writeCurrent(
      at('updates'),
      afterRollback(current, 'it was not ready within 60 s', clock.wallMs()),
    );
  };
  mkdirSync(at('updates'));
  for (const times of [1, 2]) {
    takeBack();
    updater = newUpdater();
    await updater.look();
    expect(updater.status).toEqual({
      state: 'takenBack',
      version: '1.1.0',
      detail: 'it was not ready within 60 s',
    });
    await clock.pass(24 * 60 * minuteMs);
    await updater.look();
    expect([times, updater.status?.state]).toEqual([times, 'waiting']);
  }
  takeBack();
  await clock.pass(48 * 60 * minuteMs);
  updater = newUpdater();
  await updater.look();
  expect(updater.status?.state).toBe('takenBack');
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
  updater = newUpdater();
  expect(brought()).toEqual(['0.9.0', '1.0.0', '1.2.0.partial']);
});
