import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Log, silentLog } from '../../../main/core/domain/log.ts';
import { RotatingFile, type RotatingFileOptions } from '../../../main/support/rotating-file.ts';

let folder: string;
const logged: string[] = [];
const log: Log = {
  ...silentLog,
  error: ({ detail }, message) => void logged.push(`${message}: ${String(detail)}`),
};
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rotating-'));
  logged.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const opened = (options: Partial<RotatingFileOptions> = {}): RotatingFile =>
  new RotatingFile({
    path: join(folder, 'till-1.jsonl'),
    maxBytes: 100,
    maxFiles: 3,
    log,
    freeBytes: async () => 1e12,
    ...options,
  });
const files = (): string[] => readdirSync(folder).sort();
const linesOf = (name: string): string[] =>
  readFileSync(join(folder, name), 'utf8').trimEnd().split('\n');

test('keeps the newest lines in order, in files of bounded size and number, for this user alone', async () => {
  const file = opened();
  for (let line = 0; line < 40; line += 1) {
    file.append(JSON.stringify({ line, text: 'x'.repeat(20) }));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await file.close();
  expect(files()).toEqual(['till-1.1.jsonl', 'till-1.2.jsonl', 'till-1.jsonl']);
  const all = ['till-1.2.jsonl', 'till-1.1.jsonl', 'till-1.jsonl']
    .flatMap(linesOf)
    .map((line) => (JSON.parse(line) as { line: number }).line);
  expect(all.at(-1)).toBe(39);
  expect(all).toEqual(all.map((_, index) => 40 - all.length + index));
  expect(all.length).toBeGreaterThanOrEqual(5);
  for (const name of files()) {
    expect(statSync(join(folder, name)).size).toBeLessThanOrEqual(100);
    if (process.platform !== 'win32') expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
  }
});

test('goes on where it was after a restart', async () => {
  const first = opened();
  first.append('one');
  await first.close();
  const second = opened();
  second.append('two');
  await second.close();
  expect(linesOf('till-1.jsonl')).toEqual(['one', 'two']);
});

test('stops when the disk takes no more, says so once, and nobody waits for it', async () => {
  const file = opened({
    openFile: async (...args) => {
      const handle = await open(...args);
      handle.appendFile = () => Promise.reject(new Error('ENOSPC: no space left on device'));
      return handle;
    },
  });
  for (let line = 0; line < 5; line += 1) {
    file.append(`line ${line}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await file.close();
  expect(logged).toEqual(['stopped writing to this file: ENOSPC: no space left on device']);
  expect(file.hasStopped).toBe(true);
});

test('leaves the last of the disk to who needs it more', async () => {
  const file = opened({ freeBytes: async () => 99_999_999 });
  file.append('line');
  await file.close();
  expect(logged).toEqual(['stopped writing to this file: the disk is nearly full']);
  expect(linesOf('till-1.jsonl')).toEqual(['']);
});

test('a disk that is slow loses lines and says how many, instead of filling the memory', async () => {
  let release = (): void => {};
  const slow = new Promise<void>((resolve) => {
    release = resolve;
  });
  const file = opened({ maxBytes: 10_000_000, freeBytes: () => slow.then(() => 1e12) });
  file.append('first');
  await new Promise((resolve) => setImmediate(resolve));
  for (let line = 0; line < 1_500; line += 1) file.append('x'.repeat(1_000));
  release();
  await file.close();
  const written = linesOf('till-1.jsonl');
  expect(written.length).toBeLessThan(1_002);
  expect(JSON.parse(written.at(-1) ?? '')).toEqual({ lost: 1_502 - written.length });
});

test.skipIf(process.platform === 'win32')('does not follow a link', async () => {
  const elsewhere = join(folder, 'elsewhere');
  writeFileSync(elsewhere, '');
  symlinkSync(elsewhere, join(folder, 'till-1.jsonl'));
  const file = opened();
  file.append('line');
  await file.close();
  expect(readFileSync(elsewhere, 'utf8')).toBe('');
  expect(logged).toHaveLength(1);
  expect(existsSync(join(folder, 'till-1.1.jsonl'))).toBe(false);
});
