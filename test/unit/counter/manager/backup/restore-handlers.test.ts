/**
 * What is restored, and how a restore survives being killed, is judged by
 * `test/unit/counter/backup`.
 */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDataFolder } from '../../../../../main/counter/app/data-folder.ts';
import { createBackup } from '../../../../../main/counter/backup/create-backup.ts';
import { writeSealed } from '../../../../../main/counter/backup/sealed-file.ts';
import { takeRestored } from '../../../../../main/counter/backup/finish-restore.ts';
import { silentLog } from '../../../../../main/core/domain/log.ts';
import { openJournalReader } from '../../../../../main/core/journal/reader.ts';
import { openSqliteJournal } from '../../../../../main/core/journal/sqlite-journal.ts';
import { restore } from '../../../../../main/counter/manager/backup/run-backup-task.ts';
import {
  type RestoringOptions,
  restoringHandlers,
} from '../../../../../main/counter/manager/backup/restore-handlers.ts';
import { Router } from '../../../../../main/counter/server/router.ts';
import type { Session } from '../../../../../main/counter/server/session.ts';
import { picturePartLength } from '../../../../../preload/procedures/setup-customer.ts';
import type { Answer } from '../../../../../preload/procedures/procedure.ts';
import { Folder, noReserve, saleNumbered, takeover } from '../../../core/journal/support.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const passphrase = 'correct horse battery';
const version = '0.1.0';
const clock = new ManualClock();
const session: Session = { manager: null };

let folder: Folder;
/** The data folder of the empty counter. */
let data: string;
let restarts: number;
let served: ReturnType<typeof restoringHandlers>;
let router: Router;
let cachedBackup: Buffer | null = null;

beforeEach(() => {
  folder = new Folder();
  data = at('data');
  restarts = 0;
  const opened = openDataFolder(data, clock, silentLog);
  openSqliteJournal(opened.journal, clock, { reserve: noReserve }).close();
  writeFileSync(join(data, 'setup-draft.json'), '{}');
  writeFileSync(join(data, 'journal.sqlite-wal'), 'of the empty journal');
  opened.close();
  serve();
});
afterEach(() => {
  served.close();
  folder[Symbol.dispose]();
});

const at = (...names: readonly string[]): string => join(folder.path, ...names);
/** Without a thread, which is only slower. */
const here: Partial<RestoringOptions> = { restore };
function serve(about = here): void {
  served = restoringHandlers({
    dataFolder: data,
    isEmpty: () => true,
    restart: () => (restarts += 1),
    version,
    clock,
    log: silentLog,
    ...about,
  });
  router = new Router({
    handlers: served.handlers,
    middleware: { mayCall: () => true, record() {}, recordRefused() {} },
    log: silentLog,
  });
}

/** Makes a backup of a counter with an unsettled payment. */
async function backup(): Promise<Buffer> {
  if (cachedBackup !== null) return cachedBackup;
  const old = at('old');
  mkdirSync(old, { mode: 0o700 });
  const journal = openSqliteJournal(join(old, 'journal.sqlite'), clock, { reserve: noReserve });
  journal.append('1', saleNumbered(1).saleId, takeover(saleNumbered(1)));
  journal.close();
  writeFileSync(join(old, 'settings.json'), '{"wallet":{"clientSecret":{"sealed":"aGVsbG8="}}}');
  await createBackup({
    dataFolder: old,
    settings: null,
    file: at('made'),
    passphrase,
    version,
    nowMs: 5_000,
    cost: 12,
  });
  return (cachedBackup = readFileSync(at('made')));
}
const part = (
  content: Uint8Array,
  about: { part?: number; last?: boolean; by?: Session } = {},
): Promise<Answer> =>
  router.call(about.by ?? session, 'backupPart', {
    part: about.part ?? 0,
    base64: Buffer.from(content).toString('base64'),
    last: about.last ?? true,
  });
/** @returns what its last part is answered */
async function send(content: Uint8Array, by = session): Promise<Answer> {
  const length = (picturePartLength / 4) * 3;
  for (let n = 0; ; n += 1) {
    const last = (n + 1) * length >= content.length;
    const answer = await part(content.subarray(n * length, (n + 1) * length), {
      part: n,
      last,
      by,
    });
    if (last || !answer.ok) return answer;
  }
}
const ask = (typed = passphrase, by = session): Promise<Answer> =>
  router.call(by, 'restoreBackup', { passphrase: typed });
const uploads = (): string[] => readdirSync(data).filter((name) => name.includes('.backup'));
const restored = (): boolean => existsSync(at('data.restored', 'restored.json'));

