/** Records every exchange between the client and the network, and can cut the connection. */
import type { Clock } from '../../core/domain/clock.ts';
import {
  failureOf,
  type HttpAnswer,
  type HttpRequest,
  type HttpSend,
} from '../../wallets/http/http.ts';
import { type Operation, operationPath } from '../../wallets/http/operation.ts';
import type { TransportProfile } from '../../wallets/http/transport.ts';
import { contentOf, type ObservedExchange, isUseless } from './exchange.ts';
import { Masking } from './masking.ts';

export interface RecorderOptions {
  readonly send: HttpSend;
  readonly clock: Clock;
  readonly baseUrl: string;
  readonly profile: Pick<TransportProfile, 'paths'>;
  /** The end of the token endpoint's path. */
  readonly tokenPath: string;
  readonly operations: readonly Operation[];
  readonly secrets: readonly string[];
}

export class Recorder {
  readonly exchanges: ObservedExchange[] = [];
  /** The case that sends the next requests; null outside of a case. */
  caseId: string | null = null;
  readonly #options: RecorderOptions;
  readonly #masking: Masking;
  readonly #patterns: readonly { readonly name: string; readonly pattern: RegExp }[];
  #line = new AbortController();

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#masking = new Masking(options.secrets);
    const root = new URL(options.baseUrl).pathname.replace(/\/+$/, '');
    this.#patterns = options.operations
      .toSorted((a, b) => parameters(a) - parameters(b))
      .map((operation) => {
        const path = root + operationPath(options.profile, operation);
        return {
          name: operation.name,
          pattern: new RegExp(`^${operation.method} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
        };
      });
  }

  /** Fails the requests that are under way, and every further one until `mend`. */
  cut(why: Error): void {
    this.#line.abort(why);
  }

  mend(): void {
    this.#line = new AbortController();
  }

  readonly send: HttpSend = async (request, signal) => {
    const line = this.#line.signal;
    line.throwIfAborted();
    const { clock } = this.#options;
    const exchange = this.#begin(request);
    try {
      const answer = await this.#options.send(request, AbortSignal.any([signal, line]));
      this.#end(exchange, answer);
      return answer;
    } catch (error) {
      exchange.endedAtMs = clock.monotonicMs();
      exchange.failure = this.#masking.text(failureOf(signal.aborted ? signal.reason : error));
      throw error;
    }
  };

  #begin(request: HttpRequest): ObservedExchange {
    const { clock } = this.#options;
    const url = new URL(request.url);
    const content = {
      method: request.method,
      path: url.pathname + url.search,
      headers: this.#masking.headers(request.headers),
      body: request.body === null ? null : this.#masking.body(request.body),
    };
    // A request counts as a repetition only when no other request was sent in between.
    const last = this.exchanges.findLast(({ operation }) => operation !== 'token');
    const before = last !== undefined && contentOf(last) === contentOf(content) ? last : undefined;
    const exchange: ObservedExchange = {
      ...content,
      number: this.exchanges.length + 1,
      caseId: this.caseId,
      operation: this.#operation(request.method, url.pathname),
      attempt: before !== undefined && isUseless(before) ? before.attempt + 1 : 1,
      sentAt: new Date(clock.wallMs()).toISOString(),
      sentAtMs: clock.monotonicMs(),
      endedAtMs: Number.POSITIVE_INFINITY,
      answer: null,
      failure: null,
    };
    this.exchanges.push(exchange);
    return exchange;
  }

  #end(exchange: ObservedExchange, { status, body }: HttpAnswer): void {
    exchange.answer = { status, body: this.#masking.body(body) };
    exchange.endedAtMs = this.#options.clock.monotonicMs();
  }

  #operation(method: string, path: string): string {
    if (path.endsWith(this.#options.tokenPath)) return 'token';
    return this.#patterns.find(({ pattern }) => pattern.test(`${method} ${path}`))?.name ?? '?';
  }
}

const parameters = ({ path }: Operation): number => path.split('{').length;
