/** The parts list: data folder, journal, screens, and the counter that the settings make. The one place that knows every room. */
import { join } from 'node:path';
import type { JournalDamage } from '../journal/journal.ts';
import { openSqliteJournal } from '../journal/sqlite-journal.ts';
import type { DamageShown } from '../lane/snapshot.ts';
import type { Clock } from '../primitives/clock.ts';
import type { Ids } from '../primitives/ids.ts';
import type { Log } from '../primitives/log.ts';
import type { ScreensDesk } from '../screens/door.ts';
import { QuestionDesk } from '../screens/question-desk.ts';
import { startScreensServer } from '../screens/server.ts';
import type { ReadySettings } from '../settings/load.ts';
import { createAnswerers } from './answerers.ts';
import { type Counter, openCounter } from './counter.ts';
import { openDataFolder } from './data-folder.ts';
import { createScreensDesk } from './screens-desk.ts';

export interface TerminalOptions {
  /** null: not set up yet; the screens lead through it. */
  readonly settings: ReadySettings | null;
  readonly dataFolder: string;
  /** Where browsers find the screens; null: only Electron's windows show them. */
  readonly screens: { readonly port: number; readonly nextFreeIfTaken: boolean; readonly rendererFolder: string } | null;
  /** Adds a till and a phone to play with; needs the embedded simulator. */
  readonly demo: boolean;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

export interface Terminal {
  readonly desk: ScreensDesk;
  /** e.g. `http://127.0.0.1:4180`. */
  readonly screensUrl: string | null;
  /** Where the embedded simulator answers; null when the wallet service is a real one. */
  readonly simulatorUrl: string | null;
  /** In the order of the settings; addresses are exact. Empty before the counter is set up. */
  lanes(): { id: string; till: string }[];
  /** Resolves when every lane takes payments. */
  readonly ready: Promise<void>;
  /** Within two seconds, whatever is in flight. */
  close(): Promise<void>;
}

/** @throws Error in plain words when it can never work: the data folder, a TCP port, the screens' port */
export async function startTerminal(options: TerminalOptions): Promise<Terminal> {
  const { clock, ids, log } = options;
  const folder = openDataFolder(options.dataFolder, clock);
  const listeners = new Set<(laneId: string) => void>();
  const changed = (laneId: string): void => {
    for (const listener of listeners) listener(laneId);
  };
  let counter: Counter | null = null;
  let journalDamage: DamageShown | null = null;
  const damaged = (damage: JournalDamage): void => {
    tellDamage(damage, log);
    journalDamage = { repaired: damage.repaired, lostSales: damage.lost.length };
    for (const { id } of counter?.lanes ?? []) changed(id);
  };
  const journal = openSqliteJournal(folder.journal, clock, { checkSlowly: true, damaged });
  const open = (settings: ReadySettings): Promise<Counter> =>
    openCounter({ settings, journal, demo: options.demo, clock, ids, log, changed, journalDamage: () => journalDamage });
  counter = options.settings && (await open(options.settings));

  const { answerers, guard } = createAnswerers({ counter: () => counter, folder, journal, clock, ids, log });
  const questions = new QuestionDesk({ answerers, guard, log });
  const desk = createScreensDesk({ counter: () => counter, questions, listeners });
  const server = options.screens && (await startScreensServer({ ...options.screens, host: '127.0.0.1', desk, log }));
  return {
    desk,
    screensUrl: server?.url ?? null,
    get simulatorUrl() {
      return counter?.simulator?.baseUrl ?? null;
    },
    lanes: () => counter?.lanes.map((lane) => ({ id: lane.id, till: lane.address })) ?? [],
    ready: counter?.ready ?? Promise.resolve(),
    async close() {
      await Promise.all([counter?.close(), server?.close()]);
      journal.close();
      folder.close();
    },
  };
}

function tellDamage({ lost, ...damage }: JournalDamage, log: Log): void {
  const what = damage.repaired ? 'the journal was damaged and is repaired' : 'the journal is damaged: a restart repairs it';
  log.error({ ...damage, lost: lost.length }, what);
  for (const sale of lost) log.error({ ...sale }, 'a person must look for this sale at the service: its story was lost');
}

/** Beside the built daemon, in a checkout and in a package alike. */
export function rendererFolderBeside(entryFolder: string): string {
  return join(entryFolder, '..', 'renderer');
}
