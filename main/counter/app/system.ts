import type { Clock } from '../../core/domain/clock.ts';
import type { Ids } from '../../core/domain/ids.ts';
import type { Log } from '../../core/domain/log.ts';

/** Time, randomness and the log, which a test replaces. */
export interface System {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}
