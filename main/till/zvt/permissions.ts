import { timingSafeEqual } from 'node:crypto';
import { encodeBcd } from './bcd.ts';
import type { Peer } from './peer.ts';

/** What a till may do, as its settings say. */
export interface TillPermissions {
  /** Six digits; left out: whatever a till sends is taken, as most tills send what their maker chose. */
  readonly password?: string | undefined;
  /** Whether money may go out. A number: at most so much of one payment in all, in minor units. Left out: see `mayRefund`. */
  readonly refunds?: boolean | number | undefined;
}

/** Why a till's refund is not allowed. */
export type RefundBar = 'refundsOff' | 'notRegistered';

/** Three bytes of BCD, in constant time: how long the answer takes must not tell how many digits were right. */
export function isPassword(password: string, sent: Uint8Array): boolean {
  const wanted = encodeBcd(Number(password), 3);
  return sent.length === wanted.length && timingSafeEqual(wanted, sent);
}

/**
 * A payment is approved by its customer, a refund by nobody: so whoever only reaches the port may not ask for one. A serial cable is a till's own.
 * Over TCP it takes the password, or a registration that this very connection has completed: what a web page can be made to send is neither.
 * @param proven the connection has sent the right password
 * @returns null: it may
 */
export function barredFromRefunds(
  { password, refunds }: TillPermissions,
  { peer, proven, registered }: { peer: Peer; proven: boolean; registered: boolean },
): RefundBar | null {
  if (refunds === false) return 'refundsOff';
  if (peer.kind === 'serial' || (password !== undefined && proven)) return null;
  if (refunds === undefined && peer.kind === 'network') return 'refundsOff';
  return registered ? null : 'notRegistered';
}

/** The most that a till may give back of one payment, minor units; null: all of it. */
export const refundLimitMinor = ({ refunds }: TillPermissions): number | null => (typeof refunds === 'number' ? refunds : null);
