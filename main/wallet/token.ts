import { z } from 'zod';
import type { Clock } from '../primitives/clock.ts';
import { CredentialsRefusedError, ServiceUnreachableError, UnexpectedAnswerError } from './errors.ts';
import type { HttpAnswer, HttpSend } from './http.ts';
import { writeTimeoutMs } from './interfaces.ts';
import { parseJson } from './json.ts';

export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly merchantVat: string;
}

const TokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.number().positive(), token_type: z.string() });

/** Renewed at this share of its life, so that no request leaves with a token that runs out on the way (document 4, section 8). */
const renewAtShareOfLife = 0.9;
const operation = 'token';

/**
 * The access token of the token endpoint (interface document 2, "Authentication"): fetched when first needed, shared by all callers,
 * fetched once however many ask at the same time.
 * @throws CredentialsRefusedError, ServiceUnreachableError, UnexpectedAnswerError
 */
export class TokenSource {
  readonly #url: string;
  readonly #credentials: ClientCredentials;
  readonly #tokenFor: 'merchant' | 'integrator';
  readonly #send: HttpSend;
  readonly #clock: Clock;
  #current: { token: string; renewAtMs: number } | null = null;
  #pending: Promise<string> | null = null;

  constructor(options: { url: string; credentials: ClientCredentials; tokenFor?: 'merchant' | 'integrator'; send: HttpSend; clock: Clock }) {
    this.#url = options.url;
    this.#credentials = options.credentials;
    this.#tokenFor = options.tokenFor ?? 'merchant';
    this.#send = options.send;
    this.#clock = options.clock;
  }

  get(): Promise<string> {
    if (this.#current !== null && this.#clock.monotonicMs() < this.#current.renewAtMs) return Promise.resolve(this.#current.token);
    this.#pending ??= this.#fetch().finally(() => {
      this.#pending = null;
    });
    return this.#pending;
  }

  /** The service said 401 to this token; the next `get` fetches a new one. A token that was renewed meanwhile is kept. */
  refused(token: string): void {
    if (this.#current?.token === token) this.#current = null;
  }

  async #fetch(): Promise<string> {
    const { clientId, clientSecret, merchantVat } = this.#credentials;
    const answer = await this.#request({
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      body: new URLSearchParams({ grant_type: 'client_credentials', ...(this.#tokenFor === 'merchant' ? { merchant_vat: merchantVat } : {}) }).toString(),
    });
    if (answer.status >= 500) throw new ServiceUnreachableError(operation, 1, `status ${answer.status}`, { retryAfterMs: answer.retryAfterMs });
    if (answer.status >= 400) throw new CredentialsRefusedError(operation, answer.status);
    const parsed = TokenAnswer.safeParse(parseJson(answer.body));
    if (!parsed.success) throw new UnexpectedAnswerError(operation, answer.status, 'no access_token with its expires_in');
    const renewAtMs = this.#clock.monotonicMs() + parsed.data.expires_in * 1000 * renewAtShareOfLife;
    this.#current = { token: parsed.data.access_token, renewAtMs };
    return parsed.data.access_token;
  }

  async #request({ authorization, body }: { authorization: string; body: string }): Promise<HttpAnswer> {
    const abort = new AbortController();
    const cancelTimeout = this.#clock.after(writeTimeoutMs, () => abort.abort(new Error(`no answer within ${writeTimeoutMs} ms`)));
    try {
      const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
      return await this.#send({ method: 'POST', url: this.#url, headers, body }, abort.signal);
    } catch (cause) {
      throw new ServiceUnreachableError(operation, 1, describe(cause), { cause });
    } finally {
      cancelTimeout();
    }
  }
}

/** The innermost reason, for a log line: fetch hides `ECONNREFUSED` behind "fetch failed". */
export function describe(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  if (cause.cause instanceof Error) return describe(cause.cause);
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
}
