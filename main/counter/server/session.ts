import type { ScreenName, Watch } from '../../../preload/contract.ts';

/** The session of one page, for as long as its connection lasts: who is signed in there. */
export interface Session {
  manager: SignedIn | null;
  /** Address of the other end, e.g. `127.0.0.1:53122`; missing for a window of this program. */
  readonly address?: string;
  /** The screen that the page said it is; missing until then. */
  screen?: ScreenName;
  /** What the page watches now. */
  watched?: Watch;
}

export interface SignedIn {
  readonly managerId: string;
  readonly name: string;
}
