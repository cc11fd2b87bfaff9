import type { Clock } from '../domain/clock.ts';
import type { Ids } from '../domain/ids.ts';
import type { Log } from '../domain/log.ts';

/** Time, randomness and the log, which a test replaces. */
export interface System {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}
