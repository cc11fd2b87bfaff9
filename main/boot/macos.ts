import { definitionFrom } from './definition.ts';
import type { ServiceSystem } from './service-system.ts';

const label = 'net.tillbeacon.daemon';
const user = '_tillbeacon';
const folder = '/Library/Application Support/Tillbeacon';
const plistPath = `/Library/LaunchDaemons/${label}.plist`;
const unload = { do: 'run', command: ['launchctl', 'bootout', `system/${label}`], mayFail: true } as const;

/** launchd. */
export const macos: ServiceSystem = {
  data: `${folder}/data`,
  install: (place, template) => [
    // A role account has a number from 200 to 400; it may be there already.
    { do: 'run', command: ['sysadminctl', '-addUser', user, '-UID', '397', '-roleAccount'], mayFail: true },
    { do: 'makeFolder', path: place.data },
    { do: 'run', command: ['chown', '-R', user, folder] },
    { do: 'run', command: ['chmod', '-R', 'go=', folder] },
    { do: 'write', path: plistPath, text: definitionFrom(template(`${label}.plist`), 'xml', place) },
    unload,
    { do: 'run', command: ['launchctl', 'bootstrap', 'system', plistPath] },
  ],
  uninstall: () => [unload, { do: 'remove', path: plistPath }],
  question: ['launchctl', 'print', `system/${label}`],
  status(answer) {
    if (answer === null) return { isRunning: false, words: 'not installed' };
    const isRunning = /^\s*state = running$/m.test(answer);
    return { isRunning, words: `${isRunning ? 'running' : 'not running'}; starts with the computer` };
  },
};
