import type { TillToken } from './tokens.ts';

/** Another protocol of tills at the same address. It has the server's limits, names, origins and tokens, and words of its own. */
export interface HttpProtocol {
  /** Where it is asked, with POST. */
  readonly paths: readonly string[];
  readonly mostBodyBytes: number;
  /** @throws Refused */
  answer(asked: HttpAsked): Promise<HttpTold>;
}

export interface HttpAsked {
  /** The body. */
  readonly text: string;
  /** The other end's. */
  readonly address: string;
  /** The token that it brought. @throws Refused when there is none, or it is not known */
  token(): TillToken;
  /** Resolves when `isDone` is true, after `ms`, or when nobody waits any more. */
  until(isDone: () => boolean, ms: number): Promise<void>;
}

export interface HttpTold {
  readonly status: 200 | 400 | 401;
  /** null when the answer has no body. */
  readonly body: object | null;
  /** What was strange about a caller, for the log. */
  readonly strange?: string;
}
