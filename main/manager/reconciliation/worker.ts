/** The entry of the thread that reconciles: wiring, no logic. */
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../../domain/clock.ts';
import { relayedLog } from '../../domain/log.ts';
import { merchantAccess } from '../../wallet/http/access.ts';
import { fetchHttp } from '../../wallet/http/http.ts';
import { profileNamed } from '../../wallet/v10/profile.ts';
import { openReporting } from '../../wallet/v10/reporting/client.ts';
import { Transport } from '../../wallet/http/transport.ts';
import { Reconciliation } from './reconciliation.ts';
import type { Call, FromWorker, WorkerData } from './worker-protocol.ts';

const port = parentPort;
if (port === null) throw new Error('this is the entry of a thread');
const { baseUrl, apiKey, profile, ...data } = workerData as WorkerData;
const send = (message: FromWorker, transfer: readonly ArrayBuffer[] = []): void => port.postMessage(message, transfer);

const log = relayedLog((line) => send({ type: 'log', ...line }));
const transport = new Transport({ baseUrl, access: merchantAccess(apiKey), profile: profileNamed(profile), send: fetchHttp, clock: systemClock, log });
const reconciliation = new Reconciliation({ ...data, reporting: openReporting({ transport }), clock: systemClock, log });

port.on('message', ({ id, method, args }: Call) => {
  const call = reconciliation[method] as (...args: readonly unknown[]) => unknown;
  // In a promise, so that what throws at once and what rejects are one.
  void (async () => {
    try {
      const result = await call.apply(reconciliation, [...args]);
      send({ type: 'result', id, result }, result instanceof Uint8Array ? [result.buffer as ArrayBuffer] : []);
    } catch (error) {
      send({ type: 'error', id, message: error instanceof Error ? error.message : String(error) });
    }
    if (method === 'close') port.close();
  })();
});
