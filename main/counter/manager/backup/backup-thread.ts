import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { BackupMade, BackupTask, RestoreTask, Restoring } from './backup-tasks.ts';

/**
 * Where the thread's entry is: as a source beside this one; built, beside this file or one folder
 * up.
 */
const places = ['./backup-worker.ts', './backup-worker.js', '../backup-worker.js'];

/** Runs a task in a separate thread. @throws Error when the thread fails */
export function inThread(task: BackupTask): Promise<BackupMade>;
export function inThread(task: RestoreTask): Promise<Restoring>;
export function inThread(task: BackupTask | RestoreTask): Promise<BackupMade | Restoring> {
  const place = places.map((path) => new URL(path, import.meta.url)).find((url) => existsSync(url));
  if (place === undefined) throw new Error('the file of the thread for backups is missing');
  const worker = new Worker(place, { workerData: task });
  // A daemon that stops does not wait for the thread.
  worker.unref();
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the thread for backups has ended')));
  });
}
