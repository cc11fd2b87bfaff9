import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readBoundedFile, readBoundedText } from '../../../main/support/bounded-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-bounded-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => join(folder, name);

test('reads a file of the largest size, also through a link', () => {
  writeFileSync(at('file'), 'x'.repeat(200_000));
  symlinkSync(at('file'), at('link'));
  expect(readBoundedFile(at('link'), 200_000)).toHaveLength(200_000);
  writeFileSync(at('file'), 'blåbær');
  expect(readBoundedText(at('file'), 100)).toBe('blåbær');
});

test('refuses a file that is larger, without reading it', () => {
  truncateSync((writeFileSync(at('large'), ''), at('large')), 1_000_001);
  expect(() => readBoundedFile(at('large'), 1_000_000)).toThrow(
    'large has more than 1000000 bytes',
  );
});

test.skipIf(process.platform !== 'linux')(
  'refuses a file that says it is empty and is larger',
  () => {
    expect(() => readBoundedFile('/proc/self/maps', 100)).toThrow(
      '/proc/self/maps has more than 100 bytes',
    );
  },
);

test('refuses a folder, and names what is missing by the code of the system', () => {
  expect(() => readBoundedFile(folder, 100)).toThrow('is not a regular file');
  expect(() => readBoundedFile(at('missing'), 100)).toThrow(
    expect.objectContaining({ code: 'ENOENT' }),
  );
});

test.skipIf(process.platform === 'win32')(
  'waits for no writer of a pipe, and for no end of a device',
  () => {
    spawnSync('mkfifo', [at('pipe')]);
    symlinkSync(at('pipe'), at('link'));
    for (const path of [at('pipe'), at('link'), '/dev/zero'])
      expect(() => readBoundedFile(path, 100)).toThrow('is not a regular file');
  },
);