test('a backup that comes in parts is restored by a thread, and is the counter at the next start, which no lane opens before it is confirmed', async () => {
  serve({});
  expect(await send(await backup())).toEqual({ ok: true, value: {} });
  if (process.platform !== 'win32')
    for (const name of uploads()) expect(statSync(join(data, name)).mode & 0o077).toBe(0);
  const missing = [
    'clientSecret: sealed by the desktop app for the old computer alone: enter it again in the setup',
  ];
  expect(await ask()).toMatchObject({
    ok: true,
    value: { madeAtMs: 5_000, unsettled: 1, missing },
  });
  expect([uploads(), restarts]).toEqual([[], 0]);
  await clock.pass(4_000);
  expect(restarts).toBe(1);
  // It is over here.
  expect(await part(Buffer.alloc(1))).toMatchObject({ ok: false, code: 'underWay' });

  takeRestored(data, silentLog);
  expect(readdirSync(folder.path).filter((name) => name.startsWith('data'))).toEqual(['data']);
  expect(readdirSync(data).toSorted()).toEqual([
    'daemon.lock',
    'journal.sqlite',
    'restored.json',
    'settings.json',
  ]);
  if (process.platform !== 'win32') expect(statSync(data).mode & 0o077).toBe(0);
  const opened = openDataFolder(data, clock, silentLog);
  expect(opened.restored.waiting).toMatchObject({ madeAtMs: 5_000, unsettled: 1 });
  const reader = openJournalReader(opened.journal);
  expect(reader.open().sales).toEqual([saleNumbered(1).saleId]);
  reader.close();
  opened.close();
  // Nothing more to take.
  takeRestored(data, silentLog);
  expect(existsSync(join(data, 'restored.json'))).toBe(true);
});

test('what an earlier try has left is replaced', async () => {
  mkdirSync(at('data.restored'));
  writeFileSync(at('data.restored', 'settings.json'), 'of the earlier try');
  await send(await backup());
  expect((await ask()).ok).toBe(true);
  expect(readFileSync(at('data.restored', 'settings.json'), 'utf8')).toContain('sealed');
});

test('after a wrong passphrase, the right one needs no file again', async () => {
  await send(await backup());
  expect(await ask('correct horse')).toMatchObject({
    ok: false,
    code: 'wrongPassphrase',
    field: 'passphrase',
  });
  expect(restored()).toBe(false);
  expect((await ask()).ok).toBe(true);
  expect(restored()).toBe(true);
});

test.each(['', 'two\nlines', 'x'.repeat(1_001)])(
  'what is no passphrase is refused before anything is read: %j',
  async (typed) => {
    await send(await backup());
    expect(await ask(typed)).toMatchObject({ ok: false, code: 'invalid', field: 'passphrase' });
  },
);

