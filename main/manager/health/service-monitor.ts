import type { Clock } from '../../domain/clock.ts';
import { failureOf, type HttpSend } from '../../wallet/http/http.ts';

/** How the wallet service answered last, whoever asked it for whatever. By the wall clock: for people. */
export interface ServiceSeen {
  readonly reachable: boolean;
  /** Since when it is, or is not. */
  readonly sinceMs: number;
  readonly lastAnswerMs: number | null;
  /** Why the last request had no answer, in the system's words. */
  readonly detail: string | null;
  /** Whether our credentials were good at the last answer that tells. */
  readonly credentials: 'accepted' | 'refused' | 'notTried';
}

/** Looks over the shoulder of every request to the wallet service: what is known of it anyway costs it no further one. */
export class ServiceMonitor {
  readonly #clock: Clock;
  #seen: ServiceSeen | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** null: nothing was asked yet. */
  get seen(): ServiceSeen | null {
    return this.#seen;
  }

  /** The same network, watched. */
  watching(send: HttpSend): HttpSend {
    return async (request, signal) => {
      try {
        const answer = await send(request, signal);
        this.#answered(answer.status, request.headers['authorization'] ?? '');
        return answer;
      } catch (error) {
        this.#failed(error);
        throw error;
      }
    };
  }

  #answered(status: number, proof: string): void {
    // Those are a gateway's words for a service that does not answer; a 500 is the service's own.
    if (status >= 502 && status <= 504) return this.#failed(new Error(`status ${status}`));
    // The token endpoint says 400 too (interface document 2, "Authentication").
    const isRefused = status === 401 || (status >= 400 && proof.startsWith('Basic '));
    const told = isRefused ? 'refused' : status < 300 && proof !== '' ? 'accepted' : null;
    this.#becomes(true, { lastAnswerMs: this.#clock.wallMs(), detail: null, credentials: told ?? this.#seen?.credentials ?? 'notTried' });
  }

  #failed(error: unknown): void {
    const { lastAnswerMs = null, credentials = 'notTried' } = this.#seen ?? {};
    this.#becomes(false, { lastAnswerMs, detail: failureOf(error), credentials });
  }

  #becomes(reachable: boolean, rest: Omit<ServiceSeen, 'reachable' | 'sinceMs'>): void {
    const sinceMs = this.#seen?.reachable === reachable ? this.#seen.sinceMs : this.#clock.wallMs();
    this.#seen = { reachable, sinceMs, ...rest };
  }
}
