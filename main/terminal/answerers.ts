/** Which room answers which question of a screen. */
import type { Journal } from '../journal/journal.ts';
import type { Clock } from '../primitives/clock.ts';
import type { Ids } from '../primitives/ids.ts';
import type { Log } from '../primitives/log.ts';
import { FileShelf } from '../screens/file-shelf.ts';
import type { Answerers } from '../screens/question-desk.ts';
import type { Guard } from '../screens/session.ts';
import type { Counter } from './counter.ts';
import type { DataFolder } from './data-folder.ts';

interface AnswerersOptions {
  /** null: not set up yet. */
  readonly counter: () => Counter | null;
  readonly folder: DataFolder;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

export function createAnswerers({ clock, ids }: AnswerersOptions): { answerers: Answerers; guard: Guard } {
  const shelf = new FileShelf({ clock, ids });
  return {
    answerers: { ...shelf.answerers },
    guard: { mayAsk: (who) => who === 'anyone', record() {} },
  };
}
