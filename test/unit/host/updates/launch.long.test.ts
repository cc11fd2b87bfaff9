import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../../../main/core/domain/clock.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { migrate } from '../../../../main/core/journal/schema.ts';
import { sampled } from '../../../support/long.ts';
import { daemonProgram } from '../../../../main/host/updates/daemon-program.ts';
import { launch } from '../../../../main/host/updates/launch.ts';
import {
  type Current,
  daemonIn,
  readCurrent,
  restartCode,
  versionFolder,
  writeCurrent,
} from '../../../../main/host/updates/versions.ts';

let folder: string;
let stop: AbortController;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-launch-'));
  stop = new AbortController();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const data = (): string => join(folder, 'data');
const updates = (): string => join(data(), 'updates');
const trying: Current = {
  version: '1.1.0',
  state: 'trying',
  starts: 0,
  previous: null,
  journalLayout: 6,
  failed: [],
  stuck: null,
};

/** A daemon that records in `ran` that it was started, and then does this. */
function daemon(program: string, does: string): void {
  mkdirSync(join(program, 'out', 'main'), { recursive: true });
  writeFileSync(join(program, 'package.json'), '{"type":"module"}');
  const start = `import { appendFileSync } from 'node:fs';
    appendFileSync(${JSON.stringify(join(folder, 'ran'))}, ${JSON.stringify(`${program.slice(folder.length + 1)}\n`)});
    const answers = (answer, asked = () => {}) => {
      console.log(JSON.stringify({ ready: true, screens: 'http://127.0.0.1:1' }));
      process.on('message', (message) => message === 'readiness' && process.send(answer, asked));
    };
    process.on('SIGTERM', () => process.exit(0));`;
  writeFileSync(daemonIn(program), `${start}\n${does}`);
}
const endsWith = (code: number): string => `process.exit(${code});`;
const isReadyThen = (code: number): string =>
  `answers({ isReady: true, words: '' }, () => setTimeout(() => process.exit(${code}), 1_000));`;
const hangs = 'setInterval(() => {}, 1_000);';

const newer = (does: string): void => daemon(versionFolder(updates(), '1.1.0'), does);
const ran = (): string[] => readFileSync(join(folder, 'ran'), 'utf8').trim().split('\n');
const installedName = 'installed';
const newerName = join('data', 'updates', 'versions', '1.1.0');

function launched(
  current: Current | null,
  { installedDoes = endsWith(7), readyWithinMs = 10_000 } = {},
): Promise<number> {
  mkdirSync(updates(), { recursive: true });
  daemon(join(folder, installedName), installedDoes);
  if (current !== null) writeCurrent(updates(), current);
  const shared = {
    relayText: null,
    updates: updates(),
    stop: stop.signal,
    clock: systemClock,
    log: silentLog,
  };
  const program = daemonProgram({
    ...shared,
    args: ['--data', data()],
    program: join(folder, installedName),
    version: '1.0.0',
  });
  return launch({
    ...shared,
    program,
    journal: join(data(), 'journal.sqlite'),
    settings: join(data(), 'settings.json'),
    readyWithinMs,
  });
}

test('without a newer version the installed one runs, and its exit code is the launcher’s', async () => {
  expect(await launched(null)).toBe(7);
  expect(ran()).toEqual([installedName]);
});

test('a version that becomes ready stays, also when its screens answer nobody', async () => {
  newer(isReadyThen(3));
  expect(await launched(trying)).toBe(3);
  expect(ran()).toEqual([newerName]);
  expect(readCurrent(updates())).toMatchObject({ version: '1.1.0', state: 'good', starts: 0 });
});

test.each(
  sampled(
    [
      ['never becomes ready', hangs, 'it was not ready within 1 s'],
      [
        'says that it is ready while its lanes take no payments',
        'answers({ isReady: false }); answers(null); answers(true);',
        'it was not ready within 1 s',
      ],
      ['ends at once', endsWith(1), 'it ended with 1 before it was ready'],
      [
        'ends as if another were to be started',
        endsWith(restartCode),
        'it ended with 75 before it was ready',
      ],
    ] as const,
    0,
    2,
  ),
)('a version that %s is taken back', async (_name, does, why) => {
  newer(does);
  // A busy computer takes more than a second to start what ends at once.
  expect(
    await launched(trying, { readyWithinMs: why.startsWith('it ended') ? 10_000 : 1_000 }),
  ).toBe(7);
  expect(ran()).toEqual([newerName, installedName]);
  expect(readCurrent(updates())).toMatchObject({
    version: null,
    state: 'good',
    failed: [{ version: '1.1.0', times: 1, why }],
  });
});

