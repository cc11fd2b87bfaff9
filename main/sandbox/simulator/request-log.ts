import type { Fault } from './faults.ts';

export interface LoggedRequest {
  readonly atMs: number;
  /** null: no operation of the service has this path and method. */
  readonly operation: string | null;
  readonly method: string;
  readonly path: string;
  /** null: nothing that could be read was answered. */
  readonly status: number | null;
  readonly code: string | null;
  readonly idempotencyKey: string | null;
  readonly fault: Fault['kind'] | null;
}

const mostKept = 10_000;

/** The last requests to the service, for tests; the older ones are forgotten. */
export class RequestLog {
  /** A ring: the request with number `seq` is in place `seq % mostKept`. */
  readonly #ring: (LoggedRequest & { readonly seq: number })[] = [];
  #seq = 0;

  add(request: LoggedRequest): void {
    this.#seq += 1;
    this.#ring[this.#seq % mostKept] = { seq: this.#seq, ...request };
  }

  /** Oldest first, a hundred at most. */
  latest(): LoggedRequest[] {
    return this.since(this.#seq - 100);
  }

  /** Oldest first, what was answered after number `seq`. */
  since(seq: number): LoggedRequest[] {
    const first = Math.max(seq, this.#seq - mostKept, 0) + 1;
    return Array.from({ length: Math.max(0, this.#seq - first + 1) }, (_, index) => this.#ring[(first + index) % mostKept] as LoggedRequest);
  }
}
