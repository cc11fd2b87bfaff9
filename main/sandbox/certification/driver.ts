import type { Recorder } from './recorder.ts';
import type { LogEntry } from './recording-log.ts';

/** What drives the client of one service through its cases. */
export interface Driver {
  readonly recorder: Recorder;
  readonly log: readonly LogEntry[];
  interrupt(): void;
  /** After each case: leaves nothing open at the service. Returns what could not be closed. */
  tidyUp(): Promise<string[]>;
  /** After the last one. */
  close(): Promise<string[]>;
}
