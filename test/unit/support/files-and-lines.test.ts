import {
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
import { removeUnfinished, writeFileAtomically } from '../../../main/support/atomic-file.ts';
import { RecentLines } from '../../../main/support/logger.ts';

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
    // The name is so long that no suffix can be added to it.
    const long = join(folder, 'a'.repeat(250));
    writeFileSync(long, 'old');
    expect(() => writeFileAtomically(long, 'new')).toThrow();
    expect(readFileSync(long, 'utf8')).toBe('old');
  });

  test('is written under a name that nobody knows before, and leaves nothing when it fails', () => {
    mkdirSync(path);
    const failed = (): string | undefined => {
      try {
        writeFileAtomically(path, 'new');
      } catch (error) {
        return (error as NodeJS.ErrnoException).path;
      }
      return undefined;
    };
    const names = [failed(), failed()];
    for (const name of names) expect(name).toMatch(/a\.json\.[0-9a-f-]{36}\.new$/);
    expect(names[0]).not.toBe(names[1]);
    expect(readdirSync(folder)).toEqual(['a.json']);
  });

  test('is not written through a link that somebody planted', () => {
    const victim = join(folder, 'victim');
    writeFileSync(victim, 'somebody’s');
    symlinkSync(victim, `${path}.new`);
    symlinkSync(victim, path);
    writeFileAtomically(path, 'new');
    expect(readFileSync(victim, 'utf8')).toBe('somebody’s');
    expect(readFileSync(path, 'utf8')).toBe('new');
  });

  test('leaves what a power cut left of it to be removed by the next start, and nothing else is', () => {
    writeFileAtomically(path, 'whole');
    writeFileSync(`${path}.5bd0f2a4-6f4e-4c55-9d8c-0a1b2c3d4e5f.new`, 'half');
    writeFileSync(join(folder, 'somebody’s.new'), '');
    removeUnfinished(folder);
    expect(readdirSync(folder).toSorted()).toEqual(['a.json', 'somebody’s.new']);
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
