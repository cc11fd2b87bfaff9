import type { ScreenName, Watch } from '../../preload/contract.ts';

/** Of one page, for as long as its connection lasts: who is signed in there. */
export interface Session {
  manager: SignedIn | null;
  /** Of the other end, e.g. `127.0.0.1:53122`; left out: a window of this program. */
  readonly address?: string;
  /** Which screen the page said it is; left out: it has not said so yet. */
  screen?: ScreenName;
  /** What it watches now. */
  watched?: Watch;
}

export interface SignedIn {
  readonly managerId: string;
  readonly name: string;
}
