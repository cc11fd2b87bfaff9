/** The entry of the thread that serves the metrics: wiring, no logic. */
import { parentPort, workerData } from 'node:worker_threads';
import { type MonitoringThreadData, serveMonitoring } from './monitoring-thread.ts';

if (parentPort === null) throw new Error('this is the entry of a thread');
// Given by `startMonitoringServer`, from the same build.
serveMonitoring(parentPort, workerData as MonitoringThreadData);
