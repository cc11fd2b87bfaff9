/** Certification. The client of the product goes through every case of the checklist. */
import '../support/umask.ts';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { NotShownError } from '../sandbox/certification/finding.ts';
import type { Operator } from '../sandbox/certification/customer.ts';
import { reportPage } from '../sandbox/certification/html.ts';
import { counts, type Report } from '../sandbox/certification/report.ts';
import {
  embeddedEpayment,
  epaymentOf,
  type EpaymentTarget,
} from '../sandbox/certification/epayment/epayment-service.ts';
import { runEpaymentChecklist } from '../sandbox/certification/epayment/epayment-run.ts';
import { runChecklist } from '../sandbox/certification/run.ts';
import { embeddedService, serviceOfSettings } from '../sandbox/certification/service.ts';
import { tableOf } from '../sandbox/certification/table.ts';
import { systemClock } from '../core/domain/clock.ts';
import { systemIds } from '../core/domain/ids.ts';
import { checksOff } from '../support/settings/certificate-checks.ts';
import { parseSettings, type ReadySettings } from '../counter/settings/load.ts';
import { isForTests } from '../counter/settings/wallet.ts';
import { requireCertificateChecks } from '../support/settings/certificate-checks.ts';
import { readSettingsFile } from '../support/settings/settings-text.ts';
import { SettingsError } from '../support/settings/settings-error.ts';
import { atStore, type LaneSettings } from '../counter/settings/schema.ts';
import { serviceOf } from '../counter/settings/wallet.ts';
import { networkOf } from '../support/settings/network-settings.ts';
import { guardedFiles } from '../support/settings/secrets.ts';
import { writeFileAtomically } from '../support/atomic-file.ts';
import { exposuresOf } from '../support/exposure.ts';
import { makeFolder } from '../support/make-folder.ts';
import { command, endCommand, parseCommand } from '../support/command-line.ts';
import { useNetwork } from '../support/network.ts';
import { say, sayAside } from '../support/standard-output.ts';
import { serviceNamed } from '../counter/app/demo-settings.ts';
import { salesUnitOf } from '../wallets/epayment/sales-unit.ts';
import { terminalVersion } from '../counter/app/version.ts';
import type { ServiceName } from '../core/domain/sale.ts';
import { epaymentService } from '../core/domain/wallet-services.ts';
import { fetchHttp } from '../wallets/http/http.ts';
import { messageOf } from '../core/domain/errors.ts';

const certify = command({
  call: 'npm run certify --',
  does: "Runs the product's own client through the certification checklist. Exit code 1: a case failed.",
  options: {
    settings: {
      type: 'string',
      value: 'FILE',
      does: 'settings of a sandbox, whose first lane is used (default: the embedded simulator)',
    },
    service: {
      type: 'string',
      value: 'NAME',
      does: 'embedded simulator to certify: v10 (the point-of-sale interface, default) or epayment',
    },
    'test-phone': {
      type: 'string',
      value: 'NUMBER',
      does: 'phone that approves ePayment payments, with country code; without it a person approves them',
    },
    report: {
      type: 'string',
      value: 'DIR',
      does: 'folder for certification.html and certification.json',
      default: 'certification-report',
    },
  },
});
const interruptedCode = 130;

/** One counter of a shop of the embedded simulator. */
const simulatedSettings = (service: ServiceName) => ({
  wallet: { simulator: true, service },
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
});

async function main(): Promise<number> {
  const { values } = parseCommand(certify, process.argv.slice(2));
  const { service, settings: file, 'test-phone': testPhone = null } = values;
  if (testPhone !== null && !/^\d{9,15}$/.test(testPhone))
    throw new SettingsError([
      `--test-phone: must be digits with the country code, got ${testPhone}`,
    ]);
  const settings =
    file === undefined
      ? parseSettings(simulatedSettings(serviceNamed(service ?? 'v10')), {})
      : settingsIn(file);
  const serviceName = serviceOf(settings.wallet);
  if (service !== undefined && service !== serviceName)
    throw new SettingsError([
      `--service: must match the settings, which use ${serviceName}, got ${service}`,
    ]);
  requireCertificateChecks({ environment: process.env }, isForTests(settings.wallet));
  useNetwork(networkOf(process.env, settings.network));
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort(new Error('interrupted')));
  process.once('SIGTERM', () => stop.abort(new Error('interrupted')));
  const folder = reportFolder(values.report);
  const report = await (serviceName === 'epayment'
    ? certifyEpayment(settings, testPhone, stop.signal)
    : certifyPointOfSale(settings, stop.signal));
  if (report === null) {
    say('Interrupted: open payments are closed, nothing is certified.');
    return interruptedCode;
  }
  say(tableOf(report));
  writeFileAtomically(join(folder, 'certification.json'), `${JSON.stringify(report, null, 2)}\n`);
  writeFileAtomically(join(folder, 'certification.html'), reportPage(report));
  say(`${counts(report)}. The report: ${join(folder, 'certification.html')}`);
  return report.cases.some(({ verdict }) => verdict === 'failed') ? 1 : 0;
}

