import type { Recorded, Who } from '../../preload/questions/question.ts';

/** Who stands at one screen. Lives as long as its connection. */
export interface Session {
  manager: SignedIn | null;
}

export interface SignedIn {
  readonly managerId: string;
  readonly name: string;
}

/** Who may ask what, and what is kept of it. */
export interface Guard {
  /** Renews the time after which a manager must sign in again. */
  mayAsk(who: Who, session: Session): boolean;
  /** On disk before the question is answered. @throws when it cannot be kept: then nothing is done */
  record(manager: SignedIn | null, question: string, facts: Recorded): void;
}
