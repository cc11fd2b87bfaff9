import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** Everything that a daemon keeps, in one folder. */
export interface DataFolder {
  readonly journal: string;
}

/** @throws Error in plain words when the folder cannot be made */
export function openDataFolder(path: string): DataFolder {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    throw new Error(`the data folder ${path} cannot be used: ${(error as Error).message}`, { cause: error });
  }
  return { journal: join(path, 'journal.sqlite') };
}
