import type { Clock } from '../../domain/clock.ts';
import type { Log } from '../../domain/log.ts';
import type { HttpCounter } from './lane.ts';
import type { HttpProtocol } from './protocol.ts';
import type { TillToken } from './tokens.ts';
import type { DayCounted } from './views.ts';

export interface HttpApiOptions {
  /** An address of this machine, or 0.0.0.0 or :: for all of them. */
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** The certificate that is in the files now, as PEM; null for HTTP without encryption. */
  readonly tls: (() => Certificate) | null;
  /** Further names by which it is called. */
  readonly names: readonly string[];
  /** Origins of the pages that may call the API. */
  readonly origins: readonly string[];
  readonly version: string;
  /** null when there is no such lane, or its till speaks another protocol. */
  readonly counter: (laneId: string) => HttpCounter | null;
  /** @param listener is called when a lane has changed, with null when all of them have @returns a function that ends it */
  readonly subscribe: (listener: (laneId: string | null) => void) => () => void;
  /** @param day null for today */
  readonly dayTotals: (laneId: string, day: string | null) => DayCounted;
  readonly journal: {
    changesAfter(
      laneId: string,
      seq: number,
      most: number,
    ): readonly { readonly seq: number; readonly saleId: string; readonly refundOrderId: string | null }[];
    newestSeq(): number;
  };
  readonly tokens: { find(token: string): TillToken | null; holds(tokenId: string): boolean };
  /** What else is spoken here. */
  readonly protocols?: readonly HttpProtocol[];
  readonly clock: Clock;
  readonly log: Log;
}

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}
