import type { Log, LogLine } from '../domain/log.ts';

const mostAMinute = 20;

export interface BoundedLog extends Pick<Log, 'warn' | 'error'> {
  /** Writes the lines that were only counted until then. */
  close(): void;
}

/** For lines that anybody can cause: each is written some times a minute, then only counted, so that nobody can flood the log. */
export function boundedLog(log: Log): BoundedLog {
  const minutes = new Map<string, { count: number; readonly end: () => void }>();
  const bounded =
    (write: LogLine): LogLine =>
    (fields, message) => {
      const minute = minutes.get(message) ?? begin(write, message);
      minute.count += 1;
      if (minute.count <= mostAMinute) write(fields, message);
    };
  const begin = (write: LogLine, message: string) => {
    const timer = setTimeout(() => minute.end(), 60_000).unref();
    const minute = {
      count: 0,
      end() {
        clearTimeout(timer);
        minutes.delete(message);
        if (minute.count > mostAMinute) write({ more: minute.count - mostAMinute }, message);
      },
    };
    minutes.set(message, minute);
    return minute;
  };
  return {
    warn: bounded((fields, message) => log.warn(fields, message)),
    error: bounded((fields, message) => log.error(fields, message)),
    close() {
      for (const { end } of minutes.values()) end();
    },
  };
}

/** The log of one connection: the first line of each kind at once, and their number when the connection ends. */
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
    for (const [message, times] of this.#counts) if (times > 1) this.#log.warn({ ...this.#about, times }, message);
  }
}