const around = { clock: systemClock, ids: systemIds, send: fetchHttp };
const warning =
  'This must be a sandbox: payments are created, approved by test phones, and captured.';
const operatorAt = (signal: AbortSignal): Operator | null =>
  process.stdin.isTTY ? askAtTerminal(signal) : null;
const runnerOptions = (interrupted: AbortSignal) => ({
  clientVersion: terminalVersion,
  interrupted,
  ran: ({ id, title }: { readonly id: string; readonly title: string }) =>
    process.stderr.isTTY && sayAside(`  ${id} ${title}`),
  left: (what: string) => sayAside(`left open at the provider: ${what}`),
});

function laneOf({ lanes: [lane] }: ReadySettings): LaneSettings {
  if (lane === undefined) throw new SettingsError(['lanes: must have at least one lane']);
  return lane;
}

/** @throws SettingsError */
async function certifyPointOfSale(
  settings: ReadySettings,
  interrupted: AbortSignal,
): Promise<Report | null> {
  const { wallet } = settings;
  const { restrictions, merchantPaymentLabel, currency, pointOfSale } = laneOf(settings);
  if (wallet.service === 'epayment')
    throw new Error('this checklist is for the point-of-sale interface, not for ePayment');
  const { storeId, beaconTypes, callbackAlias } = atStore(pointOfSale);
  const service =
    'simulator' in wallet
      ? await embeddedService({ ...around, storeIds: [storeId] })
      : serviceOfSettings(wallet, operatorAt(interrupted), checksOff(process.env));
  say(`Certifying version ${terminalVersion} against ${service.called}`);
  if (!('simulator' in wallet)) say(warning);
  const payments = { restrictions, merchantPaymentLabel };
  const ofLane = { storeId, beaconTypes, currency, payments, callbackAlias };
  return runChecklist({ ...around, ...runnerOptions(interrupted), ...ofLane, service }).finally(
    () => void service.stop(),
  );
}

/** @throws SettingsError */
async function certifyEpayment(
  settings: ReadySettings,
  testPhone: string | null,
  interrupted: AbortSignal,
): Promise<Report | null> {
  const { wallet } = settings;
  const { currency } = laneOf(settings);
  if ('simulator' in wallet || wallet.service !== 'epayment')
    return runEpayment(await embeddedEpayment(around), interrupted);
  const { baseUrl, keys } = salesUnitOf(wallet);
  if (new URL(baseUrl).host === new URL(epaymentService.environments.production).host)
    throw new SettingsError([
      `wallet.environment: must be test: payments are made and captured, got ${wallet.environment}`,
    ]);
  say(`${warning} One case waits eleven minutes.`);
  return runEpayment(
    epaymentOf({ baseUrl, keys, currency, testPhone }, operatorAt(interrupted)),
    interrupted,
  );
}

function runEpayment(service: EpaymentTarget, interrupted: AbortSignal): Promise<Report | null> {
  say(`Certifying version ${terminalVersion} against ${service.called}`);
  return runEpaymentChecklist({ ...around, ...runnerOptions(interrupted), service }).finally(
    () => void service.stop(),
  );
}

/** @throws SettingsError */
function settingsIn(file: string): ReadySettings {
  const json = readSettingsFile(file);
  const settings = parseSettings(json, process.env, dirname(file));
  for (const { path, command } of guardedFiles(file, JSON.stringify(json)).flatMap((guarded) =>
    exposuresOf(guarded),
  ))
    sayAside(
      `${path}: other users of this computer can read or change it; to fix this: ${command}`,
    );
  return settings;
}

/** @throws SettingsError */
function reportFolder(folder: string): string {
  try {
    makeFolder(folder);
    return folder;
  } catch (error) {
    throw new SettingsError([
      `--report: must be a folder that can be written to, got ${folder} (${messageOf(error)})`,
    ]);
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

main().then(
  (code) => process.exit(code),
  (error: Error) => endCommand(error, SettingsError),
);
