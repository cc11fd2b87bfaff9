/** The entry of the thread that makes one backup: wiring, no logic. */
import { parentPort, workerData } from 'node:worker_threads';
import { makeBackup } from './make.ts';
import type { BackupTask } from './worker-data.ts';

// Given by `handlers.ts`, from the same build.
parentPort?.postMessage(makeBackup(workerData as BackupTask));
