import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type LogEntry, recordingLog } from '../../../main/sandbox/certification/recording-log.ts';
import type { Notice } from '../../../main/core/domain/notices.ts';
import { FileGuard } from '../../../main/support/file-guard.ts';
import { ManualClock } from './manual-clock.ts';

let folder: string;
let file: string;
let clock: ManualClock;
let lines: LogEntry[];
let notices: Map<string, Notice>;
let raised: number;
let guard: FileGuard;
/** @param own the program's own files */
const guarding = (own: string): void => {
  guard = new FileGuard({
    folder: own,
    guarded: () => [{ path: file, holdsSecret: true }],
    notices: {
      raise(notice) {
        raised += 1;
        notices.set(`${notice.code} ${notice.subject}`, notice);
      },
      settle: (code, subject) => void notices.delete(`${code} ${subject}`),
    },
    clock,
    log: recordingLog(lines),
  });
  guard.start();
};
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-guard-'));
  file = join(folder, 'settings.json');
  writeFileSync(file, '');
  chmodSync(file, 0o644);
  clock = new ManualClock();
  lines = [];
  notices = new Map();
  raised = 0;
});
afterEach(() => {
  guard.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(process.platform === 'win32')('a file that others can read', () => {
  test('is warned about, with the command that mends it, until it is mended', async () => {
    guarding(join(folder, 'data'));
    expect([...notices.values()]).toEqual([
      { code: 'fileReadable', subject: file, detail: `chmod 600 ${file}` },
    ]);
    expect(lines).toMatchObject([
      { level: 'warn', fields: { path: file, command: `chmod 600 ${file}` } },
    ]);
    await clock.pass(60_000);
    expect([lines.length, raised]).toEqual([1, 1]);
    chmodSync(file, 0o600);
    await clock.pass(10_000);
    expect([...notices]).toEqual([]);
    expect(lines.slice(1)).toMatchObject([
      { level: 'info', fields: { path: file }, message: expect.stringContaining('no longer') },
    ]);
    chmodSync(file, 0o644);
    await clock.pass(10_000);
    expect([notices.size, lines.length]).toEqual([1, 3]);
  });

  test('is warned about again now and then: what is shown is shown for a day', async () => {
    guarding(join(folder, 'data'));
    await clock.pass(60 * 60_000 + 10_000);
    expect([lines.length, raised]).toEqual([2, 2]);
  });

  test('is closed without a question where it is the daemon’s own', async () => {
    guarding(folder);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    chmodSync(file, 0o604);
    await clock.pass(10_000);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(raised).toBe(0);
    expect(lines.map(({ level }) => level)).toEqual(['info', 'info']);
  });

  test('is nobody’s business after the end', async () => {
    guarding(folder);
    guard.close();
    chmodSync(file, 0o644);
    await clock.pass(60_000);
    expect(statSync(file).mode & 0o777).toBe(0o644);
  });
});
