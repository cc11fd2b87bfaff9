/** The entry of the thread that makes or restores one backup: wiring, no logic. */
import { parentPort, workerData } from 'node:worker_threads';
import { makeBackup, restore } from './run-backup-task.ts';
import type { BackupTask, RestoreTask } from './backup-tasks.ts';

// Given by `backup-thread.ts`, from the same build.
const task = workerData as BackupTask | RestoreTask;
parentPort?.postMessage(await (task.kind === 'make' ? makeBackup(task) : restore(task)));
