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
  readonly till: ProgramTill;
}

export interface ProgramTill {
  /** A request with a token of this till has come. */
  heard(): void;
  /** The data that the customer of this payment shares with the shop; null once forgotten. */
  customerOf(saleId: string): CustomerFacts | null;
}
