import { type Clock, systemClock } from './clock.ts';
import type { Log, LogLine } from './log.ts';

const minuteMs = 60_000;
type Level = 'debug' | 'info' | 'warn' | 'error';

export interface BoundedLog extends Log {
  /** Writes how many lines were only counted. */
  close(): void;
}

interface BoundedLogOptions {
  readonly clock?: Pick<Clock, 'monotonicMs'>;
  /** The most lines of one kind in a minute. */
  readonly maxPerMinute?: number;
}

interface Minute {
  readonly startedAtMs: number;
  readonly write: LogLine;
  readonly message: string;
  count: number;
}

/**
 * For lines that any peer can cause: some of each kind are written in a minute, the rest is
 * counted, so that nobody can flood the log. The kind is the message, which is a constant text, and
 * the field `command`, of which there are few. The next line after the minute tells the number.
 */
export function boundedLog(
  log: Log,
  { clock = systemClock, maxPerMinute = 20 }: BoundedLogOptions = {},
): BoundedLog {
  const minutes = new Map<string, Minute>();
  const end = (kind: string, { write, message, count }: Minute): void => {
    minutes.delete(kind);
    if (count > maxPerMinute) write({ more: count - maxPerMinute }, message);
  };
  const endBefore = (startedMs: number): void => {
    for (const [kind, minute] of minutes) if (minute.startedAtMs <= startedMs) end(kind, minute);
  };
  const bounded = (of: Log): BoundedLog => {
    const on = (level: Level): LogLine => {
      const write: LogLine = (fields, message) => of[level](fields, message);
      return (fields, message) => {
        const nowMs = clock.monotonicMs();
        const kind =
          typeof fields['command'] === 'string' ? `${message} ${fields['command']}` : message;
        endBefore(nowMs - minuteMs);
        let minute = minutes.get(kind);
        if (minute === undefined)
          minutes.set(kind, (minute = { startedAtMs: nowMs, write, message, count: 0 }));
        minute.count += 1;
        if (minute.count <= maxPerMinute) write(fields, message);
      };
    };
    return {
      debug: on('debug'),
      info: on('info'),
      warn: on('warn'),
      error: on('error'),
      child: (fields) => bounded(of.child(fields)),
      close: () => endBefore(Number.POSITIVE_INFINITY),
    };
  };
  return bounded(log);
}
