import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { moveFolder } from '../../../../main/host/desktop/move-folder.ts';
import { openUserData } from '../../../../main/host/desktop/user-data.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { openJournalReader } from '../../../../main/core/journal/reader.ts';
import { openSqliteJournal } from '../../../../main/core/journal/sqlite-journal.ts';
import { lockFolder } from '../../../../main/support/folder-lock.ts';
import { noReserve, paid, saleNumbered } from '../../core/journal/support.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const onDisk = '/var/tmp';
const inMemory = '/dev/shm';
const hasTwoDisks =
  existsSync(onDisk) && existsSync(inMemory) && statSync(onDisk).dev !== statSync(inMemory).dev;

let folders: string[];
let from: string;
let to: string;
const use = (fromDisk: string, toDisk: string): void => {
  folders = [
    mkdtempSync(join(fromDisk, 'tillbeacon-roaming-')),
    mkdtempSync(join(toDisk, 'tillbeacon-local-')),
  ];
  [from, to] = folders.map((folder) => join(folder, 'tillbeacon')) as [string, string];
};
beforeEach(() => use(tmpdir(), tmpdir()));
afterEach(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function pay(folder: string, ...numbers: number[]): void {
  mkdirSync(join(folder, 'data'), { recursive: true });
  const journal = openSqliteJournal(join(folder, 'data', 'journal.sqlite'), new ManualClock(), {
    reserve: noReserve,
  });
  for (const n of numbers) journal.append('1', saleNumbered(n).saleId, paid(saleNumbered(n)));
  journal.close();
}

/** What an earlier version has left. */
function fill(): void {
  pay(from, 1, 2);
  for (const folder of ['updates', 'Cache']) mkdirSync(join(from, folder));
  writeFileSync(join(from, 'this-pc.json'), '{"kiosk":true}');
  writeFileSync(join(from, 'Local State'), '{"os_crypt":{}}');
  writeFileSync(join(from, 'updates', 'current.json'), '{}');
}

const move = (): void => moveFolder({ from, to, log: silentLog });

function paymentsIn(folder: string): number {
  const reader = openJournalReader(join(folder, 'data', 'journal.sqlite'));
  try {
    expect(reader.check().problems).toEqual([]);
    return reader.check().sales;
  } finally {
    reader.close();
  }
}

const leftBeside = (): string[] =>
  folders.flatMap((folder) => readdirSync(folder)).filter((name) => name !== 'tillbeacon');

function expectMoved(): void {
  expect(paymentsIn(to)).toBe(2);
  expect(existsSync(from)).toBe(false);
  expect(readFileSync(join(to, 'this-pc.json'), 'utf8')).toBe('{"kiosk":true}');
  for (const name of ['Local State', 'updates/current.json'])
    expect(existsSync(join(to, name))).toBe(true);
  expect(leftBeside()).toEqual([]);
}

/**
 * Starts until one of them ends by itself; the first is killed at its step `at`. @returns the steps
 * that the last one reached
 */
function moveKilledAt(at: number): string[] {
  const program = `import { moveFolder } from ${JSON.stringify(join(import.meta.dirname, '../../../../main/host/desktop/move-folder.ts'))};
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    let left = ${at};
    moveFolder({ from: ${JSON.stringify(from)}, to: ${JSON.stringify(to)}, log, reached(step) {
      console.log(step);
      if (left-- === 0) process.kill(process.pid, 'SIGKILL');
    } });`;
  const { stdout, stderr, signal } = spawnSync(
    process.execPath,
    ['--input-type=module-typescript', '--disable-warning=ExperimentalWarning', '-e', program],
    {
      encoding: 'utf8',
      timeout: 20_000,
    },
  );
  expect(stderr).toBe('');
  expect([null, 'SIGKILL']).toContain(signal);
  return signal === 'SIGKILL' ? [] : stdout.trim().split('\n');
}

test('moves the folder by renaming it on the same disk, and does nothing the next time', () => {
  fill();
  move();
  expectMoved();
  move();
  expectMoved();
});

test('does nothing where there is nothing', () => {
  move();
  expect(folders.flatMap((folder) => readdirSync(folder))).toEqual([]);
});

test('is in one place after a kill on the same disk', () => {
  fill();
  expect(moveKilledAt(0)).toEqual([]);
  expect(existsSync(from)).not.toBe(existsSync(to));
  move();
  expectMoved();
});

describe.skipIf(!hasTwoDisks)('from another disk', () => {
  beforeEach(() => {
    for (const folder of folders) rmSync(folder, { recursive: true });
    use(inMemory, onDisk);
  });

  test('copies everything but what Chromium makes again', () => {
    fill();
    move();
    expectMoved();
    expect(existsSync(join(to, 'Cache'))).toBe(false);
  });

  test('survives a kill at every step: one folder can be used, never two', {
    timeout: 60_000,
  }, () => {
    fill();
    const kept = join(folders[0] as string, 'kept');
    cpSync(from, kept, { recursive: true, preserveTimestamps: true });
    for (let at = 0; ; at += 1) {
      const steps = moveKilledAt(at);
      expect([existsSync(from), existsSync(to)]).not.toEqual([true, true]);
      // An older version that starts now sees all payments or no folder.
      if (existsSync(from)) expect(paymentsIn(from)).toBe(2);
      move();
      expect(paymentsIn(to)).toBe(2);
      expect(existsSync(from)).toBe(false);
      expect(leftBeside()).toEqual(['kept']);
      if (steps.length > 0) {
        expect(steps).toEqual(
          expect.arrayContaining([
            'cleared',
            'copy of journal.sqlite',
            'copied',
            'retired',
            'in place',
            'finishing',
          ]),
        );
        return;
      }
      rmSync(to, { recursive: true });
      cpSync(kept, from, { recursive: true, preserveTimestamps: true });
    }
  });

  test('takes what was paid with the earlier version after a move was killed', () => {
    fill();
    // Killed when the copy was complete, and the old folder still had its name.
    mkdirSync(`${to}.moving`);
    cpSync(from, join(`${to}.moving`, 'complete'), { recursive: true, preserveTimestamps: true });
    pay(from, 3);
    move();
    expect(paymentsIn(to)).toBe(3);
  });

  test('gives the old folder its name back when it was changed after it had been copied', () => {
    fill();
    mkdirSync(`${to}.moving`);
    cpSync(from, join(`${to}.moving`, 'complete'), { recursive: true, preserveTimestamps: true });
    cpSync(from, `${from}.moved`, { recursive: true, preserveTimestamps: true });
    rmSync(from, { recursive: true });
    appendFileSync(join(`${from}.moved`, 'this-pc.json'), ' ');
    expect(move).toThrow('it changed during the copy');
    expect([existsSync(from), existsSync(to)]).toEqual([true, false]);
    writeFileSync(join(from, 'this-pc.json'), '{"kiosk":true}');
    move();
    expectMoved();
  });

  test('uses the complete copy although an earlier version has begun an empty folder meanwhile', () => {
    fill();
    mkdirSync(`${to}.moving`);
    cpSync(from, join(`${to}.moving`, 'complete'), { recursive: true, preserveTimestamps: true });
    cpSync(from, `${from}.moved`, { recursive: true, preserveTimestamps: true });
    rmSync(from, { recursive: true });
    mkdirSync(from);
    move();
    expect(paymentsIn(to)).toBe(2);
    expect(readdirSync(from)).toEqual([]);
  });

  test('refuses when the copy is gone, and removes nothing', () => {
    fill();
    cpSync(from, `${from}.moved`, { recursive: true });
    rmSync(from, { recursive: true });
    expect(move).toThrow('the copy is missing');
    expect(paymentsIn(`${from}.moved`)).toBe(2);
  });
});

test('refuses while an earlier version runs', () => {
  fill();
  const lock = lockFolder(join(from, 'data'));
  expect(move).toThrow('is in use by another Tillbeacon');
  expect(existsSync(to)).toBe(false);
  lock.close();
  move();
  expect(paymentsIn(to)).toBe(2);
});

test('removes an earlier copy of the same payments that came back, as with a profile that roams', () => {
  fill();
  const roamed = join(folders[0] as string, 'roamed');
  cpSync(from, roamed, { recursive: true });
  move();
  pay(to, 3);
  cpSync(roamed, from, { recursive: true });
  rmSync(roamed, { recursive: true });
  move();
  expect(paymentsIn(to)).toBe(3);
  expect(existsSync(from)).toBe(false);
  expect(leftBeside()).toEqual([]);
});

test('refuses where both folders have payments of their own, and changes neither', () => {
  fill();
  move();
  pay(from, 4);
  expect(move).toThrow('both folders contain payments');
  expect([paymentsIn(from), paymentsIn(to)]).toEqual([1, 2]);
});

describe('the folder that the app uses', () => {
  const boxes: string[] = [];
  const paths: string[] = [];
  const open = (platform: NodeJS.Platform, switches: readonly string[] = []): boolean =>
    openUserData({
      app: {
        getPath: () => from,
        setPath: (_name, path) => void paths.push(path),
        commandLine: { hasSwitch: (name: string) => switches.includes(name) } as never,
      },
      dialog: { showErrorBox: (_title, text) => void boxes.push(text) },
      platform,
      environment: { LOCALAPPDATA: folders[1] },
      log: silentLog,
    });
  beforeEach(() => {
    boxes.length = 0;
    paths.length = 0;
    fill();
  });

  test('on Windows is the one that does not roam, with everything that was in the other', () => {
    expect(open('win32')).toBe(true);
    expect(paths).toEqual([to, to]);
    expectMoved();
  });

  test('stays where it is on other systems, and where the command line names one', () => {
    expect([open('linux'), open('darwin'), open('win32', ['user-data-dir'])]).toEqual([
      true,
      true,
      true,
    ]);
    expect(paths).toEqual([]);
    expect(existsSync(from)).toBe(true);
  });

  test('is not opened when the data cannot be moved, and a person reads why', () => {
    move();
    pay(from, 4);
    expect(open('win32')).toBe(false);
    expect(paths).toEqual([]);
    expect(boxes).toEqual([expect.stringContaining('both folders contain payments')]);
  });
});
