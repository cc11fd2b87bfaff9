/**
 * What a full disk, a file that is held, and a power cut do to a version that is tried. The
 * programs are made up; processes are in launch.long.test.ts.
 */
import fs, {
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
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { migrate } from '../../../../main/core/journal/schema.ts';
import { launch, type Program } from '../../../../main/host/updates/launch.ts';
import {
  type Current,
  noteReady,
  readCurrent,
  writeCurrent,
} from '../../../../main/host/updates/versions.ts';
import { ManualClock } from '../../support/manual-clock.ts';

let folder: string;
let clock: ManualClock;
/** The programs that were started, in order. */
let ran: (string | null)[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-launch-'));
  mkdirSync(updates(), { mode: 0o700 });
  clock = new ManualClock();
  ran = [];
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  rmSync(folder, { recursive: true, force: true });
});

const at = (name: string): string => join(folder, name);
const updates = (): string => at('updates');
const journal = (): string => at('journal.sqlite');
const copy = (): string => at('journal.before-update.sqlite');
const trying: Current = {
  version: '1.1.0',
  state: 'trying',
  starts: 0,
  previous: '1.0.0',
  journalLayout: 7,
  failed: [],
  stuck: null,
};
const oldLayout = 7;
const newLayout = 8;

const inDatabase = <Answer>(path: string, question: (db: DatabaseSync) => Answer): Answer => {
  const db = new DatabaseSync(path);
  try {
    return question(db);
  } finally {
    db.close();
  }
};
const layout = (): unknown =>
  inDatabase(journal(), (db) => db.prepare('PRAGMA user_version').get()?.['user_version']);
const does = (sql: string): void => inDatabase(journal(), (db) => db.exec(sql));
const migrates = (): void => does(`PRAGMA user_version = ${newLayout}`);
const makeJournal = (): void =>
  inDatabase(journal(), (db) => (migrate(db), db.exec(`PRAGMA user_version = ${oldLayout}`)));

interface About {
  /** What the newer version does before it exits with 1. */
  readonly does?: () => void;
  readonly putBack?: Program['putBack'];
  /** The version that is installed. */
  readonly version?: string;
}

/** The former version exits with 0, the newer one with 1. */
async function launched(
  current: Current,
  { does = () => {}, putBack, version }: About = {},
): Promise<number> {
  writeCurrent(updates(), current);
  const program: Program = {
    chosen: ({ state, version: named }) => (state === 'trying' ? named : '1.0.0'),
    start(started) {
      ran.push(started);
      if (started === '1.1.0') does();
      return {
        ended: Promise.resolve(started === '1.1.0' ? 1 : 0),
        ready: () => new Promise(() => {}),
        end: () => Promise.resolve(),
      };
    },
    ...(putBack !== undefined && { putBack }),
    wasEnded: (code) => code === 0,
    startsAgain: () => Promise.resolve(ran.length < 10),
  };
  const stop = new AbortController().signal;
  const files = { updates: updates(), journal: journal(), settings: at('settings.json') };
  const code = launch({
    ...files,
    program,
    ...(version !== undefined && { version }),
    readyWithinMs: 1_000,
    stop,
    clock,
    log: silentLog,
  });
  let isOver = false;
  void code.finally(() => (isOver = true));
  for (let steps = 0; !isOver && steps < 100; steps += 1) await clock.pass(1_000);
  return code;
}

const refusing = (code: string): Error => Object.assign(new Error(code), { code });
/** @param path the file that the disk refuses to replace @param times how often it refuses */
function refuse(path: string, times = Infinity, isFrom = () => true): void {
  const { renameSync } = fs;
  let left = times;
  vi.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
    if (to === path && isFrom() && left-- > 0) throw refusing('ENOSPC');
    renameSync(from, to);
  });
  syncBuiltinESMExports();
}

test('a full disk, on which nothing can be noted, keeps nobody from starting the version before', async () => {
  refuse(join(updates(), 'current.json'), Infinity, () => ran.length > 0);
  expect(await launched(trying)).toBe(0);
  expect(ran).toEqual(['1.1.0', '1.0.0']);
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  // With free space again the version is rejected, and none of it is started.
  expect(await launched(readCurrent(updates()))).toBe(0);
  expect([ran.slice(2), readCurrent(updates())]).toMatchObject([
    ['1.0.0'],
    { version: '1.0.0', state: 'good', failed: [{ version: '1.1.0' }] },
  ]);
});

test('what was held for a moment is written then', async () => {
  refuse(join(updates(), 'current.json'), 2, () => ran.length > 0);
  expect(await launched(trying)).toBe(0);
  expect(readCurrent(updates())).toMatchObject({ version: '1.0.0', state: 'good' });
});

