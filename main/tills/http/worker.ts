/** The entry of the thread that has the sockets of the HTTP API: wiring, no logic. */
import { parentPort, workerData } from 'node:worker_threads';
import type { ApiThreadData } from './calls.ts';
import { serveApi } from './thread.ts';

if (parentPort === null) throw new Error('this is the entry of a thread');
// Given by `startHttpApi`, from the same build.
serveApi(parentPort, workerData as ApiThreadData);
