import type { Log } from '../../core/domain/log.ts';
import {
  openListenerThread,
  type StartThread,
  workerThread,
} from '../../support/listener-thread.ts';
import type { MonitoringPages } from './monitoring-pages.ts';
import type { MonitoringThreadData } from './monitoring-thread.ts';

export interface MonitoringServerOptions extends MonitoringPages, MonitoringThreadData {
  readonly log: Log;
  /** Tests run the thread's end in their own. */
  readonly startThread?: StartThread<MonitoringThreadData>;
}

export interface MonitoringServer {
  readonly port: number;
  /** Resolves when its thread has ended although nobody closed it. */
  readonly died: Promise<Error>;
  close(): Promise<void>;
}

/**
 * Serves the status to everybody, and the metrics to holders of the token, in a separate thread.
 * @throws when it cannot listen on the port
 */
export async function startMonitoringServer(
  options: MonitoringServerOptions,
): Promise<MonitoringServer> {
  const {
    host,
    port,
    tls,
    token,
    names,
    readiness,
    metrics,
    log,
    startThread = workerThread(import.meta.url, 'metrics-worker'),
  } = options;
  const thread = await openListenerThread(
    startThread({ host, port, tls, token, names }),
    { readiness, metrics },
    { log },
  );
  return { port: thread.port, died: thread.died, close: () => thread.close() };
}
