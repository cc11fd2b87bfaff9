/** The product without Electron: `daemon --settings FILE --data DIR [--port N]`, or `daemon --demo`. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { systemClock } from './primitives/clock.ts';
import { systemIds } from './primitives/ids.ts';
import { loadSettings, type ReadySettings, SettingsError } from './settings/load.ts';
import { createLogger } from './support/logger.ts';
import { keepMemorySmall } from './support/memory.ts';
import { demoSettings } from './terminal/demo-settings.ts';
import { rendererFolderBeside, startTerminal } from './terminal/terminal.ts';

const defaultScreensPort = 4180;
const usage = 'usage: daemon --settings FILE --data DIR [--port N]   or   daemon --demo [--data DIR] [--port N]';

async function main(): Promise<void> {
  const { settings, data, port, demo } = await readArguments();
  keepMemorySmall(settings.lanes.length);
  const { log, flush } = createLogger(process.env['TILLBEACON_LOG'] ?? (demo ? 'warn' : 'info'));
  // What nobody expected ends the process: the journal knows what was open, and the next start finishes it.
  process.on('uncaughtException', (error) => {
    log.error({ error: error.stack }, 'Tillbeacon ends because of an error that nobody expected');
    flush();
    process.exit(1);
  });
  const rendererFolder = rendererFolderBeside(dirname(fileURLToPath(import.meta.url)));
  const screens = { port: port ?? defaultScreensPort, nextFreeIfTaken: port === null, rendererFolder };
  const terminal = await startTerminal({ settings, dataFolder: data, screens, demo, clock: systemClock, ids: systemIds, log });

  let stopping = false;
  const stop = (signal: string): void => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    void terminal.close().finally(() => {
      flush();
      process.exit(0);
    });
  };
  process.once('SIGTERM', () => stop('SIGTERM'));
  process.once('SIGINT', () => stop('SIGINT'));

  await terminal.ready;
  if (stopping) return;
  if (demo) process.stdout.write(`Tillbeacon's demonstration is ready: open ${terminal.screensUrl}/demo/ in a browser (Ctrl+C ends it)\n`);
  else {
    const simulator = terminal.simulatorUrl === null ? {} : { simulator: terminal.simulatorUrl };
    process.stdout.write(`${JSON.stringify({ ready: true, screens: terminal.screensUrl, lanes: terminal.lanes(), ...simulator })}\n`);
  }
}

/** @throws SettingsError */
async function readArguments(): Promise<{ settings: ReadySettings; data: string; port: number | null; demo: boolean }> {
  const { values } = parseArgs({
    options: { settings: { type: 'string' }, data: { type: 'string' }, port: { type: 'string' }, demo: { type: 'boolean', default: false } },
  });
  const port = values.port === undefined ? null : Number(values.port);
  if (port !== null && (!Number.isInteger(port) || port < 0 || port > 65_535))
    throw new SettingsError([`--port: must be a whole number from 0 to 65535, got ${values.port}`]);
  if (values.demo) return { settings: await demoSettings(), data: values.data ?? join('data', 'demo'), port, demo: true };
  if (values.settings === undefined || values.data === undefined) throw new SettingsError([usage]);
  return { settings: loadSettings(values.settings, process.env), data: values.data, port, demo: false };
}

main().catch((error: unknown) => {
  const isMistake = error instanceof SettingsError || (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS');
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(isMistake ? 2 : 1);
});
