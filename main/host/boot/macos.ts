import { definitionFrom } from './definition.ts';
import type { ServiceSystem } from './service-system.ts';
import type { Step } from './step.ts';

const label = 'net.tillbeacon.daemon';
const user = '_tillbeacon';
const folder = '/Library/Application Support/Tillbeacon';
const plistPath = `/Library/LaunchDaemons/${label}.plist`;
const unload = {
  do: 'run',
  command: ['launchctl', 'bootout', `system/${label}`],
  mayFail: true,
} as const;

/** Makes a folder, or takes one that this program has made before. */
const ownedFolder = (path: string, owner: string, mode: string): Step[] => [
  { do: 'makeFolder', path },
  {
    do: 'check',
    command: ['stat', '-f', '%HT %Su %Lp', path],
    refusal: (answer) => folderRefusal(path, answer),
  },
  { do: 'run', command: ['chown', owner, path] },
  { do: 'run', command: ['chmod', mode, path] },
];

/**
 * @param answer kind, owner and mode of what is there, where links are not followed @returns why it
 * must not be used, or null
 */
function folderRefusal(path: string, answer: string | null): string | null {
  const isOurs = new RegExp(`^Directory (root|${user}) [0-7]?[0-7][0145][0145]$`).test(
    (answer ?? '').trim(),
  );
  return isOurs
    ? null
    : `${path}: others made it or may change it (${(answer ?? 'it cannot be looked at').trim()}): give it another name, and install again`;
}

/** launchd. */
export const macos: ServiceSystem = {
  data: `${folder}/data`,
  install: (place, template) => [
    // A role account has a number from 200 to 400; it may be there already.
    {
      do: 'run',
      command: ['sysadminctl', '-addUser', user, '-UID', '397', '-roleAccount'],
      mayFail: true,
    },
    // Nothing in it is given away: what is there already may be a link of the daemon's user to
    // somebody else's file.
    ...ownedFolder(folder, 'root', '755'),
    // The daemon cannot exchange its folder any more.
    ...ownedFolder(place.data, user, '700'),
    {
      do: 'write',
      path: plistPath,
      text: definitionFrom(template(`${label}.plist`), 'xml', place),
    },
    unload,
    { do: 'run', command: ['launchctl', 'bootstrap', 'system', plistPath] },
  ],
  uninstall: () => [unload, { do: 'remove', path: plistPath }],
  receiver: null,
  // Only a configuration profile sets one.
  browserPolicy: () => null,
  question: ['launchctl', 'print', `system/${label}`],
  status(answer) {
    if (answer === null) return { isRunning: false, words: 'not installed' };
    const isRunning = /^\s*state = running$/m.test(answer);
    return {
      isRunning,
      words: `${isRunning ? 'running' : 'not running'}; starts with the computer`,
    };
  },
};
