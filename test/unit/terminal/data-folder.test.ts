import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDataFolder } from '../../../main/terminal/data-folder.ts';
import { ManualClock } from '../support/manual-clock.ts';

const clock = new ManualClock();
let path: string;
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'tillbeacon-data-')), 'made', 'on the way');
});
afterEach(() => rmSync(join(path, '..', '..'), { recursive: true, force: true }));

test('a data folder is of one daemon alone, and the second hears whose', () => {
  const first = openDataFolder(path, clock);
  expect(() => openDataFolder(path, clock)).toThrow(
    `the data folder ${path} is in use by another Tillbeacon: process ${process.pid}, since 2026-11-21T09:00:00.000Z; two daemons would share tills and payments`,
  );
  first.close();
  openDataFolder(path, clock).close();
});

test('a second that cannot tell who is first refuses all the same', () => {
  const first = openDataFolder(path, clock);
  writeFileSync(join(path, 'daemon.json'), '{"pid":');
  expect(() => openDataFolder(path, clock)).toThrow('is in use by another Tillbeacon; two');
  first.close();
});

test('a folder that cannot be made is named', () => {
  const file = join(path, '..', 'file');
  openDataFolder(path, clock).close();
  writeFileSync(file, '');
  expect(() => openDataFolder(join(file, 'data'), clock)).toThrow(`the data folder ${join(file, 'data')} cannot be used: `);
});
