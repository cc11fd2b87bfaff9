/** The entry of the thread that makes or restores one backup: wiring, no logic. */
import { parentPort, workerData } from 'node:worker_threads';
import { makeBackup } from './make.ts';
import { restore } from './restore.ts';
import type { BackupTask, RestoreTask } from './worker-data.ts';

// Given by `thread.ts`, from the same build.
const task = workerData as BackupTask | RestoreTask;
parentPort?.postMessage(await (task.kind === 'make' ? makeBackup(task) : restore(task)));
