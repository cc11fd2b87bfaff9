import type { LaneSnapshot } from '../../core/lane/snapshot.ts';
import type { CustomerFacts } from '../../core/domain/sale.ts';
import type { RequestsWithIds } from '../../core/lane/till-port.ts';

/** What the HTTP API asks of a lane whose till is software. */
export interface HttpLane extends RequestsWithIds {
  readonly id: string;
  snapshot(): LaneSnapshot;
}

/** A lane of the HTTP API, with its till. */
export interface HttpCounter {
  readonly lane: HttpLane;
  readonly till: HeardTill;
}

export interface HeardTill {
  /** A request with a token of this till has come. */
  heard(): void;
  /** What the customer of this payment shares with the shop, as long as it is remembered. */
  customerOf(saleId: string): CustomerFacts | null;
}
