export interface LoggedRequest {
  readonly atMs: number;
  /** null when no operation of the service has this path and method. */
  readonly operation: string | null;
  readonly method: string;
  readonly path: string;
  /** null when the client got no answer that it can read. */
  readonly status: number | null;
  readonly code: string | null;
  readonly idempotencyKey: string | null;
  /** The client's correlation id; null without a valid one. */
  readonly correlationId: string | null;
  readonly fault: string | null;
}

const maxEntries = 10_000;

/** The latest requests to the service, oldest first. */
export class RequestLog {
  readonly #requests: (LoggedRequest & { readonly seq: number })[] = [];
  #seq = 0;

  add(request: LoggedRequest): void {
    this.#seq += 1;
    this.#requests.push({ seq: this.#seq, ...request });
    if (this.#requests.length > maxEntries) this.#requests.shift();
  }

  /** The last hundred requests. */
  latest(): LoggedRequest[] {
    return this.#requests.slice(-100);
  }

  /** The requests after number `seq`. */
  since(seq: number): LoggedRequest[] {
    return this.#requests.filter((request) => request.seq > seq);
  }
}
