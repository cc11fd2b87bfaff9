import type { Clock } from '../../domain/clock.ts';
import { failureOf, type HttpSend } from '../../wallet/http/http.ts';

/** How the wallet service answered last, to any request. Times are of the wall clock, for people. */
/** The wallet service's last answer to any request. Times by the wall clock, for people. */
export interface ServiceSeen {
  readonly reachable: boolean;
  /** When the current state began. */
  readonly sinceMs: number;
  readonly lastAnswerMs: number | null;
  /** The system's error of the last request without an answer. */
  readonly detail: string | null;
  /** Whether the service accepted our credentials at the last answer that shows it. */
  readonly credentials: 'accepted' | 'refused' | 'notTried';
}

/** Observes every request to the wallet service, so that its state is known without extra requests. */
/** Observes every request to the wallet service, so that its state is known without requests of our own. */
export class ServiceMonitor {
  readonly #clock: Clock;
  #seen: ServiceSeen | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** null before the first request. */
  get seen(): ServiceSeen | null {
    return this.#seen;
  }

  /** Wraps the network so that requests are observed. */
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
    // A gateway answers these when the service does not; a 500 is the service's own answer.
    if (status >= 502 && status <= 504) return this.#failed(new Error(`status ${status}`));
    // The token endpoint also answers 400 (interface document 2, "Authentication").
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
