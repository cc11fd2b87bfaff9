/** Makes, reads and restores backups of a data folder. */
import '../support/umask.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { terminalVersion } from '../counter/app/version.ts';
import { createBackup } from '../counter/backup/create-backup.ts';
import type { Manifest } from '../counter/backup/manifest.ts';
import { asker, passphraseFrom, passphraseVariable } from '../counter/backup/passphrase.ts';
import { verifyBackup } from '../counter/backup/read-backup.ts';
import { restoreBackup } from '../counter/backup/restore-backup.ts';
import { systemClock } from '../core/domain/clock.ts';
import { outsideText } from '../core/domain/outside-text.ts';
import { timeText } from '../core/journal/history-text.ts';
import {
  chosenCommand,
  type Command,
  command,
  CommandEnd,
  endCommand,
  parseCommand,
  usageOf,
} from '../support/command-line.ts';
import { requireLocalDisk } from '../support/local-disk.ts';
import { say } from '../support/standard-output.ts';

const passphrase = {
  'passphrase-file': {
    type: 'string',
    value: 'FILE',
    does: `file with only the passphrase in it; default: the variable ${passphraseVariable}, otherwise a prompt`,
  },
} as const;
const folder = (does: string) =>
  ({ type: 'string', value: 'DIR', does, isRequired: true }) as const;
const commands = {
  create: command({
    call: 'npm run -s backup -- create',
    does: 'Copies a data folder into one encrypted file. The daemon may run meanwhile. The file cannot be opened without its passphrase.',
    operands: 'FILE',
    options: {
      data: folder("the daemon's data folder"),
      settings: {
        type: 'string',
        value: 'FILE',
        does: 'settings file (default: settings.json in the data folder)',
      },
      ...passphrase,
    },
  }),
  restore: command({
    call: 'npm run -s backup -- restore',
    does: 'Restores a backup into an empty folder. Lanes stay closed until a manager confirms, on the manager’s screen, that the old computer takes no payments.',
    operands: 'FILE',
    options: { data: folder('empty folder; created if it does not exist'), ...passphrase },
  }),
  verify: command({
    call: 'npm run -s backup -- verify',
    does: 'Reads a whole backup and lists its content. Exit code 1: it cannot be restored.',
    operands: 'FILE',
    options: passphrase,
  }),
};

async function main(): Promise<void> {
  const { name, rest } = chosenCommand(commands, process.argv.slice(2));
  const sources = (file: string | undefined) => ({
    file,
    environment: process.env,
    ask: asker(),
    isNew: name === 'create',
  });
  switch (name) {
    case 'create': {
      const { values, operands } = parseCommand(commands.create, rest);
      const file = only(operands, commands.create);
      requireLocalDisk(values.data);
      const manifest = await createBackup({
        dataFolder: values.data,
        settings: values.settings ?? null,
        file,
        passphrase: await passphraseFrom(sources(values['passphrase-file'])),
        version: terminalVersion,
        nowMs: systemClock.wallMs(),
      });
      say(`created ${file}`, ...holding(manifest));
      return;
    }
    case 'restore': {
      const { values, operands } = parseCommand(commands.restore, rest);
      const file = only(operands, commands.restore);
      requireLocalDisk(values.data);
      const manifest = await restoreBackup({
        file,
        dataFolder: values.data,
        passphrase: await passphraseFrom(sources(values['passphrase-file'])),
        version: terminalVersion,
      });
      const settings = join(values.data, 'settings.json');
      // A demonstration has none.
      say(
        `restored ${file} into ${values.data}${existsSync(settings) ? `; settings: ${settings}` : ''}`,
        ...holding(manifest),
      );
      say(
        `next: stop Tillbeacon on ${outsideText(manifest.from)} for good, start it here, and confirm this on the manager’s screen; lanes stay closed until then`,
      );
      return;
    }
    case 'verify': {
      const { values, operands } = parseCommand(commands.verify, rest);
      const file = only(operands, commands.verify);
      say(
        `${file} is intact`,
        ...holding(
          await verifyBackup(
            file,
            await passphraseFrom(sources(values['passphrase-file'])),
            terminalVersion,
          ),
        ),
      );
    }
  }
}

/** @throws CommandEnd */
function only([file, ...tooMany]: readonly string[], declared: Command): string {
  if (file === undefined || file === '' || tooMany.length > 0)
    throw new CommandEnd(`FILE: exactly one is required\n${usageOf(declared)}`);
  return file;
}

function holding({ madeAtMs, from, tillbeacon, files, unsettled, missing }: Manifest): string[] {
  return [
    `created ${timeText(madeAtMs)} on ${outsideText(from)} by Tillbeacon ${outsideText(tillbeacon)}: ${files.length} files, ${unsettled} unsettled payment${unsettled === 1 ? '' : 's'}`,
    ...missing.map((one) => `not included: ${outsideText(one)}`),
  ];
}

main().then(
  () => process.exit(0),
  (error: Error) => endCommand(error),
);
