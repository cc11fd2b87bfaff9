import type { TillToken } from './tokens.ts';

/**
 * Another protocol of tills at the same address. The server's limits, host names, origins and
 * tokens hold for it too; its answers are its own.
 */
export interface HttpProtocol {
  /** The paths that take its requests, with POST. */
  readonly paths: readonly string[];
  readonly maxBodyBytes: number;
  /** @throws Refused */
  answer(request: ProtocolRequest): Promise<ProtocolAnswer>;
}

export interface ProtocolRequest {
  /** The body. */
  readonly text: string;
  /** The caller's address. */
  readonly address: string;
  /** The caller's token. @throws Refused when it is missing or unknown */
  token(): TillToken;
  /** Resolves when `isDone` is true, after `ms`, or when the caller has disconnected. */
  until(isDone: () => boolean, ms: number): Promise<void>;
}

export interface ProtocolAnswer {
  readonly status: 200 | 400 | 401;
  /** null when the answer has no body. */
  readonly body: object | null;
  /** A warning about the caller, for the log. */
  readonly strange?: string;
}
