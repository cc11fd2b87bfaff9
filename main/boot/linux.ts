import { linuxPolicy } from './browser-policy.ts';
import { definitionFrom, packaged, type Place, udevRules } from './definition.ts';
import type { ServiceStatus, ServiceSystem } from './service-system.ts';
import type { Step } from './step.ts';

const unit = 'tillbeacon.service';
/** Writes the policy for browsers, and has systemd look when the settings change. */
const browserUnits = ['tillbeacon-browsers.service', 'tillbeacon-browsers.path'];
/** The files of assets/service that systemd is given. */
export const units = [unit, ...browserUnits];
const pathOf = (name: string): string => `/etc/systemd/system/${name}`;
const sysusersPath = '/etc/sysusers.d/tillbeacon.conf';

const rulesPath = `/etc/udev/rules.d/${udevRules}`;
/** Also to adapters that are plugged in. A container has no udev. */
const applyRules: readonly Step[] = [
  { do: 'run', command: ['udevadm', 'control', '--reload'], mayFail: true },
  { do: 'run', command: ['udevadm', 'trigger', '--action=change', '--subsystem-match=usb', '--subsystem-match=tty'], mayFail: true },
];

const reload: Step = { do: 'run', command: ['systemctl', 'daemon-reload'] };
// Not waited for: it is ready when the tills can pay, and before that somebody may have to set the counter up.
const start: readonly Step[] = [
  { do: 'run', command: ['systemctl', 'enable', unit] },
  { do: 'run', command: ['systemctl', '--no-block', 'restart', unit] },
];

/** systemd. A package brings unit and user; this starts them. */
export const linux: ServiceSystem = {
  data: packaged.data,
  install(place, template) {
    if (isPackaged(place)) return start;
    if (/^\/(home|root|run\/user)\//.test(`${place.program}/`))
      throw new Error(`${place.program}: a service has no access to people's folders; put the program elsewhere, such as /opt/tillbeacon`);
    return [
      { do: 'makeFolder', path: '/etc/sysusers.d' },
      { do: 'write', path: sysusersPath, text: template('tillbeacon.sysusers') },
      { do: 'run', command: ['systemd-sysusers', sysusersPath] },
      { do: 'makeFolder', path: '/etc/udev/rules.d' },
      { do: 'write', path: rulesPath, text: template('tillbeacon-serial.rules') },
      ...applyRules,
      ...units.map((name): Step => ({ do: 'write', path: pathOf(name), text: definitionFrom(template(name), 'unit', place) })),
      reload,
      ...start,
    ];
  },
  uninstall: () => [
    { do: 'run', command: ['systemctl', 'disable', '--now', unit], mayFail: true },
    ...units.map((name): Step => ({ do: 'remove', path: pathOf(name) })),
    { do: 'remove', path: sysusersPath },
    { do: 'remove', path: rulesPath },
    reload,
  ],
  browserPolicy: linuxPolicy,
  question: ['systemctl', 'show', unit, '--property=LoadState,UnitFileState,ActiveState,SubState,StatusText,NRestarts'],
  status: (answer) => (answer === null ? { isRunning: false, words: 'systemd does not answer' } : statusOf(answer)),
};

const isPackaged = ({ program }: Place): boolean => program === packaged.program;

function statusOf(answer: string): ServiceStatus {
  const state: Partial<Record<string, string>> = Object.fromEntries(
    answer.split('\n').map((line) => [line.split('=', 1)[0], line.slice(line.indexOf('=') + 1)]),
  );
  if (state['LoadState'] !== 'loaded') return { isRunning: false, words: 'not installed' };
  // It reloads while another version takes over.
  const isRunning = ['active', 'reloading'].includes(state['ActiveState'] ?? '') || state['SubState'] === 'start';
  const says = state['StatusText'] ? `: ${state['StatusText']}` : '';
  const restarts = Number(state['NRestarts']) > 0 ? `; started again ${state['NRestarts']} times` : '';
  const atStart = state['UnitFileState'] === 'enabled' ? 'starts with the computer' : 'does not start with the computer';
  return { isRunning, words: `${isRunning ? `running${says}` : (state['ActiveState'] ?? 'unknown')}${restarts}; ${atStart}` };
}
