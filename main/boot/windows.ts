import { win32 } from 'node:path';
import { windowsPolicy } from './browser-policy.ts';
import { definitionFrom } from './definition.ts';
import type { ServiceStatus, ServiceSystem } from './service-system.ts';

const task = 'Tillbeacon';

/** In Windows' notation, without names, which are translated: for the system, administrators and Local Service alone. */
const closed = 'O:BAG:BAD:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;0x1301bf;;;LS)';
const isReparsePoint = 0x400;
const powershell = ['powershell', '-NoProfile', '-NonInteractive', '-Command'] as const;

/**
 * Everybody may make folders in ProgramData, with programs and PINs in them, or a junction to elsewhere. So a folder is
 * made with its rights in one step, and one that is there is judged, and never taken over.
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

/** @param answer the folder's attributes and rights @returns why it must not be used; null when administrators made and closed it */
function folderRefusal(folder: string, answer: string | null): string | null {
  const [, attributes, owner, flags, entries = ''] =
    /^(\d+) O:([A-Z]{2}|S-[\d-]+)G:(?:[A-Z]{2}|S-[\d-]+)D:([A-Z]*)((?:\([^()]*\))+)\s*$/.exec(answer ?? '') ?? [];
  if (owner === undefined) return `${folder}: its owner and rights cannot be read: ${(answer ?? 'PowerShell failed').trim()}`;
  if ((Number(attributes) & isReparsePoint) !== 0) return `${folder} leads elsewhere: remove this link, and install again`;
  const users = [...entries.matchAll(/\(([^()]*)\)/g)].map(([, entry = '']) => entry.split(';')).filter(([kind]) => kind !== 'D');
  const isClosed = /^(AI|AR)*P/.test(flags ?? '') && users.every(([, , , , , user]) => ['SY', 'BA', 'LS'].includes(user ?? ''));
  if (isClosed && ['BA', 'SY'].includes(owner)) return null;
  return [
    `${folder} is there already, and others than administrators made it or may change it:`,
    'programs and PINs of theirs may be in it. Look at what is in it, give it another name, and install again',
  ].join(' ');
}

/**
 * A task that starts with the computer. Node cannot speak the protocol of Windows' services, and a wrapper would be one more program between the
 * tills and the money, of which there is none that is kept: WinSW and NSSM are from 2017. The task scheduler is Windows' own, and starts it again.
 * @param programData Windows' folder of that name
 */
export function windows(programData: string): ServiceSystem {
  const folder = win32.join(programData, 'Tillbeacon');
  const definitionPath = win32.join(folder, 'task.xml');
  return {
    data: win32.join(folder, 'data'),
    install: (place, template) => [
      { do: 'check', command: [...powershell, makeClosed(folder)], refusal: (answer) => folderRefusal(folder, answer) },
      { do: 'makeFolder', path: place.data },
      { do: 'write', path: definitionPath, text: definitionFrom(template('tillbeacon-task.xml'), 'xml', place), encoding: 'utf16le' },
      { do: 'run', command: ['schtasks', '/create', '/tn', task, '/xml', definitionPath, '/f'] },
      { do: 'run', command: ['schtasks', '/run', '/tn', task] },
    ],
    uninstall: () => [
      { do: 'run', command: ['schtasks', '/end', '/tn', task], mayFail: true },
      { do: 'run', command: ['schtasks', '/delete', '/tn', task, '/f'], mayFail: true },
      { do: 'remove', path: definitionPath },
    ],
    browserPolicy: windowsPolicy,
    // As a number: the words of schtasks are in Windows' language.
    question: [...powershell, `[int](Get-ScheduledTask -TaskPath '\\' -TaskName ${task} -ErrorAction Stop).State`],
    status: (answer) => (answer === null ? { isRunning: false, words: 'not installed, or visible to administrators alone' } : statusOf(Number(answer))),
  };
}

/** @param state TASK_STATE of the Task Scheduler: 1 is disabled, 4 running; otherwise the next minute starts it */
function statusOf(state: number): ServiceStatus {
  if (state === 1) return { isRunning: false, words: 'disabled; does not start with the computer' };
  const isRunning = state === 4;
  return { isRunning, words: `${isRunning ? 'running' : 'not running'}; starts with the computer, and again within a minute` };
}
