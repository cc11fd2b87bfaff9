type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 409 | 412 | 422 | 423 | 429 | 500;

/** A refusal of the service. */
export class ServiceError extends Error {
  readonly status: RefusalStatus;
  readonly code: string | null;
  /** With 429: when to ask again. */
  readonly retryAfterSeconds: number | null;
  constructor(
    status: RefusalStatus,
    code: string | null,
    message: string,
    retryAfterSeconds: number | null = null,
  ) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
    this.status = status;
    this.code = code;
  }
}
