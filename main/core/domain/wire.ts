import type { Log } from './log.ts';
import type { SerialPortSettings } from './serial-format.ts';
import type { PortClaimer, PortProblem } from './till-links.ts';

/**
 * A line of bytes to a till: a serial port, one TCP connection, or a pair of ends in memory. One
 * instance per connection, never reopened.
 */
export interface Wire {
  /** The system's name for the port. Optional. */
  readonly at?: string;
  /**
   * Writes all bytes at once. Resolves when the line accepted them; rejects when it is gone or does
   * not accept them in time.
   */
  write(bytes: Uint8Array): Promise<void>;
  /** How long what was written still takes to leave, at the line's speed. Missing: nothing. */
  leavesInMs?(): number;
  /** Closes the line. Returns in bounded time, even if the driver hangs. */
  close(): Promise<void>;
}

export interface WireListener {
  data(bytes: Uint8Array): void;
  /** Called once when the line is lost, not after `close`. `why` is for a person. */
  lost(why: string): void;
}

/**
 * Writes without waiting for the result: a failed write means a lost line, which the line's
 * owner learns through `lost`.
 */
export function writeUnlessLost(wire: Wire | null, bytes: Uint8Array, log: Log): void {
  wire
    ?.write(bytes)
    .catch((error: unknown) =>
      log.warn({ detail: String(error) }, 'the till line did not take a write'),
    );
}

/** Why a port is not open, with a message for a person. */
export class PortError extends Error {
  readonly problem: PortProblem;
  /** The program that took the port by itself; null for any other, or none. */
  readonly claimer: PortClaimer | null;
  constructor(
    problem: PortProblem,
    message: string,
    { claimer = null, ...options }: PortErrorOptions = {},
  ) {
    super(message, options);
    this.problem = problem;
    this.claimer = claimer;
  }
}

interface PortErrorOptions extends ErrorOptions {
  readonly claimer?: PortClaimer | null;
}

export const portProblemOf = (thrown: unknown): PortProblem =>
  thrown instanceof PortError ? thrown.problem : 'failed';

/** For a view, where the field is missing as a rule. */
export const portClaimerOf = (thrown: unknown): { readonly claimer?: PortClaimer } =>
  thrown instanceof PortError && thrown.claimer !== null ? { claimer: thrown.claimer } : {};

/** Opens a serial line, by the name of its port or of its adapter; rejects with a `PortError`. */
export type OpenSerialWire = (port: SerialPortSettings, listener: WireListener) => Promise<Wire>;
