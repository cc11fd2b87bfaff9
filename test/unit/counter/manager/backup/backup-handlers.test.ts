/** The copy itself is judged by `test/unit/counter/backup`. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { verifyBackup } from '../../../../../main/counter/backup/read-backup.ts';
import type { Log } from '../../../../../main/core/domain/log.ts';
import { systemIds } from '../../../../../main/core/domain/ids.ts';
import { openSqliteJournal } from '../../../../../main/core/journal/sqlite-journal.ts';
import {
  type BackupHandlersOptions,
  backupHandlers,
} from '../../../../../main/counter/manager/backup/backup-handlers.ts';
import { makeBackup } from '../../../../../main/counter/manager/backup/run-backup-task.ts';
import type {
  BackupMade,
  BackupTask,
} from '../../../../../main/counter/manager/backup/backup-tasks.ts';
import { DownloadStore } from '../../../../../main/counter/server/download-store.ts';
import { type Middleware, Router } from '../../../../../main/counter/server/router.ts';
import type { Session } from '../../../../../main/counter/server/session.ts';
import type { OutputOf } from '../../../../../preload/procedures.ts';
import type { Answer } from '../../../../../preload/procedures/procedure.ts';
import { Folder, noReserve, paid, saleNumbered, takeover } from '../../../core/journal/support.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const passphrase = 'correct horse battery';
const anna = { managerId: '3d500000-0000-4000-8000-000000000001', name: 'Anna' };
const clock = new ManualClock();

let folder: Folder;
let data: string;
let session: Session;
let logLines: unknown[];
let downloads: DownloadStore;
let router: Router;

beforeEach(() => {
  folder = new Folder();
  data = folder.path;
  session = { manager: anna };
  logLines = [];
  downloads = new DownloadStore({ clock, ids: systemIds });
  const journal = openSqliteJournal(join(data, 'journal.sqlite'), clock, { reserve: noReserve });
  for (const n of [1, 2])
    journal.append('1', saleNumbered(n).saleId, (n === 1 ? paid : takeover)(saleNumbered(n)));
  journal.close();
  writeFileSync(join(data, 'settings.json'), '{"wallet":{"clientSecret":{"sealed":"aGVsbG8="}}}');
  serve();
});
afterEach(() => {
  downloads.close();
  folder[Symbol.dispose]();
});

function serve(about: Partial<BackupHandlersOptions> = {}): void {
  const keep = (fields: unknown, message: unknown): void => void logLines.push([fields, message]);
  const log: Log = { debug: keep, info: keep, warn: keep, error: keep, child: () => log };
  const middleware: Middleware = {
    mayCall: (who, { manager }) => who === 'anyone' || manager !== null,
    record: (manager, procedure, facts) =>
      void logLines.push(['recorded', manager?.name, procedure, facts]),
    recordRefused: (manager, procedure, facts) =>
      void logLines.push(['refused', manager.name, procedure, facts]),
  };
  const settingsFile = join(data, 'settings.json');
  const handlers = backupHandlers({
    dataFolder: data,
    settingsFile,
    version: '0.1.0',
    downloads,
    clock,
    log,
    ...about,
  });
  router = new Router({ handlers: { ...handlers, ...downloads.handlers }, middleware, log });
}
/** Without a thread. @param done called when it is made */
const inTurn =
  (done: () => void = () => {}) =>
  async (task: BackupTask): Promise<BackupMade> => {
    const backupResult = await makeBackup({ ...task, cost: 12 });
    done();
    return backupResult;
  };
const ask = (typed: unknown = passphrase): Promise<Answer> =>
  router.call(session, 'makeBackup', { passphrase: typed });
const value = async (): Promise<OutputOf<'makeBackup'>> => {
  const answer = await ask();
  if (!answer.ok) throw new Error(`${answer.code}: ${answer.message}`);
  return answer.value as OutputOf<'makeBackup'>;
};
const left = (): string[] => readdirSync(data).filter((name) => name.includes('.backup'));

async function fetched({ file }: OutputOf<'makeBackup'>, by = session): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let part = 0, last = false; !last; part += 1) {
    const answer = await router.call(by, 'filePart', { fileId: file.fileId, part });
    if (!answer.ok) throw new Error(answer.code);
    const got = answer.value as OutputOf<'filePart'>;
    parts.push(Buffer.from(got.base64, 'base64'));
    last = got.last;
  }
  return Buffer.concat(parts);
}

