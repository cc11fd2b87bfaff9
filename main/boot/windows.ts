import { win32 } from 'node:path';
import { definitionFrom } from './definition.ts';
import type { ServiceStatus, ServiceSystem } from './service-system.ts';

const task = 'Tillbeacon';

/** Well-known accounts by their numbers, because their names are translated: system, administrators, Local Service. */
const owners = ['*S-1-5-18:(OI)(CI)F', '*S-1-5-32-544:(OI)(CI)F', '*S-1-5-19:(OI)(CI)M'];

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
      { do: 'makeFolder', path: folder },
      // Everybody may make folders in ProgramData: one that is there already, and what is in it, may be somebody else's and open to them.
      { do: 'run', command: ['icacls', folder, '/setowner', '*S-1-5-32-544', '/t'] },
      { do: 'run', command: ['icacls', folder, '/reset', '/t'] },
      { do: 'run', command: ['icacls', folder, '/inheritance:r', '/grant:r', ...owners] },
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
    // As a number: the words of schtasks are in Windows' language.
    question: ['powershell', '-NoProfile', '-NonInteractive', '-Command', `[int](Get-ScheduledTask -TaskPath '\\' -TaskName ${task} -ErrorAction Stop).State`],
    status: (answer) => (answer === null ? { isRunning: false, words: 'not installed, or visible to administrators alone' } : statusOf(Number(answer))),
  };
}

/** @param state TASK_STATE of the Task Scheduler: 1 is disabled, 4 running; otherwise the next minute starts it */
function statusOf(state: number): ServiceStatus {
  if (state === 1) return { isRunning: false, words: 'disabled; does not start with the computer' };
  const isRunning = state === 4;
  return { isRunning, words: `${isRunning ? 'running' : 'not running'}; starts with the computer, and again within a minute` };
}
