/**
 * Takes the wallet service's callbacks for a chain; registers them, shows them, and passes them on.
 */
import '../support/umask.ts';
import { hash } from 'node:crypto';
import { dirname, join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { builtMs } from '../counter/app/version.ts';
import { sayCheckInAliases } from '../wallets/callbacks/registration/check-ins.ts';
import { follow } from '../wallets/callbacks/forwarding/follow-records.ts';
import { lockTarget, openForwardStore } from '../wallets/callbacks/forwarding/forward-store.ts';
import { forward } from '../wallets/callbacks/forwarding/forwarder.ts';
import { merchantClient } from '../wallets/callbacks/registration/merchants.ts';
import { writeNewSettings } from '../wallets/callbacks/registration/new-settings.ts';
import { type CallbacksCommandOf, readArguments } from '../wallets/callbacks/options.ts';
import { register } from '../wallets/callbacks/registration/register.ts';
import { registerSalesUnit } from '../wallets/callbacks/registration/register-sales-unit.ts';
import {
  readCallbackSettings,
  withAllSecrets,
} from '../wallets/callbacks/callback-settings-file.ts';
import { tryNotification } from '../wallets/callbacks/registration/test-notification.ts';
import {
  deadLetterForPrograms,
  deadLetterLine,
  rawText,
  recordForPrograms,
  recordLine,
  rejectedForPrograms,
  rejectedLine,
} from '../wallets/callbacks/forwarding/forwarded-record.ts';
import { keyOf, secretRule } from '../wallets/callbacks/forwarding/webhook-signature.ts';
import { systemClock } from '../core/domain/clock.ts';
import { messageOf } from '../core/domain/errors.ts';
import { systemIds } from '../core/domain/ids.ts';
import { type Log } from '../core/domain/log.ts';
import { noNotices } from '../core/domain/notices.ts';
import { loadSettings } from '../counter/settings/load.ts';
import { requireCertificateChecks } from '../support/settings/certificate-checks.ts';
import { SettingsError } from '../support/settings/settings-error.ts';
import { networkOf } from '../support/settings/network-settings.ts';
import { lookUpSecret } from '../support/settings/secrets.ts';
import { endWhenNobodyReads, sayAside, writeOut } from '../support/standard-output.ts';
import { writeFileAtomically } from '../support/atomic-file.ts';
import type { Guarded } from '../support/exposure.ts';
import { FileGuard } from '../support/file-guard.ts';
import { jsonLine } from '../support/json-line.ts';
import { requireLocalDisk } from '../support/local-disk.ts';
import { createLogger } from '../support/logger.ts';
import { useNetwork } from '../support/network.ts';
import { takeFolder } from '../support/private-folder.ts';
import { endCommand } from '../support/command-line.ts';
import { linkIntake, type ThreadData } from '../wallets/callbacks/intake-thread.ts';
import { CallbackReceiver } from '../wallets/callbacks/callback-server.ts';
import { type CallbackReader, openSqliteReader } from '../wallets/callbacks/sqlite-reader.ts';
import { atSalesUnit, pointOfSaleClient } from '../counter/app/callbacks-clients.ts';

/** In the same folder, both as source and after the build. */
const threadFile = new URL(import.meta.url.replace(/callbacks(\.\w+)$/, 'callbacks-worker$1'));

const fileIn = (data: string): string => join(data, 'callbacks.db');
const forwardFileIn = (data: string): string => join(data, 'forward.db');

/** @returns the exit code; null when it goes on */
async function main(): Promise<number | null> {
  const commandLine = readArguments(process.argv.slice(2));
  useNetwork(networkOf(process.env));
  switch (commandLine.command) {
    case 'receive':
      return receive(commandLine);
    case 'register':
      return registerAtService(commandLine);
    case 'test':
      return test(commandLine);
    case 'list':
      return withReader(commandLine, list);
    case 'show':
      return withReader(commandLine, show);
    case 'follow':
      return withReader(commandLine, followLines);
    case 'forward':
      return forwardTo(commandLine);
    case 'dead-letters':
      return deadLetters(commandLine);
    case 'resend':
      return resend(commandLine);
  }
}

async function receive({
  settings: path,
  data,
  port,
  since,
}: CallbacksCommandOf<'receive'>): Promise<null> {
  const read = readCallbackSettings(path);
  const settings = withAllSecrets(read);
  useNetwork(read.network);
  if (since !== undefined && settings.catchUp === undefined)
    throw new SettingsError(['--catch-up: the settings must name merchants to ask (catchUp)']);
  const { log, flush } = createLogger(process.env['TILLBEACON_LOG'] ?? 'info');
  // What nobody expected ends the process: what was answered is on disk, and the service sends the
  // rest again.
  const end = (error: Error): never => {
    log.error({ error: error.stack }, 'stopping the callback receiver: unexpected error');
    flush();
    process.exit(1);
  };
  process.on('uncaughtException', end);
  takeDataFolder(data, log);
  const stopGuarding = guard(data, read.guarded, log);
  const threadData: ThreadData = { settings, path: fileIn(data), sinceMs: since };
  const intake = await linkIntake(new Worker(threadFile, { workerData: threadData }), {
    log,
    failed: end,
  });
  // The intake has made the file.
  const records = settings.followers === undefined ? null : openSqliteReader(fileIn(data));
  const isTimeKnown = (): boolean => systemClock.wallMs() >= builtMs;
  if (!isTimeKnown())
    log.error({}, "rejecting all callbacks: this computer's clock is wrong, set it");
  const receiver = new CallbackReceiver({
    settings,
    intake,
    clock: systemClock,
    isTimeKnown,
    ids: systemIds,
    log,
    ...(records !== null && { records }),
  });

  let stopping = false;
  const stop = (signal: string): void => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    stopGuarding();
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

  const { url } = await receiver.start({
    host: settings.listen.host,
    port: port ?? settings.listen.port,
  });
  void say(jsonLine({ ready: true, url, endpoints: receiver.paths }));
  return null;
}

async function registerAtService(commandLine: CallbacksCommandOf<'register'>): Promise<number> {
  const {
    settings: path,
    show: showOnly,
    address,
    merchant,
    credential,
    counter,
    newSettings: made,
    webhook,
    remove,
  } = commandLine;
  if (made !== null && address !== null) {
    const { service, profile, keyEnv } = made;
    requireCertificateChecks({ environment: process.env }, false);
    const apiKey = lookUpSecret({ env: keyEnv }, '--key-env', {
      environment: process.env,
      safe: null,
      folder: '',
    });
    await writeNewSettings({
      path,
      address,
      service,
      profile,
      apiKey,
      client: merchantClient({ baseUrl: service, apiKey, profile }),
    });
    await say(`wrote ${path} and the secrets beside it; only this user can read them`);
  }
  const { file: settings, lookUp, network } = readCallbackSettings(path);
  useNetwork(network);
  const ofCounter = counter === null ? null : loadSettings(counter, process.env);
  const lines: Promise<void>[] = [];
  const sayLine = (line: string): void => void lines.push(say(line));
  const keepSecret = (file: string, secret: string): void =>
    writeFileAtomically(resolve(dirname(path), file), `${secret}\n`);
  try {
    const transport = ofCounter === null ? null : atSalesUnit(ofCounter);
    if (transport !== null) {
      await registerSalesUnit({
        settings,
        webhook,
        remove,
        showOnly,
        lookUp,
        keepSecret,
        transport,
        say: sayLine,
      });
      return 0;
    }
    for (const name of ['webhook', 'remove'] as const)
      if (commandLine[name] !== null)
        throw new SettingsError([
          `--${name}: only with --counter and the settings of a counter that uses ePayment`,
        ]);
    await register({
      settings,
      address,
      merchant,
      credential,
      showOnly,
      lookUp,
      keepKey: keepSecret,
      open: (of) => merchantClient({ ...of, profile: settings.profile }),
      say: sayLine,
    });
    if (ofCounter !== null)
      await sayCheckInAliases(pointOfSaleClient(ofCounter), ofCounter.lanes, sayLine);
    return 0;
  } finally {
    await Promise.all(lines);
  }
}

async function test({
  settings: path,
  data,
  merchant: chosen,
}: CallbacksCommandOf<'test'>): Promise<number> {
  const { file: settings, lookUp, network } = readCallbackSettings(path);
  useNetwork(network);
  const { catchUp: merchants = [], appPayments = [], profile } = settings;
  const index = chosen ?? merchants.findIndex((one) => one.appPayments);
  const merchant = merchants[index];
  if (merchant === undefined || !merchant.appPayments)
    throw new SettingsError([
      'catchUp: must name a merchant with app payments: the provider sends test notifications only to webhooks',
    ]);
  const client = merchantClient({
    baseUrl: merchant.baseUrl,
    apiKey: lookUp(merchant.apiKey, `catchUp.${index}.apiKey`),
    profile,
  });
  return withReader({ data }, async (reader) => {
    const arrived = await tryNotification({
      client,
      urls: appPayments.map(({ url }) => url),
      reader,
      clock: systemClock,
    });
    if (typeof arrived === 'string') {
      sayAside(arrived);
      return 1;
    }
    await say(recordLine(arrived));
    return 0;
  });
}

async function list(
  reader: CallbackReader,
  { wanted, rejected, limit, json }: CallbacksCommandOf<'list'>,
): Promise<number> {
  // One more tells whether there are more.
  const lines = rejected
    ? reader
        .rejected(wanted, limit + 1)
        .map((one) => (json ? jsonLine(rejectedForPrograms(one)) : rejectedLine(one)))
    : reader
        .latest(wanted, limit + 1)
        .map((one) => (json ? jsonLine(recordForPrograms(one)) : recordLine(one)));
  for (const line of lines.slice(-limit)) await say(line);
  if (lines.length > limit) sayAside(`only the newest ${limit} are listed: --limit N lists more`);
  return 0;
}

async function show(
  reader: CallbackReader,
  { which, json }: CallbacksCommandOf<'show'>,
): Promise<number> {
  if (which.by === 'rejected') {
    const one = reader.rejectedRecord(which.number);
    if (one === null) return nothing(`no rejected callback has the number ${which.number}`);
    await (json
      ? say(jsonLine(rejectedForPrograms(one)))
      : writeOut(`${rejectedLine(one)}\n${rawText(one.raw)}`));
    return 0;
  }
  const records =
    which.by === 'id'
      ? reader.story(which.id)
      : [reader.record(which.number)].filter((one) => one !== null);
  if (records.length === 0)
    return nothing(
      which.by === 'id'
        ? `no callback is about ${JSON.stringify(which.id)}`
        : `there is no record ${which.number}`,
    );
  for (const one of records)
    await (json
      ? say(jsonLine(recordForPrograms(one)))
      : writeOut(`${recordLine(one)}\n${rawText(one.record.raw)}`));
  return 0;
}

function nothing(says: string): number {
  sayAside(says);
  return 1;
}

async function followLines(
  reader: CallbackReader,
  { since }: CallbacksCommandOf<'follow'>,
): Promise<number> {
  for await (const record of follow({ reader, since, clock: systemClock, signal: stopSignal() }))
    await say(jsonLine(recordForPrograms(record)));
  return 0;
}

async function forwardTo({
  data,
  url,
  secrets,
  since,
}: CallbacksCommandOf<'forward'>): Promise<number> {
  requireCertificateChecks({ environment: process.env }, false);
  const keys = secrets.map((secret) => {
    const where = 'file' in secret ? '--secret-file' : '--secret-env';
    const key = keyOf(
      lookUpSecret(secret, where, { environment: process.env, safe: null, folder: '' }),
    );
    if (key === null) throw new SettingsError([`${where}: ${secretRule}`]);
    return key;
  });
  const { log, flush } = createLogger(process.env['TILLBEACON_LOG'] ?? 'info');
  return withReader({ data }, async (reader) => {
    takeDataFolder(data, log);
    const name = hash('sha256', url, 'hex').slice(0, 16);
    const unlock = lockTarget(join(data, `forward-${name}.lock`));
    if (unlock === null)
      throw new Error(`another process already forwards these callbacks to ${url}: stop it first`);
    const stopGuarding = guard(
      data,
      secrets.flatMap((secret) =>
        'file' in secret ? [{ path: resolve(secret.file), holdsSecret: true }] : [],
      ),
      log,
    );
    const store = openForwardStore(forwardFileIn(data));
    try {
      const position = store.position(url);
      if (since !== null && position !== null)
        throw new SettingsError([
          `--since: only for the first start with an address; this one continues after number ${position}`,
        ]);
      if (since !== null && since > reader.lastSeq())
        throw new SettingsError([
          `--since: must be at most the last number, ${reader.lastSeq()}, got ${since}`,
        ]);
      const begins = position ?? since ?? 0;
      store.delivered(url, begins);
      await say(jsonLine({ ready: true, url, after: begins }));
      await forward({ url, keys, reader, store, clock: systemClock, log, signal: stopSignal() });
      return 0;
    } finally {
      store.close();
      unlock();
      stopGuarding();
      flush();
    }
  });
}

async function deadLetters({ data, json }: CallbacksCommandOf<'dead-letters'>): Promise<number> {
  return withForwardStore(data, async (store) => {
    for (const letter of store.deadLetters())
      await say(json ? jsonLine(deadLetterForPrograms(letter)) : deadLetterLine(letter));
    return 0;
  });
}

async function resend({ data, which }: CallbacksCommandOf<'resend'>): Promise<number> {
  return withForwardStore(data, async (store) => {
    const count = store.askToResend(which);
    if (count === 0)
      return nothing(
        which === null ? 'there are no dead letters' : `there is no dead letter ${which}`,
      );
    await say(
      `dead letters to send again: ${count}; a running forward sends them now, otherwise its next start does`,
    );
    return 0;
  });
}

async function withReader<Of extends { readonly data: string }>(
  commandLine: Of,
  use: (reader: CallbackReader, commandLine: Of) => Promise<number>,
): Promise<number> {
  requireLocalDisk(commandLine.data);
  const reader = openSqliteReader(fileIn(commandLine.data));
  try {
    return await use(reader, commandLine);
  } finally {
    reader.close();
  }
}

async function withForwardStore(
  data: string,
  use: (store: ReturnType<typeof openForwardStore>) => Promise<number>,
): Promise<number> {
  requireLocalDisk(data);
  // Nothing is made up in a folder that was named by mistake.
  openSqliteReader(fileIn(data)).close();
  const store = openForwardStore(forwardFileIn(data));
  try {
    return await use(store);
  } finally {
    store.close();
  }
}

/** Aborted by the signals that end a process. */
function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => controller.abort());
  return controller.signal;
}

/** @returns ends it */
function guard(folder: string, guarded: readonly Guarded[], log: Log): () => void {
  const files = new FileGuard({
    folder,
    guarded: () => guarded,
    notices: noNotices,
    clock: systemClock,
    log,
  });
  files.start();
  return () => files.close();
}

/** @throws Error in plain words */
function takeDataFolder(path: string, log: Log): void {
  try {
    takeFolder(path, { keeps: /^(callbacks\.db|forward[.-])/, log });
  } catch (error) {
    throw new Error(`the data folder ${path} cannot be used: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

const say = (text: string): Promise<void> => writeOut(`${text}\n`);

endWhenNobodyReads();

main().then(
  (code) => {
    if (code !== null) process.exit(code);
  },
  (error: Error) => endCommand(error, SettingsError),
);
