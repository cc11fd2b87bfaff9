import { createHash } from 'node:crypto';
import { CappedMap } from '../../core/domain/capped-map.ts';
import type { Clock } from '../../core/domain/clock.ts';
import type { BoundedLog } from '../../core/domain/bounded-log.ts';
import type { threadRpc } from '../../support/thread-rpc.ts';
import { GuessLimiter } from '../line/guesses.ts';
import type { ApiProcess } from './calls.ts';
import { Refused } from './problems.ts';
import type { TillToken } from './tokens.ts';

/**
 * Questions about unknown tokens that the process has to answer at a time, because everybody can
 * ask them.
 */
const maxQuestions = 2;
/** More than a shop has tokens. */
const maxKnown = 400;

/** A token that was valid when the process was last asked. */
export interface AdmittedToken extends Pick<TillToken, 'scopes'> {
  /** As it was sent. */
  readonly text: string;
}

export interface TokenCheckOptions {
  readonly process: ReturnType<typeof threadRpc<ApiProcess>>;
  readonly bounded: BoundedLog;
  readonly clock: Clock;
}

/**
 * Whether a token may call at all, so that nothing of a stranger's request reaches the process. The
 * process knows the tokens, and checks each call's again: here those are remembered that it has
 * found, by their hash.
 */
export class TokenCheck {
  readonly #options: TokenCheckOptions;
  readonly #guesses: GuessLimiter;
  readonly #known = new CappedMap<string, Pick<TillToken, 'scopes'>>(maxKnown);
  readonly #waiting: (() => void)[] = [];
  #questions = 0;

  constructor(options: TokenCheckOptions) {
    this.#options = options;
    this.#guesses = new GuessLimiter(options.clock);
  }

  async find(text: string): Promise<AdmittedToken | null> {
    const hash = hashOf(text);
    const token = this.#known.get(hash) ?? (await this.#ask(text));
    if (token === null) return null;
    this.#known.set(hash, { scopes: token.scopes });
    return { scopes: token.scopes, text };
  }

  /** The process does not know this token any more. */
  revoked(address: string, { text }: AdmittedToken): Refused {
    this.#known.delete(hashOf(text));
    return this.refusalOf(address, text);
  }

  /**
   * A valid token is always accepted: somebody who guesses from the same machine must not lock the
   * till out. 256 random bits need no lock; after too many unknown tokens the next are answered
   * 429, so that they do not fill the log.
   */
  refusalOf(address: string, text: string): Refused {
    if (text === '') return new Refused('token-missing');
    if (this.#guesses.isBlocked(address))
      return new Refused('too-many-guesses', undefined, { retryAfterSeconds: 60 });
    this.#guesses.missed(address);
    this.#options.bounded.warn({ address }, 'a token that is not known was sent to the HTTP API');
    return new Refused('token-missing');
  }

  async #ask(text: string): Promise<TillToken | null> {
    while (this.#questions >= maxQuestions)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#questions += 1;
    try {
      return await this.#options.process.findToken(text);
    } finally {
      this.#questions -= 1;
      this.#waiting.shift()?.();
    }
  }
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64');
