import type { ScreenName } from '../../preload/contract.ts';
import type { Recorded, Who } from '../../preload/procedures/procedure.ts';

/** Who stands at one screen. Lives as long as its connection. */
export interface Session {
  manager: SignedIn | null;
  /** Of whoever has the other end, e.g. `127.0.0.1:53122`; left out: a window of this program. */
  readonly address?: string;
  /** What it said it shows; left out: nothing yet. */
  screen?: ScreenName;
}

export interface SignedIn {
  readonly managerId: string;
  readonly name: string;
}

/** Who may ask what, and what is kept of it. */
export interface Guard {
  /** What a manager may ask puts off the time after which they must sign in again. */
  mayAsk(who: Who, session: Session): boolean;
  /** On disk before the question is answered. @throws when it cannot be kept: then nothing is done */
  record(manager: SignedIn | null, question: string, facts: Recorded): void;
}
