/** The daemon's end of the thread that reconciles. It is started by the first question, and ends when nobody has asked for a while: an opened year is memory. */
import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { Cancel, Clock } from '../../domain/clock.ts';
import type { Log } from '../../domain/log.ts';
import type { Arguments, Call, FromWorker, Method, Result, WorkerData } from './worker-protocol.ts';

const idleMs = 15 * 60_000;

/** Beside this source, or where the build puts entries: beside this file or a folder up. */
const places = ['./worker.ts', './reconciliation-worker.js', '../reconciliation-worker.js'];

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

export interface WorkerLink {
  /** @throws Error when the thread has ended */
  call<Name extends Method>(method: Name, ...args: Arguments<Name>): Promise<Result<Name>>;
  /** Whether its thread runs with this data. */
  serves(data: WorkerData): boolean;
  close(): void;
}

export function startWorker(data: WorkerData, { clock, log, ended }: { readonly clock: Clock; readonly log: Log; readonly ended: () => void }): WorkerLink {
  const place = places.map((path) => new URL(path, import.meta.url)).find((url) => existsSync(url));
  if (place === undefined) throw new Error('the file of the thread that reconciles is missing');
  const worker = new Worker(place, { workerData: data });
  // A daemon that stops does not wait for it: all that it holds can be read again.
  worker.unref();
  const waiting = new Map<number, Waiting>();
  let nextId = 1;
  let cancelIdle: Cancel = () => {};
  let isOver = false;

  function over(error: Error): void {
    if (isOver) return;
    isOver = true;
    cancelIdle();
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
    ended();
  }

  worker.on('message', (message: FromWorker) => {
    if (message.type === 'log') return log[message.level](message.fields, message.message);
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.type === 'result') asked?.resolve(message.result);
    else asked?.reject(new Error(message.message));
  });
  worker.on('error', (error) => {
    log.error({ error: error.stack }, 'the thread that reconciles has failed');
    over(error);
  });
  worker.on('exit', () => over(new Error('the thread that reconciles has ended')));

  function close(): void {
    post({ id: 0, method: 'close', args: [] });
    over(new Error('the thread that reconciles was ended'));
  }

  const post = (call: Call): void => worker.postMessage(call);

  return {
    call(method, ...args) {
      if (isOver) return Promise.reject(new Error('the thread that reconciles has ended'));
      cancelIdle();
      cancelIdle = clock.after(idleMs, close);
      const id = nextId;
      nextId += 1;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve: resolve as Waiting['resolve'], reject });
        post({ id, method, args });
      });
    },
    serves: (asked) => JSON.stringify(asked) === JSON.stringify(data),
    close,
  };
}
