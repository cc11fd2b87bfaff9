/** Has the daemon start with the computer. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { otherPolicies, policyPatterns } from '../host/boot/browser-policy.ts';
import { linux } from '../host/boot/linux.ts';
import { macos } from '../host/boot/macos.ts';
import type { ReceiverService, ServiceSystem } from '../host/boot/service-system.ts';
import { answerTo, carryOut, type Step, stepText } from '../host/boot/step.ts';
import { windows } from '../host/boot/windows.ts';
import { asError, messageOf } from '../core/domain/errors.ts';
import { defaultPorts } from '../core/domain/default-ports.ts';
import { checkSettings, jsonOfSettings } from '../support/settings/settings-text.ts';
import { Settings } from '../counter/settings/schema.ts';
import { maxSettingsBytes, readBoundedText } from '../support/bounded-file.ts';
import {
  chosenCommand,
  command,
  CommandEnd,
  endCommand,
  parseCommand,
  usageOf,
} from '../support/command-line.ts';
import { say, sayAside } from '../support/standard-output.ts';

const print = { type: 'boolean', does: 'only prints what it would do' } as const;
const commands = {
  install: command({
    call: 'npm run service -- install',
    does: 'Starts the daemon now, and whenever the computer starts. Requires administrator rights.',
    options: {
      callbacks: { type: 'boolean', does: 'the callback receiver instead of the daemon' },
      service: {
        type: 'string',
        value: 'URL',
        does: 'for new receiver settings: address of the provider',
      },
      'key-env': {
        type: 'string',
        value: 'NAME',
        does: "for new receiver settings: environment variable with the merchant's key",
      },
      address: {
        type: 'string',
        value: 'URL',
        does: 'for new receiver settings: public address of the receiver',
      },
      profile: {
        type: 'string',
        value: 'NAME',
        does: 'for new receiver settings: names that the provider uses',
      },
      print,
    },
  }),
  uninstall: command({
    call: 'npm run service -- uninstall',
    does: 'Stops the daemon and the callback receiver, and removes both services. Keeps the data. Requires administrator rights.',
    options: { callbacks: { type: 'boolean', does: 'only the callback receiver' }, print },
  }),
  browsers: command({
    call: 'npm run service -- browsers',
    does: [
      'Lets the web pages in the settings (api.origins) call Tillbeacon from Chromium, Chrome and Edge on this computer without a prompt.',
      'Requires administrator rights.',
    ].join(' '),
    options: {
      data: {
        type: 'string',
        value: 'DIR',
        does: 'folder with the settings (default: the data folder of the service)',
      },
      remove: { type: 'boolean', does: 'withdraws this permission' },
      print,
    },
  }),
  status: command({
    call: 'npm run service -- status',
    does: 'Says whether the daemon runs as a service. Exit code 3: it does not.',
    options: { callbacks: { type: 'boolean', does: 'the callback receiver instead' } },
  }),
};

const program = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

function main(): number {
  const { name, rest } = chosenCommand(commands, process.argv.slice(2));
  const system = ofThisComputer();
  if (name === 'status') {
    const { callbacks } = parseCommand(commands.status, rest).values;
    const service = callbacks ? receiverOf(system) : system;
    const { isRunning, words } = service.status(answerTo(service.question));
    say(words);
    return isRunning ? 0 : 3;
  }
  if (name === 'browsers') return browsers(system, rest);
  return name === 'install' ? install(system, rest) : uninstall(system, rest);
}

const template = (file: string): string =>
  readFileSync(join(program, 'assets', 'service', file), 'utf8');
const receiverOf = ({ receiver }: ServiceSystem): ReceiverService => {
  if (receiver === null)
    throw new Error(
      `the callback receiver cannot run as a service on ${process.platform}: see docs/callbacks.md`,
    );
  return receiver;
};

function install(system: ServiceSystem, args: readonly string[]): number {
  const { callbacks, print, ...registration } = parseCommand(commands.install, args).values;
  const options = Object.entries(registration).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  );
  if (callbacks)
    return installReceiver(receiverOf(system), options.length === 0 ? null : options, print);
  if (options.length > 0)
    throw new CommandEnd(
      `${options[0]}: only for the callback receiver: add --callbacks\n${usageOf(commands.install)}`,
    );
  return change(
    'install',
    system,
    system.install(
      { node: process.execPath, program, data: system.data, entry: 'launcher' },
      template,
    ),
    print,
  );
}

function installReceiver(
  receiver: ReceiverService,
  registration: readonly string[] | null,
  print: boolean,
): number {
  const place = {
    node: process.execPath,
    program,
    data: receiver.data,
    entry: 'callbacks',
  } as const;
  if (isDone('install', receiver.install(place, template, registration), print))
    say(`The callback receiver is running, and starts with the computer. Data: ${receiver.data}`);
  return 0;
}

function uninstall(system: ServiceSystem, args: readonly string[]): number {
  const { callbacks, print } = parseCommand(commands.uninstall, args).values;
  if (!callbacks) return change('uninstall', system, system.uninstall(), print);
  const receiver = receiverOf(system);
  if (isDone('uninstall', receiver.uninstall(), print))
    say(
      `The callback receiver has stopped, and no longer starts with the computer. Data: ${receiver.data}`,
    );
  return 0;
}

/** The daemon's service, and with it the policy for browsers. */
function change(
  name: 'install' | 'uninstall',
  system: ServiceSystem,
  steps: readonly Step[],
  print: boolean,
): number {
  // Tills work without the policy.
  const policy = (
    system.browserPolicy(name === 'install' ? originsIfRight(system.data) : [], answerTo) ?? []
  ).map((step): Step => (step.do === 'run' ? { ...step, mayFail: true } : step));
  if (!isDone(name, [...steps, ...policy], print)) return 0;
  const done =
    name === 'install'
      ? `The daemon is starting, and starts with the computer. Screens: http://127.0.0.1:${defaultPorts.screens}/`
      : 'The daemon has stopped, and no longer starts with the computer.';
  say(`${done} Data: ${system.data}`);
  return 0;
}

