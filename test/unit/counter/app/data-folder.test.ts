import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { type DataFolder, openDataFolder } from '../../../../main/counter/app/data-folder.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const clock = new ManualClock();
let path: string;
const open = (): DataFolder => openDataFolder(path, clock, silentLog);
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'tillbeacon-data-')), 'made', 'on the way');
});
afterEach(() => rmSync(join(path, '..', '..'), { recursive: true, force: true }));

test('only one daemon can use a data folder, and the second is told which one does', () => {
  const first = open();
  expect(open).toThrow(
    `the data folder ${path} is in use by another Tillbeacon: process ${process.pid}, since 2026-11-21T09:00:00.000Z: stop it first, or use another folder`,
  );
  first.close();
  open().close();
});

test('a second that cannot tell who is first refuses all the same', () => {
  const first = open();
  writeFileSync(join(path, 'daemon.json'), '{"pid":');
  expect(open).toThrow('is in use by another Tillbeacon: stop it');
  first.close();
});

test('the note of who has it needs a full disk’s room, and a start does not', () => {
  open().close();
  rmSync(join(path, 'daemon.json'));
  // A folder in its place, which cannot be replaced by a file.
  mkdirSync(join(path, 'daemon.json'));
  const first = open();
  expect(open).toThrow('is in use by another Tillbeacon: stop it');
  first.close();
});

test('a folder that cannot be made is named', () => {
  const file = join(path, '..', 'file');
  open().close();
  writeFileSync(file, '');
  expect(() => openDataFolder(join(file, 'data'), clock, silentLog)).toThrow(
    `the data folder ${join(file, 'data')} cannot be used: `,
  );
});

/**
 * Opens folders in a child process, so that a call that hangs does not hang a test.
 * @param around a command that starts the process
 * @returns the message for each folder
 */
