import { linuxPolicy } from './browser-policy.ts';
import { definitionFrom, packaged, type Place, udevRules } from './definition.ts';
import {
  type ReceiverService,
  type ServiceStatus,
  type ServiceSystem,
  type Template,
  withoutSettings,
} from './service-system.ts';
import type { Step } from './step.ts';

const unit = 'tillbeacon.service';
/** Writes the policy for browsers, and has systemd look when the settings change. */
const browserUnits = ['tillbeacon-browsers.service', 'tillbeacon-browsers.path'];
const receiverUnit = 'tillbeacon-callbacks.service';
const daemonUnits = [unit, ...browserUnits];
/** The files of assets/service that systemd is given. */
export const units = [...daemonUnits, receiverUnit];
const isPackaged = ({ program }: Place): boolean => program === packaged.program;
const pathOf = (name: string): string => `/etc/systemd/system/${name}`;
const sysusersPath = '/etc/sysusers.d/tillbeacon.conf';

const rulesPath = `/etc/udev/rules.d/${udevRules}`;
/** Also to adapters that are plugged in. A container has no udev. */
const applyRules: readonly Step[] = [
  { do: 'run', command: ['udevadm', 'control', '--reload'], mayFail: true },
  {
    do: 'run',
    command: [
      'udevadm',
      'trigger',
      '--action=change',
      '--subsystem-match=usb',
      '--subsystem-match=tty',
    ],
    mayFail: true,
  },
];

const reload: Step = { do: 'run', command: ['systemctl', 'daemon-reload'] };
// Not waited for: it is ready when the tills can pay, and before that somebody may have to set the
// counter up.
const start: readonly Step[] = [
  { do: 'run', command: ['systemctl', 'enable', unit] },
  { do: 'run', command: ['systemctl', '--no-block', 'restart', unit] },
];

const makeUsers = (template: Template): readonly Step[] => [
  { do: 'makeFolder', path: '/etc/sysusers.d' },
  { do: 'write', path: sysusersPath, text: template('tillbeacon.sysusers') },
  { do: 'run', command: ['systemd-sysusers', sysusersPath] },
];

/** @throws Error */
function requireReachable({ program }: Place): void {
  if (/^\/(home|root|run\/user)\//.test(`${program}/`))
    throw new Error(
      `${program}: a service cannot read home folders; install the program elsewhere, such as /opt/tillbeacon`,
    );
}

const question = (name: string): ServiceSystem['question'] => [
  'systemctl',
  'show',
  name,
  '--property=LoadState,UnitFileState,ActiveState,SubState,StatusText,NRestarts',
];
const status = (answer: string | null): ServiceStatus =>
  answer === null ? { isRunning: false, words: 'systemd does not answer' } : statusOf(answer);

const receiverUser = 'tillbeacon-callbacks';
const receiverData = '/var/lib/tillbeacon-callbacks';
const receiverSettings = `${receiverData}/settings.json`;
const removeReceiver: readonly Step[] = [
  { do: 'run', command: ['systemctl', 'disable', '--now', receiverUnit], mayFail: true },
  { do: 'remove', path: pathOf(receiverUnit) },
];

const receiver: ReceiverService = {
  data: receiverData,
  install(place, template, registration) {
    const own: Step[] = [];
    if (!isPackaged(place)) {
      requireReachable(place);
      own.push(
        ...makeUsers(template),
        {
          do: 'write',
          path: pathOf(receiverUnit),
          text: definitionFrom(template(receiverUnit), 'unit', place),
        },
        reload,
      );
    }
    const program = [place.node, `${place.program}/out/main/callbacks.js`];
    return [
      ...own,
      {
        do: 'run',
        command: [
          'install',
          '-d',
          '-o',
          receiverUser,
          '-g',
          receiverUser,
          '-m',
          '700',
          receiverData,
        ],
      },
      registration === null
        ? {
            do: 'check',
            command: ['test', '-f', receiverSettings],
            refusal: (answer) => (answer === null ? withoutSettings(receiverSettings) : null),
          }
        : // Its files are its user's from the beginning.
          {
            do: 'run',
            command: [
              'runuser',
              '-u',
              receiverUser,
              '--',
              ...program,
              'register',
              '--settings',
              receiverSettings,
              ...registration,
            ],
            isShown: true,
          },
      { do: 'run', command: ['systemctl', 'enable', receiverUnit] },
      { do: 'run', command: ['systemctl', 'restart', receiverUnit] },
    ];
  },
  uninstall: () => [...removeReceiver, reload],
  question: question(receiverUnit),
  status,
};

/** systemd. A package brings units and users; this starts them. */
export const linux: ServiceSystem = {
  data: packaged.data,
  install(place, template) {
    if (isPackaged(place)) return start;
    requireReachable(place);
    return [
      ...makeUsers(template),
      { do: 'makeFolder', path: '/etc/udev/rules.d' },
      { do: 'write', path: rulesPath, text: template('tillbeacon-serial.rules') },
      ...applyRules,
      ...daemonUnits.map(
        (name): Step => ({
          do: 'write',
          path: pathOf(name),
          text: definitionFrom(template(name), 'unit', place),
        }),
      ),
      reload,
      ...start,
    ];
  },
  uninstall: () => [
    { do: 'run', command: ['systemctl', 'disable', '--now', unit], mayFail: true },
    ...daemonUnits.map((name): Step => ({ do: 'remove', path: pathOf(name) })),
    ...removeReceiver,
    { do: 'remove', path: sysusersPath },
    { do: 'remove', path: rulesPath },
    reload,
  ],
  browserPolicy: linuxPolicy,
  receiver,
  question: question(unit),
  status,
};

function statusOf(answer: string): ServiceStatus {
  const state: Partial<Record<string, string>> = Object.fromEntries(
    answer.split('\n').map((line) => [line.split('=', 1)[0], line.slice(line.indexOf('=') + 1)]),
  );
  if (state['LoadState'] !== 'loaded') return { isRunning: false, words: 'not installed' };
  // It reloads while another version takes over.
  const isRunning =
    ['active', 'reloading'].includes(state['ActiveState'] ?? '') || state['SubState'] === 'start';
  const says = state['StatusText'] ? `: ${state['StatusText']}` : '';
  const restarts =
    Number(state['NRestarts']) > 0 ? `; started again ${state['NRestarts']} times` : '';
  const atStart =
    state['UnitFileState'] === 'enabled'
      ? 'starts with the computer'
      : 'does not start with the computer';
  return {
    isRunning,
    words: `${isRunning ? `running${says}` : (state['ActiveState'] ?? 'unknown')}${restarts}; ${atStart}`,
  };
}