describe('is refused, and nothing is restored:', () => {
  const sealed = async (manifest: object): Promise<Buffer> => {
    const opened = openSync(at('sealed'), 'w');
    const list = Buffer.from(
      JSON.stringify({
        layout: 1,
        tillbeacon: version,
        madeAtMs: 1,
        from: 'old',
        journalLayout: null,
        unsettled: 0,
        missing: [],
        ...manifest,
      }),
    );
    const length = Buffer.alloc(4);
    length.writeUInt32BE(list.length);
    await writeSealed(opened, {
      content: [length, list, Buffer.from('evil')],
      passphrase,
      cost: 12,
    });
    closeSync(opened);
    return readFileSync(at('sealed'));
  };
  const files: Readonly<Record<string, [() => Uint8Array | Promise<Uint8Array>, string]>> = {
    'something else': [() => Buffer.from('%PDF-1.7 and so on'), 'notABackup'],
    nothing: [() => Buffer.alloc(0), 'notABackup'],
    'one that is cut off': [async () => (await backup()).subarray(0, -20), 'damaged'],
    'one that was changed': [async () => Buffer.from(await backup()).fill(7, 400, 404), 'damaged'],
    'one of a newer version': [() => sealed({ tillbeacon: '9.0.0', files: [] }), 'newer'],
    'one that leads out of the folder': [
      () => sealed({ files: [{ path: '../evil', bytes: 4 }] }),
      'damaged',
    ],
    'one with a path from the root': [
      () => sealed({ files: [{ path: '/tmp/evil', bytes: 4 }] }),
      'damaged',
    ],
    'one that brings a version to start': [
      () => sealed({ files: [{ path: 'updates/current.json', bytes: 4 }] }),
      'damaged',
    ],
    'one that says it is confirmed': [
      () => sealed({ files: [{ path: 'restored.json', bytes: 4 }] }),
      'damaged',
    ],
    'one that lists more than it holds': [
      () => sealed({ files: [{ path: 'settings.json', bytes: 2 ** 50 }] }),
      'damaged',
    ],
  };
  test.each(Object.entries(files))('%s', async (_name, [content, code]) => {
    await send(await content());
    const before = readdirSync(folder.path);
    expect(await ask()).toMatchObject({ ok: false, code });
    expect([restored(), restarts, existsSync(at('evil'))]).toEqual([false, 0, false]);
    expect(
      readdirSync(folder.path).filter((name) => !before.includes(name) && name !== 'data.restored'),
    ).toEqual([]);
    takeRestored(data, silentLog);
    expect([existsSync(join(data, 'setup-draft.json')), existsSync(at('data.restored'))]).toEqual([
      true,
      false,
    ]);
  });

  test('into a counter that is in use', async () => {
    let isEmpty = true;
    serve({ ...here, isEmpty: () => isEmpty });
    await send(await backup());
    isEmpty = false;
    expect(await ask()).toMatchObject({ ok: false, code: 'inUse' });
    expect(await send(await backup())).toMatchObject({ ok: false, code: 'inUse' });
    expect(restored()).toBe(false);
  });

  test('a file that is too large, while it comes', async () => {
    serve({ ...here, most: 100 });
    expect((await part(Buffer.alloc(100), { last: false })).ok).toBe(true);
    expect(await part(Buffer.alloc(1), { part: 1 })).toMatchObject({ ok: false, code: 'tooLarge' });
    expect(uploads()).toEqual([]);
  });

  test('parts of another page, out of order, or without an end', async () => {
    const other: Session = { manager: null };
    expect((await part((await backup()).subarray(0, 100), { last: false })).ok).toBe(true);
    expect(await ask()).toMatchObject({ ok: false, code: 'notFound' });
    expect(await part(Buffer.alloc(1), { part: 2 })).toMatchObject({ ok: false, code: 'notFound' });
    expect(await part(Buffer.alloc(1), { part: 1, by: other })).toMatchObject({
      ok: false,
      code: 'notFound',
    });
    expect((await send(await backup())).ok).toBe(true);
    expect(await ask(passphrase, other)).toMatchObject({ ok: false, code: 'notFound' });
    // One file at a time.
    expect((await send(await backup(), other)).ok).toBe(true);
    expect(uploads()).toHaveLength(1);
    served.close();
    expect(uploads()).toEqual([]);
  });

  test('a second time while it is restored', async () => {
    serve({ restore: (task) => Promise.resolve().then(() => restore(task)) });
    await send(await backup());
    const [first, second] = await Promise.all([ask(), ask()]);
    expect([first.ok, second]).toMatchObject([true, { ok: false, code: 'underWay' }]);
  });
});

describe('at the next start', () => {
  beforeEach(async () => {
    await send(await backup());
    expect((await ask()).ok).toBe(true);
  });

  test('killed before the restored folder is in place, it is put there', () => {
    renameSync(data, at('data.empty'));
    takeRestored(data, silentLog);
    expect([
      existsSync(join(data, 'restored.json')),
      existsSync(at('data.empty')),
      existsSync(at('data.restored')),
    ]).toEqual([true, false, false]);
  });

  test('killed when it was, what was there before is removed', () => {
    renameSync(data, at('data.empty'));
    renameSync(at('data.restored'), data);
    takeRestored(data, silentLog);
    expect([existsSync(join(data, 'restored.json')), existsSync(at('data.empty'))]).toEqual([
      true,
      false,
    ]);
  });

  const inside = (from: string, to: string): void => {
    renameSync(from, at('moved'));
    mkdirSync(at('data.restored'));
    renameSync(at('moved'), at('data.restored', to));
  };
  test('killed when all was there, but not in its place, it is put there', () => {
    inside(at('data.restored'), 'restore.complete');
    takeRestored(data, silentLog);
    expect(readdirSync(data)).toEqual(
      expect.arrayContaining(['journal.sqlite', 'restored.json', 'settings.json']),
    );
  });

  test.each(['killed before all was there', 'without its note'])(
    '%s, nothing was restored',
    (how) => {
      if (how === 'without its note') rmSync(at('data.restored', 'restored.json'));
      else inside(at('data.restored'), 'restore.unfinished');
      takeRestored(data, silentLog);
      expect([existsSync(join(data, 'setup-draft.json')), existsSync(at('data.restored'))]).toEqual(
        [true, false],
      );
    },
  );

  test('a counter that was set up meanwhile stays', () => {
    writeFileSync(join(data, 'settings.json'), '{}');
    takeRestored(data, silentLog);
    expect([readFileSync(join(data, 'settings.json'), 'utf8'), restored()]).toEqual(['{}', true]);
  });
});
