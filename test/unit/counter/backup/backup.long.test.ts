import { spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type DataFolder, openDataFolder } from '../../../../main/counter/app/data-folder.ts';
import { createBackup } from '../../../../main/counter/backup/create-backup.ts';
import type { Manifest } from '../../../../main/counter/backup/manifest.ts';
import { verifyBackup } from '../../../../main/counter/backup/read-backup.ts';
import { restoreBackup } from '../../../../main/counter/backup/restore-backup.ts';
import { writeSealed } from '../../../../main/counter/backup/sealed-file.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { openSqliteJournal } from '../../../../main/core/journal/sqlite-journal.ts';
import { newestVersion } from '../../../../main/core/journal/schema.ts';
import { openJournalReader } from '../../../../main/core/journal/reader.ts';
import { sampled } from '../../../support/long.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { Folder, noReserve, paid, saleNumbered, takeover } from '../../core/journal/support.ts';

const clock = new ManualClock();
const passphrase = 'correct horse battery';
const version = '0.1.0';
let folder: Folder;
let data: string;
let file: string;
let target: string;
beforeEach(() => {
  folder = new Folder();
  [data, file, target] = ['data', 'counter.backup', 'new'].map((name) =>
    join(folder.path, name),
  ) as [string, string, string];
});
afterEach(() => folder[Symbol.dispose]());

const openTarget = (): DataFolder => openDataFolder(target, clock, silentLog);
const create = (about: object = {}): Promise<Manifest> =>
  createBackup({
    dataFolder: data,
    settings: null,
    file,
    passphrase,
    version,
    nowMs: clock.wallMs(),
    cost: 12,
    ...about,
  });
const restore = (about: object = {}): Promise<Manifest> =>
  restoreBackup({ file, dataFolder: target, passphrase, version, ...about });
const namesIn = (path: string): string[] => (existsSync(path) ? readdirSync(path).toSorted() : []);

const settings = {
  wallet: {
    clientSecret: { env: 'WALLET_SECRET' },
    reportingKey: { file: 'keys/reporting' },
    other: { file: '/etc/key' },
    old: { sealed: 'aGVsbG8=' },
  },
};
const till = { credential: 'till-key' };

/** A data folder in use, with one payment that is settled and one that is not. */
function dataInUse(): {
  readonly folder: DataFolder;
  readonly journal: ReturnType<typeof openSqliteJournal>;
} {
  const opened = openDataFolder(data, clock, silentLog);
  const journal = openSqliteJournal(opened.journal, clock, { reserve: noReserve });
  for (const n of [1, 2])
    journal.append('1', saleNumbered(n).saleId, (n === 1 ? paid : takeover)(saleNumbered(n)));
  writeFileSync(join(data, 'settings.json'), JSON.stringify({ ...settings, till }));
  mkdirSync(join(data, 'shop'));
  writeFileSync(join(data, 'shop', 'logo.png'), Buffer.alloc(200_000, 7));
  mkdirSync(join(data, 'keys'));
  writeFileSync(join(data, 'keys', 'reporting'), 'the key\n');
  for (const left of ['recordings', 'log']) {
    mkdirSync(join(data, left));
    writeFileSync(join(data, left, 'line.jsonl'), 'x');
  }
  writeFileSync(join(data, 'journal.before-update.sqlite'), '');
  writeFileSync(join(data, 'first-manager-code.txt'), 'ABCD-EFGH');
  symlinkSync('/etc/passwd', join(data, 'link.json'));
  const callbacks = new DatabaseSync(join(data, 'callbacks.db'));
  callbacks.exec(
    "PRAGMA journal_mode = WAL; CREATE TABLE seen (id TEXT); INSERT INTO seen VALUES ('one')",
  );
  callbacks.close();
  return { folder: opened, journal };
}

let cachedBackup: Buffer | null = null;
/** A backup of a folder in use. The first one is kept for all tests. */
async function backupOfUse(): Promise<void> {
  if (cachedBackup === null) {
    const used = dataInUse();
    await create();
    used.journal.close();
    used.folder.close();
    cachedBackup = readFileSync(file);
  }
  writeFileSync(file, cachedBackup, { mode: 0o600 });
}

/** A sealed file with content that no program of ours writes. */
async function sealing(
  manifest: object,
  content = Buffer.alloc(0),
  listBytes?: number,
): Promise<void> {
  const opened = openSync(file, 'w');
  const list = Buffer.from(JSON.stringify(manifest));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(listBytes ?? list.length);
  await writeSealed(opened, { content: [length, list, content], passphrase, cost: 12 });
  closeSync(opened);
}
const manifest = {
  layout: 1,
  tillbeacon: version,
  madeAtMs: 1,
  from: 'old',
  journalLayout: null,
  unsettled: 0,
  files: [],
  missing: [],
};

