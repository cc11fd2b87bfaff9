/** Certification. The client of the product goes through every case of the checklist. */
import './support/umask.ts';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { NotShownError } from './sandbox/certification/finding.ts';
import type { Operator } from './sandbox/certification/customer.ts';
import { reportPage } from './sandbox/certification/html.ts';
import { counts, type Report } from './sandbox/certification/report.ts';
import { epaymentOfKeys, embeddedEpayment, KeysFile } from './sandbox/certification/epayment/service.ts';
import { runEpaymentChecklist } from './sandbox/certification/epayment/run.ts';
import { runChecklist } from './sandbox/certification/run.ts';
import { embeddedService, serviceOfSettings } from './sandbox/certification/service.ts';
import { tableOf } from './sandbox/certification/table.ts';
import { systemClock } from './domain/clock.ts';
import { systemIds } from './domain/ids.ts';
import { checksOff } from './settings/certificate-checks.ts';
import { checkSettings, parseSettings, readSettingsFile, type ReadySettings, requireCertificateChecks, SettingsError } from './settings/load.ts';
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
    service: { type: 'string', value: 'NAME', does: 'v10 (the point-of-sale interface) or epayment', default: 'v10' },
    keys: { type: 'string', value: 'FILE', does: 'of a sales unit in the test environment of ePayment; otherwise the embedded service' },
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
  const { service, settings, keys } = values;
  if (service !== 'v10' && service !== 'epayment') throw new SettingsError([`--service: must be v10 or epayment, got ${service}`]);
  if (service === 'epayment' && settings !== undefined) throw new SettingsError(['--settings: is of v10; epayment takes --keys']);
  if (service === 'v10' && keys !== undefined) throw new SettingsError(['--keys: is of epayment; v10 takes --settings']);
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort(new Error('interrupted')));
  process.once('SIGTERM', () => stop.abort(new Error('interrupted')));
  const folder = reportFolder(values.report);
  const report = service === 'epayment' ? await certifyEpayment(keys, stop.signal) : await certifyPointOfSale(settings, stop.signal);
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

const around = { clock: systemClock, ids: systemIds, send: fetchHttp };
const warning = 'This has to be a sandbox: payments are made there, approved by test phones, and captured.';
const operatorAt = (signal: AbortSignal): Operator | null => (process.stdin.isTTY ? askAtTerminal(signal) : null);
const told = (interrupted: AbortSignal) => ({
  clientVersion: terminalVersion,
  interrupted,
  ran: ({ id, title }: { readonly id: string; readonly title: string }) => process.stderr.isTTY && process.stderr.write(`  ${id} ${title}\n`),
  left: (what: string) => process.stderr.write(`left open at the service: ${what}\n`),
});

/** @throws SettingsError */
async function certifyPointOfSale(file: string | undefined, interrupted: AbortSignal): Promise<Report | null> {
  const settings = file === undefined ? parseSettings(simulatedSettings, {}) : settingsIn(file);
  requireCertificateChecks({ environment: process.env }, settings);
  const [lane] = settings.lanes;
  if (lane === undefined) throw new SettingsError(['lanes: must have at least one lane']);
  const { restrictions, merchantPaymentLabel } = lane;
  if (settings.wallet.service === 'epayment') throw new SettingsError(['wallet.service: must be v10 with --settings; --service epayment takes --keys']);
  const { storeId, beaconTypes, callbackAlias } = atStore(lane.pointOfSale);
  const service =
    'simulator' in settings.wallet
      ? await embeddedService({ ...around, storeIds: [storeId] })
      : serviceOfSettings(settings.wallet, operatorAt(interrupted), checksOff(process.env));
  say(`Certifying version ${terminalVersion} against ${service.called}`);
  if (!('simulator' in settings.wallet)) say(warning);
  const payments = { restrictions, merchantPaymentLabel };
  const ofLane = { storeId, beaconTypes, currency: lane.currency, payments, callbackAlias };
  return runChecklist({ ...around, ...told(interrupted), ...ofLane, service }).finally(() => void service.stop());
}

/** @throws SettingsError */
async function certifyEpayment(file: string | undefined, interrupted: AbortSignal): Promise<Report | null> {
  requireCertificateChecks({ environment: process.env }, null);
  const service = file === undefined ? await embeddedEpayment(around) : keysIn(file, operatorAt(interrupted));
  say(`Certifying version ${terminalVersion} against ${service.called}`);
  if (file !== undefined) say(`${warning} One case waits for eleven minutes.`);
  return runEpaymentChecklist({ ...around, ...told(interrupted), service }).finally(() => void service.stop());
}

/** @throws SettingsError */
function keysIn(file: string, operator: Operator | null) {
  const keys = checkSettings(KeysFile, readSettingsFile(file));
  for (const { path, command } of exposuresOf({ path: file, holdsSecret: true }))
    process.stderr.write(`${path}: other users of this computer can read or change it; to mend it: ${command}\n`);
  try {
    return epaymentOfKeys(keys, operator);
  } catch (error) {
    throw new SettingsError([messageOf(error)]);
  }
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
