import { type Clock, sleep } from '../../core/domain/clock.ts';
import type { FaultPlan } from '../simulator/faults.ts';
import type { Recorder } from './recorder.ts';
import type { LogEntry } from './recording-log.ts';

type PlannedFault = FaultPlan['faults'][number];

export interface FaultInjector {
  add(...faults: PlannedFault[]): void;
  clear(): void;
}

interface DriverOptions {
  readonly clock: Clock;
  /** Makes the service fail as prescribed; null when it fails by itself, or cannot be made to. */
  readonly faults: FaultInjector | null;
}

/** Drives the client of one service through its cases. */
export abstract class Driver {
  abstract readonly recorder: Recorder;
  readonly log: LogEntry[] = [];
  readonly clock: Clock;
  readonly #faults: FaultInjector | null;
  readonly #interrupted = new AbortController();

  protected constructor({ clock, faults }: DriverOptions) {
    this.clock = clock;
    this.#faults = faults;
  }

  get signal(): AbortSignal {
    return this.#interrupted.signal;
  }

  inject(...faults: PlannedFault[]): void {
    this.#faults?.add(...faults);
  }

  pause(ms: number): Promise<void> {
    return sleep(this.clock, ms, this.signal);
  }

  interrupt(): void {
    const why = new Error('interrupted');
    this.#interrupted.abort(why);
    this.recorder.cut(why);
  }

  /**
   * To be called after each case, so that nothing stays open at the service. @returns what could
   * not be closed
   */
  tidyUp(): Promise<string[]> {
    this.recorder.caseId = null;
    this.#faults?.clear();
    return this.closeWhatIsOpen();
  }

  protected abstract closeWhatIsOpen(): Promise<string[]>;

  /** To be called after the last case. @returns what could not be closed */
  close(): Promise<string[]> {
    this.recorder.mend();
    return this.tidyUp();
  }
}
