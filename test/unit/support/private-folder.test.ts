import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type LogEntry, recordingLog } from '../../../main/sandbox/certification/recording-log.ts';
import { takeFolder } from '../../../main/support/private-folder.ts';

const nobody = 65_534;
/** Only root can create files of another user. */
const asRoot = process.getuid?.() === 0 ? test : test.skip;

let around: string;
let folder: string;
let lines: LogEntry[];
beforeEach(() => {
  around = mkdtempSync(join(tmpdir(), 'tillbeacon-private-'));
  folder = join(around, 'data');
  lines = [];
});
afterEach(() => rmSync(around, { recursive: true, force: true }));

const take = (): void => takeFolder(folder, { keeps: /^journal\./, log: recordingLog(lines) });
const modeOf = (name: string): string => (statSync(join(folder, name)).mode & 0o777).toString(8);
const put = (name: string, mode: number): void => {
  writeFileSync(join(folder, name), '');
  chmodSync(join(folder, name), mode);
};
const putFolder = (name: string, mode = 0o755): void => {
  mkdirSync(join(folder, name), { recursive: true });
  chmodSync(join(folder, name), mode);
};

describe.skipIf(process.platform === 'win32')('a folder of this program', () => {
  test('is made for its user alone, and taken again without a word', () => {
    take();
    expect(modeOf('.')).toBe('700');
    take();
    expect(lines).toEqual([]);
  });

  test('that others can enter is closed, with everything in it', () => {
    putFolder('.', 0o777);
    put('journal.sqlite', 0o644);
    put('notes.txt', 0o666);
    put('backup.sh', 0o755);
    put('read-only', 0o444);
    putFolder('shop');
    put('shop/logo.png', 0o644);
    take();
    expect(
      ['.', 'journal.sqlite', 'notes.txt', 'backup.sh', 'read-only', 'shop', 'shop/logo.png'].map(
        modeOf,
      ),
    ).toEqual(['700', '600', '600', '700', '400', '700', '600']);
    expect(lines).toEqual([
      {
        level: 'info',
        fields: { folder, closed: 7 },
        message: expect.stringContaining('only this user'),
      },
    ]);
  });

  test('does not reach through links', () => {
    putFolder('.', 0o755);
    const outside = join(around, 'outside');
    writeFileSync(outside, '');
    chmodSync(outside, 0o644);
    mkdirSync(join(around, 'folder'));
    chmodSync(join(around, 'folder'), 0o755);
    symlinkSync(outside, join(folder, 'journal.sqlite'));
    symlinkSync(join(around, 'folder'), join(folder, 'shop'));
    take();
    expect(modeOf('../outside')).toBe('644');
    expect(modeOf('../folder')).toBe('755');
  });

  test('may be a link itself', () => {
    mkdirSync(join(around, 'elsewhere'));
    chmodSync(join(around, 'elsewhere'), 0o755);
    symlinkSync(join(around, 'elsewhere'), folder);
    take();
    expect(modeOf('../elsewhere')).toBe('700');
    expect(lstatSync(folder).isSymbolicLink()).toBe(true);
  });

  test('is not one that everybody shares', () => {
    putFolder('.', 0o1777);
    expect(take).toThrow('all users share it');
    expect(statSync(folder).mode & 0o7777).toBe(0o1777);
  });

  test('is not one of other programs, unless somebody has closed it', () => {
    putFolder('.');
    putFolder('apt');
    expect(take).toThrow(
      `it contains other files, such as apt: use a folder only for Tillbeacon, or close this one with chmod 700 ${folder}`,
    );
    expect([modeOf('.'), modeOf('apt')]).toEqual(['755', '755']);
    chmodSync(folder, 0o700);
    take();
    expect(modeOf('apt')).toBe('700');
  });

  test('may be a file system of its own', () => {
    putFolder('lost+found', 0o700);
    chmodSync(folder, 0o755);
    take();
    expect(modeOf('.')).toBe('700');
  });

  test.skipIf(!existsSync('/proc/self/task'))(
    'that cannot be closed is used all the same, and said to be open',
    () => {
      // A file system without chmod.
      takeFolder('/proc/self/task', { keeps: /^\d+$/, log: recordingLog(lines) });
      expect(lines[0]).toMatchObject({
        level: 'warn',
        fields: { path: '/proc/self/task', detail: expect.stringContaining('EPERM') },
      });
      expect(new Set(lines.map(({ level }) => level))).toEqual(new Set(['warn']));
    },
  );

  asRoot('that belongs to another user is refused with what mends it', () => {
    mkdirSync(folder);
    chownSync(folder, nobody, nobody);
    expect(take).toThrow(
      `it belongs to user ${nobody}, and this is user 0: start it as that user, or take it over: chown -R 0 ${folder}`,
    );
  });

  asRoot(
    'in which another user has put what is read here is refused; what is not, is left alone',
    () => {
      putFolder('.', 0o777);
      put('notes.txt', 0o644);
      chownSync(join(folder, 'notes.txt'), nobody, nobody);
      take();
      expect([modeOf('.'), modeOf('notes.txt')]).toEqual(['700', '644']);
      symlinkSync('/etc/passwd', join(folder, 'journal.sqlite'));
      expect(take).not.toThrow();
      rmSync(join(folder, 'journal.sqlite'));
      put('journal.sqlite', 0o600);
      chownSync(join(folder, 'journal.sqlite'), nobody, nobody);
      expect(take).toThrow(
        `journal.sqlite in it belongs to user ${nobody}: remove it, or if it is the right one: chown 0 ${folder}/journal.sqlite`,
      );
    },
  );
});
