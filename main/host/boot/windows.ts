import { win32 } from 'node:path';
import { windowsPolicy } from './browser-policy.ts';
import { definitionFrom, type Place } from './definition.ts';
import {
  type ReceiverService,
  type ServiceStatus,
  type ServiceSystem,
  type Template,
  withoutSettings,
} from './service-system.ts';
import type { Step } from './step.ts';

const task = 'Tillbeacon';

/**
 * In Windows' notation, without names, which are translated: for the system, administrators and
 * Local Service alone.
 */
const closed = 'O:BAG:BAD:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;0x1301bf;;;LS)';
/** TASK_STATE of the Task Scheduler. */
const [disabledState, runningState] = [1, 4];
const isReparsePoint = 0x400;
const powershell = ['powershell', '-NoProfile', '-NonInteractive', '-Command'] as const;

/**
 * Everybody may make folders in ProgramData, with programs and PINs in them, or a junction to
 * elsewhere. So a folder is made with its rights in one step, and one that is there is judged, and
 * never taken over.
 */
const makeClosed = (folder: string): string =>
  [
    "$ErrorActionPreference = 'Stop'",
    `$path = '${folder.replaceAll("'", "''")}'`,
    '$rights = New-Object System.Security.AccessControl.DirectorySecurity',
    `$rights.SetSecurityDescriptorSddlForm('${closed}')`,
    'if (-not (Get-Item -Force -LiteralPath $path -ErrorAction SilentlyContinue)) { [void][System.IO.Directory]::CreateDirectory($path, $rights) }',
    "Write-Output ('{0} {1}' -f [int](Get-Item -Force -LiteralPath $path).Attributes, (Get-Acl -LiteralPath $path).Sddl)",
  ].join('; ');

/**
 * @param answer the folder's attributes and rights @returns why it must not be used; null when
 * administrators made and closed it
 */
function folderRefusal(folder: string, answer: string | null): string | null {
  const [, attributes, owner, flags, entries = ''] =
    /^(\d+) O:([A-Z]{2}|S-[\d-]+)G:(?:[A-Z]{2}|S-[\d-]+)D:([A-Z]*)((?:\([^()]*\))+)\s*$/.exec(
      answer ?? '',
    ) ?? [];
  if (owner === undefined)
    return `${folder}: its owner and rights cannot be read: ${(answer ?? 'PowerShell failed').trim()}`;
  if ((Number(attributes) & isReparsePoint) !== 0)
    return `${folder} leads elsewhere: remove this link, and install again`;
  const users = [...entries.matchAll(/\(([^()]*)\)/g)]
    .map(([, entry = '']) => entry.split(';'))
    .filter(([kind]) => kind !== 'D');
  const isClosed =
    /^(AI|AR)*P/.test(flags ?? '') &&
    users.every(([, , , , , user]) => ['SY', 'BA', 'LS'].includes(user ?? ''));
  if (isClosed && ['BA', 'SY'].includes(owner)) return null;
  return [
    `${folder} is there already, and others than administrators made it or may change it:`,
    'programs and PINs of theirs may be in it. Look at what is in it, give it another name, and install again',
  ].join(' ');
}

/**
 * A task that starts with the computer. Node cannot speak the protocol of Windows' services, and a
 * wrapper would be one more program between the tills and the money, of which there is none that is
 * kept: WinSW and NSSM are from 2017. The task scheduler is Windows' own, and starts it again.
 * @param programData Windows' folder of that name
 */
export function windows(programData: string): ServiceSystem {
  const folder = win32.join(programData, 'Tillbeacon');
  const daemon = taskOf(task, win32.join(folder, 'task.xml'));
  const receiverTask = taskOf('Tillbeacon callbacks', win32.join(folder, 'callbacks-task.xml'));
  const closeFolder: Step = {
    do: 'check',
    command: [...powershell, makeClosed(folder)],
    refusal: (answer) => folderRefusal(folder, answer),
  };
  const receiver: ReceiverService = {
    data: win32.join(folder, 'callbacks'),
    install(place, template, registration) {
      const settings = win32.join(place.data, 'settings.json');
      const program = win32.join(place.program, 'out', 'main', 'callbacks.js');
      return [
        closeFolder,
        { do: 'makeFolder', path: place.data },
        registration === null
          ? {
              do: 'check',
              command: [
                ...powershell,
                `if (-not (Test-Path -LiteralPath '${settings.replaceAll("'", "''")}')) { exit 1 }`,
              ],
              refusal: (answer) => (answer === null ? withoutSettings(settings) : null),
            }
          : {
              do: 'run',
              command: [place.node, program, 'register', '--settings', settings, ...registration],
              isShown: true,
            },
        ...receiverTask.create(place, template),
      ];
    },
    uninstall: () => receiverTask.remove,
    question: receiverTask.question,
    status,
  };
  return {
    data: win32.join(folder, 'data'),
    install: (place, template) => [
      closeFolder,
      { do: 'makeFolder', path: place.data },
      ...daemon.create(place, template),
    ],
    uninstall: () => [...daemon.remove, ...receiverTask.remove],
    browserPolicy: windowsPolicy,
    receiver,
    question: daemon.question,
    status,
  };
}

function taskOf(name: string, definitionPath: string) {
  return {
    create: (place: Place, template: Template): readonly Step[] => [
      {
        do: 'write',
        path: definitionPath,
        text: definitionFrom(template('tillbeacon-task.xml'), 'xml', place),
        encoding: 'utf16le',
      },
      { do: 'run', command: ['schtasks', '/create', '/tn', name, '/xml', definitionPath, '/f'] },
      { do: 'run', command: ['schtasks', '/run', '/tn', name] },
    ],
    remove: [
      { do: 'run', command: ['schtasks', '/end', '/tn', name], mayFail: true },
      { do: 'run', command: ['schtasks', '/delete', '/tn', name, '/f'], mayFail: true },
      { do: 'remove', path: definitionPath },
    ] as readonly Step[],
    question: questionOf(name),
  };
}

/** As a number: the words of schtasks are in Windows' language. */
function questionOf(name: string) {
  return [
    ...powershell,
    `[int](Get-ScheduledTask -TaskPath '\\' -TaskName '${name}' -ErrorAction Stop).State`,
  ] as const;
}

/** Asks how the daemon's task is. Answered to administrators, and to the task itself. */
export const taskQuestion = questionOf(task);

/**
 * @param answer to `taskQuestion`; null when there was none @returns whether the task starts the
 * daemon with the computer
 */
export const isTaskEnabled = (answer: string | null): boolean => {
  const state = Number(answer?.trim() || Number.NaN);
  return state > disabledState && state <= runningState;
};

const status = (answer: string | null): ServiceStatus =>
  answer === null
    ? { isRunning: false, words: 'not installed, or visible to administrators alone' }
    : statusOf(Number(answer));

/**
 * @param state TASK_STATE of the Task Scheduler: 1 is disabled, 4 running; otherwise the next
 * minute starts it
 */
function statusOf(state: number): ServiceStatus {
  if (state === disabledState)
    return { isRunning: false, words: 'disabled; does not start with the computer' };
  const isRunning = state === runningState;
  return {
    isRunning,
    words: `${isRunning ? 'running' : 'not running'}; starts with the computer, and again within a minute`,
  };
}
