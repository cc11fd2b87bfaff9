import { outsideText } from '../../core/domain/outside-text.ts';

/**
 * What can go wrong between us and the wallet service. Each says what it means for the request:
 * refused, unknown, or never sent.
 */
export abstract class WalletError extends Error {
  readonly operation: string;
  /**
   * Whether an earlier attempt of the same request got no answer. That attempt may have been
   * executed or may still arrive, also when this attempt was refused.
   */
  afterSilence = false;
  constructor(operation: string, message: string, options?: ErrorOptions) {
    // The message may quote the service, and is logged, kept and shown.
    super(outsideText(message), options);
    this.operation = operation;
  }
}

/**
 * The service understood and said no (4xx): nothing was done. `code` as in document 4, section
 * 1.10; null where the answer had none.
 */
export class ServiceRefusedError extends WalletError {
  override readonly name = 'ServiceRefusedError';
  readonly status: number;
  readonly code: string | null;
  readonly correlationId: string | null;
  constructor(
    operation: string,
    status: number,
    details: { code: string | null; message: string | null; correlationId: string | null },
  ) {
    const saysCode = details.code === null ? '' : ` (code ${details.code})`;
    super(
      operation,
      `${operation}: the wallet service refused with ${status}${saysCode}${details.message ? `: ${details.message}` : ''}`,
    );
    this.status = status;
    this.code = details.code;
    this.correlationId = details.correlationId;
  }
}

/** The client credentials or the token were refused, also after a renewal. Nothing was done. */
export class CredentialsRefusedError extends WalletError {
  override readonly name = 'CredentialsRefusedError';
  readonly status: number;
  constructor(operation: string, status: number) {
    super(
      operation,
      `${operation}: the wallet service does not accept the client credentials (${status})`,
    );
    this.status = status;
  }
}

/**
 * No answer, or only 5xx, after every allowed repetition. Whether the request was carried out is
 * not known: ask.
 */
export class ServiceUnreachableError extends WalletError {
  override readonly name = 'ServiceUnreachableError';
  readonly attempts: number;
  readonly retryAfterMs: number | null;
  /** Status of the last answer; null when there was none. */
  readonly status: number | null;
  constructor(
    operation: string,
    attempts: number,
    why: string,
    options?: ErrorOptions & { retryAfterMs?: number | null; status?: number | null },
  ) {
    super(
      operation,
      `${operation}: no usable answer from the wallet service after ${attempts} request${attempts === 1 ? '' : 's'} (${why})`,
      options,
    );
    this.attempts = attempts;
    this.retryAfterMs = options?.retryAfterMs ?? null;
    this.status = options?.status ?? null;
  }
}

/**
 * An answer that is not what the interface describes (HTML, wrong types, no JSON). The outcome is
 * not known: ask.
 */
export class UnexpectedAnswerError extends WalletError {
  override readonly name = 'UnexpectedAnswerError';
  constructor(operation: string, status: number, what: string) {
    super(
      operation,
      `${operation}: the answer (${status}) is not what the interface describes: ${what}`,
    );
  }
}

/** The request breaks a rule of the interface; it was never sent. */
export class InvalidRequestError extends WalletError {
  override readonly name = 'InvalidRequestError';
  readonly field: string;
  readonly rule: string;
  readonly value: unknown;
  constructor(operation: string, field: string, rule: string, value: unknown) {
    super(operation, `${operation}: ${field} ${rule}, got ${JSON.stringify(value) ?? 'nothing'}`);
    this.field = field;
    this.rule = rule;
    this.value = value;
  }
}
