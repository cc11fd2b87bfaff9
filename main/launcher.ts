/** Starts the daemon where it updates itself: the newest version that has proved itself, or the installed one. */
import './support/umask.ts';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { terminalVersion } from './app/version.ts';
import { systemClock } from './domain/clock.ts';
import { numberIn } from './support/command-line.ts';
import { createLogger } from './support/logger.ts';
import { launch } from './updates/launch.ts';

const args = process.argv.slice(2);
const dataAt = args.indexOf('--data');
const dataFolder = dataAt === -1 ? args.find((one) => one.startsWith('--data='))?.slice('--data='.length) : args[dataAt + 1];
const { log, flush } = createLogger(process.env['TILLBEACON_LOG'] ?? 'info');
const stop = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.abort());

void launch({
  // Without one the daemon says what is missing.
  dataFolder: dataFolder ?? '',
  args,
  program: join(dirname(fileURLToPath(import.meta.url)), '..', '..'),
  version: terminalVersion,
  readyWithinMs: numberIn('TILLBEACON_READY_WITHIN_MS', process.env['TILLBEACON_READY_WITHIN_MS'] ?? '60000', 1_000, 600_000),
  stop: stop.signal,
  clock: systemClock,
  log,
}).then((code) => {
  flush();
  process.exit(code);
});
