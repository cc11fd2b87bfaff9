/** Takes the wallet service's callbacks for a chain. */
import './support/umask.ts';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { systemClock } from './domain/clock.ts';
import { systemIds } from './domain/ids.ts';
import type { Log } from './domain/log.ts';
import { noNotices } from './domain/notices.ts';
import { checkSettings, readSettingsFile, requireCertificateChecks, SettingsError } from './settings/load.ts';
import { guardedFiles, lookUpSecret } from './settings/secrets.ts';
import type { Guarded } from './support/exposure.ts';
import { FileGuard } from './support/file-guard.ts';
import { usageError } from './support/usage-errors.ts';
import { createLogger } from './support/logger.ts';
import { takeFolder } from './support/private-folder.ts';
import { linkIntake, type ThreadData } from './wallet/callbacks/intake-thread.ts';
import { CallbackReceiver } from './wallet/callbacks/server.ts';
import { type CallbackSettings, CallbackSettingsFile, withSecrets } from './wallet/callbacks/settings.ts';
import { messageOf } from './domain/errors.ts';

/** Beside this one, as a source and as it is built. */
const threadFile = new URL(import.meta.url.replace(/callbacks(\.\w+)$/, 'callbacks-worker$1'));
const usage = 'usage: callbacks --settings FILE --data DIR [--port N] [--catch-up TIME]';

async function main(): Promise<void> {
  const { settings, guarded, data, port, since } = readArguments();
  const { log, flush } = createLogger(process.env['TILLBEACON_LOG'] ?? 'info');
  // What nobody expected ends the process: what was answered is on disk, and the service sends the rest again.
  const end = (error: Error): never => {
    log.error({ error: error.stack }, 'the callback receiver ends because of an error that nobody expected');
    flush();
    process.exit(1);
  };
  process.on('uncaughtException', end);
  takeDataFolder(data, log);
  const guard = new FileGuard({ folder: data, guarded: () => guarded, notices: noNotices, clock: systemClock, log });
  guard.start();
  const threadData: ThreadData = { settings, path: join(data, 'callbacks.db'), sinceMs: since };
  const intake = await linkIntake(new Worker(threadFile, { workerData: threadData }), { log, failed: end });
  const receiver = new CallbackReceiver({ settings, intake, clock: systemClock, ids: systemIds, log });

  let stopping = false;
  const stop = (signal: string): void => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    guard.close();
    void receiver
      .stop()
      .then(() => intake.close())
      .finally(() => {
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
function readArguments(): { settings: CallbackSettings; guarded: readonly Guarded[]; data: string; port: number | null; since: number | undefined } {
  const { values } = parseArgs({
    options: { settings: { type: 'string' }, data: { type: 'string' }, port: { type: 'string' }, 'catch-up': { type: 'string' } },
  });
  const port = values.port === undefined ? null : Number(values.port);
  if (port !== null && (!Number.isInteger(port) || port < 0 || port > 65_535))
    throw new SettingsError([`--port: must be a whole number from 0 to 65535, got ${values.port}`]);
  const since = values['catch-up'] === undefined ? undefined : Date.parse(values['catch-up']);
  if (Number.isNaN(since)) throw new SettingsError([`--catch-up: must be a date and time, got ${values['catch-up']}`]);
  if (values.settings === undefined || values.data === undefined) throw new SettingsError([usage]);
  requireCertificateChecks({ environment: process.env }, null);
  const json = readSettingsFile(values.settings);
  const settings = checkCallbackSettings(json, dirname(values.settings));
  if (since !== undefined && settings.catchUp === undefined) throw new SettingsError(['--catch-up: the settings name nobody to ask (catchUp)']);
  return { settings, guarded: guardedFiles(values.settings, JSON.stringify(json)), data: values.data, port, since };
}

/** @throws Error in plain words */
function takeDataFolder(path: string, log: Log): void {
  try {
    takeFolder(path, { keeps: /^callbacks\.db/, log });
  } catch (error) {
    throw new Error(`the data folder ${path} cannot be used: ${messageOf(error)}`, { cause: error });
  }
}

/** With its secrets looked up. @throws SettingsError */
function checkCallbackSettings(json: unknown, folder: string): CallbackSettings {
  const sources = { environment: process.env, safe: null, folder };
  const mistakes: string[] = [];
  const settings = withSecrets(checkSettings(CallbackSettingsFile, json), (secret, where) => {
    try {
      return lookUpSecret(secret, where, sources);
    } catch (error) {
      mistakes.push(messageOf(error));
      return '';
    }
  });
  if (mistakes.length > 0) throw new SettingsError(mistakes);
  return settings;
}

main().catch((error: Error) => {
  const { text, code } = usageError(error, { usage, mistake: SettingsError });
  process.stderr.write(text);
  process.exit(code);
});
