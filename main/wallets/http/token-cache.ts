import type { Clock } from '../../core/domain/clock.ts';

export interface IssuedToken {
  readonly token: string;
  readonly lifeSeconds: number;
}

export interface TokenCacheOptions {
  readonly clock: Clock;
  readonly fetch: () => Promise<IssuedToken>;
  /**
   * Set when a token that is due for renewal is still used while the next one is fetched, so that
   * no sale waits for it.
   */
  readonly isRenewedBehind?: boolean;
}

/**
 * Renewed at this share of its life, so that no request leaves with a token that runs out on the
 * way (document 4, section 8).
 */
const renewAtShareOfLife = 0.9;
/** A longer life of a token is not believed. */
const maxLifeSeconds = 24 * 60 * 60;
/** A request is sent only with a token that is valid for at least so long. */
const minLeftMs = 60_000;
/** Pause between renewals in the background: token endpoints are rate limited. */
const renewalPauseMs = 30_000;

/**
 * An access token: fetched when first needed, shared by all callers, fetched once however many ask
 * at the same time. In memory only.
 */
export class TokenCache {
  readonly #options: TokenCacheOptions;
  #current: { readonly token: string; readonly endsAtMs: number; renewAtMs: number } | null = null;
  #pending: Promise<string> | null = null;

  constructor(options: TokenCacheOptions) {
    this.#options = options;
  }

  /** Rejects with what `fetch` rejects with. */
  get(): Promise<string> {
    const current = this.#current;
    const nowMs = this.#options.clock.elapsedMs();
    if (current === null || nowMs >= current.endsAtMs) return this.#renew();
    if (nowMs >= current.renewAtMs) {
      if (this.#options.isRenewedBehind !== true) return this.#renew();
      current.renewAtMs = nowMs + renewalPauseMs;
      this.#renew().catch(() => {});
    }
    return Promise.resolve(current.token);
  }

  /**
   * The service said 401 to this token; the next `get` fetches a new one. A token that was renewed
   * meanwhile is kept.
   */
  refused(token: string): void {
    if (this.#current?.token === token) this.#current = null;
  }

  #renew(): Promise<string> {
    this.#pending ??= this.#fetch().finally(() => {
      this.#pending = null;
    });
    return this.#pending;
  }

  async #fetch(): Promise<string> {
    const { token, lifeSeconds } = await this.#options.fetch();
    const lifeMs = Math.min(lifeSeconds, maxLifeSeconds) * 1000;
    const nowMs = this.#options.clock.elapsedMs();
    const renewAfterMs = lifeMs * renewAtShareOfLife;
    this.#current = {
      token,
      renewAtMs: nowMs + renewAfterMs,
      endsAtMs: nowMs + Math.max(renewAfterMs, lifeMs - minLeftMs),
    };
    return token;
  }
}
