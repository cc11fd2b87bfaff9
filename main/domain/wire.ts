/** A line of bytes to a till: a serial port, one TCP connection, or a pair of ends in memory. One instance per connection, never reopened. */
export interface Wire {
  /** Hands all of `bytes` over in one write. Resolves when the line took them; rejects when it is gone or does not take them in time. */
  write(bytes: Uint8Array): Promise<void>;
  /** Lets go of the line; bounded, whatever the driver does. */
  close(): Promise<void>;
}

export interface WireListener {
  data(bytes: Uint8Array): void;
  /** The line is gone; said once, not after `close`. `why` is for a person. */
  lost(why: string): void;
}

/** Opens a serial line; rejects in plain words when there is none. */
export type OpenSerialWire = (port: { path: string; baudRate: number; stopBits: 1 | 2 }, listener: WireListener) => Promise<Wire>;
