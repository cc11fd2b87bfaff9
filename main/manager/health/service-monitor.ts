import type { Clock } from '../../domain/clock.ts';
import { failureOf, type HttpSend } from '../../wallet/http/http.ts';

/** The wallet service's last answer to any request. Times by the wall clock, for people. */
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

/** Observes every request to the wallet service, so that its state is known without requests of our own. */
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
    // 502 to 504 come from a gateway whose service does not answer; a 500 comes from the service itself.
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