test('is made by a thread, is what the command makes, and leaves nothing behind', async () => {
  const backupResult = await value();
  expect(backupResult).toMatchObject({
    file: { name: 'tillbeacon-backup-2026-11-21.backup' },
    unsettled: 1,
    missing: [
      'clientSecret: sealed by the desktop app for the old computer alone: enter it again in the setup',
    ],
  });
  const [name = ''] = left();
  if (process.platform !== 'win32') expect(statSync(join(data, name)).mode & 0o077).toBe(0);
  const content = await fetched(backupResult);
  expect([content.length, left()]).toEqual([backupResult.file.bytes, []]);
  const saved = join(data, 'saved');
  writeFileSync(saved, content);
  expect(await verifyBackup(saved, passphrase, '0.1.0')).toMatchObject({
    unsettled: 1,
    files: [{ path: 'journal.sqlite' }, { path: 'settings.json' }],
  });
  expect(logLines).toEqual([
    ['recorded', 'Anna', 'makeBackup', {}],
    [{ bytes: backupResult.file.bytes }, 'a backup was made for a manager'],
  ]);
  expect(JSON.stringify(logLines)).not.toContain(passphrase);
});

test.each([
  ['too short', 'eleven char', 'must have at least 12 characters'],
  ['of two lines', 'correct horse\nbattery', 'must hold the passphrase, alone and on one line'],
  ['without end', 'x'.repeat(1_001), 'must have at most 1000 characters'],
])(
  'a passphrase that is %s is refused, and is nowhere to be read',
  async (_name, typed, message) => {
    expect(await ask(typed)).toMatchObject({
      ok: false,
      code: 'invalid',
      field: 'passphrase',
      message,
    });
    expect(logLines).toEqual([
      ['refused', 'Anna', 'makeBackup', { refused: 'invalid', field: 'passphrase' }],
    ]);
    expect(left()).toEqual([]);
  },
);

describe('nobody else gets it:', () => {
  beforeEach(() => serve({ make: inTurn() }));

  test('no caller without a sign-in', async () => {
    session = { manager: null };
    expect(await ask()).toMatchObject({ ok: false, code: 'pinNeeded' });
    expect([logLines, left()]).toEqual([[], []]);
  });

  test('not another screen, nor the next manager at the same one', async () => {
    const backupResult = await value();
    await expect(fetched(backupResult, { manager: anna })).rejects.toThrow('notFound');
    session.manager = { ...anna, name: 'Bo' };
    await expect(fetched(backupResult)).rejects.toThrow('notFound');
  });

  test('no manager who signs in while it is made', async () => {
    serve({ make: inTurn(() => (session.manager = { ...anna, name: 'Bo' })) });
    expect(await ask()).toMatchObject({ ok: false, code: 'pinNeeded' });
    expect(left()).toEqual([]);
  });

  test('and a file that nobody fetches is gone after ten minutes, with the next one, and when the daemon stops', async () => {
    await value();
    await clock.pass(600_000);
    expect(left()).toEqual([]);
    await value();
    await value();
    expect(left()).toHaveLength(1);
    downloads.close();
    expect(left()).toEqual([]);
  });
});

describe('is refused', () => {
  test('while another one is made', async () => {
    serve({ make: inTurn() });
    const [first, second] = await Promise.all([ask(), ask()]);
    expect([first.ok, second]).toMatchObject([true, { ok: false, code: 'underWay' }]);
    expect((await ask()).ok).toBe(true);
  });

  // The check for the copies (0), and for the file beside them (1).
  test.each([0, 1])('where it would take the room that payments need (%i)', async (looks) => {
    const { default: fs } = await import('node:fs');
    const { syncBuiltinESMExports } = await import('node:module');
    const free = vi
      .spyOn(fs, 'statfsSync')
      .mockReturnValue({ bavail: 255, bsize: 1024 ** 2 } as never);
    if (looks === 1) free.mockReturnValueOnce({ bavail: 5_000, bsize: 1024 ** 2 } as never);
    syncBuiltinESMExports();
    serve({ make: inTurn() });
    expect(await ask()).toMatchObject({ ok: false, code: 'noRoom' });
    vi.restoreAllMocks();
    syncBuiltinESMExports();
    expect(left()).toEqual([]);
  });

  test('when there is more to keep than a page can save', async () => {
    serve({ make: (task) => inTurn()({ ...task, maxBytes: 1_000 }) });
    expect(await ask()).toMatchObject({ ok: false, code: 'tooLarge' });
    expect(left()).toEqual([]);
  });

  test('of a journal that is damaged, with why', async () => {
    const path = join(data, 'journal.sqlite');
    writeFileSync(path, readFileSync(path).fill(7, 4_096));
    serve({ make: inTurn() });
    expect(await ask()).toMatchObject({
      ok: false,
      code: 'notMade',
      message: expect.stringContaining('start the daemon, which repairs it'),
    });
    expect([left(), existsSync(path)]).toEqual([[], true]);
  });
});
