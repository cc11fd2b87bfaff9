import type { Log } from '../../core/domain/log.ts';

export { type BoundedLog, boundedLog } from '../../core/domain/bounded-log.ts';

/**
 * The log of one connection: the first line of each kind at once, and their number when the
 * connection ends.
 */
export class CountedLog {
  readonly #log: Pick<Log, 'warn'>;
  readonly #about: Record<string, unknown>;
  readonly #counts = new Map<string, number>();

  /** @param about the connection */
  constructor(log: Pick<Log, 'warn'>, about: Record<string, unknown>) {
    this.#log = log;
    this.#about = about;
  }

  warn(fields: Record<string, unknown>, message: string): void {
    const count = (this.#counts.get(message) ?? 0) + 1;
    this.#counts.set(message, count);
    if (count === 1) this.#log.warn({ ...this.#about, ...fields }, message);
  }

  end(): void {
    for (const [message, times] of this.#counts)
      if (times > 1) this.#log.warn({ ...this.#about, times }, message);
  }
}
