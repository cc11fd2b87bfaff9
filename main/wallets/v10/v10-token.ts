import { z } from 'zod';
import type { Clock } from '../../core/domain/clock.ts';
import {
  CredentialsRefusedError,
  ServiceUnreachableError,
  UnexpectedAnswerError,
} from '../http/errors.ts';
import {
  failureOf,
  type HttpAnswer,
  type HttpRequest,
  type HttpSend,
  NoAnswerInTimeError,
} from '../http/http.ts';
import { writeTimeoutMs } from './v10-interfaces.ts';
import { parseAnswer } from '../http/json.ts';
import { type IssuedToken, TokenCache } from '../http/token-cache.ts';

export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly merchantVat: string;
}

/** Only characters that a header may have, and a length that servers take. */
const Token = z.string().regex(/^[\x20-\x7e]{1,8192}$/);
const TokenAnswer = z.object({
  access_token: Token,
  expires_in: z.number().positive(),
  token_type: z.string(),
});

interface TokenRequest {
  readonly url: string;
  readonly credentials: ClientCredentials;
  readonly tokenFor?: 'merchant' | 'integrator';
}

const maxBytes = 64 * 1024;
const operation = 'token';

/**
 * The access token of the token endpoint (interface document 2, "Authentication").
 * @throws CredentialsRefusedError, ServiceUnreachableError, UnexpectedAnswerError
 */
export class TokenSource {
  readonly #request: HttpRequest;
  readonly #send: HttpSend;
  readonly #clock: Clock;
  readonly #cache: TokenCache;

  constructor(options: TokenRequest & { send: HttpSend; clock: Clock }) {
    this.#request = tokenRequest(options);
    this.#send = options.send;
    this.#clock = options.clock;
    this.#cache = new TokenCache({ clock: options.clock, fetch: () => this.#fetch() });
  }

  get(): Promise<string> {
    return this.#cache.get();
  }

  /** See {@link TokenCache.refused}. */
  refused(token: string): void {
    this.#cache.refused(token);
  }

  async #fetch(): Promise<IssuedToken> {
    const answer = await this.#sendOnce();
    const { status, retryAfterMs } = answer;
    if (status === 429 || status >= 500)
      throw new ServiceUnreachableError(operation, 1, `status ${status}`, { status, retryAfterMs });
    if (status >= 400) throw new CredentialsRefusedError(operation, status);
    const parsed = TokenAnswer.safeParse(parseAnswer(answer.body));
    if (!parsed.success)
      throw new UnexpectedAnswerError(operation, status, 'no access_token with its expires_in');
    return { token: parsed.data.access_token, lifeSeconds: parsed.data.expires_in };
  }

  async #sendOnce(): Promise<HttpAnswer> {
    const abort = new AbortController();
    const cancelTimeout = this.#clock.after(writeTimeoutMs, () =>
      abort.abort(new NoAnswerInTimeError(writeTimeoutMs)),
    );
    try {
      return await this.#send(this.#request, abort.signal);
    } catch (cause) {
      throw new ServiceUnreachableError(operation, 1, failureOf(cause), { cause });
    } finally {
      cancelTimeout();
    }
  }
}

function tokenRequest({
  url,
  credentials: { clientId, clientSecret, merchantVat },
  tokenFor = 'merchant',
}: TokenRequest): HttpRequest {
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    ...(tokenFor === 'merchant' && { merchant_vat: merchantVat }),
  });
  const headers = {
    authorization,
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  };
  return { method: 'POST', url, headers, body: form.toString(), maxBytes };
}
