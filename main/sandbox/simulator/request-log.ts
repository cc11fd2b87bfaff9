export interface LoggedRequest {
  readonly atMs: number;
  /** null when no operation of the service has this path and method. */
  readonly operation: string | null;
  readonly method: string;
  readonly path: string;
  /** null when nothing that could be read was answered. */
  readonly status: number | null;
  readonly code: string | null;
  readonly idempotencyKey: string | null;
  /** What the client calls it; null when there is nothing. */
  readonly correlationId: string | null;
  readonly fault: string | null;
}

const mostKept = 10_000;

/** The latest requests to the service, oldest first. */
export class RequestLog {
  readonly #requests: (LoggedRequest & { readonly seq: number })[] = [];
  #seq = 0;

  add(request: LoggedRequest): void {
    this.#seq += 1;
    this.#requests.push({ seq: this.#seq, ...request });
    if (this.#requests.length > mostKept) this.#requests.shift();
  }

  /** A hundred at most. */
  latest(): LoggedRequest[] {
    return this.#requests.slice(-100);
  }

  /** Those that were answered after number `seq`. */
  since(seq: number): LoggedRequest[] {
    return this.#requests.filter((request) => request.seq > seq);
  }
}