test('what a daemon uses is copied while it goes on, and is the same elsewhere', async () => {
  const used = dataInUse();
  const backupManifest = await create();
  const third = saleNumbered(3);
  used.journal.append('1', third.saleId, paid(third));
  used.journal.close();
  used.folder.close();
  expect(backupManifest).toMatchObject({
    unsettled: 1,
    journalLayout: newestVersion,
    tillbeacon: version,
  });
  expect(backupManifest.missing).toEqual([
    'clientSecret: the environment variable WALLET_SECRET',
    'other: the file /etc/key',
    'old: sealed by the desktop app for the old computer alone: enter it again in the setup',
    'till: the systemd credential till-key',
    'link.json',
  ]);
  expect(namesIn(data).filter((name) => name.endsWith('.new'))).toEqual([]);
  expect(await verifyBackup(file, passphrase, version)).toEqual(backupManifest);

  await restore();
  expect(namesIn(target)).toEqual([
    'callbacks.db',
    'daemon.lock',
    'journal.sqlite',
    'keys',
    'restored.json',
    'settings.json',
    'shop',
  ]);
  expect(readFileSync(join(target, 'keys', 'reporting'), 'utf8')).toBe('the key\n');
  expect(readFileSync(join(target, 'shop', 'logo.png')).equals(Buffer.alloc(200_000, 7))).toBe(
    true,
  );
  const reader = openJournalReader(join(target, 'journal.sqlite'));
  // The third was paid after the backup.
  expect(reader.check()).toMatchObject({ problems: [], sales: 2 });
  expect(reader.open()).toEqual({ sales: [saleNumbered(2).saleId], needPerson: [] });
  reader.close();
  const callbacks = new DatabaseSync(join(target, 'callbacks.db'));
  expect(callbacks.prepare('SELECT id FROM seen').all()).toEqual([{ id: 'one' }]);
  callbacks.close();

  const opened = openTarget();
  expect(opened.restored.waiting).toMatchObject({
    madeAtMs: backupManifest.madeAtMs,
    unsettled: 1,
  });
  // The restored counter goes on where the old one was.
  const journal = openSqliteJournal(opened.journal, clock, { reserve: noReserve });
  journal.append('1', third.saleId, paid(third));
  journal.close();
  opened.close();
  const again = openTarget();
  again.restored.confirm();
  expect(again.restored.waiting).toBeNull();
  again.close();
  const confirmed = openTarget();
  expect(confirmed.restored.waiting).toBeNull();
  confirmed.close();
});

test.skipIf(process.platform === 'win32')(
  'only one user can read the file and everything restored',
  async () => {
    await backupOfUse();
    mkdirSync(target, { mode: 0o755 });
    await restore();
    const everything = readdirSync(target, { recursive: true }).map((name) =>
      join(target, String(name)),
    );
    for (const path of [file, target, ...everything])
      expect(statSync(path).mode & 0o077, path).toBe(0);
  },
);

test('nothing of it can be read without the passphrase', async () => {
  await backupOfUse();
  const content = readFileSync(file);
  for (const secret of ['SQLite format', 'clientSecret', 'the key', saleNumbered(1).orderId])
    expect(content.includes(secret)).toBe(false);
});

test('settings outside of the data folder are in the backup', async () => {
  dataInUse().folder.close();
  writeFileSync(join(folder.path, 'counter.json'), '{"lanes":[]}');
  await create({ settings: join(folder.path, 'counter.json') });
  await restore();
  expect(readFileSync(join(target, 'settings.json'), 'utf8')).toBe('{"lanes":[]}');
});

test('what settings name beside themselves, outside of the data folder, is said to be missing', async () => {
  dataInUse().folder.close();
  const elsewhere = folder.path;
  const tls = { certificate: 'tls/counter.pem', key: { file: 'tls/counter.key' } };
  writeFileSync(
    join(elsewhere, 'counter.json'),
    JSON.stringify({
      wallet: {
        clientSecret: { file: 'secret' },
        other: { file: relative(elsewhere, join(data, 'secret')) },
      },
      api: { tls },
    }),
  );
  const missing = [
    `clientSecret: the file ${join(elsewhere, 'secret')}`,
    `other: the file ${join(data, 'secret')}`,
    `certificate: the file ${join(elsewhere, 'tls', 'counter.pem')}`,
    `key: the file ${join(elsewhere, 'tls', 'counter.key')}`,
  ];
  expect((await create({ settings: join(elsewhere, 'counter.json') })).missing).toEqual([
    ...missing,
    'link.json',
  ]);
});