function refusals(
  folders: readonly string[],
  ...around: readonly string[]
): { readonly said: readonly string[]; readonly stderr: string } {
  const program = `import { openDataFolder } from ${JSON.stringify(join(import.meta.dirname, '../../../../main/counter/app/data-folder.ts'))};
    for (const folder of ${JSON.stringify(folders)}) {
      try { openDataFolder(folder, {}, { info() {}, warn() {} }); } catch (error) { console.log(error.message); }
    }`;
  const [command, ...args] = [...around, process.execPath, '--input-type=module', '-e', program];
  const { stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', timeout: patienceMs });
  return { said: stdout.trimEnd().split('\n'), stderr };
}
/** A process takes long to start on a busy machine. */
const patienceMs = 60_000;

test.skipIf(process.platform !== 'linux')(
  'folders where none can be are refused at once, each in one line',
  { timeout: 2 * patienceMs },
  () => {
    const expected = {
      '/sys/x': 'EPERM: operation not permitted',
      '/etc/passwd': '/etc/passwd is a file',
      '/etc/passwd/x/y': '/etc/passwd is a file',
      '': 'its path is empty',
      '/proc/x': 'ENOENT: no such file or directory',
    };
    expect(refusals(Object.keys(expected))).toEqual({
      said: Object.entries(expected).map(([folder, why]) =>
        expect.stringContaining(`the data folder ${folder} cannot be used: ${why}`),
      ),
      stderr: '',
    });
  },
);

// Mounts a file system in a mount namespace, where that is allowed.
const mayMount =
  process.platform === 'linux' && spawnSync('unshare', ['--mount', 'true']).status === 0;
test.skipIf(!mayMount)(
  'folders on a file system that is only read are refused, there before or new',
  { timeout: 2 * patienceMs },
  () => {
    const mounted = join(path, '..', '..', 'mounted');
    mkdirSync(join(mounted, 'old'), { recursive: true, mode: 0o700 });
    const script = `mount --bind ${mounted} ${mounted} && mount -o remount,ro,bind ${mounted} && exec "$@"`;
    const cannot = expect.stringMatching(
      /^the data folder [^\n]+ cannot be used: EROFS: read-only file system/,
    );
    expect(
      refusals(
        [join(mounted, 'old'), join(mounted, 'new')],
        'unshare',
        '--mount',
        'sh',
        '-c',
        script,
        'sh',
      ),
    ).toEqual({
      said: [cannot, cannot],
      stderr: '',
    });
  },
);

test('a lock that some other program holds is not said to be that of a Tillbeacon that is gone', () => {
  const first = open();
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  writeFileSync(
    join(path, 'daemon.json'),
    JSON.stringify({ pid, since: '2026-11-21T08:00:00.000Z' }),
  );
  expect(open).toThrow(
    `is in use by a program that holds its daemon.lock (process ${pid}, which had it last, is gone; see fuser -v ${path}/daemon.lock): stop it`,
  );
  first.close();
});

describe.skipIf(process.platform === 'win32')('other users of the computer', () => {
  test('can enter nothing of it', () => {
    open().close();
    expect(statSync(join(path, 'daemon.lock')).mode & 0o077).toBe(0);
    writeFileSync(join(path, 'settings.json'), '');
    for (const name of ['.', 'settings.json', 'daemon.lock']) chmodSync(join(path, name), 0o755);
    open().close();
    for (const name of ['.', ...readdirSync(path)])
      expect(statSync(join(path, name)).mode & 0o077, name).toBe(0);
  });

  test('have planted no link that is written through', () => {
    const victim = join(path, '..', 'victim');
    open().close();
    writeFileSync(victim, 'somebody’s');
    rmSync(join(path, 'daemon.json'));
    symlinkSync(victim, join(path, 'daemon.json'));
    open().close();
    expect(readFileSync(victim, 'utf8')).toBe('somebody’s');
  });

  test('have none of what a power cut left half written: it is removed', () => {
    open().close();
    mkdirSync(join(path, 'shop'));
    const half = [
      'settings.json.5bd0f2a4-6f4e-4c55-9d8c-0a1b2c3d4e5f.new',
      'shop/logo.png.5bd0f2a4-6f4e-4c55-9d8c-0a1b2c3d4e5f.new',
    ];
    for (const name of half) writeFileSync(join(path, name), 'half');
    open().close();
    expect([...readdirSync(path), ...readdirSync(join(path, 'shop'))].toSorted()).toEqual([
      'daemon.json',
      'daemon.lock',
      'shop',
    ]);
  });

  test('are named when the folder, or the journal in it, is theirs', () => {
    if (process.getuid?.() !== 0) return;
    open().close();
    writeFileSync(join(path, 'journal.sqlite'), '');
    chownSync(join(path, 'journal.sqlite'), 65_534, 65_534);
    expect(open).toThrow(
      `the data folder ${path} cannot be used: journal.sqlite in it belongs to user 65534`,
    );
    chownSync(path, 65_534, 65_534);
    expect(open).toThrow(`the data folder ${path} cannot be used: it belongs to user 65534`);
  });
});

test.skipIf(process.getuid?.() !== 0)(
  'nothing that another user has put there under one of its names is used',
  () => {
    const folder = open();
    folder.close();
    const files = Object.entries(folder).flatMap(([name, value]: [string, unknown]) =>
      typeof value === 'string' && name !== 'path' ? value : [],
    );
    expect(files.length).toBeGreaterThan(4);
    for (const file of files) {
      writeFileSync(file, '{}');
      chownSync(file, 65_534, 65_534);
      expect(open, file).toThrow('the data folder');
      rmSync(file);
    }
  },
);

describe('a folder that another computer has used', () => {
  const counter = { id: 'a'.repeat(32), name: 'KASSE-PC-02' };
  const office = { id: 'b'.repeat(32), name: 'OFFICE-PC' };
  const openOn = (computer: typeof counter | null): DataFolder =>
    openDataFolder(path, clock, silentLog, computer);
  const waitingOn = (computer: typeof counter | null): unknown => {
    const folder = openOn(computer);
    folder.close();
    return folder.restored.waiting;
  };
  const copied = { madeAtMs: clock.wallMs(), from: 'KASSE-PC-02', unsettled: 0, isCopy: true };
  beforeEach(() => {
    openOn(counter).close();
    writeFileSync(join(path, 'journal.sqlite'), '');
  });

  test('opens no lane until somebody confirms that the other one takes no payments', () => {
    expect(waitingOn(counter)).toBeNull();
    expect(waitingOn(office)).toEqual(copied);
    // Also after another start, and at home again.
    expect(waitingOn(office)).toEqual(copied);
    const folder = openOn(office);
    folder.restored.confirm();
    folder.close();
    expect(waitingOn(office)).toBeNull();
    expect(waitingOn(counter)).toEqual({ ...copied, from: 'OFFICE-PC' });
  });

  test('is taken as it is without payments, and where a computer has no id', () => {
    expect(waitingOn(null)).toBeNull();
    expect(waitingOn(office)).toBeNull();
    rmSync(join(path, 'journal.sqlite'));
    expect(waitingOn(counter)).toBeNull();
  });

  test('keeps the note of a restore that nobody has confirmed', () => {
    const restored = { madeAtMs: 5, from: 'OLD-PC', unsettled: 3 };
    writeFileSync(join(path, 'restored.json'), JSON.stringify(restored));
    expect(waitingOn(office)).toEqual(restored);
  });

  test('has this computer’s id, which is not the system’s own', () => {
    openDataFolder(path, clock, silentLog).close();
    const { computer } = JSON.parse(readFileSync(join(path, 'daemon.json'), 'utf8')) as {
      computer?: { id: string };
    };
    if (computer !== undefined)
      expect(readFileSync('/etc/machine-id', 'utf8')).not.toContain(computer.id);
  });
});
