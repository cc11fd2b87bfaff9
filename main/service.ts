/** Has the daemon start with the computer. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { otherPolicies, policyPatterns } from './boot/browser-policy.ts';
import { linux } from './boot/linux.ts';
import { macos } from './boot/macos.ts';
import type { ServiceSystem } from './boot/service-system.ts';
import { answerTo, carryOut, type Step, stepText } from './boot/step.ts';
import { windows } from './boot/windows.ts';
import { asError, messageOf } from './domain/errors.ts';
import { usualPorts } from './domain/usual-ports.ts';
import { checkSettings, jsonOfSettings } from './settings/load.ts';
import { Settings } from './settings/schema.ts';
import { maxSettingsBytes, readBoundedText } from './support/bounded-file.ts';
import { chosenCommand, command, endCommand, parseCommand } from './support/command-line.ts';
import { say, sayAside } from './support/standard-output.ts';

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
  browsers: command({
    call: 'npm run service -- browsers',
    does: [
      'Has Chromium, Chrome and Edge on this computer let the web pages that the settings name (api.origins) call Tillbeacon without asking.',
      'Needs the rights of an administrator.',
    ].join(' '),
    options: {
      data: { type: 'string', value: 'DIR', does: 'the folder with the settings; left out, that of the service' },
      remove: { type: 'boolean', does: 'takes that back' },
      print,
    },
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
  if (name === 'browsers') return browsers(system, rest);
  const { values } = parseCommand(commands[name], rest);
  const template = (file: string): string => readFileSync(join(program, 'assets', 'service', file), 'utf8');
  const steps = name === 'install' ? system.install({ node: process.execPath, program, data: system.data, entry: 'launcher' }, template) : system.uninstall();
  // Without it the tills are served all the same.
  const policy = (system.browserPolicy(name === 'install' ? originsIfRight(system.data) : [], answerTo) ?? []).map(
    (step): Step => (step.do === 'run' ? { ...step, mayFail: true } : step),
  );
  if (!isDone(name, [...steps, ...policy], values.print)) return 0;
  const done =
    name === 'install'
      ? `It starts now, and with the computer. Its screens: http://127.0.0.1:${usualPorts.screens}/`
      : 'It runs no more, and does not start with the computer.';
  say(`${done} Its data: ${system.data}`);
  return 0;
}

function browsers(system: ServiceSystem, args: readonly string[]): number {
  const { values } = parseCommand(commands.browsers, args);
  const origins = values.remove ? [] : originsIn(values.data ?? system.data);
  const steps = system.browserPolicy(origins, answerTo);
  if (steps === null) throw new Error('macOS takes a policy for browsers from a configuration profile alone: see docs/http-api.md');
  if (!isDone('browsers', steps, values.print)) return 0;
  const patterns = policyPatterns(origins);
  for (const path of patterns.length === 0 ? [] : otherPolicies()) sayAside(`${path} names pages too, and browsers take its list alone: add these there`);
  say(
    patterns.length === 0
      ? 'Browsers on this computer have no policy of Tillbeacon.'
      : `Browsers on this computer let these pages call Tillbeacon: ${patterns.join(', ')}`,
  );
  return 0;
}

/** The pages that may call the HTTP API; none while there are no settings. @throws SettingsError when they break a rule */
function originsIn(data: string): readonly string[] {
  const path = join(data, 'settings.json');
  if (!existsSync(path)) return [];
  return checkSettings(Settings, jsonOfSettings(path, readBoundedText(path, maxSettingsBytes))).api?.origins ?? [];
}

/** As `originsIn`. Settings with a mistake stop no installation: the daemon says what it is. */
function originsIfRight(data: string): readonly string[] {
  try {
    return originsIn(data);
  } catch (error) {
    sayAside(`browsers are given no policy: ${messageOf(error)}`);
    return [];
  }
}

/** @returns false when it has only said what it would do. @throws Error */
function isDone(name: string, steps: readonly Step[], print: boolean): boolean {
  if (print) {
    say(...steps.map(stepText));
    return false;
  }
  if (!isAdministrator()) throw new Error(`${name} needs the rights of an administrator: ${howToGetThem}. With --print it says what it would do.`);
  // Others read what is written, whatever this administrator usually makes.
  process.umask(0o022);
  carryOut(steps);
  return true;
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
