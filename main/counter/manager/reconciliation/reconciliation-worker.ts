/** The entry of the thread that reconciles: wiring, no logic. */
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../../../core/domain/clock.ts';
import { relayedLog } from '../../../core/domain/log.ts';
import { type ProcessFunctions, threadRpc } from '../../../support/thread-rpc.ts';
import { merchantAccess } from '../../../wallets/http/access.ts';
import { fetchHttp } from '../../../wallets/http/http.ts';
import { salesUnitAccess } from '../../../wallets/epayment/epayment-access.ts';
import { epaymentProfile } from '../../../wallets/epayment/epayment-profile.ts';
import { profileNamed } from '../../../wallets/v10/v10-profile.ts';
import { openReporting } from '../../../wallets/v10/reporting/reporting-client.ts';
import { Transport } from '../../../wallets/http/transport.ts';
import { ledgerReader } from './read-ledger.ts';
import { reportingReader } from './read-report.ts';
import { Reconciliation } from './reconciliation.ts';
import type { ReportReader } from './report-reader.ts';
import type { ReportsSource, WorkerData } from './reconciliation-worker-data.ts';

const port = parentPort;
if (port === null) throw new Error('this is the entry of a thread');
// Given by `startWorker`, from the same build.
const data = workerData as WorkerData;
const log = relayedLog((line) => void daemon.log.asEvent(line));
const { inUse, former, ...about } = data;
const reconciliation = new Reconciliation({
  ...about,
  reports: readerOf(inUse),
  former: former && { service: former.service, reports: former.source && readerOf(former.source) },
  clock: systemClock,
  log,
});
const daemon = threadRpc<ProcessFunctions, Reconciliation>(port, reconciliation);

function readerOf(source: ReportsSource): ReportReader {
  const parts = { baseUrl: source.baseUrl, send: fetchHttp, clock: systemClock, log };
  if ('keys' in source) {
    const access = salesUnitAccess({ ...parts, keys: source.keys, system: source.system });
    return ledgerReader({
      transport: new Transport({ ...parts, profile: epaymentProfile, access }),
      msn: source.keys.msn,
      clock: systemClock,
    });
  }
  const transport = new Transport({
    ...parts,
    access: merchantAccess(source.apiKey),
    profile: profileNamed(source.profile),
  });
  return reportingReader({
    reporting: openReporting({ transport }),
    storeIds: source.storeIds,
    clock: systemClock,
  });
}
