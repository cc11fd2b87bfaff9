import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CommandEnd } from '../../support/command-line.ts';
import { writePrivately } from '../../support/private-file.ts';
import { managerFiles, readManagers } from '../manager/people/managers-file.ts';

/**
 * Asks the daemon to end all PIN locks, now or at its next start. Only the daemon's user and
 * administrators can write into the data folder.
 * @throws CommandEnd when the folder has no managers
 */
export function requestUnlock(dataFolder: string): void {
  mustHaveManagers(dataFolder);
  writePrivately(
    join(dataFolder, managerFiles.unlockRequest),
    'made by: tillbeacon managers unlock\n',
  );
}

/** @throws CommandEnd when no manager is kept there; Error when their file is damaged */
export function managerNames(dataFolder: string): string[] {
  mustHaveManagers(dataFolder);
  return readManagers(join(dataFolder, managerFiles.managers)).managers.map(({ name }) => name);
}

function mustHaveManagers(dataFolder: string): void {
  if (!existsSync(join(dataFolder, managerFiles.managers)))
    throw new CommandEnd(`--data ${dataFolder}: has no managers.json that this user can see`);
}
