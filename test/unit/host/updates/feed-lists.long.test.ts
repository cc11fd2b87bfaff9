/** What an updater refuses: lists of somebody else, older ones, and expired ones. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
// @ts-expect-error: a script, without types
import { publicKeyOf, renewFeed, writeList } from '../../../../scripts/update-feed.mjs';
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
  packageOf,
  platform,
} from './updates-support.ts';

openBenches();

/** @returns puts a list and its signature back as they are now */
function keep(...names: readonly string[]): () => void {
  const files = names
    .flatMap((name) => [name, `${name}.sig`])
    .map((name) => [feedFile(name), readFileSync(feedFile(name))] as const);
  return () => files.forEach(([file, content]) => writeFileSync(file, content));
}
const listOf = ['stable.json', 'stable.json.timestamp'];

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
    bench.instead = (path, response) => path.startsWith('/files/') && (answer(response), true);
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
      () => (offer('0.9.0'), (bench.settings = { ...bench.settings, pin: '0.9.0' })),
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
        (bench.instead = (path, response) =>
          path === '/stable.json' &&
          (response.writeHead(307, { location: '/1.1.0.json' }).end(), true))
      ),
      /stable\.json: answered 307/,
    ],
    'a feed without an end': [
      () => (
        offer('1.1.0'),
        (bench.instead = (path, response) =>
          path === '/stable.json' && (response.end(Buffer.alloc(9_000_000, 32)), true))
      ),
      /stable\.json: is longer than 8000000 bytes/,
    ],
    'a timestamp without an end': [
      () =>
        (bench.instead = (_path, response) => (response.end(Buffer.alloc(9_000_000, 32)), true)),
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
    await bench.updater.look();
    expect(bench.updater.status).toMatchObject({
      state: 'failed',
      detail: expect.stringMatching(why),
    });
    await bench.updater.look();
    expect([bench.restarts, bench.updater.failures]).toEqual([0, 1]);
    expect(brought().filter((name) => !name.endsWith('.partial'))).toEqual([]);
    expect(existsSync(at('updates', 'current.json'))).toBe(false);
    expect(existsSync(at('daemon.js'))).toBe(false);
  });
});

test('an older list than one that was seen is refused, also after a restart', async () => {
  offer('1.1.0');
  const older = keep(...listOf);
  offer('1.2.0');
  await bench.updater.look();
  expect(bench.updater.status).toMatchObject({ state: 'waiting', version: '1.2.0' });
  older();
  await bench.updater.look();
  expect(bench.updater.status).toMatchObject({
    state: 'failed',
    detail: expect.stringMatching(/^stable\.json has the serial number \d+, but \d+ was seen/),
  });
  bench.updater = newUpdater();
  await bench.updater.look();
  expect(bench.updater.status).toMatchObject({
    state: 'failed',
    detail: expect.stringContaining('the server offers an older list'),
  });
  expect(bench.restarts).toBe(0);

  // Its publisher goes back, which is a newer list.
  offer('1.1.0');
  bench.updater = newUpdater();
  await bench.updater.look();
  expect(bench.updater.status).toMatchObject({ state: 'waiting', version: '1.1.0' });
});

test('a list is refused whose serial number cannot be kept, and read again once it can', async () => {
  offer('1.1.0');
  mkdirSync(at('updates', 'feed-serials.json'), { recursive: true });
  await bench.updater.look();
  expect(bench.updater.status?.state).toBe('failed');
  rmSync(at('updates', 'feed-serials.json'), { recursive: true });
  bench.updater = newUpdater();
  await bench.updater.look();
  expect(bench.updater.status?.state).toBe('waiting');
});

test('another key is another publisher, who counts by itself; a damaged file of serial numbers stops nothing', async () => {
  const write = (by: string, serial: number): void =>
    writeList(feedFile('stable.json'), readFileSync(feedFile('stable.json'), 'utf8'), {
      key: by,
      serial,
    });
  offer('1.1.0');
  await bench.updater.look();
  write(otherKey, 1);
  bench.settings = { ...bench.settings, publicKey: publicKeyOf(otherKey) };
  bench.updater = newUpdater();
  await bench.updater.look();
  expect(bench.updater.status?.state).toBe('waiting');
  writeFileSync(at('updates', 'feed-serials.json'), '{');
  bench.updater = newUpdater();
  await bench.updater.look();
  expect(bench.updater.status?.state).toBe('waiting');
});

test('a list that has expired is not followed, and is told as such, until it is signed anew', async () => {
  const dayMs = 24 * 60 * minuteMs;
  bench.clock.wallMs = () => Date.now();
  offer('1.1.0', { validDays: 2 });
  bench.clock.wallMs = () => Date.now() + 2 * dayMs + minuteMs;
  await bench.updater.look();
  expect(bench.updater.status).toMatchObject({
    state: 'expired',
    version: null,
    detail: expect.stringMatching(/^stable\.json expired at .*: its publisher must sign it again$/),
  });
  expect([bench.updater.failures, brought()]).toEqual([1, []]);
  expect(renewFeed({ out: at('feed'), key })).toEqual(['1.1.0.json', 'stable.json']);
  bench.updater = newUpdater();
  await bench.updater.look();
  expect(bench.updater.status).toMatchObject({ state: 'waiting', version: '1.1.0' });
});

test('a clock that says 1970 neither stops updates nor what guards against older lists', async () => {
  bench.clock.wallMs = () => 0;
  offer('1.1.0');
  const older = keep(...listOf);
  offer('1.2.0');
  await bench.updater.look();
  expect(bench.updater.status?.state).toBe('waiting');
  older();
  bench.updater = newUpdater();
  await bench.updater.look();
  expect(bench.updater.status?.state).toBe('failed');
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
