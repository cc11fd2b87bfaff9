/**
 * The daemon's end of the thread that reconciles. It is started by the first call, and ends when
 * there was none for a while: an opened year is memory.
 */
import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { Cancel, Clock } from '../../../core/domain/clock.ts';
import type { Log } from '../../../core/domain/log.ts';
import { networkInUse } from '../../../support/network.ts';
import { type ProcessFunctions, threadRpc, writesTo } from '../../../support/thread-rpc.ts';
import type { Reconciliation } from './reconciliation.ts';
import type { WorkerData } from './reconciliation-worker-data.ts';

const idleMs = 15 * 60_000;

/** Beside this source, or where the build puts entries: beside this file or a folder up. */
const places = [
  './reconciliation-worker.ts',
  './reconciliation-worker.js',
  '../reconciliation-worker.js',
];

type Calls = ReturnType<typeof threadRpc<Reconciliation, ProcessFunctions>>;

export interface WorkerLink {
  /** For the next call. Calls reject when the thread ends. */
  readonly calls: Calls;
  /** Whether its thread runs with this data, in the network that is in use. */
  serves(data: WorkerData): boolean;
  close(): void;
}

export function startWorker(
  data: WorkerData,
  { clock, log, ended }: { readonly clock: Clock; readonly log: Log; readonly ended: () => void },
): WorkerLink {
  const place = places.map((path) => new URL(path, import.meta.url)).find((url) => existsSync(url));
  if (place === undefined) throw new Error('the file of the reconciliation thread is missing');
  const network = networkInUse();
  const worker = new Worker(place, { workerData: data });
  // A daemon that stops does not wait for the thread: everything it holds can be read again.
  worker.unref();
  const calls = threadRpc<Reconciliation, ProcessFunctions>(worker, writesTo(log));
  let cancelIdle: Cancel = () => {};
  let isOver = false;

  function over(error: Error): void {
    if (isOver) return;
    isOver = true;
    cancelIdle();
    void calls.$rejectPendingCalls(({ reject }) => reject(error));
    ended();
  }

  worker.on('error', (error) => {
    log.error({ error: error.stack }, 'the reconciliation thread failed');
    over(error);
  });
  worker.on('exit', () => over(new Error('the reconciliation thread ended')));

  function close(): void {
    over(new Error('the reconciliation thread was ended'));
    void calls.close().finally(() => void worker.terminate());
  }

  return {
    get calls() {
      cancelIdle();
      cancelIdle = clock.after(idleMs, close);
      return calls;
    },
    serves: (requested) =>
      network === networkInUse() && JSON.stringify(requested) === JSON.stringify(data),
    close,
  };
}