test('a certificate in the data folder is restored with it, and one elsewhere is said to be missing', async () => {
  dataInUse().folder.close();
  const certificates = (...paths: readonly string[]): object => ({
    lanes: paths.map((certificate) => ({ certificate })),
  });
  writeFileSync(
    join(data, 'settings.json'),
    JSON.stringify(certificates('tls/counter.pem', '/etc/counter.pem')),
  );
  expect((await create()).missing).toEqual([
    `certificate: the file ${resolve('/etc/counter.pem')}`,
    'link.json',
  ]);
});

describe('a backup is not made', () => {
  const refusals: Readonly<Record<string, [() => object, RegExp]>> = {
    'over another file': [
      () => (writeFileSync(file, 'mine'), {}),
      /counter\.backup: is there already/,
    ],
    'into the data folder': [
      () => ({ file: join(data, 'shop', 'counter.backup') }),
      /must not be in the data folder/,
    ],
    'of a folder of something else': [
      () => (mkdirSync(target), writeFileSync(join(target, 'a.txt'), ''), { dataFolder: target }),
      /is not a data folder of Tillbeacon/,
    ],
    'of a folder that is not there': [
      () => ({ dataFolder: join(folder.path, 'none') }),
      /none: cannot be read/,
    ],
    'where nothing can be written': [
      () => ({ file: join(folder.path, 'none', 'file') }),
      /none\/file: cannot be written/,
    ],
    'with settings that are not there': [
      () => ({ settings: join(folder.path, 'none.json') }),
      /none\.json: cannot be read/,
    ],
  };
  test.each(Object.entries(refusals))('%s', async (_name, [about, why]) => {
    dataInUse().folder.close();
    const before = namesIn(data);
    const options = about();
    await expect(create(options)).rejects.toThrow(why);
    expect(namesIn(data).filter((name) => !/-(wal|shm)$/.test(name))).toEqual(
      before.filter((name) => !/-(wal|shm)$/.test(name)),
    );
    if (existsSync(file)) expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  test('of a damaged journal', async () => {
    const used = dataInUse();
    used.journal.close();
    used.folder.close();
    const journal = join(data, 'journal.sqlite');
    const content = readFileSync(journal);
    content.write('9', content.lastIndexOf('"amountMinor":') + '"amountMinor":'.length);
    writeFileSync(journal, content);
    await expect(create()).rejects.toThrow(
      /the journal is damaged: .*Start the daemon, which repairs it/,
    );
    content.fill(0xff, 4_096);
    writeFileSync(journal, content);
    await expect(create()).rejects.toThrow(/damaged/);
    expect(namesIn(folder.path)).toEqual(['data']);
  });
});

describe('a backup is not restored, and nothing is changed', () => {
  const refused = async (why: RegExp, about: object = {}): Promise<void> => {
    const before = namesIn(target);
    await expect(restore(about)).rejects.toThrow(why);
    expect(namesIn(target)).toEqual(before);
  };

  test('with another passphrase', async () => {
    await backupOfUse();
    await refused(/the passphrase is not the one/, { passphrase: 'correct horse batterz' });
  });

  test('when it is damaged, cut off or no backup', async () => {
    await backupOfUse();
    const whole = readFileSync(file);
    for (const at of [300, whole.length >> 1, whole.length - 1]) {
      const content = Buffer.from(whole);
      content[at] = (content[at] ?? 0) ^ 1;
      writeFileSync(file, content);
      await refused(/the file is damaged/);
    }
    writeFileSync(file, whole.subarray(0, 70_000));
    await refused(/the file is damaged/);
    writeFileSync(file, 'something else');
    await refused(/is not a backup/);
    await refused(/none: cannot be read/, { file: join(folder.path, 'none') });
    await refused(/is not a file/, { file: folder.path });
  });

  test('when a newer Tillbeacon made it', async () => {
    await sealing({ ...manifest, layout: 2, news: true });
    await refused(/made by a newer Tillbeacon/);
    await sealing({ ...manifest, tillbeacon: '0.10.0' });
    await refused(/newer Tillbeacon \(0\.10\.0, this one is 0\.1\.0\)/);
    await sealing({ ...manifest, journalLayout: 99 });
    await refused(/newer Tillbeacon/);
    await sealing(manifest);
    expect((await restore({ version: '0.1.1' })).files).toEqual([]);
  });

  test('into a folder that is not empty', async () => {
    await backupOfUse();
    mkdirSync(target);
    writeFileSync(join(target, 'holiday.jpg'), '');
    await refused(/is not empty, it holds holiday\.jpg/);
    mkdirSync(data, { recursive: true });
    writeFileSync(join(data, 'settings.json'), '{}');
    await refused(/is not empty, it holds settings\.json/, { dataFolder: data });
  });

  test('into a folder that a daemon uses', async () => {
    await backupOfUse();
    const used = openTarget();
    await refused(/is in use by another Tillbeacon: process \d+/);
    writeFileSync(join(target, 'settings.json'), '{}');
    await refused(/is in use by another Tillbeacon: process \d+/);
    used.close();
  });

  test.each([
    '../outside.json',
    'shop/../../outside.json',
    '/tmp/outside.json',
    'C:/outside.json',
    String.raw`..\outside.json`,
    'shop//logo.png',
    './settings.json',
    'shop/..',
    'a/b/c/d/e.json',
    'nul.json',
    'shop/trailing.',
    'daemon.lock',
    'restored.json',
    'restore.complete/settings.json',
    'journal.sqlite-wal',
    'line\nbreak.json',
    '',
  ])('with the path %j in it', async (path) => {
    await sealing({ ...manifest, files: [{ path, bytes: 2 }] }, Buffer.from('{}'));
    await refused(/its list breaks a rule: files\.0\.path/);
    expect(namesIn(folder.path).filter((name) => name !== 'new')).toEqual(['counter.backup']);
  });

  test('with a file twice, or one that is a folder too', async () => {
    const files = (...paths: readonly string[]) => ({
      ...manifest,
      files: paths.map((path) => ({ path, bytes: 0 })),
    });
    await sealing(files('a.json', 'A.json'));
    await refused(/must not name a file twice/);
    await sealing(files('shop', 'shop/logo.png'));
    await refused(/must not name a folder as a file/);
  });

  test('with more in its list than in it, however much', async () => {
    await sealing({ ...manifest, files: [{ path: 'a.json', bytes: 2 ** 40 }] }, Buffer.from('{}'));
    await refused(/its end is missing/);
    await sealing({ ...manifest, files: [{ path: 'a.json', bytes: 10 }] }, Buffer.from('{}'));
    await refused(/ends too early/);
    await sealing({ ...manifest, files: [{ path: 'a.json', bytes: 1 }] }, Buffer.from('{}'));
    await refused(/more follows than it lists/);
  });

  test('with an invalid list, or one that would exhaust the memory', async () => {
    await sealing({}, Buffer.alloc(0), 0xffff_ffff);
    await refused(/its list is too long/);
    await sealing({ hello: 1 });
    await refused(/its list breaks a rule/);
  });
});

test('a restore that is killed leaves nothing half: either nothing was restored, or the next start finishes it', async () => {
  await backupOfUse();
  // Ends after so many steps as by a power cut.
  const killedAt = (step: number): void => {
    const script = `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module';
      let left = ${step};
      for (const name of ['openSync', 'renameSync', 'rmdirSync', 'mkdirSync', 'writeFileSync']) {
        const real = fs[name];
        fs[name] = (...args) => { if (String(args[0]).includes('restore.') && left-- <= 0) process.kill(process.pid, 'SIGKILL'); return real(...args); };
      }
      syncBuiltinESMExports();
      const { restoreBackup } = await import(${JSON.stringify(join(import.meta.dirname, '../../../../main/counter/backup/restore-backup.ts'))});
      await restoreBackup(${JSON.stringify({ file, dataFolder: target, passphrase, version })});`;
    spawnSync(process.execPath, ['--input-type=module', '-e', script]);
  };
  const steps = [
    [3, 'nothing'],
    [17, 'nothing'],
    [18, 'the rest'],
    [21, 'the rest'],
    [24, 'the rest'],
  ] as const;
  for (const [step, left] of sampled(steps, 1, 3)) {
    target = join(folder.path, `new-${step}`);
    killedAt(step);
    expect([step, namesIn(target).filter((name) => name.startsWith('restore.'))]).toEqual([
      step,
      [left === 'nothing' ? 'restore.unfinished' : 'restore.complete'],
    ]);
    if (left === 'nothing') {
      expect(openTarget).toThrow(/a restore into .* was interrupted: restore it again/);
      expect(
        namesIn(target).filter(
          (name) => !name.startsWith('daemon.') && name !== 'restore.unfinished',
        ),
      ).toEqual([]);
      await restore();
    }
    const opened = openTarget();
    expect(namesIn(target).filter((name) => !name.startsWith('daemon.'))).toEqual([
      'callbacks.db',
      'journal.sqlite',
      'keys',
      'restored.json',
      'settings.json',
      'shop',
    ]);
    expect(opened.restored.waiting?.unsettled).toBe(1);
    opened.close();
  }
});

test('a note of a restore that cannot be read still has to be confirmed', () => {
  openTarget().close();
  writeFileSync(join(target, 'restored.json'), '{"madeAt');
  const opened = openTarget();
  expect(opened.restored.waiting).toMatchObject({ from: '?' });
  opened.close();
});
