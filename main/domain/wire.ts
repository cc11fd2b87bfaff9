/** A line of bytes to a till: a serial port, one TCP connection, or a pair of ends in memory. One instance per connection, never reopened. */
export interface Wire {
  /** Writes all bytes at once. Resolves when the line accepted them; rejects when it is gone or does not accept them in time. */
  write(bytes: Uint8Array): Promise<void>;
  /** Closes the line, in bounded time whatever the driver does. */
  close(): Promise<void>;
}

export interface WireListener {
  data(bytes: Uint8Array): void;
  /** Called once when the line is lost, not after `close`. `why` is for a person. */
  lost(why: string): void;
}

/** Opens a serial line; rejects with a readable message. */
export type OpenSerialWire = (port: { path: string; baudRate: number; stopBits: 1 | 2 }, listener: WireListener) => Promise<Wire>;
