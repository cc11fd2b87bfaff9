/** The product without Electron. */
import '../support/umask.ts';
import { daemonUpdater } from '../host/updates/program-updates.ts';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openSystemd } from '../host/boot/systemd.ts';
import { systemClock } from '../core/domain/clock.ts';
import { systemIds } from '../core/domain/ids.ts';
import { defaultPorts } from '../core/domain/default-ports.ts';
import { loadSettings, type ReadySettings } from '../counter/settings/load.ts';
import { isForTests } from '../counter/settings/wallet.ts';
import { requireCertificateChecks } from '../support/settings/certificate-checks.ts';
import { SettingsError } from '../support/settings/settings-error.ts';
import { checkPictures } from '../counter/settings/pictures.ts';
import { SettingsFile } from '../counter/settings/settings-file.ts';
import {
  command,
  CommandEnd,
  endCommand,
  parseCommand,
  usageOf,
  wholeNumber,
} from '../support/command-line.ts';
import { jsonLine } from '../support/json-line.ts';
import { createLogger } from '../support/logger.ts';
import { say } from '../support/standard-output.ts';
import { demoSettings, serviceNamed } from '../counter/app/demo-settings.ts';
import { serviceNames } from '../core/domain/sale.ts';
import { providerOf } from '../wallets/wallet-providers.ts';
import { readinessQuestion, restartCode } from '../host/updates/versions.ts';
import { findStarts, launcherVariable } from '../host/boot/starts.ts';
import { rendererFolderBeside, startApplication } from '../counter/app/application.ts';
import { keepHeapSmall } from '../counter/app/memory.ts';

const daemon = command({
  call: 'npm run daemon --',
  does: 'Takes payments at a counter. Prints one line of JSON to stdout when it is ready, and logs to stderr. Without settings, its screens lead through setup.',
  options: {
    data: {
      type: 'string',
      value: 'DIR',
      does: 'folder for all data of this counter (with --demo, default: data/demo)',
    },
    settings: {
      type: 'string',
      value: 'FILE',
      does: 'settings file (default: settings.json in the data folder)',
    },
    port: {
      type: 'string',
      value: 'N',
      does: `port of the screens; 0 for any free port (default: ${defaultPorts.screens}, or the last port of the data folder)`,
    },
    demo: {
      type: 'boolean',
      does: 'demonstration with an embedded provider, a till and a phone; no money moves',
    },
    service: {
      type: 'string',
      value: 'NAME',
      does: `interface to demonstrate: ${serviceNames.join(' or ')} (default: v10)`,
    },
  },
});

async function main(): Promise<void> {
  const { settingsPath, demonstrated, data, port } = await readArguments();
  const demo = demonstrated !== null;
  const { log, recent, flush, writeLater } = createLogger(
    process.env['TILLBEACON_LOG'] ?? (demo ? 'warn' : 'info'),
  );
  // What nobody expected ends the process: the journal knows what was open, and the next start
  // finishes it.
  process.on('uncaughtException', (error) => {
    log.error({ error: error.stack }, 'stopping Tillbeacon: unexpected error');
    flush();
    process.exit(1);
  });
  const folder = dirname(fileURLToPath(import.meta.url));
  const rendererFolder = rendererFolderBeside(folder);
  const program = join(folder, '..', '..');
  const settings =
    demonstrated ??
    new SettingsFile({
      path: settingsPath,
      dataFolder: data,
      environment: process.env,
      safe: null,
      clock: systemClock,
      log,
    });
  const application = await startApplication({
    settings,
    dataFolder: data,
    screens: { port },
    rendererFolder,
    demo,
    system: { clock: systemClock, ids: systemIds, log },
    recentLog: recent,
    starts: findStarts(() => false, systemClock),
    ...(process.env[launcherVariable] !== undefined && {
      openUpdater: daemonUpdater({
        program,
        restart: () => stop('update', { isForAnother: true }),
      }),
    }),
  });
  let stopping = false;
  const heapCare = application.loaded.then(() =>
    stopping ? () => {} : keepHeapSmall(application.views, systemClock),
  );
  const systemd = openSystemd({
    environment: process.env,
    pid: process.pid,
    clock: systemClock,
    log,
  });
  systemd?.watch({
    readiness: () => application.readiness(),
    subscribe: (listener) => application.views.subscribe(listener),
  });

  const stop = (signal: string, { isForAnother = false } = {}): void => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    void heapCare.then((end) => end());
    const notified = isForAnother ? systemd?.leaving() : systemd?.stopping();
    void Promise.allSettled([application.close(), notified]).then(() => {
      flush();
      process.exit(isForAnother ? restartCode : 0);
    });
  };
  // It comes twice where a service manager ends all processes, and the launcher this one.
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.once('SIGINT', () => stop('SIGINT'));
  // Its launcher is gone, and another one may start another daemon.
  process.once('disconnect', () => stop('the end of the launcher'));
  if (process.connected === false) stop('the end of the launcher');
  process.on('message', (message) => {
    // The launcher may be gone before it has the answer.
    if (message === readinessQuestion && process.connected)
      process.send?.(application.readiness(), () => {});
  });

  await application.ready;
  if (stopping) return;
  writeLater();
  if (demo)
    say(
      `Tillbeacon's demonstration of ${demonstratedService(demonstrated)} is ready: open ${application.screensUrl}/demo/ in a browser (Ctrl+C ends it)`,
    );
  else {
    const simulator =
      application.simulatorUrl === null ? {} : { simulator: application.simulatorUrl };
    const api = application.apiUrl === null ? {} : { api: application.apiUrl };
    say(
      jsonLine({
        ready: true,
        screens: application.screensUrl,
        lanes: application.lanes(),
        ...api,
        ...simulator,
      }),
    );
  }
}

const demonstratedService = ({ wallet }: ReadySettings): string => providerOf(wallet).title;

interface Arguments {
  /** The file may be missing. */
  readonly settingsPath: string;
  /** null for a real counter. */
  readonly demonstrated: ReadySettings | null;
  readonly data: string;
  readonly port: number | null;
}

/** @throws CommandEnd, SettingsError */
async function readArguments(): Promise<Arguments> {
  const { values } = parseCommand(daemon, process.argv.slice(2));
  const port = values.port === undefined ? null : wholeNumber('--port', values.port, 0, 65_535);
  const data = values.data ?? (values.demo ? join('data', 'demo') : null);
  if (data === null) throw new CommandEnd(`--data: is missing\n${usageOf(daemon)}`);
  const service = values.service === undefined ? null : serviceNamed(values.service);
  if (service !== null && !values.demo)
    throw new CommandEnd(
      '--service: only with --demo; the settings of a counter name its service (wallet.service)',
    );
  const settingsPath = values.settings ?? join(data, 'settings.json');
  const settings = values.demo
    ? await demoSettings(service ?? 'v10')
    : settingsIn(settingsPath, data, values.settings !== undefined);
  requireCertificateChecks(
    { environment: process.env },
    settings !== null && isForTests(settings.wallet),
  );
  return { settingsPath, demonstrated: values.demo ? settings : null, data, port };
}

/**
 * A mistake in a file that was named on the command line ends the start; one in the data folder is
 * shown on the screens.
 * @returns null: there are none, or none that can be read
 * @throws SettingsError
 */
function settingsIn(path: string, data: string, isNamed: boolean): ReadySettings | null {
  try {
    const settings = loadSettings(path, process.env);
    checkPictures(settings, data);
    return settings;
  } catch (error) {
    if (isNamed) throw error;
    return null;
  }
}

main().catch((error: Error) => endCommand(error, SettingsError));
