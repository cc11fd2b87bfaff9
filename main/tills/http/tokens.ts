import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Clock } from '../../core/domain/clock.ts';
import { messageOf, systemCodeOf } from '../../core/domain/errors.ts';
import type { Ids } from '../../core/domain/ids.ts';
import type { Log } from '../../core/domain/log.ts';
import { tillScopes } from '../../core/domain/till-scopes.ts';
import { writeFileAtomically } from '../../support/atomic-file.ts';

const StoredToken = z.strictObject({
  tokenId: z.uuid(),
  /** The till's name, as the manager calls it. */
  name: z.string(),
  laneId: z.string(),
  scopes: z.array(z.enum(tillScopes)).min(1),
  /** Hash of the token; SHA-256 is enough for 256 random bits. */
  sha256: z.hex().length(64),
  madeAtMs: z.number(),
});
type StoredToken = z.infer<typeof StoredToken>;
/** A token that is not valid yet, because its lane does not exist. */
export const PreparedToken = StoredToken.omit({ laneId: true });
export type PreparedToken = z.infer<typeof PreparedToken>;
export type TillToken = Omit<StoredToken, 'sha256'>;

const TokensFile = z.strictObject({ version: z.literal(1), tokens: z.array(StoredToken) });

/** A shop has few tills, so that the file is read and written as a whole. */
const maxTokens = 200;

export interface TokensOptions {
  readonly path: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

/**
 * The tokens of tills over HTTP, as hashes in one file. When the file is damaged, no token is
 * valid: methods that need it throw.
 */
export class Tokens {
  readonly #options: TokensOptions;
  #kept: readonly StoredToken[] = [];
  #damage: Error | null = null;

  constructor(options: TokensOptions) {
    this.#options = options;
    try {
      this.#kept = read(options.path);
    } catch (error) {
      this.#damage = new Error(
        `the file of the tills' tokens, ${options.path}, is damaged: ${messageOf(error)}`,
        { cause: error },
      );
      options.log.error({ detail: this.#damage.message }, 'no till can sign in over HTTP');
    }
  }

  list(): TillToken[] {
    return this.#all().map(withoutHash);
  }

  /** `token` is shown once. Only its hash is kept. */
  make(
    about: Pick<TillToken, 'name' | 'laneId' | 'scopes'>,
  ): { readonly token: string; readonly tokenId: string } | 'tooMany' {
    const { token, prepared } = this.prepare(about);
    return this.adopt(prepared, about.laneId) === 'tooMany'
      ? 'tooMany'
      : { token, tokenId: prepared.tokenId };
  }

  /** Makes a token that is not valid before {@link adopt}. */
  prepare({ name, scopes }: Pick<TillToken, 'name' | 'scopes'>): {
    readonly token: string;
    readonly prepared: PreparedToken;
  } {
    const { clock, ids } = this.#options;
    const token = `tbt_${randomBytes(32).toString('base64url')}`;
    return {
      token,
      prepared: {
        name,
        scopes,
        tokenId: ids.uuid(),
        sha256: digest(token).toString('hex'),
        madeAtMs: clock.wallMs(),
      },
    };
  }

  /**
   * Makes a prepared token valid for a lane. A token that was adopted before only gets the other
   * lane.
   */
  adopt(prepared: PreparedToken, laneId: string): 'adopted' | 'tooMany' {
    const others = this.#all().filter(({ tokenId }) => tokenId !== prepared.tokenId);
    if (others.length >= maxTokens) return 'tooMany';
    const tokens = [...others, { ...prepared, laneId }];
    write(this.#options.path, tokens);
    this.#kept = tokens;
    return 'adopted';
  }

  /** @returns false when there is no such token */
  revoke(tokenId: string): boolean {
    const all = this.#all();
    const rest = all.filter((token) => token.tokenId !== tokenId);
    if (rest.length === all.length) return false;
    write(this.#options.path, rest);
    this.#kept = rest;
    return true;
  }

  /**
   * Revokes the tokens of all other lanes, because a lane that is made later may get the id of one
   * that was removed.
   */
  keepOnly(laneIds: ReadonlySet<string>): void {
    // Empty when the file is damaged, and then no token is valid.
    const rest = this.#kept.filter(({ laneId }) => laneIds.has(laneId));
    const count = this.#kept.length - rest.length;
    if (count === 0) return;
    this.#kept = rest;
    const { path, log } = this.#options;
    try {
      write(path, rest);
      log.info({ count }, 'the tokens of lanes that no longer exist are revoked');
    } catch (error) {
      log.error(
        { count, detail: messageOf(error) },
        'the tokens of lanes that no longer exist are revoked only until the next start',
      );
    }
  }

  /** The till that has this token; null when none has. */
  find(token: string): TillToken | null {
    const hash = digest(token);
    const entry = this.#all().find(({ sha256 }) =>
      timingSafeEqual(hash, Buffer.from(sha256, 'hex')),
    );
    return entry === undefined ? null : withoutHash(entry);
  }

  /**
   * Whether a token has not been revoked since it was found; cheap, because event streams ask
   * often.
   */
  holds(tokenId: string): boolean {
    return this.#kept.some((token) => token.tokenId === tokenId);
  }

  #all(): readonly StoredToken[] {
    if (this.#damage !== null) throw this.#damage;
    return this.#kept;
  }
}

/** The till that a prepared token was made for. @returns null when the token is another one */
export function tillOfPrepared(
  prepared: PreparedToken,
  laneId: string,
  token: string,
): TillToken | null {
  return timingSafeEqual(digest(token), Buffer.from(prepared.sha256, 'hex'))
    ? withoutHash({ ...prepared, laneId })
    : null;
}

const withoutHash = ({ tokenId, name, laneId, scopes, madeAtMs }: StoredToken): TillToken => ({
  tokenId,
  name,
  laneId,
  scopes,
  madeAtMs,
});

const digest = (token: string): Buffer => createHash('sha256').update(token).digest();

function read(path: string): readonly StoredToken[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return [];
    throw error;
  }
  return TokensFile.parse(JSON.parse(text)).tokens;
}

function write(path: string, tokens: readonly StoredToken[]): void {
  const file: z.input<typeof TokensFile> = { version: 1, tokens: [...tokens] };
  writeFileAtomically(path, `${JSON.stringify(file, null, 2)}\n`);
}
