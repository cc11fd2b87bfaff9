import type { Page } from 'playwright';
import type { Scene } from '../stage.ts';

/**
 * Does nothing: for a state whose message keeps the language it came in, so that the page is loaded
 * for each language.
 */
export const anew = async (): Promise<void> => {};

/** One state of a screen. */
export interface State {
  /** Name of the state's test and pictures. */
  readonly name: string;
  readonly scene: Scene;
  /**
   * The part of the address behind the screen, e.g. `#health`. With it, or with `reach`, the page
   * is loaded for this state.
   */
  readonly at?: string;
  /** The presses that lead to it. */
  readonly reach?: (page: Page) => Promise<void>;
  /** Seen most: pictures are kept of it in dark colours and in the other sizes too. */
  readonly main?: true;
  /**
   * The state differs from another one in its words only: the words are judged, and no picture is
   * kept.
   */
  readonly likeAnother?: true;
}
