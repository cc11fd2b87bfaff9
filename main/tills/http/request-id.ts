import { hashedId, idFrom } from '../../core/domain/ids.ts';
import type { HttpLane } from './lane.ts';

/** The sender of a request: a token of the lane. */
export interface Requester {
  readonly tokenId: string;
  /** Whether a token is valid: one that is not was replaced. */
  readonly isValid: (tokenId: string) => boolean;
}

/**
 * The id of the payment or refund that a request with this `Idempotency-Key` begins. A key is its
 * token's own: two tokens of a lane may use the same key for different payments. A token takes over
 * the keys of a revoked one, so that a till with a new token may repeat its earlier requests.
 */
export function requestId(
  kind: 'payment' | 'refund',
  lane: HttpLane,
  key: string,
  { tokenId, isValid }: Requester,
): string {
  const ofToken = idFrom('http', kind, lane.id, key, tokenId);
  const ofLane = laneId(kind, lane.id, key);
  if (starterOf(kind, lane, ofToken) !== null) return ofToken;
  const starter = starterOf(kind, lane, ofLane);
  return starter === null || starter === tokenId || (starter !== notOfApi && !isValid(starter))
    ? ofLane
    : ofToken;
}

/**
 * The id for whichever token of the lane uses the key first: that of earlier versions, so that an
 * update finds what they began.
 */
const laneId = (kind: 'payment' | 'refund', lane: string, key: string): string =>
  hashedId(JSON.stringify([kind, lane, key]));

const notOfApi = Symbol('not begun by a till of this API');

/**
 * The token that began it, empty when an earlier version did not write it down; null when nothing
 * has begun.
 */
function starterOf(
  kind: 'payment' | 'refund',
  lane: HttpLane,
  id: string,
): string | typeof notOfApi | null {
  const sender = kind === 'payment' ? lane.payment(id)?.sale : lane.refund(id)?.request.by;
  if (sender === undefined) return null;
  return 'from' in sender && sender.from?.startsWith('http:') === true
    ? (sender.namedBy ?? '')
    : notOfApi;
}
