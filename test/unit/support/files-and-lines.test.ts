import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeFileAtomically } from '../../../main/support/atomic-file.ts';
import { RecentLines } from '../../../main/support/recent-lines.ts';

describe('a small file that is replaced', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tillbeacon-atomic-'));
    path = join(folder, 'a.json');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('has the new content, is its owner’s alone, and leaves nothing beside it', () => {
    writeFileSync(path, 'old and longer', { mode: 0o644 });
    writeFileAtomically(path, 'næw');
    expect(readFileSync(path, 'utf8')).toBe('næw');
    expect(readdirSync(folder)).toEqual(['a.json']);
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('keeps the old content when the new one cannot be written', () => {
    writeFileAtomically(path, 'old');
    mkdirSync(`${path}.new`);
    expect(() => writeFileAtomically(path, 'new')).toThrow();
    expect(readFileSync(path, 'utf8')).toBe('old');
  });

  test('is not disturbed by what a power cut left', () => {
    writeFileSync(`${path}.new`, 'half of something much longer');
    writeFileAtomically(path, 'new');
    expect(readFileSync(path, 'utf8')).toBe('new');
  });
});

describe('the recent lines', () => {
  test('are the newest ones, in their order', () => {
    const recent = new RecentLines(3);
    expect(recent.list()).toEqual([]);
    for (const line of ['1', '2', '3', '4', '5']) recent.add(line);
    expect(recent.list()).toEqual(['3', '4', '5']);
    recent.add('6');
    expect(recent.list()).toEqual(['4', '5', '6']);
  });

  test('are cut where one is endless', () => {
    const recent = new RecentLines(1);
    recent.add('x'.repeat(100_000));
    expect(recent.list()[0]?.length).toBeLessThan(5_000);
  });
});
