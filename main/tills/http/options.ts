import type { Clock } from '../../core/domain/clock.ts';
import type { Log } from '../../core/domain/log.ts';
import type { StartThread } from '../../support/listener-thread.ts';
import type { Certificate } from '../../support/paced-server.ts';
import type { ApiThreadData, RefusedPage } from './calls.ts';
import type { HttpCounter } from './lane.ts';
import type { HttpProtocol } from './protocol.ts';
import type { TillToken } from './tokens.ts';
import type { DayCounted } from './views.ts';

export interface HttpApiOptions {
  /** An address of this machine, or 0.0.0.0 or :: for all of them. */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Reads the certificate from its files, as PEM; null for HTTP without encryption. */
  readonly tls: (() => Certificate) | null;
  /** Further host names that are accepted in the Host header. */
  readonly names: readonly string[];
  /** Origins of the pages that may call the API. */
  readonly origins: readonly string[];
  readonly version: string;
  /** The lane with this id; null when its till speaks another protocol, or it does not exist. */
  readonly counter: (laneId: string) => HttpCounter | null;
  /**
   * @param listener is called when a lane has changed, with null when all of them have @returns
   * ends the subscription
   */
  readonly subscribe: (listener: (laneId: string | null) => void) => () => void;
  /** @param day null for today */
  readonly dayTotals: (laneId: string, day: string | null) => DayCounted;
  readonly journal: {
    changesAfter(
      laneId: string,
      seq: number,
      most: number,
    ): readonly {
      readonly seq: number;
      readonly saleId: string;
      readonly refundOrderId: string | null;
    }[];
    newestSeq(): number;
  };
  readonly tokens: { find(token: string): TillToken | null; holds(tokenId: string): boolean };
  /** Called for each refused request of a web page, so that setup can show why it failed. */
  readonly onRefusedPage?: (refused: RefusedPage) => void;
  /** Other protocols that are served at this address, such as Nexo. */
  readonly protocols?: readonly HttpProtocol[];
  readonly clock: Clock;
  readonly log: Log;
  /** Tests run the thread's end in their own. */
  readonly startThread?: StartThread<ApiThreadData>;
}
