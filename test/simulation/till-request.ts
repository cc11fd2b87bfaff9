import type { PacketName } from '../../main/tills/zvt/packet-table.ts';

/**
 * One press of the till's key for payment, reversal or reservation, and what the till knows of it.
 */
export interface TillRequest {
  readonly kind: 'sale' | 'refund' | 'reservation' | 'booking';
  /**
   * For a refund, the sale or the capture of a reservation that is refunded; for a booking, the
   * reservation.
   */
  readonly of: TillRequest | null;
  /**
   * For a booking, what is to be done. `impossible` asks for something invalid, such as more than
   * is reserved.
   */
  readonly booking: 'capture' | 'release' | 'impossible' | null;
  /**
   * No two of a run's sales and reservations have the same: it is their name. Of a booking what is
   * captured, or given back; null for a reversal of all that is left, until the terminal tells how
   * much that is.
   */
  amountMinor: number | null;
  belief: 'open' | 'yes' | 'no';
  /** Why the till believes this; null while it does not know. */
  because: string | null;
  /** The receipt number from 04 0F. */
  receiptNumber: number | null;
  traceNumber: number | null;
  /**
   * The till acknowledged a 04 0F that told it "paid" or "refunded", in the command that asked for
   * it. On a serial line it is enough that such a 04 0F came: the line repeats packets, and nobody
   * can tell which one an acknowledgement is for.
   */
  acknowledged: boolean;
  /** Whether 80 00 left for such a 04 0F, in the command that asked for it. */
  hasSentAcknowledgement?: true;
  /**
   * Whether it was sent while the answer to an abort was still to come: the till may have taken
   * that refusal for the refusal of this one.
   */
  isMisleading?: true;
  /** A sale in another currency than the lane's: it must never begin. */
  readonly isForeign?: true;
  /**
   * For a sale, the amount of the goods that are handed out, which the till reports whenever it is
   * told "paid"; null for all of them.
   */
  handedOutMinor: number | null;
}

/** A command as it is sent. */
export interface TillCommand {
  readonly what: PacketName;
  readonly packet: Uint8Array;
}

/** How a command about a payment or a refund ended, as the terminal said. */
export interface RequestEnd {
  readonly request: TillRequest;
  /** The result code of the last 04 0F. */
  readonly code: number;
  /** null when no payment or refund was begun. */
  readonly receiptNumber: number | null;
  /** The text beside the code. */
  readonly text: string | null;
}

/** The fields of a request that was just made. */
export const unheard = {
  of: null,
  booking: null,
  belief: 'open',
  because: null,
  receiptNumber: null,
  traceNumber: null,
  acknowledged: false,
  handedOutMinor: null,
} as const;
