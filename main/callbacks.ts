/** Takes the wallet service's callbacks for a chain: `callbacks --settings FILE --data DIR [--port N]`. */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from './primitives/clock.ts';
import { systemIds } from './primitives/ids.ts';
import { checkSettings, readSettingsFile, SettingsError } from './settings/load.ts';
import { createLogger } from './support/logger.ts';
import { CallbackReceiver } from './wallet/callbacks/server.ts';
import { type CallbackSettings, CallbackSettingsFile, withSecrets } from './wallet/callbacks/settings.ts';
import { openSqliteStore } from './wallet/callbacks/sqlite-store.ts';

async function main(): Promise<void> {
  const { settings, data, port } = readArguments();
  const { log, flush } = createLogger(process.env['TILLBEACON_LOG'] ?? 'info');
  // What nobody expected ends the process: what was answered is on disk, and the service sends the rest again.
  process.on('uncaughtException', (error) => {
    log.error({ error: error.stack }, 'the callback receiver ends because of an error that nobody expected');
    flush();
    process.exit(1);
  });
  const store = openSqliteStore(join(data, 'callbacks.db'));
  const receiver = new CallbackReceiver({ settings, store, clock: systemClock, ids: systemIds, log });

  let stopping = false;
  const stop = (signal: string): void => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    void receiver.stop().finally(() => {
      store.close();
      flush();
      process.exit(0);
    });
  };
  process.once('SIGTERM', () => stop('SIGTERM'));
  process.once('SIGINT', () => stop('SIGINT'));

  const { url } = await receiver.start({ host: settings.listen.host, port: port ?? settings.listen.port });
  process.stdout.write(`${JSON.stringify({ ready: true, url, endpoints: receiver.paths })}\n`);
}

/** @throws SettingsError */
function readArguments(): { settings: CallbackSettings; data: string; port: number | null } {
  const { values } = parseArgs({ options: { settings: { type: 'string' }, data: { type: 'string' }, port: { type: 'string' } } });
  const port = values.port === undefined ? null : Number(values.port);
  if (port !== null && (!Number.isInteger(port) || port < 0 || port > 65_535))
    throw new SettingsError([`--port: must be a whole number from 0 to 65535, got ${values.port}`]);
  if (values.settings === undefined || values.data === undefined) throw new SettingsError(['usage: callbacks --settings FILE --data DIR [--port N]']);
  const mistakes: string[] = [];
  const settings = withSecrets(checkSettings(CallbackSettingsFile, readSettingsFile(values.settings)), process.env, (path, name) =>
    mistakes.push(`${path}: must name an environment variable that is set, got ${JSON.stringify(name)}`),
  );
  if (mistakes.length > 0) throw new SettingsError(mistakes);
  return { settings, data: values.data, port };
}

main().catch((error: unknown) => {
  const isMistake = error instanceof SettingsError || (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS');
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(isMistake ? 2 : 1);
});
