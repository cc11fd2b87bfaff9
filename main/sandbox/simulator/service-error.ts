type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 409 | 412 | 500;

/** A refusal of the service. The body of a 401 or 404 is empty. */
export class ServiceError extends Error {
  readonly status: RefusalStatus;
  readonly code: string | null;
  constructor(status: RefusalStatus, code: string | null, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}
