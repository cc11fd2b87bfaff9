/** Carries whole APDUs to the other side and back. How is the link's business: blocks on a serial line, bare on TCP. */
export interface ApduLink {
  /**
   * Resolves when the other side has the packet (serial: it answered 06), or never will. Packets go out one after another, in order.
   */
  send(apdu: Uint8Array): Promise<'delivered' | 'failed'>;
  /** The line is there just now. */
  isUp(): boolean;
  /** A packet went out and was never answered: a connection is then closed, a cable stays (ZVT PA00P016, section 5). */
  unanswered(): void;
  close(): void;
}

export interface ApduListener {
  received(apdu: Uint8Array): void;
}

/** ZVT PA00P016, section 5: how long an answer (80 00 / 84 xx) may take. */
export const t3Ms = 5_000;
/** How long a pulled cable may stay out before what was to be sent is given up. */
export const longestAbsenceMs = 30_000;