function browsers(system: ServiceSystem, args: readonly string[]): number {
  const { values } = parseCommand(commands.browsers, args);
  const wanted = (): readonly string[] =>
    values.remove ? [] : originsIn(values.data ?? system.data);
  let origins = wanted();
  const steps = system.browserPolicy(origins, answerTo);
  if (steps === null)
    throw new Error(
      'on macOS, only a configuration profile can set a browser policy: see docs/http-api.md',
    );
  if (!isDone('browsers', steps, values.print)) return 0;
  // systemd does not notice a change of the settings while this runs.
  for (let round = 0; round < maxRounds && wanted().join() !== origins.join(); round += 1) {
    origins = wanted();
    isDone('browsers', system.browserPolicy(origins, answerTo) ?? [], false);
  }
  const patterns = policyPatterns(origins);
  for (const path of patterns.length === 0 ? [] : otherPolicies())
    sayAside(
      `${path} has a list of pages too, and browsers use only that list: add these pages to it`,
    );
  say(
    patterns.length === 0
      ? 'Browsers on this computer have no Tillbeacon policy.'
      : `Browsers on this computer let these pages call Tillbeacon: ${patterns.join(', ')}`,
  );
  return 0;
}

/** Each round is for settings that changed while the policy for those before was written. */
const maxRounds = 20;

/**
 * The pages that may call the HTTP API; none while there are no settings. @throws SettingsError
 * when they break a rule
 */
function originsIn(data: string): readonly string[] {
  const path = join(data, 'settings.json');
  if (!existsSync(path)) return [];
  return (
    checkSettings(Settings, jsonOfSettings(path, readBoundedText(path, maxSettingsBytes))).api
      ?.origins ?? []
  );
}

/** As `originsIn`. Settings with a mistake stop no installation: the daemon says what it is. */
function originsIfRight(data: string): readonly string[] {
  try {
    return originsIn(data);
  } catch (error) {
    sayAside(`no browser policy was set: ${messageOf(error)}`);
    return [];
  }
}

/** @returns false when it has only said what it would do. @throws Error */
function isDone(name: string, steps: readonly Step[], print: boolean): boolean {
  if (print) {
    say(...steps.map(stepText));
    return false;
  }
  if (!isAdministrator())
    throw new Error(
      `${name} requires administrator rights: ${howToGetThem}. To see what it would do, add --print.`,
    );
  // Other users must be able to read the files, also under a strict umask.
  process.umask(0o022);
  carryOut(steps, say);
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
      throw new Error(`Tillbeacon cannot install services on ${process.platform}`);
  }
}

const howToGetThem =
  process.platform === 'win32' ? 'open the prompt with “Run as administrator”' : 'run it with sudo';

/** On Windows, by what only an administrator may ask. */
const isAdministrator = (): boolean =>
  process.getuid === undefined ? answerTo(['net', 'session']) !== null : process.getuid() === 0;

try {
  process.exitCode = main();
} catch (error) {
  endCommand(asError(error));
}
