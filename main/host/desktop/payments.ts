/**
 * The process that takes the payments in the windows: this program, or a daemon that already runs
 * on this computer.
 */
import type { LaneView, ToPage } from '../../../preload/contract.ts';
import type { Language } from '../../core/domain/languages.ts';
import type { Connection } from '../../counter/server/connection.ts';

export interface Payments {
  /** Whether the payments end with this program. */
  readonly areOwn: boolean;
  /** Connects one page; `connected` is called with whether anybody answers it. */
  connect(send: (message: ToPage) => void, connected: (isConnected: boolean) => void): Connection;
  /** A picture of the shop; null when it is missing. */
  picture(name: string): Promise<{ readonly type: string; readonly content: Uint8Array } | null>;
  /** Called when the computer was asleep. */
  resumed(): void;
  isSetUp(): boolean;
  /** null when nobody answers. */
  lanes(): readonly LaneView[] | null;
  /** The shop's language; null when it has none, or none is known. */
  language(): Language | null;
  close(): Promise<void>;
}
