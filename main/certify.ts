/** Certification. The client of the product goes through every case of the checklist. */
import './support/umask.ts';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { NotShownError } from './sandbox/certification/finding.ts';
import type { Operator } from './sandbox/certification/customer.ts';
import { reportPage } from './sandbox/certification/html.ts';
import { counts } from './sandbox/certification/report.ts';
import { runChecklist } from './sandbox/certification/run.ts';
import { embeddedService, serviceOfSettings } from './sandbox/certification/service.ts';
import { tableOf } from './sandbox/certification/table.ts';
import { systemClock } from './domain/clock.ts';
import { systemIds } from './domain/ids.ts';
import { checksOff } from './settings/certificate-checks.ts';
import { parseSettings, readSettingsFile, type ReadySettings, requireCertificateChecks, SettingsError } from './settings/load.ts';
import { atStore } from './settings/schema.ts';
import { guardedFiles } from './settings/secrets.ts';
import { writeFileAtomically } from './support/atomic-file.ts';
import { exposuresOf } from './support/exposure.ts';
import { makeFolder } from './support/make-folder.ts';
import { command, endCommand, parseCommand } from './support/command-line.ts';
import { terminalVersion } from './app/version.ts';
import { fetchHttp } from './wallet/http/http.ts';
import { messageOf } from './domain/errors.ts';

const certify = command({
  call: 'npm run certify --',
  does: "Takes the product's own client through the certification checklist. Ends with 1 if a case fails.",
  options: {
    settings: { type: 'string', value: 'FILE', does: 'the sandbox of these settings, with their first lane; otherwise the embedded service' },
    report: { type: 'string', value: 'DIR', does: 'where certification.html and certification.json are written', default: 'certification-report' },
  },
});
const interruptedCode = 130;

/** One counter of a shop of the embedded simulator. */
const simulatedSettings = {
  wallet: { simulator: true },
  lanes: [
    {
      id: '1',
      name: 'Certification',
      currency: 'DKK',
      merchantPaymentLabel: 'Certification',
      pointOfSale: {
        merchantPosId: 'certification',
        storeId: '51070000-0000-4000-8000-000000000001',
        name: 'Certification',
        beaconTypes: ['QR'],
        callbackAlias: 'certification',
      },
      till: { protocol: 'zvt', transport: 'tcp', port: 0 },
    },
  ],
};

async function main(): Promise<number> {
  const { values } = parseCommand(certify, process.argv.slice(2));
  const settings = values.settings === undefined ? parseSettings(simulatedSettings, {}) : settingsIn(values.settings);
  requireCertificateChecks({ environment: process.env }, settings);
  const folder = reportFolder(values.report);
  const [lane] = settings.lanes;
  if (lane === undefined) throw new SettingsError(['lanes: must have at least one lane']);
  const { restrictions, merchantPaymentLabel } = lane;
  if (settings.wallet.service === 'epayment') throw new SettingsError(['wallet.service: must be v10: this is the checklist of the point-of-sale interface']);
  const { storeId, beaconTypes, callbackAlias } = atStore(lane.pointOfSale);
  const around = { clock: systemClock, ids: systemIds, send: fetchHttp };
  const stop = new AbortController();
  const service =
    'simulator' in settings.wallet
      ? await embeddedService({ ...around, storeIds: [storeId] })
      : serviceOfSettings(settings.wallet, process.stdin.isTTY ? askAtTerminal(stop.signal) : null, checksOff(process.env));
  say(`Certifying version ${terminalVersion} against ${service.called}`);
  if (!('simulator' in settings.wallet)) say('This has to be a sandbox: payments are made there, approved by test phones, and captured.');

  process.once('SIGINT', () => stop.abort(new Error('interrupted')));
  process.once('SIGTERM', () => stop.abort(new Error('interrupted')));
  const run = runChecklist({
    ...around,
    service,
    clientVersion: terminalVersion,
    storeId,
    beaconTypes,
    currency: lane.currency,
    payments: { restrictions, merchantPaymentLabel },
    callbackAlias,
    interrupted: stop.signal,
    ran: ({ id, title }) => process.stderr.isTTY && process.stderr.write(`  ${id} ${title}\n`),
    left: (what) => process.stderr.write(`left open at the service: ${what}\n`),
  });
  const report = await run.finally(() => void service.stop());
  if (report === null) {
    say('Interrupted: what was open is closed, nothing is certified.');
    return interruptedCode;
  }
  say(tableOf(report));
  writeFileAtomically(join(folder, 'certification.json'), `${JSON.stringify(report, null, 2)}\n`);
  writeFileAtomically(join(folder, 'certification.html'), reportPage(report));
  say(`${counts(report)}. The report: ${join(folder, 'certification.html')}`);
  return report.cases.some(({ verdict }) => verdict === 'failed') ? 1 : 0;
}

/** @throws SettingsError */
function settingsIn(file: string): ReadySettings {
  const json = readSettingsFile(file);
  const settings = parseSettings(json, process.env, dirname(file));
  for (const { path, command } of guardedFiles(file, JSON.stringify(json)).flatMap((guarded) => exposuresOf(guarded)))
    process.stderr.write(`${path}: other users of this computer can read or change it; to mend it: ${command}\n`);
  return settings;
}

/** @throws SettingsError */
function reportFolder(folder: string): string {
  try {
    makeFolder(folder);
    return folder;
  } catch (error) {
    throw new SettingsError([`--report: must be a folder that can be written to, got ${folder} (${messageOf(error)})`]);
  }
}

function askAtTerminal(signal: AbortSignal): Operator {
  return async (instruction) => {
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    // Ctrl-C reaches the terminal first.
    terminal.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    try {
      await new Promise<void>((resolve, reject) => {
        terminal.once('close', () => reject(new NotShownError('nobody answered at the terminal')));
        terminal.question(`${instruction} `, { signal }).then(() => resolve(), reject);
      });
    } finally {
      terminal.close();
    }
  };
}

const say = (text: string): void => void process.stdout.write(`${text}\n`);

main().then(
  (code) => process.exit(code),
  (error: Error) => endCommand(error, SettingsError),
);