test('the journal’s copy that cannot be put back is tried again, and the newer version goes on meanwhile', async () => {
  makeJournal();
  refuse(journal(), 5);
  expect(await launched(trying, { does: migrates })).toBe(0);
  expect(ran).toEqual(['1.1.0', '1.1.0', '1.0.0']);
  expect([layout(), existsSync(copy())]).toEqual([oldLayout, false]);
});

test('files of the version before that are held are tried again, and say nothing about the way back', async () => {
  let held = 6;
  const putBack = (): 'inPlace' => {
    if (held-- > 0) throw refusing('EPERM');
    return 'inPlace';
  };
  expect(await launched(trying, { putBack })).toBe(0);
  expect(ran).toEqual(['1.1.0', '1.1.0', '1.0.0']);
});

test('a journal that cannot be read now is no reason to give up its copy: the version before is started when it can', async () => {
  makeJournal();
  const unreadable = (isSo: boolean): void => {
    if (isSo) {
      fs.renameSync(journal(), at('elsewhere'));
      mkdirSync(journal());
      return;
    }
    rmSync(journal(), { recursive: true });
    fs.renameSync(at('elsewhere'), journal());
  };
  const does = (): void => {
    if (ran.length === 1) {
      migrates();
      unreadable(true);
    } else {
      expect(existsSync(copy())).toBe(true);
      if (ran.length === 3) unreadable(false);
    }
  };
  expect(await launched(trying, { does })).toBe(0);
  expect(ran).toEqual(['1.1.0', '1.1.0', '1.1.0', '1.0.0']);
  expect(layout()).toBe(oldLayout);
});

test('a version is not tried where the disk has too little room for the journal’s copy and for payments', async () => {
  makeJournal();
  vi.spyOn(fs, 'statfsSync').mockReturnValue({ bavail: 200, bsize: 1024 ** 2 } as never);
  syncBuiltinESMExports();
  expect(await launched(trying)).toBe(0);
  expect(ran).toEqual(['1.0.0']);
  expect(readCurrent(updates()).failed[0]?.why).toMatch(
    /the journal could not be copied before its trial: .* not enough disk space: 200 MB free, 257 MB needed/,
  );
});

test('a version that was put back because the newer one could not begin has its journal again', async () => {
  makeJournal();
  // The power fails after the newer version has changed the journal.
  await launched(trying, { does: () => (migrates(), fs.copyFileSync(copy(), at('kept'))) });
  fs.renameSync(at('kept'), copy());
  migrates();
  ran = [];
  expect(await launched({ ...trying, starts: 1 }, { version: '1.0.0' })).toBe(0);
  expect([ran, layout(), existsSync(copy())]).toEqual([['1.0.0'], oldLayout, false]);
  expect(readCurrent(updates())).toMatchObject({
    state: 'good',
    failed: [{ why: 'it was not installed, or did not start' }],
  });
});

test('a second start while a version is taken back leaves that to the first', async () => {
  const second: Promise<number>[] = [];
  let held = 1;
  const putBack = (): 'inPlace' => {
    if (held-- === 0) return 'inPlace';
    second.push(launched(readCurrent(updates())));
    throw refusing('EPERM');
  };
  expect(await launched(trying, { putBack })).toBe(0);
  expect([await second[0], ran]).toEqual([0, ['1.1.0', '1.0.0']]);
});

const settingsNow = (): string => readFileSync(at('settings.json'), 'utf8');
const action = `INSERT INTO manager_actions (manager, action, detail, at_ms) VALUES ('m', 'a', '{}', 1)`;

test('settings that the newer version has rewritten are taken back with it', async () => {
  makeJournal();
  writeFileSync(at('settings.json'), 'older', { mode: 0o600 });
  expect(await launched(trying, { does: () => writeFileSync(at('settings.json'), 'newer') })).toBe(
    0,
  );
  expect([settingsNow(), existsSync(at('settings.before-update.json'))]).toEqual(['older', false]);
});

test('settings that a person has changed meanwhile stay', async () => {
  makeJournal();
  writeFileSync(at('settings.json'), 'older', { mode: 0o600 });
  const changes = (): void => (does(action), writeFileSync(at('settings.json'), 'of a person'));
  expect(await launched(trying, { does: changes })).toBe(0);
  expect(settingsNow()).toBe('of a person');
});

test('a version that runs while another is named does not note that one as ready', async () => {
  writeCurrent(updates(), trying);
  await noteReady(updates(), { version: '1.0.0', isReady: () => true, clock });
  expect(readCurrent(updates())).toEqual(trying);
  await noteReady(updates(), { version: '1.1.0', isReady: () => true, clock });
  expect(readCurrent(updates()).state).toBe('good');
});
