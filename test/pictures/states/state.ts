import type { Page } from 'playwright';
import type { Scene } from '../stage.ts';

/** For what is said once, in the language of that moment. */
export const anew = async (): Promise<void> => {};

/** Something that somebody can have before the eyes. */
export interface State {
  /** Of its picture. */
  readonly name: string;
  readonly scene: Scene;
  /** The part of the address behind the screen, e.g. `#health`. With it, or with `reach`, the page is loaded anew. */
  readonly at?: string;
  /** What somebody does until it is in sight, by touch or keyboard. */
  readonly reach?: (page: Page) => Promise<void>;
  /** Seen most: its picture is kept in each language, and of a large screen. */
  readonly main?: true;
  /** It differs from another one by its words alone: they are looked at, and the rest is done there. */
  readonly likeAnother?: true;
}
