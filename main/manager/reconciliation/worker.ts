/** The entry of the thread that reconciles: wiring, no logic. */
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../../domain/clock.ts';
import { relayedLog } from '../../domain/log.ts';
import { type ProcessFunctions, threadRpc } from '../../support/thread-rpc.ts';
import { merchantAccess } from '../../wallet/http/access.ts';
import { fetchHttp } from '../../wallet/http/http.ts';
import { salesUnitAccess } from '../../wallet/epayment/access.ts';
import { epaymentProfile } from '../../wallet/epayment/profile.ts';
import { profileNamed } from '../../wallet/v10/profile.ts';
import { openReporting } from '../../wallet/v10/reporting/client.ts';
import { Transport } from '../../wallet/http/transport.ts';
import { ledgerReader } from './read-ledger.ts';
import { reportingReader } from './read.ts';
import { Reconciliation } from './reconciliation.ts';
import type { ReportReader } from './report-reader.ts';
import type { WorkerData } from './worker-data.ts';

const port = parentPort;
if (port === null) throw new Error('this is the entry of a thread');
// Given by `startWorker`, from the same build.
const data = workerData as WorkerData;
const log = relayedLog((line) => void daemon.log.asEvent(line));
const parts = { baseUrl: data.baseUrl, send: fetchHttp, clock: systemClock, log };
const reconciliation = new Reconciliation({ ...data, reports: reader(), clock: systemClock, log });
const daemon = threadRpc<ProcessFunctions, Reconciliation>(port, reconciliation);

function reader(): ReportReader {
  if ('keys' in data) {
    const access = salesUnitAccess({ ...parts, keys: data.keys, system: data.system });
    return ledgerReader({ transport: new Transport({ ...parts, profile: epaymentProfile, access }), msn: data.keys.msn, clock: systemClock });
  }
  const transport = new Transport({ ...parts, access: merchantAccess(data.apiKey), profile: profileNamed(data.profile) });
  return reportingReader({ reporting: openReporting({ transport }), storeIds: data.storeIds, clock: systemClock });
}
