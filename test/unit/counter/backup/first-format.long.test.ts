import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifyBackup } from '../../../../main/counter/backup/read-backup.ts';
import { restoreBackup } from '../../../../main/counter/backup/restore-backup.ts';
import { openJournalReader } from '../../../../main/core/journal/reader.ts';
import { Folder, saleNumbered } from '../../core/journal/support.ts';

/** Written by Tillbeacon 0.1.0 (test/fixtures/backups/README.md). */
const oldBackup = readFileSync(
  join(import.meta.dirname, '../../../fixtures/backups/tillbeacon-0.1.0.backup'),
);
const passphrase = 'Kaffe på Strøget 12';
const version = '0.1.0';
const header = 83;
const chunk = 65_536 + 16;
let folder: Folder;
let file: string;
beforeEach(() => {
  folder = new Folder();
  file = join(folder.path, 'counter.backup');
});
afterEach(() => folder[Symbol.dispose]());

const verify = (content: Uint8Array, word = passphrase): Promise<object> => {
  writeFileSync(file, content);
  return verifyBackup(file, word, version);
};
const changed = (at: number): Buffer => {
  const copy = Buffer.from(oldBackup);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
};

test('a backup of 0.1.0 is restored', async () => {
  writeFileSync(file, oldBackup);
  const target = join(folder.path, 'new');
  const manifest = await restoreBackup({ file, dataFolder: target, passphrase, version });
  expect(manifest).toMatchObject({
    tillbeacon: '0.1.0',
    madeAtMs: Date.UTC(2026, 10, 28, 12),
    unsettled: 1,
  });
  expect(readdirSync(target).toSorted()).toEqual([
    'daemon.lock',
    'journal.sqlite',
    'keys',
    'restored.json',
    'settings.json',
  ]);
  expect(readFileSync(join(target, 'keys', 'reporting'), 'utf8')).toBe('the key\n');
  const reader = openJournalReader(join(target, 'journal.sqlite'));
  expect(reader.check()).toMatchObject({ problems: [], sales: 2 });
  expect(reader.open()).toEqual({ sales: [saleNumbered(2).saleId], needPerson: [] });
  reader.close();
});

test('another passphrase is named as such, and nothing is restored', async () => {
  await expect(verify(oldBackup, 'Kaffe på Strøget 13')).rejects.toMatchObject({
    problem: 'wrongPassphrase',
  });
  const target = join(folder.path, 'new');
  await expect(
    restoreBackup({ file, dataFolder: target, passphrase: 'Kaffe', version }),
  ).rejects.toMatchObject({ problem: 'wrongPassphrase' });
  expect(existsSync(target)).toBe(false);
});

test('the passphrase is the same when another keyboard composes its letters', async () => {
  expect(await verify(oldBackup, passphrase.normalize('NFD'))).toMatchObject({ unsettled: 1 });
});

test('a newer version of this format', async () => {
  const newer = Buffer.from(oldBackup);
  newer[18] = 2;
  await expect(verify(newer)).rejects.toMatchObject({ problem: 'newer' });
});

test('a cost that would take the memory, although its sum is right', async () => {
  const costly = Buffer.from(oldBackup);
  costly[19] = 30;
  Buffer.from(hash('sha256', costly.subarray(0, 43), 'buffer')).copy(costly, 43, 0, 8);
  await expect(verify(costly)).rejects.toMatchObject({ problem: 'damaged' });
});

test.each([
  19,
  20,
  40,
  45,
  header,
  header + chunk - 1,
  header + chunk,
  header + 2 * chunk + 5,
  oldBackup.length - 1,
])('a change at byte %i', async (at) => {
  await expect(verify(changed(at))).rejects.toMatchObject({ problem: 'damaged' });
});

test('chunks that are exchanged, repeated or left out', async () => {
  const part = (number: number): Buffer =>
    oldBackup.subarray(header + number * chunk, header + (number + 1) * chunk);
  const of = (...numbers: readonly number[]): Buffer =>
    Buffer.concat([oldBackup.subarray(0, header), ...numbers.map(part)]);
  expect(await verify(of(0, 1, 2))).toMatchObject({ unsettled: 1 });
  for (const order of [
    [1, 0, 2],
    [0, 0, 2],
    [0, 2],
    [0, 1],
    [0, 1, 2, 2],
  ])
    await expect(verify(of(...order))).rejects.toMatchObject({ problem: 'damaged' });
});

test('a file that was cut off', async () => {
  for (const end of [
    19,
    header - 1,
    header,
    header + 5,
    header + chunk,
    header + 2 * chunk,
    oldBackup.length - 1,
  ])
    await expect(verify(oldBackup.subarray(0, end)), String(end)).rejects.toMatchObject({
      problem: 'damaged',
    });
});
