import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchingLog } from '../../../main/support/log-file.ts';
import { ManualClock } from './manual-clock.ts';

let folder: string;
let passedOn: string;
let clock: ManualClock;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-log-'));
  passedOn = '';
  clock = new ManualClock();
  vi.spyOn(process.stderr, 'write').mockImplementation(
    (text) => ((passedOn += String(text)), true),
  );
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});
const open = (platform: NodeJS.Platform, environment: NodeJS.ProcessEnv = {}) =>
  watchingLog({ folder: join(folder, 'log'), environment, platform, lostOn: ['win32'], clock });
const stored = (name = 'tillbeacon.jsonl'): string =>
  readFileSync(join(folder, 'log', name), 'utf8');

test('what the watched program says is passed on and kept, with our own lines and without our secrets, for this user alone', async () => {
  const { log, relayText, close } = open('win32');
  relayText?.('{"msg":"one"}\n{"msg":"tw');
  log.info({ clientSecret: 'hidden-from-everybody' }, 'ours');
  relayText?.('o"}\nFATAL ERROR: without an end');
  await close();
  expect(stored()).toMatch(
    /^\{"msg":"one"\}\n\{.*"msg":"ours"\}\n\{"msg":"two"\}\nFATAL ERROR: without an end\n$/,
  );
  expect(stored()).not.toContain('hidden');
  expect(passedOn).toContain('FATAL ERROR: without an end');
  if (process.platform !== 'win32')
    expect(statSync(join(folder, 'log', 'tillbeacon.jsonl')).mode & 0o777).toBe(0o600);
});

test('it is of bounded size, also after many starts', async () => {
  const names = ['tillbeacon.jsonl', ...[1, 2, 3, 4, 5].map((age) => `tillbeacon.${age}.jsonl`)];
  mkdirSync(join(folder, 'log'));
  for (const name of names)
    writeFileSync(join(folder, 'log', name), `${name.padEnd(4_999_990, '.')}\n`);
  const { relayText, close } = open('linux', { TILLBEACON_LOG_FOLDER: join(folder, 'log') });
  relayText?.('what is new\n');
  await close();
  expect(readdirSync(join(folder, 'log')).toSorted()).toEqual(names.toSorted());
  expect(stored()).toBe('what is new\n');
  expect(stored('tillbeacon.1.jsonl')).toMatch(/^tillbeacon\.jsonl/);
  expect(stored('tillbeacon.5.jsonl')).toMatch(/^tillbeacon\.4\.jsonl/);
});

test('where the system keeps it there is no file, and where none can be made nothing else changes', async () => {
  expect(open('linux').relayText).toBeNull();
  writeFileSync(join(folder, 'log'), 'a file');
  const { relayText, close } = open('win32');
  relayText?.('a line\n');
  await close();
  expect(passedOn).toContain('a line');
});

test('a folder that could not be had is tried again ten minutes later, and not at each line', async () => {
  writeFileSync(join(folder, 'log'), 'a file');
  const { relayText, close } = open('win32');
  relayText?.('lost\n');
  rmSync(join(folder, 'log'));
  relayText?.('still lost\n');
  await clock.pass(10 * 60_000);
  relayText?.('kept\n');
  await close();
  expect(stored()).toBe('kept\n');
});
