/** The entry of the thread that reconciles: wiring, no logic. */
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../../domain/clock.ts';
import { relayedLog } from '../../domain/log.ts';
import { type ProcessFunctions, threadRpc } from '../../support/thread-rpc.ts';
import { merchantAccess } from '../../wallet/http/access.ts';
import { fetchHttp } from '../../wallet/http/http.ts';
import { profileNamed } from '../../wallet/v10/profile.ts';
import { openReporting } from '../../wallet/v10/reporting/client.ts';
import { Transport } from '../../wallet/http/transport.ts';
import { Reconciliation } from './reconciliation.ts';
import type { WorkerData } from './worker-data.ts';

const port = parentPort;
if (port === null) throw new Error('this is the entry of a thread');
// Given by `startWorker`, from the same build.
const { baseUrl, apiKey, profile, ...data } = workerData as WorkerData;
const log = relayedLog((line) => void daemon.log.asEvent(line));
const transport = new Transport({ baseUrl, access: merchantAccess(apiKey), profile: profileNamed(profile), send: fetchHttp, clock: systemClock, log });
const reconciliation = new Reconciliation({ ...data, reporting: openReporting({ transport }), clock: systemClock, log });
const daemon = threadRpc<ProcessFunctions, Reconciliation>(port, reconciliation);
