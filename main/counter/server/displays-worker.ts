/** The entry of the thread that serves customers' displays: wiring, no logic. */
import { parentPort, workerData } from 'node:worker_threads';
import { type DisplaysThreadData, serveDisplays } from './displays-thread.ts';

if (parentPort === null) throw new Error('this is the entry of a thread');
// Given by `startCustomerDisplays`, from the same build.
serveDisplays(parentPort, workerData as DisplaysThreadData);
