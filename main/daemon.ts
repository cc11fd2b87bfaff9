/** The product without Electron: `daemon --data DIR [--settings FILE] [--port N]`, or `daemon --demo`. */
import './support/umask.ts';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { systemClock } from './domain/clock.ts';
import { systemIds } from './domain/ids.ts';
import { loadSettings, type ReadySettings, requireCertificateChecks, SettingsError } from './settings/load.ts';
import { checkPictures } from './settings/pictures.ts';
import { SettingsFile } from './settings/settings-file.ts';
import { usageError } from './support/usage-errors.ts';
import { createLogger } from './support/logger.ts';
import { keepMemorySmall } from './support/memory.ts';
import { demoSettings } from './app/demo-settings.ts';
import { rendererFolderBeside, startApplication } from './app/application.ts';

const usage = 'usage: daemon --data DIR [--settings FILE] [--port N]   or   daemon --demo [--data DIR] [--port N]';

async function main(): Promise<void> {
  const { settingsPath, demonstrated, lanes, data, port } = await readArguments();
  const demo = demonstrated !== null;
  keepMemorySmall(lanes);
  const { log, recent, flush } = createLogger(process.env['TILLBEACON_LOG'] ?? (demo ? 'warn' : 'info'));
  // What nobody expected ends the process: the journal knows what was open, and the next start finishes it.
  process.on('uncaughtException', (error) => {
    log.error({ error: error.stack }, 'Tillbeacon ends because of an error that nobody expected');
    flush();
    process.exit(1);
  });
  const rendererFolder = rendererFolderBeside(dirname(fileURLToPath(import.meta.url)));
  const settings = demonstrated ?? new SettingsFile({ path: settingsPath, dataFolder: data, environment: process.env, safe: null, clock: systemClock, log });
  const application = await startApplication({
    settings,
    dataFolder: data,
    screens: { port },
    rendererFolder,
    demo,
    system: { clock: systemClock, ids: systemIds, log },
    recentLog: recent,
  });

  let stopping = false;
  const stop = (signal: string): void => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    void application.close().finally(() => {
      flush();
      process.exit(0);
    });
  };
  process.once('SIGTERM', () => stop('SIGTERM'));
  process.once('SIGINT', () => stop('SIGINT'));

  await application.ready;
  if (stopping) return;
  if (demo) process.stdout.write(`Tillbeacon's demonstration is ready: open ${application.screensUrl}/demo/ in a browser (Ctrl+C ends it)\n`);
  else {
    const simulator = application.simulatorUrl === null ? {} : { simulator: application.simulatorUrl };
    process.stdout.write(`${JSON.stringify({ ready: true, screens: application.screensUrl, lanes: application.lanes(), ...simulator })}\n`);
  }
}

interface Arguments {
  /** The file need not exist. */
  readonly settingsPath: string;
  /** null: a real counter. */
  readonly demonstrated: ReadySettings | null;
  /** Their number at the start. */
  readonly lanes: number;
  readonly data: string;
  readonly port: number | null;
}

/** @throws SettingsError */
async function readArguments(): Promise<Arguments> {
  const { values } = parseArgs({
    options: { settings: { type: 'string' }, data: { type: 'string' }, port: { type: 'string' }, demo: { type: 'boolean', default: false } },
  });
  const port = values.port === undefined ? null : Number(values.port);
  if (port !== null && (!Number.isInteger(port) || port < 0 || port > 65_535))
    throw new SettingsError([`--port: must be a whole number from 0 to 65535, got ${values.port}`]);
  const data = values.data ?? (values.demo ? join('data', 'demo') : null);
  if (data === null) throw new SettingsError([usage]);
  const settingsPath = values.settings ?? join(data, 'settings.json');
  const settings = values.demo ? await demoSettings() : settingsIn(settingsPath, data, values.settings !== undefined);
  requireCertificateChecks({ environment: process.env }, settings);
  return { settingsPath, demonstrated: values.demo ? settings : null, lanes: settings?.lanes.length ?? 1, data, port };
}

/**
 * A mistake in a file that was named on the command line ends the start; one in the data folder is shown on the screens.
 * @returns null: there are none, or none that can be read
 * @throws SettingsError
 */
function settingsIn(path: string, data: string, named: boolean): ReadySettings | null {
  try {
    const settings = loadSettings(path, process.env);
    checkPictures(settings, data);
    return settings;
  } catch (error) {
    if (named) throw error;
    return null;
  }
}

main().catch((error: Error) => {
  const { text, code } = usageError(error, { usage, mistake: SettingsError });
  process.stderr.write(text);
  process.exit(code);
});
