import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { type Log, silentLog } from '../../../../main/core/domain/log.ts';
import {
  type IntakeThread,
  linkIntake,
  type ThreadData,
} from '../../../../main/wallets/callbacks/intake-thread.ts';
import { agreement, settings } from './callbacks-support.ts';

const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-callbacks-thread-'));
const file = new URL('../../../../main/cli/callbacks-worker.ts', import.meta.url);
const lines: unknown[] = [];
const log: Log = { ...silentLog, warn: (fields, message) => void lines.push([message, fields]) };
const failures: string[] = [];
const failed = ({ message }: Error): void => void failures.push(message);
const start = (path: string): Promise<IntakeThread> => {
  const data: ThreadData = { settings, path, sinceMs: undefined };
  return linkIntake(new Worker(file, { workerData: data }), { log, failed });
};
const bytes = (body: unknown): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(JSON.stringify(body));

afterEach(() => {
  lines.length = 0;
  failures.length = 0;
  rmSync(folder, { recursive: true, force: true });
});

test('the thread takes callbacks, answers in whatever order, says in the log what it has to say, and closes its file', async () => {
  const path = join(folder, 'callbacks.db');
  const thread = await start(path);
  const answers = await Promise.all([
    thread.take('/callbacks/agreements', bytes([agreement(), {}])),
    thread.take('/callbacks/agreements', bytes('no record')),
    thread.take('/callbacks/checkin', bytes({ PosId: 'p' })),
    thread.health(),
  ]);
  expect(answers).toEqual([
    { status: 200, body: { stored: 1, repeated: 0, rejected: 1 } },
    { status: 400, body: { reason: 'the record must be an object' } },
    { status: 200, body: null },
    { status: 200, body: { ok: true, records: 2, rejected: 2 } },
  ]);
  expect(lines).toHaveLength(2);
  await expect(thread.take('/nowhere', bytes({}))).rejects.toThrow('nothing is taken at /nowhere');
  await thread.close();
  const again = await start(path);
  expect(await again.health()).toEqual(answers[3]);
  await again.close();
  expect(failures).toEqual([]);
});

test('a file that cannot be used is told to whoever starts the thread', async () => {
  await expect(start('/dev/null/callbacks.db')).rejects.toThrow(
    "the callbacks' file /dev/null/callbacks.db cannot be used",
  );
  expect(failures).toEqual([]);
});

test('when the thread ends by itself, whoever waits hears of it, and so does the process', async () => {
  const program = `const { parentPort } = require('node:worker_threads');
    parentPort.postMessage({ t: 'q', m: 'ready', a: [] });
    parentPort.on('message', () => { throw new Error('nobody expected this'); });`;
  const thread = await linkIntake(new Worker(program, { eval: true }), { log, failed });
  await expect(thread.take('/callbacks/agreements', bytes({}))).rejects.toThrow(
    'nobody expected this',
  );
  expect(failures).toEqual(['nobody expected this']);
});
