import { type Clock, systemClock } from './clock.ts';
import type { Log, LogLine } from './log.ts';

type Level = 'debug' | 'info' | 'warn' | 'error';

export interface BoundedLog extends Log {
  /** Writes how many lines were only counted. */
  close(): void;
}

interface BoundedLogOptions {
  readonly clock?: Pick<Clock, 'monotonicMs'>;
  /** Lines of one kind that are written. Default: 20. */
  readonly maxLines?: number;
  /** How long these lines are counted together. Infinity: until `close`. Default: a minute. */
  readonly withinMs?: number;
}

interface Window {
  readonly startedAtMs: number;
  readonly level: Level;
  readonly message: string;
  count: number;
}

/**
 * For lines that any peer can cause. The first ones of each kind are written and the rest is
 * counted, so that nobody can flood the log. The kind is the message, which is a constant text, and
 * the field `command`, of which there are few. The next line after the time tells the number.
 */
export function boundedLog(
  log: Log,
  { clock = systemClock, maxLines = 20, withinMs = 60_000 }: BoundedLogOptions = {},
): BoundedLog {
  const windows = new Map<string, Window>();
  const end = (kind: string, { level, message, count }: Window): void => {
    windows.delete(kind);
    // Counts the lines of all child loggers together.
    if (count > maxLines) log[level]({ more: count - maxLines }, message);
  };
  const endBefore = (startedMs: number): void => {
    for (const [kind, window] of windows) if (window.startedAtMs <= startedMs) end(kind, window);
  };
  const bounded = (of: Log): BoundedLog => {
    const on = (level: Level): LogLine => {
      return (fields, message) => {
        const nowMs = clock.monotonicMs();
        const kind =
          typeof fields['command'] === 'string' ? `${message} ${fields['command']}` : message;
        endBefore(nowMs - withinMs);
        let window = windows.get(kind);
        if (window === undefined)
          windows.set(kind, (window = { startedAtMs: nowMs, level, message, count: 0 }));
        window.count += 1;
        if (window.count <= maxLines) of[level](fields, message);
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
