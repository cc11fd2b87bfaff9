import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TillRecordings } from '../../../../main/counter/app/till-recordings.ts';
import { type Log, silentLog } from '../../../../main/core/domain/log.ts';
import { ManualClock } from '../../support/manual-clock.ts';

let folder: string;
const clock = new ManualClock();
const logLines: string[] = [];
const log: Log = {
  ...silentLog,
  error: (_fields, message) => void logLines.push(message),
  warn: (_fields, message) => void logLines.push(message),
};
beforeEach(() => {
  logLines.length = 0;
  folder = mkdtempSync(join(tmpdir(), 'recordings-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const opened = (): TillRecordings =>
  new TillRecordings({
    folder: join(folder, 'recordings'),
    untilPath: join(folder, 'recording.json'),
    clock,
    log,
  });
const inAnHour = (): string => new Date(clock.wallMs() + 3_600_000).toISOString();

test('a lane is recorded when its settings say so: always, or until a time', async () => {
  const recordings = opened();
  const [always, soon, never] = [
    recordings.sink('1', true),
    recordings.sink('2', inAnHour()),
    recordings.sink('3', undefined),
  ];
  expect([always, soon, never].map((one) => one.isOn())).toEqual([true, true, false]);
  await clock.pass(3_600_000);
  expect([always, soon, never].map((one) => one.isOn())).toEqual([true, false, false]);
  always.write('{"no":1}');
  await recordings.close();
  expect(readdirSync(join(folder, 'recordings'))).toEqual(['till-1.jsonl']);
  expect(readFileSync(join(folder, 'recordings/till-1.jsonl'), 'utf8')).toBe('{"no":1}\n');
});

test('a manager has all lanes recorded for a time, also over a restart, and ends it', async () => {
  const before = opened();
  before.recordUntil(clock.wallMs() + 3_600_000);
  const recordings = opened();
  const sink = recordings.sink('1', undefined);
  expect(sink.isOn()).toBe(true);
  expect(recordings.untilMs).toBe(clock.wallMs() + 3_600_000);
  recordings.recordUntil(null);
  expect([sink.isOn(), recordings.untilMs, opened().untilMs]).toEqual([false, null, null]);
  recordings.recordUntil(clock.wallMs() + 1_000);
  await clock.pass(1_000);
  expect([sink.isOn(), recordings.untilMs]).toEqual([false, null]);
});

test('a folder that cannot be made is logged once, and stops nothing', async () => {
  writeFileSync(join(folder, 'recordings'), '');
  const recordings = opened();
  const sink = recordings.sink('1', true);
  sink.write('one');
  sink.write('two');
  await recordings.close();
  expect(logLines).toEqual(['recording of a till stopped']);
});

test('a damaged end of the recording is logged, and nothing is recorded', () => {
  writeFileSync(join(folder, 'recording.json'), '{');
  expect(opened().untilMs).toBe(null);
  expect(logLines).toEqual(['the end of the recording could not be read: tills are not recorded']);
});
