/** Has the daemon start with the computer. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { linux } from './boot/linux.ts';
import { macos } from './boot/macos.ts';
import type { ServiceSystem } from './boot/service-system.ts';
import { answerTo, carryOut, stepText } from './boot/step.ts';
import { windows } from './boot/windows.ts';
import { asError } from './domain/errors.ts';
import { usualPorts } from './domain/usual-ports.ts';
import { chosenCommand, command, endCommand, parseCommand } from './support/command-line.ts';
import { say } from './support/standard-output.ts';

const print = { type: 'boolean', does: 'says what it would do, and does nothing' } as const;
const commands = {
  install: command({
    call: 'npm run service -- install',
    does: 'Has the system start the daemon with the computer, and starts it now. Needs the rights of an administrator.',
    options: { print },
  }),
  uninstall: command({
    call: 'npm run service -- uninstall',
    does: 'Stops the daemon and has it start no more. The data stays. Needs the rights of an administrator.',
    options: { print },
  }),
  status: command({ call: 'npm run service -- status', does: 'Says whether the daemon runs as a service. Ends with 3 if it does not.', options: {} }),
};

const program = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

function main(): number {
  const { name, rest } = chosenCommand(commands, process.argv.slice(2));
  const system = ofThisComputer();
  if (name === 'status') {
    parseCommand(commands.status, rest);
    const { isRunning, words } = system.status(answerTo(system.question));
    say(words);
    return isRunning ? 0 : 3;
  }
  const { values } = parseCommand(commands[name], rest);
  const template = (file: string): string => readFileSync(join(program, 'assets', 'service', file), 'utf8');
  const steps = name === 'install' ? system.install({ node: process.execPath, program, data: system.data, entry: 'launcher' }, template) : system.uninstall();
  if (values.print) {
    say(...steps.map(stepText));
    return 0;
  }
  if (!isAdministrator()) throw new Error(`${name} needs the rights of an administrator: ${howToGetThem}. With --print it says what it would do.`);
  carryOut(steps);
  const done =
    name === 'install'
      ? `It starts now, and with the computer. Its screens: http://127.0.0.1:${usualPorts.screens}/`
      : 'It runs no more, and does not start with the computer.';
  say(`${done} Its data: ${system.data}`);
  return 0;
}

/** @throws Error */
function ofThisComputer(): ServiceSystem {
  switch (process.platform) {
    case 'linux':
      return linux;
    case 'darwin':
      return macos;
    case 'win32':
      return windows(process.env['ProgramData'] ?? String.raw`C:\ProgramData`);
    default:
      throw new Error(`services of ${process.platform} are not known here`);
  }
}

const howToGetThem = process.platform === 'win32' ? 'start the prompt with “Run as administrator”' : 'begin with sudo';

/** On Windows, by what only an administrator may ask. */
const isAdministrator = (): boolean => (process.getuid === undefined ? answerTo(['net', 'session']) !== null : process.getuid() === 0);

try {
  process.exitCode = main();
} catch (error) {
  endCommand(asError(error));
}
