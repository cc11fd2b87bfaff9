export interface Sent {
  readonly delivered: boolean;
  /**
   * How often the packet was sent without being refused: the other side may have each copy, and
   * answer each.
   */
  readonly copies: number;
}

/**
 * Carries whole APDUs to the other side and back. How is the link's business: blocks on a serial
 * line, bare on TCP.
 */
export interface ApduLink {
  /**
   * Packets go out one after another, in order.
   * @param sent runs once, when the other side has the packet (serial: it answered 06) or never
   * will; before what came behind that is handed on
   */
  send(apdu: Uint8Array, sent?: (how: Sent) => void): void;
  /** Whether the line is there now. */
  isUp(): boolean;
  /**
   * Called when a packet was sent and never answered: a connection is then closed, a cable stays
   * (ZVT PA00P016, section 5).
   */
  unanswered(): void;
  close(): void;
}

export interface ApduListener {
  received(apdu: Uint8Array, reception?: Reception): void;
}

export interface Reception {
  /**
   * Whether the till may have taken the refusal of its last command as the answer to this one, and
   * no longer wait.
   */
  readonly mayBeOver: boolean;
  /**
   * Whether the line may have repeated this answer because our 06 was lost; it then belongs to an
   * earlier packet.
   */
  readonly mayBeRepeated: boolean;
}

/** ZVT PA00P016, section 5: how long an answer (80 00 / 84 xx) may take. */
export const t3Ms = 5_000;
/** How long a pulled cable may stay out before what was to be sent is given up. */
export const maxAbsenceMs = 30_000;
/**
 * More packets than any conversation needs: a till that keeps asking and reads nothing must not
 * fill the memory.
 */
export const maxWaitingPackets = 32;
