/** Lists the managers of a data folder, and ends the locks that wrong PINs have caused. */
import '../support/umask.ts';
import { managerNames, requestUnlock } from '../counter/app/unlock-managers.ts';
import {
  chosenCommand,
  command,
  CommandEnd,
  endCommand,
  parseCommand,
  usageOf,
} from '../support/command-line.ts';
import { requireLocalDisk } from '../support/local-disk.ts';
import { say } from '../support/standard-output.ts';

const options = {
  data: { type: 'string', value: 'DIR', does: "the daemon's data folder", isRequired: true },
} as const;
const commands = {
  list: command({
    call: 'npm run -s managers -- list',
    does: 'Lists the managers of a data folder. The daemon may run meanwhile.',
    options,
  }),
  unlock: command({
    call: 'npm run -s managers -- unlock',
    does:
      'Removes all locks that wrong PINs have caused. The PINs do not change. The daemon may run meanwhile. ' +
      'Run it as the daemon’s user or as an administrator.',
    options,
  }),
};

async function main(): Promise<void> {
  const { name, rest } = chosenCommand(commands, process.argv.slice(2));
  const { values, operands } = parseCommand(commands[name], rest);
  if (operands.length > 0)
    throw new CommandEnd(`${operands.join(' ')}: unexpected argument\n${usageOf(commands[name])}`);
  requireLocalDisk(values.data);
  switch (name) {
    case 'list':
      say(...managerNames(values.data));
      return;
    case 'unlock':
      requestUnlock(values.data);
      say('managers unlocked: reload the manager’s screen and sign in');
  }
}

main().then(
  () => process.exit(0),
  (error: Error) => endCommand(error),
);
