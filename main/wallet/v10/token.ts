import { z } from 'zod';
import type { Clock } from '../../domain/clock.ts';
import { CredentialsRefusedError, ServiceUnreachableError, UnexpectedAnswerError } from '../http/errors.ts';
import { failureOf, type HttpAnswer, type HttpRequest, type HttpSend, NoAnswerInTimeError } from '../http/http.ts';
import { writeTimeoutMs } from './interfaces.ts';
import { parseAnswer } from '../http/json.ts';

export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly merchantVat: string;
}

/** As it can stand in a header, and be taken there. */
const Token = z.string().regex(/^[\x20-\x7e]{1,8192}$/);
const TokenAnswer = z.object({ access_token: Token, expires_in: z.number().positive(), token_type: z.string() });

interface TokenRequest {
  readonly url: string;
  readonly credentials: ClientCredentials;
  readonly tokenFor?: 'merchant' | 'integrator';
}

/** Renewed at this share of its life, so that no request leaves with a token that runs out on the way (document 4, section 8). */
const renewAtShareOfLife = 0.9;
/** Whatever it says of itself. */
const longestLifeSeconds = 24 * 60 * 60;
const mostBytes = 64 * 1024;
const operation = 'token';

/**
 * The access token of the token endpoint (interface document 2, "Authentication"): fetched when first needed, shared by all callers,
 * fetched once however many ask at the same time.
 * @throws CredentialsRefusedError, ServiceUnreachableError, UnexpectedAnswerError
 */
export class TokenSource {
  readonly #request: HttpRequest;
  readonly #send: HttpSend;
  readonly #clock: Clock;
  #current: { token: string; renewAtMs: number } | null = null;
  #pending: Promise<string> | null = null;

  constructor(options: TokenRequest & { send: HttpSend; clock: Clock }) {
    this.#request = tokenRequest(options);
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
    const answer = await this.#sendOnce();
    if (answer.status >= 500) throw new ServiceUnreachableError(operation, 1, `status ${answer.status}`, { retryAfterMs: answer.retryAfterMs });
    if (answer.status >= 400) throw new CredentialsRefusedError(operation, answer.status);
    const parsed = TokenAnswer.safeParse(parseAnswer(answer.body));
    if (!parsed.success) throw new UnexpectedAnswerError(operation, answer.status, 'no access_token with its expires_in');
    const renewAtMs = this.#clock.monotonicMs() + Math.min(parsed.data.expires_in, longestLifeSeconds) * 1000 * renewAtShareOfLife;
    this.#current = { token: parsed.data.access_token, renewAtMs };
    return parsed.data.access_token;
  }

  async #sendOnce(): Promise<HttpAnswer> {
    const abort = new AbortController();
    const cancelTimeout = this.#clock.after(writeTimeoutMs, () => abort.abort(new NoAnswerInTimeError(writeTimeoutMs)));
    try {
      return await this.#send(this.#request, abort.signal);
    } catch (cause) {
      throw new ServiceUnreachableError(operation, 1, failureOf(cause), { cause });
    } finally {
      cancelTimeout();
    }
  }
}

function tokenRequest({ url, credentials: { clientId, clientSecret, merchantVat }, tokenFor = 'merchant' }: TokenRequest): HttpRequest {
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  const form = new URLSearchParams({ grant_type: 'client_credentials', ...(tokenFor === 'merchant' && { merchant_vat: merchantVat }) });
  const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
  return { method: 'POST', url, headers, body: form.toString(), mostBytes };
}
