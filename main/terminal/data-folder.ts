import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../primitives/clock.ts';

/** Everything that a daemon keeps, in one folder; of one daemon alone. */
export interface DataFolder {
  readonly path: string;
  readonly journal: string;
  readonly managers: string;
  /** With which the first manager is made. */
  readonly firstManagerCode: string;
  /** Where its screens are. */
  readonly screensPort: string;
  /** Points of sale that are being created anew. */
  readonly recreations: string;
  /** What a demonstration's simulated service remembers. */
  readonly simulatedBooks: string;
  /** What the reporting interface told: it can be read again. */
  readonly reconciliation: string;
  /** Lets another daemon use it. */
  close(): void;
}

/** @throws Error in plain words when the folder cannot be made, or another daemon has it */
export function openDataFolder(path: string, clock: Clock): DataFolder {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    throw new Error(`the data folder ${path} cannot be used: ${(error as Error).message}`, { cause: error });
  }
  const lock = lockFolder(path, clock);
  return {
    path,
    journal: join(path, 'journal.sqlite'),
    simulatedBooks: join(path, 'simulator.books'),
    managers: join(path, 'managers.json'),
    firstManagerCode: join(path, 'first-manager-code.txt'),
    screensPort: join(path, 'screens-port.json'),
    recreations: join(path, 'recreations.json'),
    reconciliation: join(path, 'reconciliation.sqlite'),
    close: () => lock.close(),
  };
}

/**
 * An exclusive lock of SQLite on an empty file: the operating system takes it back from a process that is gone, however it went, on every
 * system that SQLite runs on. Who holds it stands beside it.
 */
function lockFolder(path: string, clock: Clock): DatabaseSync {
  const holderPath = join(path, 'daemon.json');
  let lock: DatabaseSync | null = null;
  try {
    lock = new DatabaseSync(join(path, 'daemon.lock'));
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    writeFileSync(holderPath, JSON.stringify({ pid: process.pid, since: new Date(clock.wallMs()).toISOString() }));
    return lock;
  } catch (error) {
    lock?.close();
    if (((error as { errcode?: number }).errcode ?? 0) % 256 !== sqliteBusy)
      throw new Error(`the data folder ${path} cannot be used: ${(error as Error).message}`, { cause: error });
    throw new Error(`the data folder ${path} is in use by ${holder(holderPath)}; two daemons would share tills and payments`, { cause: error });
  }
}

const sqliteBusy = 5;

function holder(path: string): string {
  try {
    const { pid, since } = JSON.parse(readFileSync(path, 'utf8')) as { pid: number; since: string };
    return `another Tillbeacon: process ${pid}, since ${since}`;
  } catch {
    return 'another Tillbeacon';
  }
}
