import { timingSafeEqual } from 'node:crypto';
import { encodeBcd } from './bcd.ts';
import type { Peer } from '../line/peer.ts';

/** What a till may do, as its settings say. */
export interface TillPermissions {
  /** Six digits. Absent: any password is accepted, because most tills send their manufacturer's. */
  readonly password?: string | undefined;
  /**
   * Whether refunds are allowed. A number limits all refunds of one payment together, in minor
   * units. Absent: see `mayRefund`.
   */
  readonly refunds?: boolean | number | undefined;
  /**
   * Whether the amount of a reversal is a part to give back. Absent: it is a check, and has to be
   * the whole payment's.
   */
  readonly partialReversals?: boolean | undefined;
  /** Addresses and networks that may connect over TCP; all when it is missing. */
  readonly from?: readonly string[] | undefined;
}

/** Why a till's refund is not allowed. */
export type RefundBar = 'refundsOff' | 'notRegistered';

/**
 * Compares three BCD bytes in constant time, so that the timing does not reveal how many digits
 * were right.
 */
export function isPassword(password: string, sent: Uint8Array): boolean {
  const wanted = encodeBcd(Number(password), 3);
  return sent.length === wanted.length && timingSafeEqual(wanted, sent);
}

/**
 * A payment is approved by its customer, a refund by nobody, so reaching the port is not enough to
 * ask for one. A serial cable is trusted. Over TCP it takes the password, or a registration that
 * this very connection has completed: a web page can send neither.
 * @param proven the connection has sent the right password
 * @returns null when it is allowed
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

/**
 * The same rule as for refunds: a reservation is captured or released without its customer. Tills
 * at allowed addresses may decide about what they reserved.
 */
export const isBarredFromBookings = ({
  peer,
  proven,
  registered,
}: {
  peer: Peer;
  proven: boolean;
  registered: boolean;
}): boolean => peer.kind !== 'serial' && !proven && !registered;

/**
 * A closing ends the shop's books of the day, and reports tell its takings. In a network, where
 * anybody can register, both need the password, unless `from` limits who may connect or `refunds`
 * trusts everyone who does.
 */
export function isBarredFromClosings(
  { password, refunds, from = [] }: TillPermissions,
  { peer, proven, registered }: { peer: Peer; proven: boolean; registered: boolean },
): boolean {
  if (peer.kind === 'serial' || (password !== undefined && proven)) return false;
  const isNamed =
    peer.kind === 'loopback' || from.length > 0 || (refunds !== undefined && refunds !== false);
  return !(registered && isNamed);
}

/** The most that a till may refund of one payment, in minor units; null for all of it. */
export const refundLimitMinor = ({ refunds }: TillPermissions): number | null =>
  typeof refunds === 'number' ? refunds : null;
