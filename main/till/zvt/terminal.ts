import type { Clock } from '../../primitives/clock.ts';
import type { Log } from '../../primitives/log.ts';
import type { Currency } from '../../primitives/money.ts';
import type { LaneDesk } from '../port.ts';
import type { Registration } from './registration.ts';

/** What all connections of one till line have in common. */
export interface Terminal {
  readonly desk: LaneDesk;
  readonly currency: Currency;
  readonly laneName: string;
  readonly softwareVersion: string;
  readonly clock: Clock;
  readonly log: Log;
  registration: Registration;
  /** The last refund whose end the till has confirmed; null: none since the daemon started. */
  heardRefund: string | null;
}