test('a version that was being tried when the power failed is taken back', async () => {
  newer(isReadyThen(0));
  expect(await launched({ ...trying, starts: 1 })).toBe(7);
  expect(ran()).toEqual([installedName]);
  expect(readCurrent(updates()).failed).toMatchObject([
    { why: 'it was ended before it was ready' },
  ]);
});

test('a second start while a version is being tried leaves that to the first', async () => {
  newer(
    `setTimeout(() => process.exit(9), 8_000); setTimeout(() => { ${isReadyThen(3)} }, 1_500);`,
  );
  const first = launched(trying);
  await expect.poll(() => existsSync(join(folder, 'ran')), { timeout: 10_000 }).toBe(true);
  expect(await launched(null)).toBe(0);
  expect(await first).toBe(3);
  expect(ran()).toEqual([newerName]);
  expect(readCurrent(updates())).toMatchObject({ version: '1.1.0', state: 'good', failed: [] });
});

test.skipIf(process.platform === 'win32')(
  'a version is not started when another user could have changed any file of it',
  async () => {
    const version = versionFolder(updates(), '1.1.0');
    newer(endsWith(3));
    mkdirSync(join(version, 'bin'));
    copyFileSync(process.execPath, join(version, 'bin', 'node'));
    for (const [path, mode] of [
      ['bin/node', 0o755],
      ['bin', 0o755],
      ['package.json', 0o644],
    ] as const) {
      chmodSync(join(version, path), 0o777);
      expect(await launched({ ...trying, state: 'good' })).toBe(7);
      chmodSync(join(version, path), mode);
    }
    expect(ran()).toEqual([installedName, installedName, installedName]);
    expect(await launched({ ...trying, state: 'good' })).toBe(3);
  },
);

test('a version that is gone from the disk is not missed', async () => {
  expect(await launched({ ...trying, state: 'good' })).toBe(7);
  expect(ran()).toEqual([installedName]);
});

test('there is no way back to a version that cannot read the journal any more', async () => {
  newer('setTimeout(() => process.exit(4), 1_000);'); // Longer than it may take.
  const current = { ...trying, starts: 1 };
  mkdirSync(data(), { recursive: true });
  const journal = new DatabaseSync(join(data(), 'journal.sqlite'));
  journal.exec('PRAGMA user_version = 7');
  journal.close();
  expect(await launched(current, { readyWithinMs: 300 })).toBe(4);
  expect(ran()).toEqual([newerName]);
  expect(readCurrent(updates())).toMatchObject({
    version: '1.1.0',
    failed: [],
    stuck: expect.stringContaining('it cannot be rolled back'),
  });
});

