/**
 * Starts the daemon where it updates itself: the newest version that has proved itself, or the
 * installed one.
 */
import '../support/umask.ts';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { terminalVersion } from '../counter/app/version.ts';
import { systemClock } from '../core/domain/clock.ts';
import { asError, messageOf } from '../core/domain/errors.ts';
import { command, endCommand, parseCommand } from '../support/command-line.ts';
import { requireLocalDisk } from '../support/local-disk.ts';
import { watchingLog } from '../support/log-file.ts';
import { daemonProgram } from '../host/updates/daemon-program.ts';
import { launch, readyWithinMs } from '../host/updates/launch.ts';

const launcher = command({
  call: 'npm run launcher --',
  does: 'Starts the daemon, and newer versions of it that the update feed in the settings offers. Passes other options on to the daemon.',
  options: {
    data: {
      type: 'string',
      value: 'DIR',
      does: "the daemon's data folder; newer versions are stored in it",
      isRequired: true,
    },
  },
});

const args = process.argv.slice(2);

/**
 * Beside it stand the daemon's options, of which a newer version may know more. @throws CommandEnd
 */
function dataFolderIn(): string {
  const at = args.findLastIndex((one) => one === '--data' || one.startsWith('--data='));
  // Required, because otherwise the launcher would start versions from its working folder.
  return parseCommand(
    launcher,
    at === -1 ? args : args.slice(at, args[at] === '--data' ? at + 2 : at + 1),
  ).values.data;
}

function settingsIn(dataFolder: string): string {
  const at = args.findLastIndex((one) => one === '--settings' || one.startsWith('--settings='));
  const value = args[at] === '--settings' ? args[at + 1] : args[at]?.slice('--settings='.length);
  return value ?? join(dataFolder, 'settings.json');
}

function main(): void {
  const dataFolder = dataFolderIn();
  // Before the log in it is opened.
  requireLocalDisk(dataFolder);
  // Windows' task scheduler keeps nothing of what a task says; systemd, launchd and terminals do.
  const about = {
    environment: process.env,
    platform: process.platform,
    lostOn: ['win32'],
    clock: systemClock,
  } as const;
  const { log, relayText, close } = watchingLog({ folder: join(dataFolder, 'log'), ...about });
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.abort());
  const updates = join(dataFolder, 'updates');
  const program = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
  const shared = { updates, relayText, stop: stop.signal, clock: systemClock, log };
  void launch({
    ...shared,
    program: daemonProgram({ ...shared, args, program, version: terminalVersion }),
    journal: join(dataFolder, 'journal.sqlite'),
    settings: settingsIn(dataFolder),
    readyWithinMs: readyWithinMs(),
  })
    .catch((error: unknown) => {
      log.error({ detail: messageOf(error) }, 'launcher failed');
      return 1;
    })
    .then((code) => close().then(() => process.exit(code)));
}

try {
  main();
} catch (error) {
  endCommand(asError(error));
}