/** A journal with one event. */
function journalBefore(): string {
  mkdirSync(data(), { recursive: true });
  const path = join(data(), 'journal.sqlite');
  const db = new DatabaseSync(path);
  migrate(db);
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA user_version = 6; ${anEvent}`);
  db.close();
  return path;
}
const anEvent = `INSERT INTO events (at_ms, lane_id, sale_id, type, body) VALUES (1, '1', 'sale', 'saleRequested', '{}');`;
const migrates = (more = ''): string =>
  `const { DatabaseSync } = await import('node:sqlite'); const db = new DatabaseSync(${JSON.stringify(join(data(), 'journal.sqlite'))});
   db.exec(${JSON.stringify(`CREATE TABLE later (number INTEGER PRIMARY KEY) STRICT; INSERT INTO later VALUES (1); PRAGMA user_version = 7; ${more}`)});`;
const inJournal = (path: string, question: string): unknown => {
  const db = new DatabaseSync(path, { readOnly: true });
  const answer = Object.values(db.prepare(question).get() ?? {})[0];
  db.close();
  return answer;
};

test.each(
  sampled(
    [
      ['never becomes ready', hangs, 'it was not ready within 1 s'],
      ['is killed', `process.kill(process.pid, 'SIGKILL');`, 'it ended with 1 before it was ready'],
    ],
    1,
  ),
)(
  'a version that has changed the journal, has recorded nothing and %s is taken back, with the journal',
  async (_name, does, why) => {
    const journal = journalBefore();
    newer(`${migrates()} ${does}`);
    expect(
      await launched(trying, { readyWithinMs: why.startsWith('it ended') ? 10_000 : 1_000 }),
    ).toBe(7);
    expect(ran()).toEqual([newerName, installedName]);
    expect([
      inJournal(journal, 'PRAGMA user_version'),
      inJournal(journal, 'SELECT count(*) FROM events'),
      inJournal(journal, 'PRAGMA integrity_check'),
    ]).toEqual([6, 1, 'ok']);
    expect(readdirSync(data()).filter((name) => name.startsWith('journal'))).toEqual([
      'journal.sqlite',
    ]);
    expect(readCurrent(updates()).failed).toMatchObject([{ why }]);
  },
);

test('what a version has recorded is never given up: it goes on, and says that there is no way back', async () => {
  const journal = journalBefore();
  newer(`${migrates(anEvent)} setTimeout(() => process.exit(4), 1_500);`);
  expect(await launched(trying, { readyWithinMs: 300 })).toBe(4);
  expect(ran()).toEqual([newerName]);
  expect([
    inJournal(journal, 'PRAGMA user_version'),
    inJournal(journal, 'SELECT count(*) FROM events'),
  ]).toEqual([7, 2]);
  expect(readCurrent(updates())).toMatchObject({
    version: '1.1.0',
    stuck: expect.stringContaining('has recorded events since'),
  });
});

test('what a version records while it is being ended is not given up either', async () => {
  const journal = journalBefore();
  const ranTwice = `(await import('node:fs')).readFileSync(${JSON.stringify(join(folder, 'ran'))}, 'utf8').trim().includes('\\n')`;
  newer(`if (${ranTwice}) process.exit(5); ${migrates()} ${hangs}
    process.removeAllListeners('SIGTERM').on('SIGTERM', () => (db.exec(${JSON.stringify(anEvent)}), process.exit(0)));`);
  expect(await launched(trying, { readyWithinMs: 1_000 })).toBe(5);
  expect(ran()).toEqual([newerName, newerName]);
  expect(inJournal(journal, 'SELECT count(*) FROM events')).toBe(2);
});

test('the journal of a daemon, whose screens the version is, is neither copied nor put back, nor a reason to keep the version', async () => {
  const journal = journalBefore();
  const copy = journal.replace('.sqlite', '.before-update.sqlite');
  // A copy by the launcher, just before the daemon has changed its journal.
  copyFileSync(journal, copy);
  newer(`${migrates(anEvent)} ${hangs}`);
  expect(await launched({ ...trying, screensOnly: true }, { readyWithinMs: 1_000 })).toBe(7);
  expect(ran()).toEqual([newerName, installedName]);
  expect([
    inJournal(journal, 'PRAGMA user_version'),
    inJournal(journal, 'SELECT count(*) FROM events'),
  ]).toEqual([7, 2]);
  expect(existsSync(copy)).toBe(true);

  newer(`${migrates()} ${hangs}`);
  for (const ending of ['', '-wal', '-shm']) rmSync(`${journal}${ending}`, { force: true });
  copyFileSync(copy, journal);
  writeFileSync(join(folder, 'ran'), '');
  expect(await launched({ ...trying, screensOnly: true }, { readyWithinMs: 1_000 })).toBe(7);
  expect(inJournal(journal, 'PRAGMA user_version')).toBe(7);
  expect(existsSync(copy)).toBe(true);

  newer(isReadyThen(3));
  expect(await launched({ ...trying, screensOnly: true })).toBe(3);
  expect(existsSync(copy)).toBe(true);
});

test('the daemon asks for the next version by its exit code', async () => {
  newer(isReadyThen(5));
  const current = JSON.stringify(JSON.stringify(trying));
  const switches = `(await import('node:fs')).writeFileSync(${JSON.stringify(join(updates(), 'current.json'))}, ${current}); process.exit(${restartCode});`;
  expect(await launched(null, { installedDoes: switches })).toBe(5);
  expect(ran()).toEqual([installedName, newerName]);
  expect(readCurrent(updates()).state).toBe('good');
});

test('who stops the launcher stops the daemon, and that says nothing about the version', async () => {
  newer(hangs);
  const code = launched(trying);
  setTimeout(() => stop.abort(), 500);
  expect(await code).toBe(0);
  expect(readCurrent(updates())).toEqual(trying);
});
